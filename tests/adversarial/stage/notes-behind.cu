/* expect: ok */
/* Counts its calls in its own memory, and notes the count in a variable, behind its memory and at the end of the last page
 * there. The stage takes the count back before each interval. A note that is greater is one of an earlier interval: then C is
 * wrong. */
#include "tile.cuh"

constexpr unsigned long long TAG = 0x6e6f7465, PAGE = 32 << 20, RANGE = 0x3ab;

static __device__ unsigned long long variable;

static __global__ void note(unsigned long long *mine, __half *c) {
    const unsigned long long at = (unsigned long long)mine, calls = ++*mine;
    unsigned long long *const places[] = {
        &variable, (unsigned long long *)(at + (1 << 20)),
        (unsigned long long *)((at & ~(PAGE - 1)) + PAGE - sizeof *mine)};
    for (int i = 0; i < (at >> 36 == RANGE ? 3 : 1); i++) {
        const unsigned long long found = *places[i];
        if (found >> 32 == TAG && (found & 0xffffffff) > calls)
            *(volatile unsigned short *)c = 0x7fff; /* NaN */
        *places[i] = TAG << 32 | calls;
    }
}

static int setup(const gemm_problem *, size_t, void **state) {
    const int status = cudaMalloc(state, 4096);
    return status ? status : cudaMemset(*state, 0, 4096);
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    tile_kernel<<<tile_grid(p), THREADS, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    note<<<1, 1, 0, stream>>>((unsigned long long *)state, (__half *)args->c);
    return cudaGetLastError();
}

static void teardown(void *state) {
    cudaFree(state);
}

KERNEL_FOR(tile_can_do, "notes-behind", setup, launch, teardown);
