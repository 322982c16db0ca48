#include "bench/device/cupti_watch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

#define FUNCTIONS(X)                                                                               \
    X(cuptiSubscribe)                                                                              \
    X(cuptiEnableDomain)                                                                           \
    X(cuptiEnableCallback)                                                                         \
    X(cuptiGetResultString)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } cupti;
#undef POINTER

static cupti_watcher *watcher;

static void CUPTIAPI on_event(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void *data) {
    (void)unused;
    watcher(domain, id, data);
}

static int failed(const char *what, CUptiResult status, const char **why) {
    static char text[160];
    const char *words = "unknown status";
    cupti.cuptiGetResultString(status, &words);
    snprintf(text, sizeof text, "%s: %s", what, words);
    *why = text;
    return -1;
}

static int load_cupti(const char **why) {
    void *library = cupti_watch_library(why);
    if (!library)
        return -1;
#define LOOK_UP(name)                                                                              \
    cupti.name = (__typeof__(name) *)dlsym(library, #name);                                        \
    *why = "libcupti lacks " #name;                                                                \
    if (!cupti.name)                                                                               \
        return -1;
    FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return 0;
}

int cupti_watch(cupti_watcher *given, const char **why) {
    CUpti_SubscriberHandle subscriber;
    if (load_cupti(why) < 0)
        return -1;
    watcher = given;
    CUptiResult status = cupti.cuptiSubscribe(&subscriber, on_event, NULL);
    if (status != CUPTI_SUCCESS)
        return failed("cuptiSubscribe", status, why);
    status = cupti.cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
    if (status == CUPTI_SUCCESS)
        status = cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                           CUPTI_CBID_RESOURCE_MODULE_LOADED);
    return status == CUPTI_SUCCESS ? 0 : failed("cuptiEnableDomain", status, why);
}

/* By the loader's own path, or beside the CUDA runtime in use. */
void *cupti_watch_library(const char **why) {
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
