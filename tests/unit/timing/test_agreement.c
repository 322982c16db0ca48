
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/agreement.h"
#include "timing/stats.h"
#include "timing/tails.h"

static struct agreement_row row_of(double first, double first_half, double second,
                                   double second_half) {
    static size_t shape;
    return (struct agreement_row){
        {first, first_half, INFINITY,
         verdict_of(exp(first - first_half), exp(first + first_half), VERDICT_MARGIN)},
        {second, second_half, INFINITY,
         verdict_of(exp(second - second_half), exp(second + second_half), VERDICT_MARGIN)},
        shape++};
}

/* Differences 5, 5, 1, 0, 9 within 5 (3 and 4), 4.47, 1, 0 and 1.41. Wilson's interval for 3 of 5
 * by R 4.2.2, prop.test(3, 5, correct = FALSE). */
TEST(by_hand) {
    const struct agreement_row rows[] = {
        row_of(10, 3, 15, 4),      row_of(0, 2, 5, 4),   row_of(-1, 1, -2, 0),
        row_of(7, 0, 7, 0),        row_of(-4, 1, 5, 1),  row_of(NAN, 1, 1, 1),
        row_of(1, INFINITY, 1, 1), row_of(1, 1, 1, NAN), row_of(1, 1, INFINITY, 1)};
    const struct agreement a = agreement_of(rows, 9, 0.95);
    assert_int_equal(a.rows, 5);
    assert_int_equal(a.agree, 3);
    assert_double_near(a.share, 0.6, 1e-15);
    assert_double_near(a.share_low, 0.2307243, 5e-8);
    assert_double_near(a.share_high, 0.8823792, 5e-8);
    assert_double_near(a.median_difference, 5, 0);
    assert_double_near(a.ninth_difference, 7.4, 1e-14);
    assert_double_near(a.median_combined, sqrt(2), 1e-15);
    assert_double_near(a.median_half, 1, 0); /* 0 0 0 1 1 1 1 2 3 4 */
    /* 10 and 15 above 0; 0 undecided and 5 above; -1 +- 1 undecided, for an end at 0 is not below
     * it, and -2 below; 7 twice above; -4 below and 5 above. */
    assert_int_equal(a.changed, 2);
    assert_int_equal(a.opposite, 1);
}

/* Shapes of 3, 2, 1 and 1 rows, of which those of the second disagree. With one shape left out after
 * the other 2 of 4 agree, 5 of 5, 4 of 6 and 4 of 6; by Efron and Stein's formula in fractions these
 * 7 rows are as good as 2851/931 independent ones. */
TEST(rows_of_a_shape_count_together) {
    static const size_t shapes[] = {0, 0, 0, 1, 1, 2, 3};
    struct agreement_row rows[7];
    for (size_t i = 0; i < 7; i++) {
        rows[i] = row_of(0, 1, shapes[i] == 1 ? 9 : 1, 1);
        rows[i].shape = shapes[i];
    }
    const struct agreement a = agreement_of(rows, 7, 0.95);
    const struct stats_interval share = stats_wilson(5. / 7, 2851. / 931);
    assert_double_near(a.share_low, share.low, 1e-12);
    assert_double_near(a.share_high, share.high, 1e-12);
}

/* Squares 9, 4 and 16 less a variance of 2 each: half-widths of one standard error each. A row of
 * unknown freedom is left out, and one whose variance is more than ten times the median. */
TEST(excess_by_hand) {
    const double freedoms[] = {INFINITY, 1};
    for (int i = 0; i < 2; i++) {
        const double f = freedoms[i], half = tails_student_quantile(0.975, f);
        const struct agreement_side zero = {0, half, f, VERDICT_SAME};
        const struct agreement_row rows[] = {
            {zero, {3, half, f, VERDICT_SAME}, 0},
            {zero, {-2, half, f, VERDICT_SAME}, 1},
            {{1, half, f, VERDICT_SAME}, {5, half, f, VERDICT_SAME}, 2},
            {zero, {100, half, NAN, VERDICT_SAME}, 3},
            {zero, {100, 4.6 * half, f, VERDICT_SAME}, 4}}; /* 1 + 4.6^2 > 20 */
        struct agreement a = agreement_of(rows, 5, 0.95);
        assert_double_near(a.excess_sd, sqrt(29. / 3 - 2), 1e-12);
        assert_int_equal(a.rows, 5);
        a = agreement_of(rows + 3, 1, 0.95);
        assert_nan(a.excess_sd);
        const struct agreement_row alike = {zero, {1, half, f, VERDICT_SAME}, 0};
        a = agreement_of(&alike, 1, 0.95);
        assert_double_near(a.excess_sd, 0, 0);
    }
}

/* Runs that differ by 0.5 % beyond their errors, of which one row in ten has 20 times as much. */
TEST(excess_is_found) {
    enum { ROWS = 2000 };
    static struct agreement_row rows[ROWS];
    uint64_t random = 2;
    for (int planted = 0; planted < 2; planted++) {
        for (int i = 0; i < ROWS; i++) {
            const double error = i % 10 == 0 ? 0.1 : 0.005, t = tails_student_quantile(0.975, 9);
            double x[2], sd[2];
            for (int run = 0; run < 2; run++) {
                double squares = 0;
                for (int j = 0; j < 9; j++)
                    squares += pow(draw_normal(&random), 2);
                sd[run] = error * sqrt(squares / 9);
                x[run] = error * draw_normal(&random);
            }
            x[1] += planted * 0.005 * draw_normal(&random);
            rows[i] = (struct agreement_row){
                {x[0], t * sd[0], 9, VERDICT_SAME}, {x[1], t * sd[1], 9, VERDICT_SAME}, (size_t)i};
        }
        const struct agreement a = agreement_of(rows, ROWS, 0.95);
        if (planted)
            assert_double_near(a.excess_sd, 0.005, 0.0007);
        else
            assert_double_near(a.excess_sd, 0, 0.002);
        assert_true(planted ? a.share < 0.945 : a.share > 0.95 && a.share < 0.98);
    }
}

/* Two half-widths of 3 degrees of freedom are together 3.18 standard errors of a difference with 6:
 * P(|t| < 3.18), by integrating the density. Of 8 degrees likewise; of infinitely many 0.95. */
TEST(expected_by_hand) {
    static const double freedoms[] = {3, 8, 1e9},
                        wanted[] = {0.9809830301521143, 0.9651682499224058, 0.95};
    for (int i = 0; i < 3; i++) {
        const double half = tails_student_quantile(0.975, freedoms[i]);
        const struct agreement_side side = {0, half, freedoms[i], VERDICT_SAME};
        const struct agreement_row rows[] = {{side, side, 0}, {side, {1, NAN, 3, VERDICT_SAME}, 1}};
        assert_double_near(agreement_of(rows, 2, 0.95).expected, wanted[i], 1e-9);
    }
}

/* Rows of a shape that agree or disagree together, seven of each of SHAPES: the interval holds the
 * share that is true, and Wilson's of all rows as one would not. As many as are expected agree. */
TEST(intervals_hold) {
    enum { TIMES = 600, SHAPES = 40, ARMS = 7, FREEDOM = 8 };
    static struct agreement_row rows[SHAPES * ARMS];
    const double common = sqrt(0.9), own = sqrt(0.1), t = tails_student_quantile(0.975, FREEDOM);
    size_t covered = 0, naive = 0;
    double sum = 0, expected = 0;
    uint64_t random = 8;
    static struct agreement all[TIMES];
    for (int i = 0; i < TIMES; i++) {
        for (size_t s = 0; s < SHAPES; s++) {
            double shared[2], sd[2];
            for (int run = 0; run < 2; run++) {
                double squares = 0;
                for (int j = 0; j < FREEDOM; j++)
                    squares += pow(draw_normal(&random), 2);
                sd[run] = sqrt(squares / FREEDOM);
                shared[run] = common * draw_normal(&random);
            }
            for (size_t arm = 0; arm < ARMS; arm++)
                rows[s * ARMS + arm] = (struct agreement_row){
                    {shared[0] + own * draw_normal(&random), t * sd[0], FREEDOM, VERDICT_SAME},
                    {shared[1] + own * draw_normal(&random), t * sd[1], FREEDOM, VERDICT_SAME},
                    s};
        }
        all[i] = agreement_of(rows, SHAPES * ARMS, 0.95);
        sum += all[i].share / TIMES;
        expected += all[i].expected / TIMES;
    }
    for (int i = 0; i < TIMES; i++) {
        const struct stats_interval wilson = stats_wilson(all[i].share, SHAPES * ARMS);
        covered += all[i].share_low <= sum && sum <= all[i].share_high;
        naive += wilson.low <= sum && sum <= wilson.high;
    }
    print_message("%.4f agree, %.4f expected; held in %.3f, by Wilson's of all rows in %.3f\n", sum,
                  expected, (double)covered / TIMES, (double)naive / TIMES);
    assert_double_near(sum, expected, 0.004);
    assert_double_near((double)covered / TIMES, 0.95, 0.03);
    assert_true((double)naive / TIMES < 0.75);
}

TEST(nothing_is_nan) {
    const struct agreement_row row = row_of(NAN, 1, 1, 1);
    for (size_t n = 0; n < 2; n++) {
        const struct agreement a = agreement_of(&row, n, 0.95);
        assert_int_equal(a.rows, 0);
        assert_int_equal(a.agree, 0);
        assert_nan(a.share);
        assert_nan(a.median_difference);
        assert_nan(a.ninth_difference);
        assert_nan(a.median_half);
        assert_nan(a.expected);
        assert_nan(a.excess_sd);
    }
}
