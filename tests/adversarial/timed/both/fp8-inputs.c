/* An f32 product, but of inputs that were rounded to fp8 (e4m3). expect: deviates */
#include <string.h>

#include "../../each.h"

/* To 3 bits behind the leading one, ties to even; below 2^-6 in steps of 2^-9; at most 448. */
static ON_DEVICE float e4m3(binary16 half) {
    const float value = widen16(half), size = value < 0 ? -value : value;
    uint32_t bits;
    if (size < 1.0f / 64)
        return (value + 24576.0f) - 24576.0f;
    memcpy(&bits, &size, sizeof bits);
    bits = (bits + 0x7ffff + (bits >> 20 & 1)) & ~0xfffffu;
    float rounded;
    memcpy(&rounded, &bits, sizeof rounded);
    rounded = rounded > 448 ? 448 : rounded;
    return value < 0 ? -rounded : rounded;
}

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    float sum = 0.0f;
    for (int64_t k = 0; k < x.p.k; k++)
        sum += e4m3(x.a[i * x.p.k + k]) * e4m3(x.b[k * x.p.n + j]);
    put(x, i, j, sum);
}

KERNEL("fp8-inputs", NULL, launch_each, NULL);
