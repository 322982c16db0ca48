
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stopping.h"
#include "timing/visits.h"
#include "timing/within.h"

TEST(looks_grow_by_a_factor) {
    assert_int_equal(stopping_next_look(0), STOPPING_LEAST);
    assert_int_equal(stopping_next_look(STOPPING_LEAST - 1), STOPPING_LEAST);
    assert_int_equal(stopping_next_look(20), 26);
    assert_int_equal(stopping_next_look(26), 34);
    assert_int_equal(stopping_next_look(1000), 1300);
    int looks = 0;
    for (size_t n = 0; n < 1000000; looks++) {
        const size_t next = stopping_next_look(n);
        assert_true(next > n && (n < 20 || (double)next <= 1.3 * (double)n + 1));
        n = next;
    }
    /* ln(1e6 / 20) / ln 1.3 = 41.2 */
    assert_in_range(looks, 40, 43);
}

TEST(narrow_is_the_wider_side) {
    const double limit = log(1.02);
    assert_true(stopping_narrow(0.5, 0.5 - 0.999 * limit, 0.5 + 0.999 * limit, 0.02));
    assert_false(stopping_narrow(0.5, 0.5 - 1.001 * limit, 0.5, 0.02));
    assert_false(stopping_narrow(0.5, 0.5, 0.5 + 1.001 * limit, 0.02));
    assert_true(stopping_narrow(-0.5, -0.51, -0.49, 0.02));
    assert_true(stopping_narrow(0, 0, 0, 0));
    assert_false(stopping_narrow(0, -INFINITY, INFINITY, 0.02));
    assert_false(stopping_narrow(0, -INFINITY, 0, 0.02));
    assert_false(stopping_narrow(0, 0, INFINITY, 0.02));
    assert_false(stopping_narrow(NAN, 0, 0, 0.02));
    assert_false(stopping_narrow(0, NAN, 0, 0.02));
    assert_false(stopping_narrow(0, 0, NAN, 0.02));
}

TEST(steady_is_all_three_together) {
    const double readings[] = {1, 90, 100, 99, 98, 97};
    assert_true(stopping_steady(readings + 3, 0.0203));
    assert_false(stopping_steady(readings + 3, 0.0201)); /* 2 of 99 */
    assert_true(stopping_steady(readings + 2, 0.02));
    assert_false(stopping_steady(readings + 1, 0.02));
    assert_true(stopping_steady(readings + 1, 0.1));
    assert_false(stopping_steady(readings, 0.1));
    for (int unknown = 0; unknown < 3; unknown++) {
        double three[] = {1, 1, 1};
        assert_true(stopping_steady(three, 0));
        three[unknown] = NAN;
        assert_false(stopping_steady(three, 1));
    }
}

enum { TIMES = 2000, MOST = 132, WIDTHS = 2 };

/* How often 0, the truth, lies in the interval at which a rule stops, of TIMES. */
struct covered {
    int by_likely[WIDTHS]; /* on the half-width to expect */
    int by_own[WIDTHS];    /* on the interval's own */
    int by_sign;           /* once 0 is out */
};

/* Values about 0, each phi times the one before it plus noise. */
static void draw_series(double x[MOST], double phi, uint64_t *random) {
    double value = draw_normal(random) / sqrt(1 - phi * phi);
    for (int i = 0; i < MOST; i++) {
        x[i] = 0.1 * value;
        value = phi * value + draw_normal(random);
    }
}

static struct covered times_covered(double phi, const double precisions[WIDTHS]) {
    uint64_t random = 3;
    struct covered covered = {{0}, {0}, 0};
    for (int trial = 0; trial < TIMES; trial++) {
        double x[MOST];
        draw_series(x, phi, &random);
        bool likely[WIDTHS] = {false}, own[WIDTHS] = {false}, nonzero = false;
        for (size_t n = STOPPING_LEAST; n <= MOST; n = stopping_next_look(n)) {
            const struct within now = within_blocks(x, n, 0.95);
            const bool holds = now.low <= 0 && 0 <= now.high;
            const bool last = stopping_next_look(n) > MOST;
            for (int i = 0; i < WIDTHS; i++) {
                if (!likely[i] && (last || stopping_narrow(0, -now.likely_half, now.likely_half,
                                                           precisions[i]))) {
                    likely[i] = true;
                    covered.by_likely[i] += holds;
                }
                if (!own[i] &&
                    (last || stopping_narrow(now.estimate, now.low, now.high, precisions[i]))) {
                    own[i] = true;
                    covered.by_own[i] += holds;
                }
            }
            nonzero = nonzero || !holds;
        }
        covered.by_sign += !nonzero;
    }
    return covered;
}

/* Widths that are reached at the first looks and at later ones; a rule that stops once 0 is out, on
 * the same values at the same looks, shows what looking may cost, and one that stops on the
 * interval's own width, which has four degrees of freedom, what looking at that does. */
TEST(looking_keeps_coverage) {
    const double precisions[WIDTHS] = {0.045, 0.03};
    const struct covered covered = times_covered(0, precisions);
    for (int i = 0; i < WIDTHS; i++)
        assert_in_range(covered.by_likely[i], TIMES * 93 / 100, TIMES * 97 / 100);
    assert_in_range(covered.by_own[1], 0, covered.by_likely[1] - TIMES * 2 / 100);
    assert_in_range(covered.by_sign, 0, TIMES * 88 / 100);
}

/* Half a value's noise goes on to the next. Few values underestimate that, and the rule stops where
 * they do; the interval does not rest on the same estimate. */
TEST(dependence_keeps_coverage) {
    const double precisions[WIDTHS] = {0.07, 0.05};
    const struct covered covered = times_covered(0.5, precisions);
    for (int i = 0; i < WIDTHS; i++)
        assert_in_range(covered.by_likely[i], TIMES * 91 / 100, TIMES * 96 / 100);
}

/* The share of runs of 12 visits whose interval holds the truth, where it is looked at after each
 * of `first` to `last` visits whether it is narrow enough, and the rest is left out if it is. */
static double visits_cover(size_t first, size_t last) {
    enum { RUNS = 20000, VISITS = 12 };
    static const size_t sizes[VISITS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    uint64_t random = 7;
    int covered = 0;
    for (int run = 0; run < RUNS; run++) {
        double x[VISITS];
        for (int i = 0; i < VISITS; i++)
            x[i] = 0.01 * draw_normal(&random);
        struct visits r = {0};
        for (size_t n = first; n <= VISITS; n = n < last ? n + 1 : VISITS) {
            r = visits_combine(x, sizes, n, 0.95);
            if (n == VISITS || stopping_narrow(r.estimate, r.low, r.high, 0.006))
                break;
        }
        covered += r.low <= 0 && 0 <= r.high;
    }
    return (double)covered / RUNS;
}

/* The width at which one look costs most (94.1 % by 100,000 runs in numpy), and what it would cost
 * to look after each visit from the third on. */
TEST(one_look_at_visits_keeps_coverage) {
    assert_double_near(visits_cover(8, 8), 0.941, 0.005);
    assert_true(visits_cover(3, 11) < 0.92);
}
