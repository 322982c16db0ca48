#include "bench/device/cupti_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

/* By the loader's own path, or beside the CUDA runtime in use. */
void *cupti_library_open(const char **why) {
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    void *handle = NULL;
    Dl_info runtime;
    char path[1024];
    *why = "libcupti cannot be loaded: install CUDA's CUPTI, or put its folder in LD_LIBRARY_PATH";
    for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle || !dladdr((void *)cudaDeviceSynchronize, &runtime) ||
        !strrchr(runtime.dli_fname, '/'))
        return handle;
    const int folder = (int)(strrchr(runtime.dli_fname, '/') - runtime.dli_fname);
    for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++) {
        snprintf(path, sizeof path, "%.*s/%s", folder, runtime.dli_fname, names[i]);
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return handle;
}
