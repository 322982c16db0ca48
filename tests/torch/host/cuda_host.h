/* For tests: as much of CUDA as functions around kernels use, on the host. See nvcc beside it. The
 * bytes of each allocation are a line of the file $CUDA_HOST_LOG. */
#ifndef TESTS_TORCH_CUDA_HOST_H
#define TESTS_TORCH_CUDA_HOST_H

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

#include <ucontext.h>

#include <cuda_runtime.h>

using std::max;
using std::min;

static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
#undef __shared__
#define __shared__ static /* blocks run one after the other */

inline float atomicAdd(float *to, float value) {
    *to += value;
    return *to - value;
}

/* The threads of a block run in turns, each as far as it comes without waiting for the others. */
namespace cuda_host {
struct thread {
    ucontext_t at;
    std::vector<char> stack = std::vector<char>(64 << 10);
    bool done;
};
static ucontext_t block;
static thread *running;
static std::function<void()> work;

inline void run_thread() {
    work();
    running->done = true;
}
inline void run_block(std::vector<thread> &threads) {
    size_t left = threads.size();
    for (thread &t : threads) {
        getcontext(&t.at);
        t.at.uc_stack.ss_sp = t.stack.data();
        t.at.uc_stack.ss_size = t.stack.size();
        t.at.uc_link = &block;
        t.done = false;
        makecontext(&t.at, run_thread, 0);
    }
    while (left > 0)
        for (unsigned i = 0; i < threads.size(); i++) {
            running = &threads[i];
            if (running->done)
                continue;
            threadIdx = {i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y};
            swapcontext(&block, &running->at);
            left -= running->done;
        }
}
template <class Kernel>
auto launch(Kernel kernel, dim3 grid, dim3 block, size_t = 0, cudaStream_t = nullptr) {
    return [=](auto... arguments) {
        static std::vector<thread> threads;
        gridDim = grid;
        blockDim = block;
        threads.resize(block.x * block.y * block.z);
        work = [=] { kernel(arguments...); };
        for (unsigned b = 0; b < grid.x * grid.y * grid.z; b++) {
            blockIdx = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
            run_block(threads);
        }
    };
}
} // namespace cuda_host

inline void __syncthreads() {
    swapcontext(&cuda_host::running->at, &cuda_host::block);
}

#define CUDA_HOST(...) extern "C" inline __attribute__((used)) cudaError_t CUDARTAPI __VA_ARGS__
CUDA_HOST(cudaMalloc(void **memory, size_t bytes)) {
    if (const char *log = getenv("CUDA_HOST_LOG"))
        std::ofstream(log, std::ios::app) << bytes << std::endl;
    return posix_memalign(memory, 256, bytes) ? cudaErrorMemoryAllocation : cudaSuccess;
}
CUDA_HOST(cudaFree(void *memory)) {
    free(memory);
    return cudaSuccess;
}
CUDA_HOST(cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t)) {
    memcpy(to, from, bytes);
    return cudaSuccess;
}
CUDA_HOST(cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t)) {
    memset(to, value, bytes);
    return cudaSuccess;
}
CUDA_HOST(cudaGetDevice(int *device)) {
    *device = 0;
    return cudaSuccess;
}
CUDA_HOST(cudaGetDeviceProperties(cudaDeviceProp *properties, int)) {
    properties->multiProcessorCount = 1;
    return cudaSuccess;
}
CUDA_HOST(cudaGetLastError()) {
    return cudaSuccess;
}
CUDA_HOST(cudaPeekAtLastError()) {
    return cudaSuccess;
}
CUDA_HOST(cudaDeviceSynchronize()) {
    return cudaSuccess;
}
CUDA_HOST(cudaStreamSynchronize(cudaStream_t)) {
    return cudaSuccess;
}
extern "C" inline __attribute__((used)) const char *CUDARTAPI cudaGetErrorString(cudaError_t) {
    return "an error of CUDA";
}

#endif
