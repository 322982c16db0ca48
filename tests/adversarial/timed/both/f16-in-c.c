/* expect: precision|deviates */
/* Claims f32, but C itself, in binary16, is what slices of k are added to. */
#include "../../each.h"

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    put(x, i, j, 0.0f);
    for (int64_t first = 0; first < x.p.k; first += 32) {
        const int64_t end = first + 32 < x.p.k ? first + 32 : x.p.k;
        put(x, i, j, widen16(x.c[i * x.p.n + j]) + dot(x, i, j, first, end));
    }
}

KERNEL("f16-in-c", NULL, launch_each, NULL);
