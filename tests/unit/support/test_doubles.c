#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/support/doubles.h"

static void near_numbers_pass(void **state) {
    (void)state;
    assert_double_near(1.5, 1.5, 0);
    assert_double_near(1.5, 1.25, 0.25);
    assert_double_near(1.25, 1.5, 0.25);
    assert_double_near(-INFINITY, -INFINITY, 0);
    assert_nan(NAN);
}

/* Each of these is a test that must fail. */
#define MUST_FAIL(name, assertion)                                                                 \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        assertion;                                                                                 \
    }
MUST_FAIL(nan_is_no_number, assert_double_near(NAN, 1, 1e9))
MUST_FAIL(no_number_is_nan, assert_double_near(1, NAN, 1e9))
MUST_FAIL(nan_is_not_near_nan, assert_double_near(NAN, NAN, 1e9))
MUST_FAIL(a_tolerance_of_nan, assert_double_near(1, 2, NAN))
MUST_FAIL(too_large, assert_double_near(1.2500000001, 1, 0.25))
MUST_FAIL(too_small, assert_double_near(1, 1.2500000001, 0.25))
MUST_FAIL(alike_as_floats, assert_double_near(1 + 1e-12, 1, 1e-13))
MUST_FAIL(infinities_of_two_signs, assert_double_near(INFINITY, -INFINITY, 1))
MUST_FAIL(a_number_for_nan, assert_nan(0))

/* Runs the failing ones with nothing on the terminal: how many have failed. */
static int failures(const struct CMUnitTest *tests, size_t count) {
    const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO),
              nowhere = open("/dev/null", O_WRONLY);
    fflush(NULL);
    if (dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        return -1;
    const int failed = _cmocka_run_group_tests("must fail", tests, count, NULL, NULL);
    fflush(NULL);
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
        return -1;
    close(out), close(err), close(nowhere);
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(near_numbers_pass)};
    const struct CMUnitTest failing[] = {
        cmocka_unit_test(nan_is_no_number),
        cmocka_unit_test(no_number_is_nan),
        cmocka_unit_test(nan_is_not_near_nan),
        cmocka_unit_test(a_tolerance_of_nan),
        cmocka_unit_test(too_large),
        cmocka_unit_test(too_small),
        cmocka_unit_test(alike_as_floats),
        cmocka_unit_test(a_number_for_nan),
        cmocka_unit_test(infinities_of_two_signs),
    };
    const int count = sizeof failing / sizeof *failing;
    const int failed = failures(failing, count);
    if (failed != count)
        fprintf(stderr, "%d of %d assertions failed that must fail\n", failed, count);
    return cmocka_run_group_tests(tests, NULL, NULL) || failed != count;
}
