/* 10 MB on stderr, more than any pipe holds, and then a right product. expect: ok */
#include <stdio.h>

#include "../kernel.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    for (int line = 0; line < 10 * 1024 * 1024 / 64; line++)
        fprintf(stderr, "%06d: a kernel that tells the world about every thing it does\n", line);
    return 0;
}

KERNEL("noisy", setup, slow_product, NULL);
