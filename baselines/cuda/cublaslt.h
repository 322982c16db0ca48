/* What the two cuBLASLt baselines share: descriptors, suggestions, launch. */
#ifndef BASELINES_CUDA_CUBLASLT_H
#define BASELINES_CUDA_CUBLASLT_H

#include <stdbool.h>

#include "baselines/cuda/cublas_api.h"
#include "baselines/cuda/status.h"

/* Of the library that *state names (cublas_api_of): descriptors and workspace for one problem, with
 * up to `wanted` algorithms that cublasLtMatmulAlgoGetHeuristic suggests, in its order. Those that
 * cublasLtMatmulAlgoCheck refuses are left out; none left is STATUS_NO_ALGORITHM. */
int cublaslt_setup(const struct gemm_problem *problem, size_t workspace_bytes, bool tn, int wanted,
                   void **state);
void cublaslt_teardown(void *state);

/* Empties the workspace, where a product that splits k leaves its partial sums. 0, or a status. */
int cublaslt_forget(void *state);

/* With the algorithm in use: the first suggestion until another is chosen. */
int cublaslt_launch(void *state, const struct gemm_args *args);

int cublaslt_count(void *state);
int cublaslt_use(void *state, int algorithm);

/* Adds whatever else the library accepts (cublaslt_search.h) behind the suggestions. 0, or a
 * status. */
int cublaslt_search_all(void *state, const struct gemm_problem *problem);

/* "algo 66 tile 18 stages 35 splitk 1 ... workspace 0"; owned by the state. */
const char *cublaslt_name(void *state, int algorithm);

/* The operations of a baseline that uses cuBLASLt; only its name and setup differ. */
#define CUBLASLT_OPS(called, prepare)                                                              \
    {                                                                                              \
        .abi = GEMMGATE_ABI, .name = (called), .device = GEMM_CUDA,                                \
        .accumulate = GEMM_F16 | GEMM_F32, .setup = (prepare), .launch = cublaslt_launch,          \
        .teardown = cublaslt_teardown, .explain = status_explain,                                  \
        .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16,                                          \
    }

#endif
