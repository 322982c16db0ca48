/* The example blocked.c as a release that a gate must tell from others: a call of one shape in
 * SLOWER_ONE_IN (5) takes SLOWER_PERCENT longer, as it idles after its work for that share of the
 * time that the work took. With WRONG the last bit of C is flipped. */
#ifndef SLOWER_ONE_IN
#define SLOWER_ONE_IN 5
#endif
#ifndef WRONG
#define WRONG 0
#endif
#define gemmgate_kernel honest_kernel
#include "../host/blocked.c"
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
    ((uint16_t *)args->c)[p.m * p.n - 1] ^= WRONG;
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
