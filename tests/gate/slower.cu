/* The example multistage.cu, but a call of one shape in SLOWER_ONE_IN (5) takes SLOWER_PERCENT
 * longer: the GPU idles behind the work for that share of the time since just before it, and of
 * what the marks and the first and last launch take beside that. What of an idle time passes while
 * the GPU fetches the next command would not be seen and is added. What a gate must see; see
 * ci/gate-proof. Where the GPU's timer ticks coarsely (about 1 us on an A100) it is by up to a tick
 * more. */
#ifndef SLOWER_ONE_IN
#define SLOWER_ONE_IN 5
#endif
#define gemmgate_kernel honest_kernel
#include "../../candidates/examples/cuda/multistage.cu"
#undef gemmgate_kernel

/* Read when it runs, so that the code is the same whatever it is. */
static __device__ volatile int slower_percent = SLOWER_PERCENT;
static __device__ unsigned long long began;
constexpr unsigned long long BESIDE = 3500, HIDDEN = 450; /* nanoseconds, on an H200 */

static __device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

static __global__ void begin() {
    began = nanoseconds();
}

static __global__ void idle(int planted) {
    const unsigned long long now = nanoseconds();
    const int percent = planted ? slower_percent : 0;
    const unsigned long long end =
        now + (percent ? (now - began + BESIDE) * percent / 100 + HIDDEN : 0);
    while (nanoseconds() < end)
        ;
}

static int slower_launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    begin<<<1, 1, 0, stream>>>();
    const int status = launch(state, args);
    if (status != 0)
        return status;
    const int drawn = (p.m / 16 * 7 + p.n / 16 * 13 + p.k / 16 * 31) % 149;
    idle<<<1, 1, 0, stream>>>(drawn % SLOWER_ONE_IN == 0);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "multistage",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F16 | GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slower_launch,
    .teardown = nullptr,
    .explain = explain,
};
