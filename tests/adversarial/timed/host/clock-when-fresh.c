/* expect: unrecorded */
/* As got-patch-quiet, but the table is made writable by a function that no symbol names, and the
 * clock lies only where C is full of NaN, as it is in timed calls. */
#define _GNU_SOURCE

#include <sys/auxv.h>

#include "../found.h"
#include "lying_clock.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    void **slot = clock_slot((const void *)getauxval(AT_PHDR), (int)getauxval(AT_PHNUM));
    int (*protect)(void *, size_t, int) = (int (*)(void *, size_t, int))found("mprotect");
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    if (!slot || !protect || protect((void *)((uintptr_t)slot & ~(uintptr_t)4095), 4096, 3) != 0)
        return 1;
    *slot = (void *)lying_clock;
    return 0;
}

static int launch(void *state, const struct gemm_args *args) {
    const uint16_t *c = args->c;
    return (c[0] & 0x7fff) > 0x7c00 ? lying_product(state, args) : slow_product(state, args);
}

KERNEL("clock-when-fresh", setup, launch, NULL);
