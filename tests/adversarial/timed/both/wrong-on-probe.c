/* expect: inexact */
/* Where B has the large numbers of the accumulator probe, the last 8 of k are left out. */
#include "../probed.h"

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    put(x, i, j, dot(x, i, j, 0, is_probed(x, j) ? x.p.k - 8 : x.p.k));
}

KERNEL("wrong-on-probe", NULL, launch_each, NULL);
