/* Reads a little past the allocation behind A, which no product shows. Only --memcheck sees it.
 * expect: memcheck */
#include "../kernel.h"

/* The harness puts 1 MiB of guard behind each operand; the allocation ends there. */
static __global__ void read_far(const volatile uint16_t *end, uint16_t *c) {
    if (end[(1 << 19) + 8] == 12345)
        c[0] = c[0];
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const int status = slow_product(state, args);
    if (status != cudaSuccess)
        return status;
    read_far<<<1, 1, 0, (cudaStream_t)args->stream>>>((const uint16_t *)args->a + p.m * p.k,
                                                      (uint16_t *)args->c);
    return cudaGetLastError();
}

KERNEL("read-far", NULL, launch, NULL);
