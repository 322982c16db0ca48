/* setup outlives every limit. expect: timed-out */
#include <unistd.h>

#include "../../kernel.h"

static int setup(const gemm_problem *, size_t, void **) {
    sleep(3600);
    return cudaSuccess;
}

KERNEL("setup-sleeps", setup, slow_product, NULL);
