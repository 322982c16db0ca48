/* expect: unrecorded|setup-failed */
/* Loads a second CUDA runtime that the loader keeps apart from the first, with a driver of its own,
 * past what watches the first. */
#include <dlfcn.h>

#include "../../kernel.h"
#include "../found.h"

static int setup(const gemm_problem *, size_t, void **) {
    void *(*load)(Lmid_t, const char *, int) =
        (void *(*)(Lmid_t, const char *, int))found("dlmopen");
    const void *library = load ? load(LM_ID_NEWLM, "libcuda.so.1", RTLD_NOW) : nullptr;
    return library ? cudaSuccess : cudaErrorUnknown;
}

KERNEL("second-library", setup, slow_product, NULL);
