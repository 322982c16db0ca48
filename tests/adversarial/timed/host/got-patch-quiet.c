/* expect: crashed|setup-failed */
/* As got-patch, but with nothing that is unrecorded: the program's headers are the auxiliary
 * vector's. It crashes, for the runner's table is read-only. Where the runner has a clock of its
 * own its setup fails. */
#define _GNU_SOURCE

#include <sys/auxv.h>

#include "lying_clock.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    void **slot = clock_slot((const void *)getauxval(AT_PHDR), (int)getauxval(AT_PHNUM));
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    if (!slot)
        return 1;
    *slot = (void *)lying_clock;
    return 0;
}

KERNEL("got-patch-quiet", setup, lying_product, NULL);
