/* setup outlives every limit. expect: timed-out */
#include <unistd.h>

#include "../kernel.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    sleep(3600);
    return 0;
}

KERNEL("slow-setup", setup, slow_product, NULL);
