/* For tests: numbers that are measured or derived. cmocka 1.1.5's assert_float_equal compares
 * floats and takes NaN for any number: tests/arrows.sh refuses it. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_DOUBLES_H
#define TESTS_SUPPORT_DOUBLES_H

#include <math.h>

#include "tests/support/asserts.h"

/* Equal, or at most `tolerance` apart. NaN is near nothing, not even NaN. */
#define assert_double_near(actual, expected, tolerance)                                            \
    double_near(actual, expected, tolerance, #actual, __FILE__, __LINE__)

#define assert_nan(actual) double_is_nan(actual, #actual, __FILE__, __LINE__)

static inline void double_near(double actual, double expected, double tolerance, const char *what,
                               const char *file, int line) {
    if (actual == expected || fabs(actual - expected) <= tolerance)
        return;
    print_error("%s is %.17g; expected %.17g, at most %g away\n", what, actual, expected,
                tolerance);
    _fail(file, line);
}

static inline void double_is_nan(double actual, const char *what, const char *file, int line) {
    if (isnan(actual))
        return;
    print_error("%s is %.17g; expected NaN\n", what, actual);
    _fail(file, line);
}

#endif
