#include "candidates/set/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "candidates/set/call.h"

/* Whether a kernel_ops of our ABI number keeps its other promises: NULL, or a sentence about the
 * broken one. */
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
    if (ops->elements & ~(GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16))
        return "gemmgate_kernel's elements are not made of GEMM_ELEMENT_F16 and GEMM_ELEMENT_BF16";
    if (ops->tile.m < 0 || ops->tile.n < 0 || ops->tile.k < 0 || ops->tile.m > 65536 ||
        ops->tile.n > 65536 || ops->tile.k > 65536)
        return "gemmgate_kernel's tile is not within 0 to 65536";
    return NULL;
}

static enum load_result take_kernel(const struct kernel_ops *ops, struct loaded *loaded, char *why,
                                    size_t size) {
    if (ops->abi != GEMMGATE_ABI) {
        /* Nothing behind the number means anything to us. */
        snprintf(why, size,
                 "built for ABI %u, and this harness has %u: compile it again with the gemmgate.h "
                 "of this version%s",
                 ops->abi, GEMMGATE_ABI,
                 ops->abi == 1 ? ", which a source of ABI 1 need not be changed for" : "");
        return LOAD_WRONG_ABI;
    }
    loaded->ops = ops;
    return LOAD_OK;
}

enum load_result load_candidate(const char *so, struct loaded *loaded, char *why, size_t size) {
    memset(loaded, 0, sizeof *loaded);
    loaded->library = dlopen(so, RTLD_NOW | RTLD_LOCAL);
    if (!loaded->library) {
        snprintf(why, size, "%s", dlerror());
        return LOAD_FAILED;
    }
    enum load_result result = LOAD_FAILED;
    const void *kernel = dlsym(loaded->library, "gemmgate_kernel");
    if (kernel)
        result = take_kernel(kernel, loaded, why, size);
    else
        snprintf(why, size, "%s", LOAD_NO_KERNEL);
    if (result == LOAD_OK && defect(loaded->ops)) {
        snprintf(why, size, "%s", defect(loaded->ops));
        result = LOAD_FAILED;
    }
    loaded->note = result == LOAD_OK ? dlsym(loaded->library, CALL_NOTE) : NULL;
    if (result != LOAD_OK)
        load_close(loaded);
    return result;
}

void load_close(struct loaded *loaded) {
    if (loaded->library)
        dlclose(loaded->library);
    memset(loaded, 0, sizeof *loaded);
}
