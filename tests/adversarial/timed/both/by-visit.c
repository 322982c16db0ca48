/* expect: ok */
/* No fault: tells visits apart, too, but to add up from the other end in the later ones. */
#include "../../each.h"
#include "../first-visit.h"

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    float sum = 0.0f;
    for (int64_t at = 0; at < x.p.k; at++) {
        const int64_t k = is_later_visit ? x.p.k - 1 - at : at;
        sum += widen16(x.a[i * x.p.k + k]) * widen16(x.b[k * x.p.n + j]);
    }
    put(x, i, j, sum);
}

static int launch(void *state, const struct gemm_args *args) {
    (void)state;
    remember_visit(args);
    return each_element(args, 0);
}

KERNEL("by-visit", NULL, launch, NULL);
