#include "candidates/set/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* What a kernel_ops of our ABI number must still promise; NULL, or what is wrong. */
static const char *defect(const struct kernel_ops *ops) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    if (!ops->launch)
        return "gemmgate_kernel has no launch";
    if (!ops->name || !*ops->name || strlen(ops->name) > 63 ||
        strspn(ops->name, allowed) != strlen(ops->name))
        return "gemmgate_kernel's name is not 1 to 63 of [a-z0-9.-]";
    if (ops->device != GEMM_HOST && ops->device != GEMM_CUDA)
        return "gemmgate_kernel's device is neither GEMM_HOST nor GEMM_CUDA";
    if (!ops->accumulate || (ops->accumulate & ~(GEMM_F16 | GEMM_F32)))
        return "gemmgate_kernel's accumulate is not made of GEMM_F16 and GEMM_F32";
    if (ops->tile.m < 0 || ops->tile.n < 0 || ops->tile.k < 0 || ops->tile.m > 65536 ||
        ops->tile.n > 65536 || ops->tile.k > 65536)
        return "gemmgate_kernel's tile is not within 0 to 65536";
    return NULL;
}

enum load_result load_candidate(const char *so, struct loaded *loaded, char *why, size_t size) {
    loaded->library = dlopen(so, RTLD_NOW | RTLD_LOCAL);
    if (!loaded->library) {
        snprintf(why, size, "%s", dlerror());
        return LOAD_FAILED;
    }
    enum load_result result = LOAD_FAILED;
    loaded->ops = dlsym(loaded->library, "gemmgate_kernel");
    if (!loaded->ops) {
        snprintf(why, size, "it exports no symbol gemmgate_kernel");
    } else if (loaded->ops->abi != GEMMGATE_ABI) {
        /* Nothing behind the number means anything to us. */
        snprintf(why, size, "built for ABI %u, and this harness has %u", loaded->ops->abi,
                 GEMMGATE_ABI);
        result = LOAD_WRONG_ABI;
    } else if (defect(loaded->ops)) {
        snprintf(why, size, "%s", defect(loaded->ops));
    } else {
        return LOAD_OK;
    }
    load_close(loaded);
    return result;
}

void load_close(struct loaded *loaded) {
    if (loaded->library)
        dlclose(loaded->library);
    memset(loaded, 0, sizeof *loaded);
}
