/* A second process outlives the call, with the judge's socket in hand. expect: crashed */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include "../../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    if (fork() == 0) {
        sleep(60);
        _exit(0);
    }
    return slow_product(state, args);
}

KERNEL("fork", NULL, launch, NULL);
