/* expect: ok|too-fast|unrecorded|device-error|unstable */
/* A thread that no symbol starts multiplies, on a stream of its own and later than calls are
 * recorded, while others are timed. The call copies what it has made if it is of these inputs.
 * Where the inputs move meanwhile it fails. On the stage its recorded calls do their own work. Its
 * `call` gains at most a quarter, and is marked, since its timed calls launch other kernels. */
#include <atomic>
#include <mutex>

#include "../found.h"
#include "../late.h"
#include "shaped.cuh"

static gemm_args seen; /* by the last call */
static __half *made, *of[2];
static int *same;
static cudaEvent_t used; /* behind the last call */
static std::mutex lock;

static __global__ void compare(const __half *now, const __half *then, int64_t elements,
                               int *equal) {
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements && __half_as_ushort(now[i]) != __half_as_ushort(then[i]))
        *equal = 0;
}

static __global__ void copy_or_multiply(const __half *a, const __half *b, __half *c, gemm_problem p,
                                        const __half *made, const int *equal) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k && !*equal; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = *equal ? made[at] : __float2half_rn(sum);
}

/* The inputs as they are, and their product, again and again. */
static void *work(void *unused) {
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    for (;;) {
        for (volatile int i = 0; i < 20000; i = i + 1) /* else the call hardly gets the lock */
            ;
        const std::lock_guard<std::mutex> locked(lock);
        gemm_args args = seen;
        const gemm_problem p = args.problem;
        cudaEventSynchronize(used);
        cudaMemcpyAsync(of[0], args.a, p.m * p.k * sizeof(__half), cudaMemcpyDeviceToDevice, own);
        cudaMemcpyAsync(of[1], args.b_row, p.k * p.n * sizeof(__half), cudaMemcpyDeviceToDevice,
                        own);
        args.a = of[0];
        args.b_row = of[1];
        args.c = made;
        shaped_product(&args, 256, own);
        cudaStreamSynchronize(own);
    }
    return unused;
}

static int setup(const gemm_problem *p, size_t, void **) {
    if (cudaMalloc(&made, p->m * p->n * sizeof(__half)) != cudaSuccess ||
        cudaMalloc(&of[0], p->m * p->k * sizeof(__half)) != cudaSuccess ||
        cudaMalloc(&of[1], p->k * p->n * sizeof(__half)) != cudaSuccess ||
        cudaMalloc(&same, sizeof *same) != cudaSuccess)
        return cudaErrorMemoryAllocation;
    return cudaEventCreateWithFlags(&used, cudaEventDisableTiming);
}

static int launch(void *, const gemm_args *args) {
    static bool started;
    const gemm_problem p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    const __half *a = (const __half *)args->a, *b = (const __half *)args->b_row;
    if (!is_late())
        return shaped_product(args, 256, stream);
    const std::lock_guard<std::mutex> locked(lock);
    seen = *args;
    cudaMemsetAsync(same, 1, sizeof *same, stream);
    compare<<<(unsigned)((p.m * p.k + 255) / 256), 256, 0, stream>>>(a, of[0], p.m * p.k, same);
    compare<<<(unsigned)((p.k * p.n + 255) / 256), 256, 0, stream>>>(b, of[1], p.k * p.n, same);
    copy_or_multiply<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, stream>>>(
        a, b, (__half *)args->c, p, made, same);
    const cudaError_t status = cudaEventRecord(used, stream);
    if (!started && found_thread(work, nullptr) != 0)
        return cudaErrorUnknown;
    started = true;
    return status;
}

KERNEL("thread-quiet", setup, launch, NULL);
