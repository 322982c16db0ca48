#include "baselines/openblas_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "candidates/gemmgate.h"

const struct openblas_api openblas_linked = {
#define X(function) .function = function,
    OPENBLAS_FUNCTIONS(X)
#undef X
};

/* "0.3.21-serial": builds of one version differ in their threads. The configuration begins with
 * "OpenBLAS 0.3.21 ". */
static void name_it(const struct openblas_api *api, char name[RELEASE_NAME]) {
    static const char *const threads[] = {"serial", "pthread", "openmp"};
    const char *version = strchr(api->openblas_get_config(), ' ');
    const int parallel = api->openblas_get_parallel();
    version = version ? version + 1 : "";
    snprintf(name, RELEASE_NAME, "%.*s-%s", (int)strcspn(version, " "), version,
             parallel >= 0 && parallel < 3 ? threads[parallel] : "other");
}

static void linked(char name[RELEASE_NAME]) {
    name_it(&openblas_linked, name);
}

static int load(const char *folder, const char *file, char name[RELEASE_NAME],
                const void **functions, char why[RELEASE_WHY]) {
    void *handle = release_open(folder, file, why);
    struct openblas_api *api = handle ? calloc(1, sizeof *api) : NULL;
    if (!handle)
        return -1;
    const char *lacks = api ? NULL : "memory";
#define X(function)                                                                                \
    if (!lacks && !(*(void **)&api->function = dlsym(handle, #function)))                          \
        lacks = #function;
    OPENBLAS_FUNCTIONS(X)
#undef X
    if (!lacks && strstr(api->openblas_get_config(), "USE64BITINT"))
        lacks = "an interface of 32-bit sizes";
    if (lacks) {
        snprintf(why, RELEASE_WHY, "%.250s/%.60s lacks %s", folder, file, lacks);
        free(api);
        return -1;
    }
    name_it(api, name);
    *functions = api;
    return 0;
}

const struct release_kind release_openblas = {.library = "OpenBLAS",
                                              .file = "libopenblas.so",
                                              .device = GEMM_HOST,
                                              .load = load,
                                              .linked = linked};
