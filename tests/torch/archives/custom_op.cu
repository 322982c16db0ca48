// As inference engines keep their custom operators: the output first, by reference; registered with torch's dispatcher.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <torch/all.h>
#include <torch/library.h>

#define VLLM_DISPATCH_CASE_HALF_TYPES(...)                                                         \
    AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__)                                            \
    AT_DISPATCH_CASE(at::ScalarType::BFloat16, __VA_ARGS__)
#define VLLM_DISPATCH_HALF_TYPES(TYPE, NAME, ...)                                                  \
    AT_DISPATCH_SWITCH(TYPE, NAME, VLLM_DISPATCH_CASE_HALF_TYPES(__VA_ARGS__))

namespace vllm {

template <typename scalar_t>
__global__ void matmul_kernel(scalar_t *__restrict__ out,          // [M, N]
                              const scalar_t *__restrict__ input,  // [M, K]
                              const scalar_t *__restrict__ weight, // [K, N]
                              const int64_t input_stride, const int M, const int N, const int K) {
    const int row = blockIdx.y;
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < N; col += gridDim.x * blockDim.x) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += (float)input[row * input_stride + k] * (float)weight[k * N + col];
        }
        out[row * N + col] = (scalar_t)acc;
    }
}

} // namespace vllm

void matmul_out(torch::Tensor &out,          // [M, N]
                torch::Tensor const &input,  // [M, K]
                torch::Tensor const &weight, // [K, N]
                std::optional<torch::Tensor> const &bias) {
    TORCH_CHECK(input.is_contiguous() && out.is_contiguous());
    TORCH_CHECK(!bias.has_value(), "bias is not supported");
    int M = input.size(0), K = input.numel() / M, N = weight.size(-1);
    dim3 grid(std::min<int64_t>((N + 127) / 128, 65535), M);
    dim3 block(std::min(N, 128));
    const at::cuda::OptionalCUDAGuard device_guard(device_of(input));
    const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
    VLLM_DISPATCH_HALF_TYPES(input.scalar_type(), "matmul_kernel", [&] {
        vllm::matmul_kernel<scalar_t>
            <<<grid, block, 0, stream>>>(out.data_ptr<scalar_t>(), input.data_ptr<scalar_t>(),
                                         weight.data_ptr<scalar_t>(), input.stride(-2), M, N, K);
    });
}

TORCH_LIBRARY_FRAGMENT(_C, ops) {
    ops.def("matmul_out(Tensor! out, Tensor input, Tensor weight, Tensor? bias) -> ()");
    ops.impl("matmul_out", torch::kCUDA, &matmul_out);
}
