#include "timing/schedule.h"

#include <math.h>

/* Steele, Lea & Flood, OOPSLA 2014; constants of Vigna's splitmix64.c. */
static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Uniform in 0..bound-1: the 2^64 mod bound lowest values, which would favour some remainders, are
 * drawn again. */
static uint64_t below(uint64_t *state, uint64_t bound) {
    const uint64_t uneven = -bound % bound;
    uint64_t value;
    do
        value = splitmix64(state);
    while (value < uneven);
    return value % bound;
}

void schedule_shuffle(uint64_t seed, int n, int *order) {
    for (int i = 0; i < n; i++) {
        const int j = (int)below(&seed, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

double schedule_gap(uint64_t seed, double qps) {
    const double u = (double)(splitmix64(&seed) >> 11) * 0x1p-53;
    return -log1p(-u) / qps;
}
