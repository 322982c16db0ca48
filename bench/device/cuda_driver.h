/* The driver's functions that the runtime has no face for. They are looked up in libcuda.so.1,
 * which a machine without a GPU lacks, and never linked. */
#ifndef BENCH_DEVICE_CUDA_DRIVER_H
#define BENCH_DEVICE_CUDA_DRIVER_H

#include <stdint.h>

#include <cuda.h>

#define CUDA_DRIVER_FUNCTIONS(X)                                                                   \
    X(cuCtxGetDevice)                                                                              \
    X(cuCtxSynchronize)                                                                            \
    X(cuStreamSynchronize)                                                                         \
    X(cuFuncGetAttribute)                                                                          \
    X(cuFuncGetModule)                                                                             \
    X(cuFuncGetName)                                                                               \
    X(cuFuncGetParamInfo)                                                                          \
    X(cuFuncSetAttribute)                                                                          \
    X(cuFuncSetCacheConfig)                                                                        \
    X(cuGetErrorString)                                                                            \
    X(cuKernelGetFunction)                                                                         \
    X(cuKernelGetName)                                                                             \
    X(cuLaunchKernelEx)                                                                            \
    X(cuMemAddressFree)                                                                            \
    X(cuMemAddressReserve)                                                                         \
    X(cuMemAlloc)                                                                                  \
    X(cuMemCreate)                                                                                 \
    X(cuMemFree)                                                                                   \
    X(cuMemFreeAsync)                                                                              \
    X(cuMemGetAllocationGranularity)                                                               \
    X(cuMemMap)                                                                                    \
    X(cuMemRelease)                                                                                \
    X(cuMemSetAccess)                                                                              \
    X(cuMemUnmap)                                                                                  \
    X(cuMemcpy2DAsync)                                                                             \
    X(cuMemcpyDtoDAsync)                                                                           \
    X(cuMemcpyDtoH)                                                                                \
    X(cuMemcpyHtoD)                                                                                \
    X(cuMemsetD16Async)                                                                            \
    X(cuMemsetD32Async)                                                                            \
    X(cuMemsetD32)                                                                                 \
    X(cuMemsetD8Async)                                                                             \
    X(cuModuleGetFunction)                                                                         \
    X(cuModuleGetGlobal)                                                                           \
    X(cuModuleLoadData)                                                                            \
    X(cuModuleUnload)

/* cuda.h makes macros of names that have versions; a member is called by what the macro says. */
#define CUDA_DRIVER_POINTER(name) __typeof__(name) *name;
struct cuda_driver {
    CUDA_DRIVER_FUNCTIONS(CUDA_DRIVER_POINTER)
};
#undef CUDA_DRIVER_POINTER

/* NULL with *why (static storage) where there is no driver, or one that lacks a function. */
const struct cuda_driver *cuda_driver(const char **why);

/* The driver's words for a status. */
const char *cuda_driver_words(CUresult status);

#endif
