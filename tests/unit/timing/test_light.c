
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/test.h"
#include "timing/light.h"

#define CLOSE(got, want) assert_double_near(got, want, 1e-12 * (want))

static const struct light_rates rates = {
    .f16_flops = 800e12, .l2_bytes = 5e12, .dram_bytes = 4e12, .l2_size = 50e6};

/* By hand: 2 * 8000^3 = 1.024e12 operations. */
TEST(large_is_bound_by_arithmetic) {
    CLOSE(light_seconds(8000, 8000, 8000, &rates), 1.28e-3);
}

/* 2 (1000 * 10 + 10 * 2000 + 1000 * 2000) = 4.06e6 bytes, all of which the L2 holds, and 4e7
 * operations, 50 ns. */
TEST(thin_is_bound_by_the_l2) {
    CLOSE(light_seconds(1000, 2000, 10, &rates), 8.12e-7);
}

/* 2 (1 * 20000 + 20000 * 10000 + 1 * 10000) = 400.06e6 bytes take 80 us from the L2; what is
 * beyond 50e6 takes 88 us from DRAM. */
TEST(vector_is_bound_by_dram) {
    CLOSE(light_seconds(1, 10000, 20000, &rates), 350.06e6 / 4e12);
}

TEST(unknown_rates_bound_nothing) {
    const double unknown[] = {0, NAN, -1};
    for (int i = 0; i < 3; i++) {
        const double no = unknown[i];
        struct light_rates some = rates;
        some.l2_size = no; /* it may hold everything */
        CLOSE(light_seconds(1, 10000, 20000, &some), 400.06e6 / 5e12);
        some.l2_bytes = no;
        CLOSE(light_seconds(1, 10000, 20000, &some), 4e8 / 800e12);
        some = (struct light_rates){no, no, 4e12, 50e6};
        CLOSE(light_seconds(1, 10000, 20000, &some), 350.06e6 / 4e12);
        assert_true(light_seconds(1000, 2000, 10, &some) == 0); /* all in the L2 */
        some = (struct light_rates){no, no, no, no};
        assert_true(isnan(light_seconds(1, 10000, 20000, &some)));
    }
}

/* 2^62 operations and more do not wrap. */
TEST(vast_shapes) {
    const int64_t side = INT64_C(1) << 30;
    CLOSE(light_seconds(side, side, side, &rates), ldexp(1, 91) / 800e12);
}
