#include "timing/light.h"

#include <math.h>

static double seconds(double amount, double rate) {
    return rate > 0 ? amount / rate : NAN;
}

double light_seconds(int64_t m, int64_t n, int64_t k, const struct light_rates *rates) {
    const double rows = (double)m, columns = (double)n, depth = (double)k;
    const double flops = 2 * rows * columns * depth;
    const double bytes = 2 * (rows * depth + depth * columns + rows * columns);
    /* An L2 of unknown size may hold everything. */
    const double missed = rates->l2_size > 0 ? fmax(0, bytes - rates->l2_size) : 0;
    /* fmax passes over NaN. */
    return fmax(seconds(flops, rates->f16_flops),
                fmax(seconds(bytes, rates->l2_bytes), seconds(missed, rates->dram_bytes)));
}
