/* A right and slow product with a fault that numbers of a usual size do not show: CHANGE of an
 * element of A, CHANGE_B, CHANGE_PRODUCT, CHANGE_C, or products to SKIP. */
#include "../each.h"

#ifndef CHANGE
#define CHANGE(x) (x)
#endif
#ifndef CHANGE_B
#define CHANGE_B(x) (x)
#endif
#ifndef CHANGE_PRODUCT
#define CHANGE_PRODUCT(x) (x)
#endif
#ifndef CHANGE_C
#define CHANGE_C(x) (x)
#endif
#ifndef SKIP
#define SKIP(a, b) false
#endif

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    float sum = 0.0f;
    for (int64_t k = 0; k < x.p.k; k++) {
        const float a = widen16(x.a[i * x.p.k + k]), b = widen16(x.b[k * x.p.n + j]);
        const float product = CHANGE(a) * CHANGE_B(b);
        if (!SKIP(a, b))
            sum += CHANGE_PRODUCT(product);
    }
    put(x, i, j, CHANGE_C(sum));
}

KERNEL(NAME, NULL, launch_each, NULL);
