/* The speed of light: a time that no kernel can beat on a card, by the card's best rates. */
#ifndef TIMING_LIGHT_H
#define TIMING_LIGHT_H

#include <stdint.h>

/* Rates per second; 0 or NaN where not known. */
struct light_rates {
    double f16_flops;  /* dense tensor-core multiply-adds, two operations each, registers only */
    double l2_bytes;   /* reads that hit the L2 */
    double dram_bytes; /* reads that miss it */
    double l2_size;    /* bytes; what may have stayed in the L2 since the last call */
};

/* Share of the floor that a measured time must reach: some cards exceed the highest clock that their
 * driver names, and event clocks tick. */
#define LIGHT_MARGIN 0.9

/* Seconds that C = A B of the shape takes at least: the largest of 2mnk over f16_flops, the bytes
 * of A, B and C (binary16, each once) over l2_bytes, and what of them cannot lie in the L2 over
 * dram_bytes. Launches, waves and tails come on top. NaN where no rate is known. */
double light_seconds(int64_t m, int64_t n, int64_t k, const struct light_rates *rates);

#endif
