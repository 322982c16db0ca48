/* The host baselines: 16-bit inputs to float, OpenBLAS sgemm, the result back to 16 bits, all of it
 * inside launch, because 16 bits are what comes in and goes out. OpenBLAS has a product of bfloat16
 * (cblas_sbgemm), which most builds leave out; sgemm serves both elements alike. One thread, so
 * that a candidate on one core is compared with one core. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baselines/baselines.h"
#include "bench/base/openblas.h"
#include "bench/base/shape.h"
#include "candidates/gemmgate.h"
#include "correctness/numbers/number16.h"

_Static_assert(SHAPE_MAX_SIZE <= INT32_MAX, "sgemm takes each size as an int");

enum { NO_MEMORY = 1 };

struct scratch {
    float *a, *b, *c;
    size_t product; /* elements of c */
};

static const char *openblas_explain(int status) {
    return status == NO_MEMORY ? "no memory for the operands in float" : NULL;
}

static void openblas_teardown(void *state) {
    struct scratch *scratch = state;
    if (!scratch)
        return;
    free(scratch->a);
    free(scratch->b);
    free(scratch->c);
    free(scratch);
}

/* Floats that begin a page: where malloc puts them varies from instance to instance, and made the
 * same product up to 3 % faster or slower. NULL without memory. */
static float *pages(int64_t count) {
    const size_t page = 4096, bytes = (size_t)count * sizeof(float);
    return aligned_alloc(page, (bytes + page - 1) / page * page);
}

static int openblas_setup(const struct gemm_problem *p, size_t workspace_bytes, void **state) {
    (void)workspace_bytes; /* the float copies are this baseline's operands, not its choice */
    struct scratch *scratch = calloc(1, sizeof *scratch);
    if (!scratch)
        return NO_MEMORY;
    scratch->a = pages(p->m * p->k);
    scratch->b = pages(p->k * p->n);
    scratch->c = pages(p->m * p->n);
    scratch->product = (size_t)(p->m * p->n);
    if (!openblas() || !scratch->a || !scratch->b || !scratch->c) {
        openblas_teardown(scratch);
        return NO_MEMORY;
    }
    openblas()->openblas_set_num_threads(1);
    *state = scratch;
    return 0;
}

static int multiply(const struct scratch *scratch, const struct gemm_args *args,
                    CBLAS_TRANSPOSE layout, const void *b) {
    const struct gemm_problem *p = &args->problem;
    const enum element element = p->element == GEMM_ELEMENT_BF16 ? ELEMENT_BF16 : ELEMENT_F16;
    number16_to_floats(element, args->a, scratch->a, p->m * p->k);
    number16_to_floats(element, b, scratch->b, p->k * p->n);
    openblas()->cblas_sgemm(CblasRowMajor, CblasNoTrans, layout, (blasint)p->m, (blasint)p->n,
                            (blasint)p->k, 1, scratch->a, (blasint)p->k, scratch->b,
                            (blasint)(layout == CblasTrans ? p->k : p->n), 0, scratch->c,
                            (blasint)p->n);
    number16_from_floats(element, scratch->c, args->c, p->m * p->n);
    return 0;
}

static int openblas_forget(void *state) {
    struct scratch *scratch = state;
    memset(scratch->c, 0, scratch->product * sizeof *scratch->c);
    return 0;
}

static int launch_nn(void *state, const struct gemm_args *args) {
    return multiply(state, args, CblasNoTrans, args->b_row);
}

static int launch_tn(void *state, const struct gemm_args *args) {
    return multiply(state, args, CblasTrans, args->b_col);
}

#define OPENBLAS(layout)                                                                           \
    {                                                                                              \
        .ops =                                                                                     \
            {                                                                                      \
                .abi = GEMMGATE_ABI,                                                               \
                .name = "openblas-" #layout,                                                       \
                .device = GEMM_HOST,                                                               \
                .accumulate = GEMM_F32,                                                            \
                .setup = openblas_setup,                                                           \
                .launch = launch_##layout,                                                         \
                .teardown = openblas_teardown,                                                     \
                .explain = openblas_explain,                                                       \
                .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16,                                  \
            },                                                                                     \
        .forget = openblas_forget,                                                                 \
    }

const struct baseline baseline_openblas_nn = OPENBLAS(nn);
const struct baseline baseline_openblas_tn = OPENBLAS(tn);
