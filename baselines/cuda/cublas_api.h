/* The functions of cuBLAS and cuBLASLt that baselines call, as a table: a process can hold more
 * than one release of the libraries. */
#ifndef BASELINES_CUDA_CUBLAS_API_H
#define BASELINES_CUDA_CUBLAS_API_H

#include <cublasLt.h>
#include <cublas_v2.h>

#include "baselines/release.h"

/* X(function), by the names that the libraries export: cublas_v2.h renames some by macros. */
#define CUBLAS_FUNCTIONS(X)                                                                        \
    X(cublasCreate_v2)                                                                             \
    X(cublasDestroy_v2)                                                                            \
    X(cublasSetStream_v2)                                                                          \
    X(cublasSetWorkspace_v2)                                                                       \
    X(cublasSetMathMode)                                                                           \
    X(cublasGemmEx)                                                                                \
    X(cublasGetProperty)
#define CUBLASLT_FUNCTIONS(X)                                                                      \
    X(cublasLtCreate)                                                                              \
    X(cublasLtDestroy)                                                                             \
    X(cublasLtMatmul)                                                                              \
    X(cublasLtMatmulDescCreate)                                                                    \
    X(cublasLtMatmulDescDestroy)                                                                   \
    X(cublasLtMatmulDescSetAttribute)                                                              \
    X(cublasLtMatrixLayoutCreate)                                                                  \
    X(cublasLtMatrixLayoutDestroy)                                                                 \
    X(cublasLtMatmulPreferenceCreate)                                                              \
    X(cublasLtMatmulPreferenceDestroy)                                                             \
    X(cublasLtMatmulPreferenceSetAttribute)                                                        \
    X(cublasLtMatmulAlgoGetHeuristic)                                                              \
    X(cublasLtMatmulAlgoGetIds)                                                                    \
    X(cublasLtMatmulAlgoInit)                                                                      \
    X(cublasLtMatmulAlgoCheck)                                                                     \
    X(cublasLtMatmulAlgoCapGetAttribute)                                                           \
    X(cublasLtMatmulAlgoConfigGetAttribute)                                                        \
    X(cublasLtMatmulAlgoConfigSetAttribute)                                                        \
    X(cublasLtGetProperty)

struct cublas_api {
#define X(function) __typeof__(function) *function;
    CUBLAS_FUNCTIONS(X)
    CUBLASLT_FUNCTIONS(X)
#undef X
};

/* The libraries that the program is linked with. */
extern const struct cublas_api cublas_linked;

/* What a setup found in *state (struct baseline): the table there, or that of the linked ones. */
const struct cublas_api *cublas_api_of(void *const *state);

/* Other releases of them. */
extern const struct release_kind release_cublas;

#endif
