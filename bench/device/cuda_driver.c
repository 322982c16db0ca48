#include "bench/device/cuda_driver.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

static struct cuda_driver driver;

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

static const char *load_driver(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "libcuda.so.1 cannot be loaded";
#define LOOK_UP(name)                                                                              \
    driver.name = (__typeof__(driver.name))dlsym(library, TEXT(name));                             \
    if (!driver.name)                                                                              \
        return "the driver lacks " TEXT(name);
    CUDA_DRIVER_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return NULL;
}

const struct cuda_driver *cuda_driver(const char **why) {
    static const char *trouble;
    static bool loaded;
    if (!loaded)
        trouble = load_driver();
    loaded = true;
    *why = trouble;
    return trouble ? NULL : &driver;
}

const char *cuda_driver_words(CUresult status) {
    const char *words = NULL;
    if (!driver.cuGetErrorString || driver.cuGetErrorString(status, &words) != CUDA_SUCCESS)
        return "an unknown status";
    return words;
}
