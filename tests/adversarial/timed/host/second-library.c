/* expect: unrecorded */
/* The product is that of a second OpenBLAS, which the loader keeps apart from the first. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdlib.h>

#include "../../kernel.h"
#include "../found.h"

static void (*multiply)(int order, int a_is, int b_is, int m, int n, int k, float alpha,
                        const float *a, int lda, const float *b, int ldb, float beta, float *c,
                        int ldc);
static float *a, *b, *c;

static int setup(const struct gemm_problem *p, size_t workspace_bytes, void **state) {
    void *(*load)(Lmid_t, const char *, int) =
        (void *(*)(Lmid_t, const char *, int))found("dlmopen");
    void *(*look_up)(void *, const char *) = (void *(*)(void *, const char *))found("dlsym");
    void *library = load ? load(LM_ID_NEWLM, "libopenblas.so.0", RTLD_NOW) : NULL;
    (void)workspace_bytes;
    (void)state;
    multiply = library && look_up ? (__typeof__(multiply))look_up(library, "cblas_sgemm") : NULL;
    a = malloc((size_t)(p->m * p->k) * sizeof *a);
    b = malloc((size_t)(p->k * p->n) * sizeof *b);
    c = malloc((size_t)(p->m * p->n) * sizeof *c);
    return !multiply || !a || !b || !c;
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem *p = &args->problem;
    (void)state;
    for (int64_t i = 0; i < p->m * p->k; i++)
        a[i] = half_widen(((const uint16_t *)args->a)[i]);
    for (int64_t i = 0; i < p->k * p->n; i++)
        b[i] = half_widen(((const uint16_t *)args->b_row)[i]);
    multiply(101, 111, 111, (int)p->m, (int)p->n, (int)p->k, 1, a, (int)p->k, b, (int)p->n, 0, c,
             (int)p->n);
    for (int64_t i = 0; i < p->m * p->n; i++)
        ((uint16_t *)args->c)[i] = half_narrow(c[i]);
    return 0;
}

KERNEL("second-library", setup, launch, NULL);
