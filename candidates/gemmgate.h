/* The contract between the harness and every kernel it times, baseline or candidate.
 *
 * Valid C11, C++17 and CUDA C++. A candidate is a .cu, .c or .so that exports one data symbol,
 *
 *     GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = { GEMMGATE_ABI, "my-kernel", ... };
 *
 * The product is C = A * B, alpha 1, beta 0, 16-bit floats in and out: IEEE binary16 or bfloat16,
 * as the problem says. It is: a      m x k, row-major, leading dimension k b_row  k x n, row-major,
 * leading dimension n            (layout "nn") b_col  the same B column-major: an n x k row-major
 * array, leading dimension k   (layout "tn") c      m x n, row-major, leading dimension n; on entry
 * every element is NaN All four are contiguous, 256-byte aligned, and on the device the kernel
 * names. A kernel reads whichever copy of B it likes and writes nothing but c. */
#ifndef GEMMGATE_H
#define GEMMGATE_H

#include <stddef.h>
#include <stdint.h>

/* Raised whenever anything below changes shape or meaning. The harness refuses other numbers. */
#define GEMMGATE_ABI 2

#ifdef __cplusplus
#define GEMMGATE_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define GEMMGATE_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The type of partial sums. Bits, so that a kernel can offer both. */
enum gemm_accumulate { GEMM_F16 = 1, GEMM_F32 = 2 };

/* The type of the elements of A, B and C: binary16 (half) or bfloat16 (__nv_bfloat16). Bits, so
 * that a kernel can serve both. bfloat16 goes with GEMM_F32 alone. */
enum gemm_element { GEMM_ELEMENT_F16 = 1, GEMM_ELEMENT_BF16 = 2 };

/* Where a kernel runs and its operands live. */
enum gemm_device { GEMM_HOST = 1, GEMM_CUDA = 2 };

/* One product. The sizes are those of the operands handed over: with a tile (below) they are
 * already rounded up. accumulate is exactly one bit: what this call must accumulate in. So is
 * element: what the operands are made of, the same in all calls of a process. */
struct gemm_problem {
    int64_t m, n, k;
    int32_t accumulate;
    int32_t element;
};

/* Operands of one call; see the top of this file for shapes. stream is a cudaStream_t on
 * GEMM_CUDA (the legacy default stream is NULL) and NULL on GEMM_HOST. The pointers may differ from
 * call to call: do not keep them. */
struct gemm_args {
    struct gemm_problem problem;
    const void *a;
    const void *b_row;
    const void *b_col;
    void *c;
    void *stream;
};

/* The harness rounds m, n and k up to multiples of these and pads the operands with zeros, outside
 * the timed interval; the report shows the share of the product that is padding. 0 or 1: no need.
 */
struct gemm_tile {
    int32_t m, n, k;
};

struct kernel_ops {
    uint32_t abi;       /* GEMMGATE_ABI */
    const char *name;   /* [a-z0-9.-]+, unique in its set */
    int32_t device;     /* enum gemm_device */
    int32_t accumulate; /* bits of enum gemm_accumulate: what the kernel claims to be able to do */
    struct gemm_tile tile;

    /* Nonzero if the kernel serves this problem. NULL: it serves every problem. No side effects. */
    int (*can_do)(const struct gemm_problem *problem);

    /* Untimed, once per problem: handles, scratch memory (at most workspace_bytes of it on the
     * device), attributes. *state is handed to launch and teardown. 0, or a status of the kernel's
     * own. NULL: nothing to set up. */
    int (*setup)(const struct gemm_problem *problem, size_t workspace_bytes, void **state);

    /* Timed. Enqueues one product on args->stream, waits for nothing, allocates nothing, and
     * starts no work elsewhere. On GEMM_HOST the product is done when it returns. 0, or a status.
     * Required. */
    int (*launch)(void *state, const struct gemm_args *args);

    /* Frees what setup made. NULL: nothing to free. */
    void (*teardown)(void *state);

    /* Words for a nonzero status of setup or launch. NULL: the number is shown. */
    const char *(*explain)(int status);

    /* Bits of enum gemm_element: what the kernel serves. 0: GEMM_ELEMENT_F16 alone. */
    int32_t elements;
};

#ifdef __cplusplus
}
#endif
#endif
