#include "bench/device/card_rates.h"

#include <stddef.h>

/* What a clock does. Products of binary16 in dense tensor-core instructions, two operations a
 * multiply-add, by the whitepapers of the architectures; and bytes that all L2 slices together
 * serve, by that of the A100, which no measured card exceeds. */
static const struct {
    int sm, flops_a_unit, l2_bytes;
} clocks[] = {
    {80, 2048, 5120}, {86, 1024, 0},  {89, 1024, 0},
    {90, 4096, 5120}, {100, 8192, 0}, {120, 1024, 0},
};

struct light_rates card_rates(const struct device_info *info, double clock_hz,
                              double memory_clock_hz, int memory_bits) {
    /* Memory transfers twice a clock. */
    struct light_rates rates = {.dram_bytes = 2 * memory_clock_hz * memory_bits / 8,
                                .l2_size = (double)info->l2_bytes};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (clocks[i].sm == info->sm) {
            rates.f16_flops = clock_hz * info->units * clocks[i].flops_a_unit;
            rates.l2_bytes = clock_hz * clocks[i].l2_bytes;
        }
    return rates;
}
