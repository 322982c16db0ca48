/* expect: escaped|replayed|unstable */
/* Later its call starts a thread that makes the product, by a function that no symbol names. */
#define _GNU_SOURCE

#include <stdlib.h>

#include "../../kernel.h"
#include "../found.h"
#include "../late.h"

static void *work(void *copy) {
    slow_product(NULL, copy);
    free(copy);
    return NULL;
}

static int launch(void *state, const struct gemm_args *args) {
    if (!is_late())
        return slow_product(state, args);
    struct gemm_args *copy = malloc(sizeof *copy);
    if (!copy)
        return 1;
    *copy = *args;
    return found_thread(work, copy);
}

KERNEL("thread-late", NULL, launch, NULL);
