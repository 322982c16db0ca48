/* Functions of the driver by name, past the symbols that a library shows. */
#ifndef DRIVER_CUH
#define DRIVER_CUH

#include <cuda_runtime.h>

/* Fills *function, or leaves it alone. Returns a status. */
template <class type> static cudaError_t driver_function(const char *name, type **function) {
    return cudaGetDriverEntryPointByVersion(name, (void **)function, 12000, cudaEnableDefault);
}

#endif
