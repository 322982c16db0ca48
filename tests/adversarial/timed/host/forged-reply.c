/* Writes a reply of its own to the judge's socket. expect: dishonest */
#include <unistd.h>

#include "../../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    static const char reply[4096];
    slow_product(state, args);
    return write(3, reply, sizeof reply) != sizeof reply;
}

KERNEL("forged-reply", NULL, launch, NULL);
