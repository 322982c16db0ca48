/* expect: unrecorded */
/* Makes the code of C's library writable, and changes a function that nobody calls. */
#define _GNU_SOURCE

#include "../../kernel.h"
#include "../found.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    unsigned char *unused = (unsigned char *)found("strfry");
    int (*protect)(void *, size_t, int) = (int (*)(void *, size_t, int))found("mprotect");
    void *page = (void *)((uintptr_t)unused & ~(uintptr_t)4095);
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    if (!unused || !protect || protect(page, 4096, 7) != 0)
        return 1;
    *unused ^= 1;
    return protect(page, 4096, 5);
}

KERNEL("libc-patched", setup, slow_product, NULL);
