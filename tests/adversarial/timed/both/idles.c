/* expect: setup-failed */
/* Has the thread that times it and the libraries run only when nobody else wants to. */
#define _GNU_SOURCE 1

#include <sched.h>

#include "../../kernel.h"
#include "../found.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    const struct sched_param none = {0};
    int (*schedule)(int, int, const struct sched_param *) =
        (int (*)(int, int, const struct sched_param *))found("sched_setscheduler");
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    return !schedule || schedule(0, SCHED_IDLE, &none) != 0;
}

KERNEL("idles", setup, slow_product, NULL);
