/* expect: unrecorded */
/* Takes a part of the L2 for itself, for A to persist there, and leaves it so. */
#include "../../kernel.h"

static int setup(const gemm_problem *, size_t, void **) {
    return cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 8 << 20);
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    cudaLaunchAttribute window[1] = {};
    window->id = cudaLaunchAttributeAccessPolicyWindow;
    window->val.accessPolicyWindow = {(void *)args->a, (size_t)(p.m * p.k) * sizeof(__half), 1.0f,
                                      cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)((p.m * p.n + 255) / 256));
    config.blockDim = dim3(256);
    config.stream = (cudaStream_t)args->stream;
    config.attrs = window;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, slow_kernel, (const __half *)args->a,
                              (const __half *)args->b_row, (__half *)args->c, p);
}

KERNEL("persisting-l2", setup, launch, NULL);
