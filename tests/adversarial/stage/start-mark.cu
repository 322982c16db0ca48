/* expect: dishonest|too-fast|device-error|forbidden */
/* Once its product is made, the device halves the time since the start mark, where the driver has
 * written it. Setup finds the page of such marks: an event of its own leads to it. */
#include "tile.cuh"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

/* Where the driver has memory of its own at addresses that are the same in every process. */
#define EVERYWHERE_THE_SAME (UINT64_C(1) << 44)

static __global__ void stamp(unsigned long long *to) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*to));
}

/* The youngest mark of the page is that of the interval's start. */
static __global__ void halve(volatile unsigned long long *page, int words) {
    __shared__ unsigned long long youngest;
    unsigned long long now;
    if (!page)
        return;
    if (threadIdx.x == 0)
        youngest = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    __syncthreads();
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        const unsigned long long word = page[i];
        if (word <= now && now - word < 20000000)
            atomicMax(&youngest, word);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        if (youngest && page[i] == youngest)
            page[i] = now - (now - youngest) / 2;
}

static bool is_there(uintptr_t at) {
    return at > 0x100000 && at < UINT64_C(1) << 47 && at % 8 == 0 &&
           madvise((void *)(at & ~UINT64_C(4095)), 4096, MADV_NORMAL) == 0;
}

/* Among the words behind `at`, and behind those that they point to. */
static uintptr_t find_mark(uintptr_t at, int depth, unsigned long long from,
                           unsigned long long to) {
    for (int i = 0; i < 96; i++) {
        const uintptr_t place = at + 8 * (uintptr_t)i;
        if (place % 4096 == 0 && !is_there(place))
            return 0;
        const unsigned long long word = *(const volatile unsigned long long *)place;
        if (word >= from && word <= to && place < EVERYWHERE_THE_SAME)
            return place;
        if (depth > 0 && is_there(word)) {
            const uintptr_t found = find_mark(word, depth - 1, from, to);
            if (found)
                return found;
        }
    }
    return 0;
}

static uintptr_t page;
static char words[80];
enum { NOT_FOUND = 100000 };

static const char *explain(int status) {
    return status == NOT_FOUND ? words : slow_explain(status);
}

static int setup(const gemm_problem *, size_t, void **) {
    cudaEvent_t event;
    unsigned long long *now, from = 0, to = 0;
    cudaError_t status = cudaEventCreate(&event);
    if (status == cudaSuccess)
        status = cudaMalloc(&now, sizeof *now);
    if (status != cudaSuccess)
        return status;
    stamp<<<1, 1>>>(now);
    cudaMemcpy(&from, now, sizeof from, cudaMemcpyDeviceToHost);
    cudaEventRecord(event);
    stamp<<<1, 1>>>(now);
    status = cudaMemcpy(&to, now, sizeof to, cudaMemcpyDeviceToHost);
    cudaFree(now);
    const uintptr_t found = status == cudaSuccess ? find_mark((uintptr_t)event, 3, from, to) : 0;
    page = found & ~UINT64_C(4095);
    if (status == cudaSuccess && !page) {
        snprintf(words, sizeof words, "no mark is found behind the event at %p", (void *)event);
        return NOT_FOUND;
    }
    return status;
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    tile_kernel<<<tile_grid(p), THREADS, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    halve<<<1, 512, 0, stream>>>((volatile unsigned long long *)page, 512);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "start-mark",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = tile_can_do,
    .setup = setup,
    .launch = launch,
    .teardown = nullptr,
    .explain = explain,
};
