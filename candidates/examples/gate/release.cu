/* The example multistage.cu as a release that a gate must tell from others: a call of one shape in
 * SLOWER_ONE_IN (5) takes SLOWER_PERCENT longer. With WRONG the last bit of C is flipped.
 *
 * The GPU idles behind the work of every call: for IDLE, and in a planted call for that share of the
 * whole call besides. While it idles it fetches the next command, which hides a part of the idle
 * time. IDLE is longer than that part. So the planted share shows whole. Where the GPU's timer ticks coarsely (about 1 us on an A100) the
 * share is by up to a tick more or less. */
#ifndef SLOWER_ONE_IN
#define SLOWER_ONE_IN 5
#endif
#ifndef WRONG
#define WRONG 0
#endif
#define gemmgate_kernel honest_kernel
#include "../cuda/multistage.cu"
#undef gemmgate_kernel

/* Read when it runs, so that the code is the same whatever it is. */
static __device__ volatile int slower_percent = SLOWER_PERCENT;
static __device__ unsigned long long began;
/* In nanoseconds. BESIDE: what a call takes before `began` and behind its idle time, on an H200.
 * Were it half as much, 3 % of a call of 10 us would be planted as 2.6 %. */
constexpr unsigned long long IDLE = 2048, BESIDE = 3000;

static __device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

static __global__ void begin() {
    began = nanoseconds();
}

static __global__ void idle(int planted, uint16_t *last) {
    const unsigned long long now = nanoseconds();
    const int percent = planted ? slower_percent : 0;
    const unsigned long long end = now + IDLE + (now - began + IDLE + BESIDE) * percent / 100;
    if (WRONG)
        *last ^= 1;
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
    idle<<<1, 1, 0, stream>>>(drawn % SLOWER_ONE_IN == 0, (uint16_t *)args->c + p.m * p.n - 1);
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
