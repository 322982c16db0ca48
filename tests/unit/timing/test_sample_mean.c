/* The mean over a list of shapes by a sample: against values from elsewhere, and samples drawn from published
 * speedups. */
#include "timing/sample_mean.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/csv.h"
#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stats.h"
#include "timing/tails.h"

/* numpy: d = diff(y); b = (diff(x) * d).sum() / (diff(x)**2).sum(); d -= b * diff(x);
 * (1 - drawn) / n * (d * d).sum() / (2 * (n - 1)); y.mean() + b * (.12 - x.mean()) */
TEST(a_sample_gives_what_numpy_gives) {
    const double y[] = {.31, .12, .22, .05, -.08, .02}, x[] = {.35, .2, .18, .1, .0, .05};
    struct sample_mean mean = sample_mean_of(y, NULL, NAN, 6, 0.25);
    assert_double_near(mean.mean, 0.106666666667, 1e-12);
    assert_double_near(mean.error.variance, 0.00127375, 1e-12);
    assert_double_near(mean.error.freedom, 3.57142857143, 1e-11);
    mean = sample_mean_of(y, x, 0.12, 6, 0.25);
    assert_double_near(mean.mean, 0.0696012759171, 1e-12);
    assert_double_near(mean.error.variance, 0.000264297248804, 1e-14);
    assert_double_near(mean.error.freedom, 2.57142857143, 1e-11);
    mean = sample_mean_of(y, NULL, NAN, 2, 0.25);
    assert_double_near(mean.error.variance, 0.00676875, 1e-12);
    assert_double_near(mean.error.freedom, 1, 1e-12);
}

/* All shapes are no sample; one, or a slope that nothing shows, says nothing of others. */
TEST(what_is_known_of_too_few) {
    const double y[] = {1, 2, 4}, same[] = {3, 3, 3};
    struct sample_mean mean = sample_mean_of(y, NULL, NAN, 3, 1);
    assert_double_near(mean.mean, 7.0 / 3, 1e-12);
    assert_double_near(mean.error.variance, 0, 0);
    mean = sample_mean_of(y, NULL, NAN, 1, 0.5);
    assert_double_near(mean.mean, 1, 0);
    assert_nan(mean.error.variance);
    assert_double_near(mean.error.freedom, 0, 0);
    assert_nan(sample_mean_of(y, same, 3, 3, 0.5).mean);
    assert_nan(sample_mean_of(y, same, NAN, 2, 0.5).error.variance);
    assert_nan(sample_mean_of(y, NULL, NAN, 0, 0.5).mean);
}

/* p = (k + 2) / (n + 4); drawn * k / n + (1 - drawn) * p; (1 - drawn) * p * (1 - p) / (n + 4) */
TEST(a_share_of_which_all_were_alike_may_be_another) {
    const double won[] = {1, 1, 1, 1, 1, 1};
    struct sample_mean share = sample_share_of(won, 6, 0.25);
    assert_double_near(share.mean, 1, 0);
    assert_double_near(share.middle, 0.85, 1e-12);
    assert_double_near(share.error.variance, 0.012, 1e-12);
    share = sample_share_of(won, 6, 1);
    assert_double_near(share.middle, 1, 0);
    assert_double_near(share.error.variance, 0, 0);
    assert_nan(sample_share_of(won, 0, 0.5).middle);
}

enum { LIST = 1000, DRAWS = 2000 };

/* How many of the samples' intervals hold the mean of all, and their mean half-width. */
struct held {
    int count;
    double half;
};

static void add(const struct sample_mean *mean, double truth, struct held *held) {
    const double half =
        tails_student_quantile(0.975, mean->error.freedom) * sqrt(mean->error.variance);
    held->count += fabs(mean->middle - truth) <= half;
    held->half += half / DRAWS;
}

/* The place of the s-th of n shapes of the list, as --sample draws them: one of each of n strata. */
static size_t draw_place(size_t s, size_t n, uint64_t *random) {
    const size_t first = s * LIST / n, width = (s + 1) * LIST / n - first;
    return first + (size_t)(draw_uniform(random) * (double)width);
}

static void draw(const double *y, const double *x, size_t n, uint64_t *random, struct held *plain,
                 struct held *regression) {
    double drawn_y[LIST], drawn_x[LIST];
    const double truth = stats_mean(y, LIST), list_x = stats_mean(x, LIST);
    for (int i = 0; i < DRAWS; i++) {
        for (size_t s = 0; s < n; s++) {
            const size_t at = draw_place(s, n, random);
            drawn_y[s] = y[at];
            drawn_x[s] = x[at];
        }
        struct sample_mean mean = sample_mean_of(drawn_y, NULL, NAN, n, (double)n / LIST);
        add(&mean, truth, plain);
        mean = sample_mean_of(drawn_y, drawn_x, list_x, n, (double)n / LIST);
        add(&mean, truth, regression);
    }
}

/* The shares that sample_mean.h names, less 3 standard deviations of such a count. */
TEST(samples_of_published_speedups_hold_the_mean_of_all) {
    static const size_t sizes[] = {20, 40, 100, 183};
    struct csv_table table;
    double f16[LIST], f32[LIST];
    uint64_t random = 3;
    assert_int_equal(csv_table_read(SOURCE "/tests/support/published_speedups.csv", &table), 0);
    assert_int_equal(table.rows, LIST);
    for (size_t i = 0; i < LIST; i++) {
        assert_int_equal(csv_table_number(&table, i, csv_table_find(&table, "f16"), &f16[i]), 0);
        assert_int_equal(csv_table_number(&table, i, csv_table_find(&table, "f32"), &f32[i]), 0);
    }
    csv_table_free(&table);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct held plain = {0}, regression = {0};
        draw(f16, f32, sizes[i], &random, &plain, &regression);
        print_message("%zu shapes: %.1f %% hold it, half-width %.4f; by regression %.1f %%, %.4f\n",
                      sizes[i], 100.0 * plain.count / DRAWS, plain.half,
                      100.0 * regression.count / DRAWS, regression.half);
        assert_in_range(plain.count, DRAWS * (i ? 0.93 : 0.91), DRAWS * 0.975);
        assert_in_range(regression.count, DRAWS * (i ? 0.92 : 0.9), DRAWS * 0.965);
        assert_true(regression.half < 0.6 * plain.half);
    }
}

/* Of shares from 12 to 94 %, as sample_mean.h says, and of one that all or none have. */
TEST(samples_hold_a_share_of_wins) {
    static const size_t sizes[] = {10, 20, 40, 183};
    static const double least[] = {0, 0.9, 0.95, 1, 1.3, 9};
    struct csv_table table;
    double ratio[LIST], won[LIST], drawn[LIST];
    uint64_t random = 7;
    assert_int_equal(csv_table_read(SOURCE "/tests/support/published_speedups.csv", &table), 0);
    for (size_t i = 0; i < LIST; i++)
        assert_int_equal(csv_table_number(&table, i, csv_table_find(&table, "f16"), &ratio[i]), 0);
    csv_table_free(&table);
    for (size_t l = 0; l < sizeof least / sizeof *least; l++) {
        for (size_t i = 0; i < LIST; i++)
            won[i] = ratio[i] > least[l];
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct held held = {0};
            for (int draws = 0; draws < DRAWS; draws++) {
                for (size_t s = 0; s < sizes[i]; s++)
                    drawn[s] = won[draw_place(s, sizes[i], &random)];
                const struct sample_mean mean =
                    sample_share_of(drawn, sizes[i], (double)sizes[i] / LIST);
                add(&mean, stats_mean(won, LIST), &held);
            }
            print_message("%zu shapes, %.1f %% won: %.1f %% hold it\n", sizes[i],
                          100 * stats_mean(won, LIST), 100.0 * held.count / DRAWS);
            assert_true(held.count >= DRAWS * 0.93);
        }
    }
}
