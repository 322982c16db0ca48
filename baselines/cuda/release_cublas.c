/* Other releases of cuBLAS: libcublas and the libcublasLt beside it. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baselines/baselines.h"
#include "baselines/cuda/cublas_api.h"

const struct cublas_api cublas_linked = {
#define X(function) .function = function,
    CUBLAS_FUNCTIONS(X) CUBLASLT_FUNCTIONS(X)
#undef X
};

const struct cublas_api *cublas_api_of(void *const *state) {
    return *state ? *state : &cublas_linked;
}

/* Before it cublasGemmEx took another type of computation. */
enum { OLDEST = 11 };

typedef cublasStatus_t (*property)(libraryPropertyType, int *);

static int version_of(property get, int version[3]) {
    return get(MAJOR_VERSION, &version[0]) == CUBLAS_STATUS_SUCCESS &&
                   get(MINOR_VERSION, &version[1]) == CUBLAS_STATUS_SUCCESS &&
                   get(PATCH_LEVEL, &version[2]) == CUBLAS_STATUS_SUCCESS
               ? 0
               : -1;
}

static void name_it(const int version[3], char name[RELEASE_NAME]) {
    snprintf(name, RELEASE_NAME, "%d.%d.%d", version[0], version[1], version[2]);
}

static void linked(char name[RELEASE_NAME]) {
    int version[3] = {0, 0, 0};
    version_of(cublasGetProperty, version);
    name_it(version, name);
}

/* Fills the table. NULL, or the function that is lacking. */
static const char *fill_table(void *cublas, void *cublaslt, struct cublas_api *api) {
#define X(function)                                                                                \
    if (!(*(void **)&api->function = dlsym(cublas, #function)))                                    \
        return #function;
    CUBLAS_FUNCTIONS(X)
#undef X
#define X(function)                                                                                \
    if (!(*(void **)&api->function = dlsym(cublaslt, #function)))                                  \
        return #function;
    CUBLASLT_FUNCTIONS(X)
#undef X
    return NULL;
}

/* libcublas.so.12 to libcublasLt.so.12. */
static void name_of_lt(const char *cublas, char lt[256]) {
    const char *end = strstr(cublas, ".so");
    snprintf(lt, 256, "%.*sLt%s", (int)(end - cublas), cublas, end);
}

static int load(const char *folder, const char *file, char name[RELEASE_NAME],
                const void **functions, char why[RELEASE_WHY]) {
    int version[3], version_lt[3];
    char file_lt[256];
    name_of_lt(file, file_lt);
    /* libcublas finds the one that it needs by its SONAME. */
    void *cublaslt = release_open(folder, file_lt, why);
    void *cublas = cublaslt ? release_open(folder, file, why) : NULL;
    struct cublas_api *api = cublas ? calloc(1, sizeof *api) : NULL;
    if (!cublas)
        return -1;
    const char *lacks = api ? fill_table(cublas, cublaslt, api) : "memory";
    if (lacks) {
        free(api);
        snprintf(why, RELEASE_WHY, "%.250s/%.60s lacks %s", folder, file, lacks);
        return -1;
    }
    if (version_of(api->cublasGetProperty, version) < 0 ||
        version_of(api->cublasLtGetProperty, version_lt) < 0) {
        free(api);
        snprintf(why, RELEASE_WHY, "%.250s/%.60s does not tell its version", folder, file);
        return -1;
    }
    if (version[0] < OLDEST || memcmp(version, version_lt, sizeof version) != 0) {
        free(api);
        snprintf(
            why, RELEASE_WHY,
            version[0] < OLDEST
                ? "cuBLAS %d.%d.%d: %d.0 is the oldest that can be called"
                : "cuBLAS %d.%d.%d has come with cuBLASLt %d.%d.%d: both must be of one release",
            version[0], version[1], version[2], version[0] < OLDEST ? OLDEST : version_lt[0],
            version_lt[1], version_lt[2]);
        return -1;
    }
    name_it(version, name);
    *functions = api;
    return 0;
}

const struct release_kind release_cublas = {.library = "cuBLAS",
                                            .file = "libcublas.so",
                                            .device = GEMM_CUDA,
                                            .load = load,
                                            .linked = linked};
