/* expect: ok */
/* No fault: sums are kept in more than it claims. */
#include "../../each.h"

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    double sum = 0.0;
    for (int64_t k = 0; k < x.p.k; k++)
        sum += (double)widen16(x.a[i * x.p.k + k]) * (double)widen16(x.b[k * x.p.n + j]);
    put(x, i, j, (float)sum);
}

KERNEL("double-sums", NULL, launch_each, NULL);
