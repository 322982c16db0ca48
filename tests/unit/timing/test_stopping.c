
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stopping.h"
#include "timing/visits.h"

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

enum { TIMES = 1000, VISITS = 12, MOST = 75 };

/* When a visit of noise about 0 ends. */
enum rule { NARROW, SIGN };

static bool ends(enum rule rule, const struct visits *now, double precision) {
    const double half = visits_least_half(now, 0.95);
    return rule == NARROW ? stopping_narrow(now->estimate, now->estimate - half,
                                            now->estimate + half, precision)
                          : now->estimate > 0;
}

/* One visit's values, each phi times the one before it plus noise: how many until it ends. */
static size_t draw_visit(double x[MOST], double phi, enum rule rule, double precision,
                         uint64_t *random) {
    double value = draw_normal(random) / sqrt(1 - phi * phi);
    for (int i = 0; i < MOST; i++) {
        x[i] = 0.1 * value;
        value = phi * value + draw_normal(random);
    }
    size_t n = STOPPING_LEAST;
    for (; stopping_next_look(n) <= MOST; n = stopping_next_look(n)) {
        const struct visits now = visits_combine(x, &n, 1, 0.95);
        if (ends(rule, &now, precision))
            break;
    }
    return n;
}

/* How often 0, the truth, lies in the interval of twelve such visits, in per cent. */
static double times_covered(double phi, enum rule rule, double precision) {
    uint64_t random = 3;
    int covered = 0;
    for (int trial = 0; trial < TIMES; trial++) {
        double x[VISITS * MOST];
        size_t sizes[VISITS], n = 0;
        for (int visit = 0; visit < VISITS; visit++) {
            sizes[visit] = draw_visit(x + n, phi, rule, precision, &random);
            n += sizes[visit];
        }
        const struct visits all = visits_combine(x, sizes, VISITS, 0.95);
        covered += all.low <= 0 && 0 <= all.high;
    }
    return 100.0 * covered / TIMES;
}

/* Widths that are reached at the first looks and at later ones, of independent values and of such as
 * hand half of their noise on. A rule that ends a visit once it is above 0 shows what looking may
 * cost. */
TEST(looking_keeps_coverage) {
    assert_double_near(times_covered(0, NARROW, 0.045), 96.5, 1.5);
    assert_double_near(times_covered(0, NARROW, 0.03), 96.5, 1.5);
    assert_double_near(times_covered(0.5, NARROW, 0.045), 95.5, 1.5);
    assert_double_near(times_covered(0.5, NARROW, 0.03), 95.5, 1.5);
    assert_true(times_covered(0, SIGN, 0) < 90);
}

/* The share of runs of so many visits whose interval holds the truth, where it is looked at after
 * each of `first` to `last` visits whether it is as narrow as `width`, and the rest is left out if
 * it is. */
static double visits_cover(size_t planned, size_t first, size_t last, double width) {
    enum { RUNS = 20000, LONGEST = 32 };
    size_t sizes[LONGEST];
    uint64_t random = 7;
    int covered = 0;
    for (int i = 0; i < LONGEST; i++)
        sizes[i] = 1;
    for (int run = 0; run < RUNS; run++) {
        double x[LONGEST];
        for (size_t i = 0; i < planned; i++)
            x[i] = 0.01 * draw_normal(&random);
        struct visits r = {0};
        for (size_t n = first; n <= planned; n = n < last ? n + 1 : planned) {
            r = visits_combine(x, sizes, n, 0.95);
            if (n == planned || stopping_narrow(r.estimate, r.low, r.high, width))
                break;
        }
        covered += r.low <= 0 && 0 <= r.high;
    }
    return (double)covered / RUNS;
}

/* The widths at which one look costs most, with 12 visits (94.6 % by 400,000 runs in numpy) and with
 * 26, and what it would cost to look after each visit from the third on. */
TEST(one_look_at_visits_keeps_coverage) {
    assert_double_near(visits_cover(26, 21, 21, 0.0042), 0.948, 0.004);
    assert_double_near(visits_cover(12, 10, 10, 0.0055), 0.946, 0.004);
    assert_true(visits_cover(12, 3, 11, 0.0055) < 0.92);
}
