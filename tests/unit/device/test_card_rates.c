/* What a card can do at best. */
#include "bench/device/card_rates.h"

#include "tests/support/doubles.h"
#include "tests/support/test.h"

/* What the driver says. */
struct card {
    struct device_info info;
    double clock_hz, memory_clock_hz;
    int memory_bits;
};
static struct light_rates rates_of(const struct card *card) {
    return card_rates(&card->info, card->clock_hz, card->memory_clock_hz, card->memory_bits);
}
#define CARD(capability, multiprocessors, l2)                                                      \
    { .sm = (capability), .units = (multiprocessors), .l2_bytes = (l2) }

/* What the driver says of these cards, and the best that was measured on any of them. */
TEST(no_card_was_faster_than_its_rates) {
    static const struct {
        struct card card;
        struct light_rates best;
    } seen[] = {
        {{CARD(90, 132, 52428800), 1.98e9, 2.619e9, 5120}, {9.87e14, 8.16e12, 3.14e12, 52428800}},
        {{CARD(90, 132, 62914560), 1.98e9, 3.201e9, 6016}, {9.71e14, 9.15e12, 4.61e12, 62914560}}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        const struct light_rates rates = rates_of(&seen[i].card), best = seen[i].best;
        assert_true(best.f16_flops > 0.9 * rates.f16_flops && best.f16_flops < rates.f16_flops);
        assert_true(best.l2_bytes > 0.79 * rates.l2_bytes && best.l2_bytes < rates.l2_bytes);
        assert_true(best.dram_bytes > 0.93 * rates.dram_bytes &&
                    best.dram_bytes < rates.dram_bytes);
        assert_double_near(rates.l2_size, best.l2_size, 0);
    }
}

/* By NVIDIA's whitepaper: 312 TFLOPS and 2,039 GB/s. */
TEST(an_a100_has_the_rates_of_its_data_sheet) {
    const struct card a100 = {CARD(80, 108, 41943040), 1.41e9, 1.593e9, 5120};
    const struct light_rates rates = rates_of(&a100);
    assert_double_near(rates.f16_flops, 312e12, 1e12);
    assert_double_near(rates.dram_bytes, 2039e9, 1e9);
}

TEST(an_unknown_card_has_its_memory_alone) {
    const struct card card = {CARD(999, 100, 1), 2e9, 3e9, 4096};
    const struct light_rates rates = rates_of(&card);
    assert_true(rates.f16_flops == 0 && rates.l2_bytes == 0 && rates.dram_bytes > 0);
}
