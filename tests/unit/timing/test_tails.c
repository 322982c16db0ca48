
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/test.h"
#include "timing/tails.h"

/* t at 0.975: Fisher & Yates 1963, table III, 12.706, 4.303, 2.571, 2.228, 2.042; their digits, and
 * the other rows, by scipy 1.17.1, scipy.stats.t.ppf; infinite ones by R 4.2.2, qt. */
TEST(student_quantiles) {
    static const double expected[][3] = {
        {0.975, 1, 12.706204736174694},   {0.975, 2, 4.302652729749462},
        {0.975, 5, 2.5705818356363146},   {0.975, 10, 2.228138851986274},
        {0.975, 30, 2.0422724563012378},  {0.975, 1e6, 1.959966356814107},
        {0.95, 4, 2.13184678632665},      {0.9995, 5, 6.868826625881276},
        {1e-12, 3, -10331.108244292487},  {0.025, 10, -2.2281388519862753},
        {0.6, 1000, 0.25341451583949876}, {0.75, 0.5, 1.5537739740300383},
        {1e-12, 1e6, -7.034572608411255}, {0.975, INFINITY, 1.95996398454005},
        {0.9, INFINITY, 1.2815515655446}, {1e-12, INFINITY, -7.03448382530113},
        {0.975, 1e9, 1.95996398691232},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const double t = tails_student_quantile(expected[i][0], expected[i][1]);
        assert_double_near(t, expected[i][2], 2e-9 * fabs(expected[i][2]));
    }
    assert_double_near(tails_student_quantile(0.5, 7), 0, 0);
}

/* R 4.2.2: 2 * pt(-2.5, 7), 2 * pt(-40, 3), 2 * pnorm(-2.5). */
TEST(student_tails) {
    assert_double_near(tails_student(2.5, 7), 0.0409922185857529, 1e-14);
    assert_double_near(tails_student(40, 3), 3.43806807891585e-05, 1e-17);
    assert_double_near(tails_student(2.5, INFINITY), 0.0124193306515523, 1e-15);
    assert_double_near(tails_student(0, 3), 1, 0);
    assert_double_near(tails_student(-1, 3), 1, 0);
    assert_double_near(tails_student(INFINITY, 3), 0, 0);
}

/* R 4.2.2: pf(x, d1, d2, lower.tail = FALSE, log.p = TRUE). */
TEST(f_tails) {
    static const double expected[][4] = {
        {576, 3, 20, -43.4018107862159},     {0.001, 3, 8, -4.75980597250334e-05},
        {0.5, 1, 2, -0.592783600716708},     {3, 3, INFINITY, -3.53047885110692},
        {100000, 3, 200, -728.961908207956}, {1.2, 40, 3, -0.660697866328949},
        {4, 1, 1e9, -3.09003714718905},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const double *e = expected[i];
        assert_double_near(tails_f_log(e[0], e[1], e[2]), e[3],
                           fmax(1e-12, 2e-6 * (e[2] > 1e6) * fabs(e[3])));
    }
    assert_double_near(tails_f_log(0, 3, 4), 0, 0);
    assert_double_near(tails_f_log(-1, 3, 4), 0, 0);
    assert_true(tails_f_log(INFINITY, 3, 4) == -INFINITY);
}

TEST(no_value_is_nan) {
    assert_true(isnan(tails_student_quantile(0, 3)));
    assert_true(isnan(tails_student_quantile(1, 3)));
    assert_true(isnan(tails_student_quantile(NAN, 3)));
    assert_true(isnan(tails_student_quantile(0.9, 0)));
    assert_true(isnan(tails_student_quantile(0.9, NAN)));
    assert_true(isnan(tails_student(1, 0)) && isnan(tails_student(0, 0)));
    assert_true(isnan(tails_student(1, NAN)) && isnan(tails_student(NAN, 3)));
    assert_true(isnan(tails_f_log(1, 0, 3)) && isnan(tails_f_log(1, 3, 0)));
    assert_true(isnan(tails_f_log(NAN, 3, 3)) && isnan(tails_f_log(1, NAN, 3)));
    assert_true(isnan(tails_f_log(1, 3, NAN)));
}
