
#include <math.h>
#include <string.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/visits.h"

enum { VISITS = 4, BLOCKS = 30, ALL = VISITS * BLOCKS };
static const size_t sizes[VISITS] = {BLOCKS, BLOCKS, BLOCKS, BLOCKS};
static const double planted[] = {5e-6, 20e-6};

struct arms {
    double without[ALL], with_short[ALL], with_long[ALL];
};

/* A call of 30 us, 1 % apart between visits and blocks; a delay takes `scale` of what was planted,
 * and 2 us more. */
static void arms_fill(struct arms *arms, double scale) {
    uint64_t random = 9;
    for (int i = 0; i < ALL; i++) {
        const double base = 30e-6 * (1 + 0.01 * draw_normal(&random));
        arms->without[i] = base + 5e-8 * draw_normal(&random);
        arms->with_short[i] = base + 2e-6 + scale * planted[0] + 5e-8 * draw_normal(&random);
        arms->with_long[i] = base + 2e-6 + scale * planted[1] + 5e-8 * draw_normal(&random);
    }
}

static struct slope slope_at(double scale) {
    struct arms arms;
    arms_fill(&arms, scale);
    return slope_of_delays(arms.without, arms.with_short, arms.with_long, planted[0], planted[1],
                           sizes, VISITS, 0.95);
}

TEST(true_delays_have_slope_1) {
    const struct slope slope = slope_at(1);
    assert_true(slope.slope.low <= 1 && 1 <= slope.slope.high);
    assert_double_near(slope.slope.estimate, 1, 0.002);
    assert_true(slope.slope.high - slope.slope.low < 0.01);
    assert_true(slope.offset.low <= 2e-6 && 2e-6 <= slope.offset.high);
    assert_double_near(slope.offset.estimate, 2e-6, 3e-8);
}

/* A clock that is 2 % fast. */
TEST(wrong_scale_is_seen) {
    const struct slope slope = slope_at(1.02);
    assert_true(slope.slope.low > 1);
    assert_double_near(slope.slope.estimate, 1.02, 0.002);
    assert_double_near(slope.offset.estimate, 2e-6, 3e-8);
}

/* By hand, one block: (70 - 34) / (30 - 10) = 1.8 found for 1; 34 - 12 - 1.8 * 10 = 4. */
TEST(one_block) {
    const double without = 12, with_short = 34, with_long = 70;
    const size_t size = 1;
    const struct slope slope =
        slope_of_delays(&without, &with_short, &with_long, 10, 30, &size, 1, 0.95);
    assert_double_near(slope.slope.estimate, 1.8, 1e-15);
    assert_double_near(slope.offset.estimate, 4, 1e-14);
    assert_true(isinf(slope.slope.low) && isinf(slope.slope.high));
}

TEST(nothing_is_nan) {
    const double x = 1;
    const size_t size = 1;
    struct slope slope = slope_of_delays(&x, &x, &x, 3, 3, &size, 1, 0.95);
    assert_nan(slope.slope.estimate);
    assert_nan(slope.offset.estimate);
    slope = slope_of_delays(NULL, NULL, NULL, 1, 2, NULL, 0, 0.95);
    assert_nan(slope.slope.estimate);
}
