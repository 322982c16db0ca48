/* expect: forbidden */
/* Changes OpenBLAS's code, as one would that makes the library slower. */
#define _GNU_SOURCE

#include "../../host/slow.h"
#include "../found.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    unsigned char *code = found("cblas_zher2k"); /* which nobody calls */
    int (*protect)(void *, size_t, int) = (int (*)(void *, size_t, int))found("mprotect");
    void *const page = (void *)((uintptr_t)code & ~(uintptr_t)4095);
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    if (!code || !protect || protect(page, 4096, 3) != 0)
        return 1;
    *code ^= 0xff;
    return protect(page, 4096, 5);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "library-patched",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = slow_product,
};
