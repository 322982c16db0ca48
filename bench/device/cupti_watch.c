#include "bench/device/cupti_watch.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

#define FUNCTIONS(X)                                                                               \
    X(cuptiSubscribe)                                                                              \
    X(cuptiUnsubscribe)                                                                            \
    X(cuptiEnableDomain)                                                                           \
    X(cuptiEnableCallback)                                                                         \
    X(cuptiGetResultString)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } cupti;
#undef POINTER

enum { MOST = 2 };
static cupti_watcher *watchers[MOST];
static int count;
static CUpti_SubscriberHandle subscriber;
static _Thread_local bool within; /* a watcher is being called */

static void CUPTIAPI on_event(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void *data) {
    (void)unused;
    const bool outer = !within;
    if (!outer && domain != CUPTI_CB_DOMAIN_RESOURCE)
        return;
    within = true;
    for (int i = 0; i < MOST; i++)
        if (watchers[i])
            watchers[i](domain, id, data);
    within = !outer;
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

static CUptiResult enable(int what) {
    CUptiResult status = CUPTI_SUCCESS;
    if (what & CUPTI_WATCH_RUNTIME)
        status = cupti.cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
    if (status == CUPTI_SUCCESS && what & CUPTI_WATCH_DRIVER)
        status = cupti.cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
    if (status == CUPTI_SUCCESS && what & CUPTI_WATCH_MODULES)
        status = cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                           CUPTI_CBID_RESOURCE_MODULE_LOADED);
    return status;
}

int cupti_watch(cupti_watcher *watcher, int what, const char **why) {
    CUptiResult status;
    *why = "too many watch this process";
    if (count == MOST)
        return -1;
    if (count == 0) {
        if (load_cupti(why) < 0)
            return -1;
        status = cupti.cuptiSubscribe(&subscriber, on_event, NULL);
        if (status != CUPTI_SUCCESS)
            return failed("cuptiSubscribe", status, why);
    }
    watchers[count++] = watcher;
    status = enable(what);
    return status == CUPTI_SUCCESS ? 0 : failed("cuptiEnableDomain", status, why);
}

int cupti_unwatch(cupti_watcher *watcher, const char **why) {
    for (int i = 0; i < MOST; i++)
        if (watchers[i] == watcher) {
            watchers[i] = NULL;
            count--;
        }
    if (count > 0)
        return 0;
    const CUptiResult status = cupti.cuptiUnsubscribe(subscriber);
    return status == CUPTI_SUCCESS ? 0 : failed("cuptiUnsubscribe", status, why);
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
