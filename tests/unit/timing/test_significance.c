
#include <math.h>
#include <string.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/significance.h"

/* scipy 1.17.1: stats.t.sf(t, df). */
TEST(test_of_a_mean) {
    assert_double_near(significance_above(5, (struct spread){4, 11}), 0.014753187043682081, 1e-14);
    assert_double_near(significance_above(-1.2, (struct spread){1, 11}), 0.8723268587217827, 1e-13);
    assert_double_near(significance_above(0.43, (struct spread){0.01, 40}), 5.329409458825934e-05,
                       1e-15);
    assert_double_near(significance_above(0, (struct spread){1, 3}), 0.5, 0);
    /* What is not known, and what does not scatter, shows nothing. */
    assert_double_near(significance_above(5, (struct spread){NAN, 0}), 1, 0);
    assert_double_near(significance_above(5, (struct spread){0, 3}), 1, 0);
}

TEST(holm_by_hand) {
    /* In order 0.005 x 4, 0.01 x 3, 0.03 x 2 and 0.04 x 1, which is less than the one before. */
    const double p[] = {0.01, 0.04, 0.03, 0.005};
    double adjusted[5];
    significance_holm(p, 4, adjusted);
    assert_double_near(adjusted[0], 0.03, 1e-15);
    assert_double_near(adjusted[1], 0.06, 1e-15);
    assert_double_near(adjusted[2], 0.06, 1e-15);
    assert_double_near(adjusted[3], 0.02, 1e-15);
    const double unknown[] = {NAN, 0.01, 0.6, NAN, 0.5};
    significance_holm(unknown, 5, adjusted);
    assert_double_near(adjusted[1], 0.05, 1e-15);
    for (int i = 0; i < 5; i++)
        assert_true(i == 1 || adjusted[i] == 1);
    significance_holm(p, 0, adjusted);
}

/* Holm's is the closure of Bonferroni's test (Marcus, Peritz & Gabriel 1976): a hypothesis is
 * rejected when every set with it is, by size times smallest p. */
TEST(holm_closes_bonferroni) {
    uint64_t random = 2;
    for (int trial = 0; trial < 300; trial++) {
        double p[7], adjusted[7];
        const int n = 1 + trial % 7;
        for (int i = 0; i < n; i++)
            p[i] =
                trial % 2 ? 0.3 * draw_uniform(&random) : (double)(1 + draw_bits(&random) % 5) / 64;
        significance_holm(p, (size_t)n, adjusted);
        for (int i = 0; i < n; i++) {
            double worst = 0;
            for (int set = 0; set < 1 << n; set++) {
                int size = 0;
                double smallest = 1;
                for (int j = 0; j < n; j++)
                    if (set >> j & 1) {
                        size++;
                        smallest = fmin(smallest, p[j]);
                    }
                if (set >> i & 1)
                    worst = fmax(worst, fmin(1, size * smallest));
            }
            assert_double_near(adjusted[i], worst, 1e-15);
        }
    }
}

/* The example of Benjamini & Hochberg 1995, section 4: four of fifteen. */
TEST(level_of_the_paper) {
    double p[] = {.3240, .0001, .0004, .0019, .0095, .0201, .0278, .0298,
                  .0344, .0459, .4262, .5719, .6528, .7590, 1.0};
    assert_double_near(significance_level(p, 15, 0.05), 0.05 * 4 / 15, 1e-15);
    assert_true(p[0] == .0001 && p[14] == 1);
    double none[] = {NAN, 0.04};
    assert_true(significance_level(none, 2, 0.05) == 0);
    assert_true(significance_level(none, 0, 0.05) == 0);
}

/* scipy 1.17.1, stats.t.interval(0.9 and 0.98, 5, mean, stats.sem). */
TEST(bounds_of_a_mean) {
    const double x[] = {2.5, -1, 4, 0.5, 3, 7};
    struct significance_bounds bounds = significance_bounds(x, 6, 0.95);
    assert_double_near(bounds.mean, 2.6666666666666665, 1e-14);
    assert_double_near(bounds.sd, 2.786873995477131, 1e-14);
    assert_double_near(bounds.low, 0.374072493608566, 1e-12);
    assert_double_near(bounds.high, 4.959260839724766, 1e-12);
    bounds = significance_bounds(x, 6, 0.99);
    assert_double_near(bounds.low, -1.161737162410113, 1e-12);
    assert_double_near(bounds.high, 6.495070495743446, 1e-12);
    bounds = significance_bounds(x, 1, 0.95);
    assert_true(bounds.mean == 2.5 && isnan(bounds.sd));
    assert_true(bounds.low == -INFINITY && bounds.high == INFINITY);
    bounds = significance_bounds(x, 0, 0.95);
    assert_true(isnan(bounds.mean) && isnan(bounds.sd));
    assert_true(bounds.low == -INFINITY && bounds.high == INFINITY);
}
