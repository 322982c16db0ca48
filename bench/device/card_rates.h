/* What a card can do at best, by what its driver says of it. Pure: no CUDA. */
#ifndef BENCH_DEVICE_CARD_RATES_H
#define BENCH_DEVICE_CARD_RATES_H

#include <stdint.h>

#include "timing/light.h"

/* The driver's words. */
struct card {
    int sm;                           /* 90 for compute capability 9.0 */
    int units;                        /* multiprocessors */
    double clock_hz, memory_clock_hz; /* the highest of each */
    int memory_bits;                  /* of the bus */
    int64_t l2_size;
};

/* The rates at the highest clocks, which nothing exceeds. Four runs on H100s and three on H200s
 * measured 90 to 92 % of f16_flops, 79 to 90 % of l2_bytes and 93 to 96 % of dram_bytes. f16_flops
 * and l2_bytes are 0 for a compute capability that the table does not have. */
struct light_rates card_rates(const struct card *card);

#endif
