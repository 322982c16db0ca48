/* What a card can do at best, by what its driver says of it. Pure: no CUDA. */
#ifndef BENCH_DEVICE_CARD_RATES_H
#define BENCH_DEVICE_CARD_RATES_H

#include "bench/device/device.h"

/* The rates at the highest clocks, which nothing exceeds; memory_bits: of the bus. Four runs on H100s and three on H200s
 * measured 90 to 92 % of f16_flops, 79 to 90 % of l2_bytes and 93 to 96 % of dram_bytes. f16_flops
 * and l2_bytes are 0 for a compute capability that the table does not have. */
struct light_rates card_rates(const struct device_info *info, double clock_hz,
                              double memory_clock_hz, int memory_bits);

#endif
