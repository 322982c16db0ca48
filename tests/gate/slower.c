/* The example blocked.c, but a call of one shape in SLOWER_ONE_IN (5) takes SLOWER_PERCENT longer: it
 * idles after its work for that share of the time the work took. What a gate must see; see
 * ci/gate-proof. */
#ifndef SLOWER_ONE_IN
#define SLOWER_ONE_IN 5
#endif
#define gemmgate_kernel honest_kernel
#include "../../candidates/examples/host/blocked.c"
#undef gemmgate_kernel

#include <time.h>

/* Read when it runs, so that the code is the same whatever it is. */
static volatile int slower_percent = SLOWER_PERCENT;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int slower_launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const int planted = (p.m / 16 * 7 + p.n / 16 * 13 + p.k / 16 * 31) % 149 % SLOWER_ONE_IN == 0;
    const double start = seconds();
    const int status = honest_kernel.launch(state, args);
    const double end = seconds() + (seconds() - start) * (planted ? slower_percent / 100.0 : 0);
    while (seconds() < end)
        ;
    return status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "blocked",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = slower_launch,
    .teardown = free,
    .explain = explain,
};
