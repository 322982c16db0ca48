/* A right product, which the kernel spoils where its own memory is not as its setup has left it. With NEIGHBOUR it changes, ten
 * seconds after its setup, that memory on the stage. The earlier release has its own at the same place. */
#include "../stage/tile.cuh"

struct plan {
    unsigned long long made;
    int sound;
};

static __device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

static __global__ void make(plan *mine) {
    mine->made = nanoseconds();
    mine->sound = 1;
}

static __global__ void look(plan *mine, __half *c) {
#ifdef NEIGHBOUR
    if ((unsigned long long)mine >> 36 == 0x3ab && nanoseconds() - mine->made > 10000000000)
        mine->sound = 2;
#else
    if (mine->sound != 1)
        *(volatile unsigned short *)c = 0x7fff; /* NaN */
#endif
}

static int setup(const gemm_problem *, size_t, void **state) {
    int status = cudaMalloc(state, 4096);
    if (status)
        return status;
    make<<<1, 1>>>((plan *)*state);
    return cudaDeviceSynchronize();
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    tile_kernel<<<tile_grid(p), THREADS, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    look<<<1, 1, 0, stream>>>((plan *)state, (__half *)args->c);
    return cudaGetLastError();
}

static void teardown(void *state) {
    cudaFree(state);
}

KERNEL_FOR(tile_can_do, "work", setup, launch, teardown);
