/* expect: unrecorded */
/* From its 13th call on the product is cuBLAS's, whose functions no symbol of this library names.
 */
#include <cublas_v2.h>

#define HONEST_CALLS 12
#include "../../kernel.h"
#include "../found.h"
#include "../late.h"

typedef cublasStatus_t gemm_ex(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                               const void *, const void *, cudaDataType, int, const void *,
                               cudaDataType, int, const void *, void *, cudaDataType, int,
                               cublasComputeType_t, cublasGemmAlgo_t);

static gemm_ex *multiply;
static cublasHandle_t handle;

static int setup(const gemm_problem *, size_t, void **) {
    const auto create = (decltype(&cublasCreate_v2))found("cublasCreate_v2");
    multiply = (gemm_ex *)found("cublasGemmEx");
    return create && multiply && create(&handle) == CUBLAS_STATUS_SUCCESS ? cudaSuccess
                                                                          : cudaErrorUnknown;
}

/* Row-major C = A * B is column-major C' = B' * A'. */
static int launch(void *state, const gemm_args *args) {
    const int m = (int)args->problem.m, n = (int)args->problem.n, k = (int)args->problem.k;
    const float one = 1.0f, zero = 0.0f;
    if (!is_late())
        return slow_product(state, args);
    return multiply(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, args->b_row, CUDA_R_16F, n,
                    args->a, CUDA_R_16F, k, &zero, args->c, CUDA_R_16F, n, CUBLAS_COMPUTE_32F,
                    CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS
               ? cudaSuccess
               : cudaErrorUnknown;
}

KERNEL("library-late", setup, launch, NULL);
