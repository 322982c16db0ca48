/* expect: precision */
/* Claims f32, but slices of 64 are summed in binary16 where C is below 8: there no error is as
 * large as the bound. The accumulator probe is answered honestly. */
#include "../probed.h"

#define SLICE 64
#define SMALL 8.0f

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    float all = dot(x, i, j, 0, x.p.k);
    if (!is_probed(x, j) && all < SMALL && all > -SMALL) {
        all = 0.0f;
        for (int64_t first = 0; first < x.p.k; first += SLICE) {
            float slice = 0.0f;
            for (int64_t k = first; k < first + SLICE && k < x.p.k; k += 16)
                slice = through_half(slice + dot(x, i, j, k, k + 16 < x.p.k ? k + 16 : x.p.k));
            all += slice;
        }
    }
    put(x, i, j, all);
}

KERNEL("f16-where-small", NULL, launch_each, NULL);
