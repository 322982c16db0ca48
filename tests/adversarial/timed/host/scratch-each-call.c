/* expect: ok */
/* No fault: takes pages from the system in each call, and gives them back, but its own. */
#include <stdlib.h>
#include <string.h>

#include "../../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    const size_t bytes = (size_t)(args->problem.m * args->problem.k) * sizeof(uint16_t);
    struct gemm_args copied = *args;
    uint16_t *a = malloc(bytes + ((size_t)1 << 20));
    if (!a)
        return 1;
    memcpy(a, args->a, bytes);
    copied.a = a;
    const int status = slow_product(state, &copied);
    free(a);
    return status;
}

KERNEL("scratch-each-call", NULL, launch, NULL);
