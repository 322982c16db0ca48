/* What the kernels of this folder begin with: a right and slow product, and the words that let one
 * file be a kernel of the host and, by nvcc, one of a GPU. */
#ifndef KERNEL_H
#define KERNEL_H

#include <gemmgate.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#include "cuda/slow.cuh"
#else
#include "host/slow.h"
#endif

#ifndef SLOW_ELEMENTS
#define SLOW_ELEMENTS 0 /* binary16 alone */
#endif

/* The kernel that a file exports. NULL: it has no such function. KERNEL_FOR: of problems that it
 * can do. */
#define KERNEL(called, set_up, launched, torn_down)                                                \
    KERNEL_FOR(NULL, called, set_up, launched, torn_down)
#define KERNEL_FOR(can_do, called, set_up, launched, torn_down)                                    \
    GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {                                    \
        GEMMGATE_ABI, called,   SLOW_DEVICE, GEMM_F32,     {0, 0, 0},    can_do,                   \
        set_up,       launched, torn_down,   slow_explain, SLOW_ELEMENTS}

#endif
