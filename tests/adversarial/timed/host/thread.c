/* A thread computes on after launch has returned. expect: nan|values|escaped */
#include <pthread.h>
#include <stdlib.h>

#include "../../kernel.h"

static void *work(void *copy) {
    slow_product(NULL, copy);
    free(copy);
    return NULL;
}

static int launch(void *state, const struct gemm_args *args) {
    struct gemm_args *copy = malloc(sizeof *copy);
    pthread_t thread;
    (void)state;
    if (!copy)
        return 1;
    *copy = *args;
    return pthread_create(&thread, NULL, work, copy) || pthread_detach(thread);
}

KERNEL("thread", NULL, launch, NULL);
