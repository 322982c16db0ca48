/* What the libraries of CUDA share as baselines. Their statuses and CUDA's are one int, for kernel_ops.
 * 0 is success in both. */
#ifndef BASELINES_CUDA_STATUS_H
#define BASELINES_CUDA_STATUS_H

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "candidates/gemmgate.h"

/* Of the libraries' own making: no algorithm for this problem; no host memory. */
enum { STATUS_NO_ALGORITHM = 20001, STATUS_NO_MEMORY = 20002 };

int status_of_cublas(cublasStatus_t status);
const char *status_explain(int status);

/* Members of a library's kernel_ops; sums: what it can accumulate in. */
#define STATUS_OPS(sums)                                                                           \
    .abi = GEMMGATE_ABI, .device = GEMM_CUDA, .accumulate = (sums), .explain = status_explain,     \
    .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16

/* CUDA's name of the problem's element. */
cudaDataType_t status_type(const struct gemm_problem *problem);

/* 1 and 0 in the type that goes with the accumulate: binary16 for f16, float for f32. */
const void *status_one(int32_t accumulate);
const void *status_zero(int32_t accumulate);

#endif
