#include "baselines/cuda/status.h"

enum { CUBLAS_OFFSET = 10000 };

int status_of_cublas(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? 0 : CUBLAS_OFFSET + (int)status;
}

const char *status_explain(int status) {
    if (status == STATUS_NO_ALGORITHM)
        return "cuBLASLt suggests no algorithm for this problem and workspace";
    if (status == STATUS_NO_MEMORY)
        return "no host memory";
    if (status >= CUBLAS_OFFSET)
        return cublasGetStatusString((cublasStatus_t)(status - CUBLAS_OFFSET));
    return cudaGetErrorString((cudaError_t)status);
}

cudaDataType_t status_type(const struct gemm_problem *p) {
    return p->element == GEMM_ELEMENT_BF16 ? CUDA_R_16BF : CUDA_R_16F;
}

static const uint16_t half_one = 0x3c00, half_zero = 0;
static const float float_one = 1, float_zero = 0;

const void *status_one(int32_t accumulate) {
    return accumulate == GEMM_F16 ? (const void *)&half_one : (const void *)&float_one;
}

const void *status_zero(int32_t accumulate) {
    return accumulate == GEMM_F16 ? (const void *)&half_zero : (const void *)&float_zero;
}
