/* For tests: random numbers that are the same everywhere. */
#ifndef TESTS_SUPPORT_DRAWS_H
#define TESTS_SUPPORT_DRAWS_H

#include <math.h>
#include <stdint.h>

/* Splitmix64 (Steele, Lea & Flood 2014). */
static inline uint64_t draw_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* In (0,1), never an end. */
static inline double draw_uniform(uint64_t *state) {
    return ((double)(draw_bits(state) >> 12) + 0.5) * 0x1p-52;
}

/* Mean 0, standard deviation 1; Box & Muller 1958, one of the pair. */
static inline double draw_normal(uint64_t *state) {
    const double radius = sqrt(-2 * log(draw_uniform(state)));
    return radius * cos(6.283185307179586 * draw_uniform(state));
}

#endif
