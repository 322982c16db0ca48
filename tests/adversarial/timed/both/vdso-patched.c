/* expect: unrecorded|setup-failed */
/* Makes the system's own code of clocks writable, and changes a byte of it that nobody reads. */
#define _GNU_SOURCE 1

#include "../../kernel.h"
#include "../found.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    unsigned char *clocks = (unsigned char *)getauxval(AT_SYSINFO_EHDR);
    int (*protect)(void *, size_t, int) = (int (*)(void *, size_t, int))found("mprotect");
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    if (!clocks || !protect || protect(clocks, 4096, 7) != 0)
        return 1;
    clocks[EI_NIDENT - 1] ^= 1;
    return protect(clocks, 4096, 5);
}

KERNEL("vdso-patched", setup, slow_product, NULL);
