/* The product is cuBLAS's, which the harness itself has loaded. expect: unrecorded */
#include <cublas_v2.h>

#include "../../kernel.h"

static int setup(const gemm_problem *, size_t, void **state) {
    return cublasCreate((cublasHandle_t *)state) == CUBLAS_STATUS_SUCCESS ? cudaSuccess
                                                                          : cudaErrorUnknown;
}

/* Row-major C = A * B is column-major C' = B' * A'. */
static int launch(void *state, const gemm_args *args) {
    const int m = (int)args->problem.m, n = (int)args->problem.n, k = (int)args->problem.k;
    const float one = 1.0f, zero = 0.0f;
    cublasStatus_t status = cublasSetStream((cublasHandle_t)state, (cudaStream_t)args->stream);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasGemmEx((cublasHandle_t)state, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                              args->b_row, CUDA_R_16F, n, args->a, CUDA_R_16F, k, &zero, args->c,
                              CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

static void teardown(void *state) {
    cublasDestroy((cublasHandle_t)state);
}

KERNEL("library", setup, launch, teardown);
