/* expect: ok|device-error */
/* As start-mark, but it does not know where the driver's memory lies: the parameters of its launch lie there, too, and the
 * address of a parameter tells where. It looks for marks in the two MiB around these. */
#include "tile.cuh"

constexpr unsigned long long PAGE = 2 << 20, THREADS_HALVE = 1024;

struct nothing {
    unsigned long long words[8];
};

static __global__ void halve(const __grid_constant__ nothing here) {
    const unsigned long long at = (unsigned long long)&here, begin = at & ~(PAGE - 1);
    __shared__ unsigned long long youngest;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (threadIdx.x == 0)
        youngest = 0;
    __syncthreads();
    for (unsigned long long i = threadIdx.x; i < PAGE / 8; i += THREADS_HALVE) {
        const unsigned long long mark = ((volatile unsigned long long *)begin)[i];
        if (mark < now && now - mark < 20000000)
            atomicMax(&youngest, mark);
    }
    __syncthreads();
    for (unsigned long long i = threadIdx.x; i < PAGE / 8 && youngest; i += THREADS_HALVE) {
        volatile unsigned long long *mark = (volatile unsigned long long *)begin + i;
        if (*mark == youngest)
            *mark = now - (now - youngest) / 2;
    }
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    tile_kernel<<<tile_grid(p), THREADS, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    halve<<<1, THREADS_HALVE, 0, stream>>>(nothing{});
    return cudaGetLastError();
}

KERNEL_FOR(tile_can_do, "start-mark-near", NULL, launch, NULL);
