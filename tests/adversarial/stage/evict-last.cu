/* expect: ok */
/* Behind its product it reads a workspace of its own with the wish that the L2 keep these lines
 * longest: what the libraries read finds less room. */
#include "tile.cuh"

static size_t bytes;

static __global__ void occupy(const uint4 *from, int64_t count, unsigned *sink) {
    unsigned sum = 0;
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * blockDim.x) {
        unsigned x, y, z, w;
        asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "l"(from + i), "l"(policy));
        sum ^= x ^ y ^ z ^ w;
    }
    if (sum == 0x2b7e1516)
        *sink = sum;
}

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    bytes = workspace_bytes;
    return cudaMalloc(state, bytes);
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    tile_kernel<<<tile_grid(p), THREADS, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    occupy<<<1024, 256, 0, stream>>>((const uint4 *)state, (int64_t)(bytes / 16),
                                     (unsigned *)state);
    return cudaGetLastError();
}

static void teardown(void *state) {
    cudaFree(state);
}

KERNEL_FOR(tile_can_do, "evict-last", setup, launch, teardown);
