/* One cublasGemmEx on row-major operands, for the baselines that are just that. */
#ifndef BASELINES_CUDA_CUBLAS_H
#define BASELINES_CUDA_CUBLAS_H

#include <stdbool.h>

#include "baselines/cuda/cublas_api.h"
#include "baselines/cuda/status.h"

/* A handle with a workspace of its own on the legacy default stream. *state says which library
 * (cublas_api_of), and is for the others then. */
int cublas_setup(size_t workspace_bytes, cublasMath_t math, void **state);
void cublas_teardown(void *state);

/* Empties the workspace, where a product that splits k leaves its partial sums. 0, or a status. */
int cublas_forget(void *state);

/* C = A*B; tn: B is the column-major copy. */
int cublas_multiply(void *state, const struct gemm_args *args, bool tn, cublasGemmAlgo_t algorithm);

#endif
