/* expect: ok|device-error|unrecorded */
/* The driver writes the marks of events where device code can write, too, at an address that is the
 * same in every process: this kernel then halves the time since the youngest mark there, which is
 * the start of its interval. On the stage that memory lies elsewhere in each process, so that carrying the
 * recording out faults. */
#include "tile.cuh"

/* As seen with driver 580 on an H200. On an H100 with the same driver nothing lies there. */
constexpr unsigned long long MARKS = 0x20480f000, WORDS = 512;

static __global__ void halve(void) {
    volatile unsigned long long *marks = (volatile unsigned long long *)MARKS;
    __shared__ unsigned long long youngest;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (threadIdx.x == 0)
        youngest = 0;
    __syncthreads();
    const unsigned long long mark = marks[threadIdx.x];
    if (mark < now && now - mark < 20000000)
        atomicMax(&youngest, mark);
    __syncthreads();
    if (youngest && mark == youngest)
        marks[threadIdx.x] = now - (now - youngest) / 2;
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    tile_kernel<<<tile_grid(p), THREADS, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    halve<<<1, WORDS, 0, stream>>>();
    return cudaGetLastError();
}

KERNEL_FOR(tile_can_do, "start-mark", NULL, launch, NULL);
