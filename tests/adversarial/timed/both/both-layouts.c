/* No fault: needs both copies of B, which the column `layout` must say. expect: ok */
#include "../../each.h"

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    float sum = 0.0f;
    for (int64_t k = 0; k < x.p.k; k++)
        sum += widen16(x.a[i * x.p.k + k]) *
               widen16(k % 2 ? x.b[k * x.p.n + j] : x.b_col[j * x.p.k + k]);
    put(x, i, j, sum);
}

KERNEL("both-layouts", NULL, launch_each, NULL);
