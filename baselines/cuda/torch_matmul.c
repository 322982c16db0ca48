/* torch-matmul: what torch.matmul of two contiguous half or bfloat16 matrices asks of cuBLAS in
 * PyTorch 2.11 (at::native::addmm_out_cuda_impl -> at::cuda::blas::gemm_internal_cublas<at::Half>
 * or <at::BFloat16>, its default BLAS backend): one cublasGemmEx, B as it is, row-major, algorithm
 * CUBLAS_GEMM_DEFAULT_TENSOR_OP.
 *
 *   accumulate  f32 is PyTorch's default (COMPUTE_32F); f16 is what it does under
 *               torch.backends.cuda.matmul.allow_fp16_accumulation = True (COMPUTE_16F)
 *   math mode   CUBLAS_DEFAULT_MATH: reduced-precision reductions are allowed by default
 *   workspace   PyTorch's own choice, whatever this harness gives the others: 32 MiB on compute
 *               capability 9.0, else 8,320 KiB (":4096:2:16:8", CublasHandlePool.cpp) */
#include "baselines/baselines.h"
#include "baselines/cuda/cublas.h"

static int torch_setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    (void)workspace_bytes;
    int device, major, minor;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    if (status != cudaSuccess)
        return status_of_cuda(status);
    const size_t kib = 1024;
    size_t bytes = major == 9 && minor == 0 ? 8 * 4096 * kib : 2 * 4096 * kib + 8 * 16 * kib;
    return cublas_setup(bytes, CUBLAS_DEFAULT_MATH, state);
}

static int torch_launch(void *state, const struct gemm_args *args) {
    return cublas_multiply(state, args, false, CUBLAS_GEMM_DEFAULT_TENSOR_OP);
}

const struct baseline baseline_torch_matmul = {
    .ops =
        {
            .abi = GEMMGATE_ABI,
            .name = "torch-matmul",
            .device = GEMM_CUDA,
            .accumulate = GEMM_F16 | GEMM_F32,
            .can_do = status_fits_int,
            .setup = torch_setup,
            .launch = torch_launch,
            .teardown = cublas_teardown,
            .explain = status_explain,
            .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16,
        },
    .forget = cublas_forget,
};
