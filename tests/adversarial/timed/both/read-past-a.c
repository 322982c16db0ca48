/* Reads one element past each row of A, and so past A, and multiplies it by zero. expect: nan */
#include "../../each.h"

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    put(x, i, j, 0.0f * widen16(x.a[i * x.p.k + x.p.k]) + dot(x, i, j, 0, x.p.k));
}

KERNEL("read-past-a", NULL, launch_each, NULL);
