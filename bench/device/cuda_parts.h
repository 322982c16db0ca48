/* The files of the CUDA device, cuda.c and cuda_memory.c, share this. */
#ifndef BENCH_DEVICE_CUDA_PARTS_H
#define BENCH_DEVICE_CUDA_PARTS_H

#include <cuda_runtime_api.h>

#include "bench/device/cuda_kernels.h"
#include "bench/device/device.h"
#include "correctness/numbers/input.h"

#define CUDA_BOUNCE_BYTES ((size_t)16 << 20)

struct cuda {
    cudaEvent_t start, stop;
    uint16_t *tables[INPUT_TABLES];
    unsigned long long *changed;
    struct seen *seen; /* DEVICE_LOOKS of them */
    struct device_info info;
    size_t persisting; /* the limit of persisting L2 as it was found */
    void *bounce;      /* locked host memory of CUDA_BOUNCE_BYTES */
    void *sweep;       /* what a sweep of the L2 reads */
    size_t sweep_bytes;
    volatile struct told *told; /* host memory that the device reads */
    struct told *told_there;    /* the same, as the device addresses it */
    uint32_t ticket;            /* of the last hold, */
    double held_from,
        held_to;        /* ... which the host has asked for, and let go: CLOCK_MONOTONIC_RAW */
    unsigned masks;     /* so many have been made */
    bool fixed, sealed; /* memory is served at fixed addresses; some of it is sealed */
};

/* Masks that can be outstanding. */
#define CUDA_MASKS 16

/* What the host tells the device other than by the parameters of a launch: these stay in the
 * driver's memory, where code on the device can find them. */
struct told {
    uint32_t let_go;
    char apart[124];           /* a cache line is read while the host writes the other */
    uint64_t keys[CUDA_MASKS]; /* 0 behind the mask */
};

/* Returns -1, after error(). */
int cuda_failed(const char *what, cudaError_t status);

/* Returns from the function when the call fails. */
#define NEED(call)                                                                                 \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess)                                                                \
            return cuda_failed(#call, status_);                                                    \
    } while (0)

/* As struct device_ops has them. */
void cuda_free(void *state, void *memory);
int cuda_fix(void *state, bool sealing);
int cuda_alloc(void *state, uint64_t offset, bool seal, size_t *bytes, void **memory);
uint64_t cuda_room(void *state);
int cuda_clear(void *state, uint64_t from);
int cuda_copy_out(void *state, const uint16_t *from, int64_t rows, int64_t cols, int64_t ld,
                  uint16_t *to);

#endif
