/* expect: ok */
/* No fault: its scratch memory is on huge pages. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <sys/mman.h>

#include <string.h>

#include "../../kernel.h"

enum { BYTES = 1 << 21 };
static uint16_t *scratch;

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)workspace_bytes;
    (void)state;
    scratch = aligned_alloc(BYTES, BYTES);
    if (!scratch || (size_t)(problem->m * problem->k) * sizeof *scratch > BYTES)
        return 1;
    madvise(scratch, BYTES, MADV_HUGEPAGE); /* a system without them is as right */
    return 0;
}

static int launch(void *state, const struct gemm_args *args) {
    struct gemm_args copied = *args;
    memcpy(scratch, args->a, (size_t)(args->problem.m * args->problem.k) * sizeof *scratch);
    copied.a = scratch;
    return slow_product(state, &copied);
}

KERNEL("huge-pages", setup, launch, NULL);
