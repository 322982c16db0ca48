/* The configurations of cuBLASLt's algorithms that the library accepts for a problem, whether or
 * not its heuristic suggests them. */
#ifndef BASELINES_CUDA_CUBLASLT_SEARCH_H
#define BASELINES_CUDA_CUBLASLT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "baselines/cuda/cublas_api.h"

/* So many are kept: where more are accepted, a sample of them that is the same in every process. */
#define CUBLASLT_SEARCH_MOST 16384

/* The library is asked so often at most, and about each algorithm its share of that and what those
 * before have left. */
#define CUBLASLT_SEARCH_CHECKS 300000

struct cublaslt_search {
    /* The problem. */
    const struct cublas_api *api;
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t first, second, c; /* c is also D */
    cublasComputeType_t compute;
    cudaDataType_t scale, element;
    size_t workspace_bytes;

    /* What was found. */
    cublasLtMatmulHeuristicResult_t *found; /* the caller's to free */
    int count;
    long accepted, checks;
    bool stopped; /* by CUBLASLT_SEARCH_CHECKS: some was not asked for */
};

/* Walks the algorithms of cublasLtMatmulAlgoGetIds and of each its tiles, stages, custom options,
 * cluster shapes, inner shapes, swizzles, and splits of K with their reduction schemes, as
 * cublasLtMatmulAlgoCapGetAttribute tells them. cublasLtMatmulAlgoCheck accepts a configuration
 * or not. Two things are left out. What is refused with all later attributes at their defaults is
 * not tried with others. Where sums are to be of 32 bits, a reduction in the type of C is not
 * tried, in place or not, since it keeps partial sums in 16 bits. 0, or a status of status.h. */
int cublaslt_search_run(struct cublaslt_search *search);

#endif
