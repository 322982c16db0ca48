/* Relies on a C full of zeros: C += A * B. expect: nan */
#include "../../each.h"

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    put(x, i, j, widen16(x.c[i * x.p.n + j]) + dot(x, i, j, 0, x.p.k));
}

KERNEL("adds-to-c", NULL, launch_each, NULL);
