/* A right and slow product of a GPU, and its words for what kernel.h asks for. */
#ifndef SLOW_CUH
#define SLOW_CUH

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gemmgate.h>

#define SLOW_DEVICE GEMM_CUDA
#define ON_DEVICE __device__
#define binary16 __half
#define widen16 __half2float
#define narrow16 __float2half_rn

/* One thread an element of C. */
static __global__ void slow_kernel(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum);
}

/* C = A * B. Returns a status, as launch does. */
static inline int slow_product(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    slow_kernel<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

static inline const char *slow_explain(int status) {
    return cudaGetErrorString((cudaError_t)status);
}

static __global__ void slow_change(uint16_t *at, unsigned keep, unsigned flip) {
    *at = (uint16_t)((*at & keep) ^ flip);
}

/* Changes an element of an operand, in the stream of the call: keeps these bits, flips those. */
static inline int change_bits(const gemm_args *args, uint16_t *at, unsigned keep, unsigned flip) {
    slow_change<<<1, 1, 0, (cudaStream_t)args->stream>>>(at, keep, flip);
    return cudaGetLastError();
}

/* Memory of a kernel's own: made in setup, copied to and from in the stream of the call. */
static inline int room_make(void **room, size_t bytes) {
    return cudaMalloc(room, bytes);
}

static inline int room_copy(const gemm_args *args, void *to, const void *from, size_t bytes) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, (cudaStream_t)args->stream);
}

static inline void room_free(void *room) {
    cudaFree(room);
}

#endif
