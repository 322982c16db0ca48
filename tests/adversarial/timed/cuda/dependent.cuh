/* Programmatic dependent launch: a kernel that may begin before the one in front of it has ended.
 */
#ifndef DEPENDENT_CUH
#define DEPENDENT_CUH

#include "../../kernel.h"

/* From here on what follows may begin. */
static __device__ __forceinline__ void let_next_begin(void) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Until all in front has ended. */
static __device__ __forceinline__ void await_previous(void) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <class... types>
static cudaError_t launch_dependent(void (*kernel)(types...), dim3 blocks, unsigned threads,
                                    cudaStream_t stream, types... arguments) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

#endif
