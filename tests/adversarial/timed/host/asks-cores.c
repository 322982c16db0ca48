/* expect: ok */
/* No fault: asks how its thread is scheduled, and on which cores, and changes nothing of it. */
#define _GNU_SOURCE

#include <sched.h>

#include "../../kernel.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    cpu_set_t cores;
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    return sched_getaffinity(0, sizeof cores, &cores) != 0 || sched_getscheduler(0) < 0;
}

KERNEL("asks-cores", setup, slow_product, NULL);
