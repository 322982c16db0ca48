/* Whether native and replayed times agree. Half-widths by hand, with the
 * quantiles of printed tables, t 3.182446 (3 degrees of freedom) and normal 1.959964:
 *     sqrt((3.182446 * .005 * sqrt(1.25))^2 + (1.959964 * .012)^2 + (1.959964 * .001)^2) */
#include "timing/replayed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "tests/support/doubles.h"

static const struct replayed_times four = {.native = 1.0,
                                           .replayed = 1.0,
                                           .native_sd = 0.005,
                                           .native_error = 0.0005,
                                           .rounds = 4,
                                           .replayed_error = 0.001,
                                           .clock_step = 0,
                                           .side_by_side = 1};

static void the_interval_is_that_of_one_process_more(void **state) {
    (void)state;
    struct replayed_times times = four;
    assert_double_near(replayed_half(&times), 0.0430920, 1e-6);
    times.clock_step = 0.01;
    assert_double_near(replayed_half(&times), 0.0530920, 1e-6);
    times = four;
    times.rounds = 1;
    times.native_sd = NAN;
    assert_double_near(replayed_half(&times), 0.0392605, 1e-6);
    times.native_error = times.replayed_error = NAN;
    assert_double_near(replayed_half(&times), 0.0391993, 1e-6);
}

/* native / replayed; what may be chance and the margin are 0.0431 + 0.0198 in ln ratio. */
static void cases_are_told_apart(void **state) {
    (void)state;
    static const struct {
        double ratio, side_by_side;
        enum replayed_verdict verdict;
    } cases[] = {
        {1.0, 1, REPLAYED_AGREES},     {1.05, 1, REPLAYED_AGREES},
        {1.0644, 1, REPLAYED_AGREES},  {1.0654, 1, REPLAYED_DIFFERS},
        {80, 1, REPLAYED_DIFFERS},     {0.9395, 1, REPLAYED_AGREES},
        {0.9385, 1, REPLAYED_DIFFERS}, {0.1, 1, REPLAYED_DIFFERS},
        {1.9, 2, REPLAYED_AGREES},     {2.125, 2, REPLAYED_AGREES},
        {2.135, 2, REPLAYED_DIFFERS},  {0.1, 2, REPLAYED_DIFFERS},
        {1.0654, 0, REPLAYED_DIFFERS}, {1.0654, NAN, REPLAYED_DIFFERS},
        {NAN, 1, REPLAYED_UNKNOWN},    {0, 1, REPLAYED_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct replayed_times times = four;
        times.native = 0.7 * cases[i].ratio;
        times.replayed = 0.7;
        times.side_by_side = cases[i].side_by_side;
        if (replayed_judge(&times) != cases[i].verdict)
            fail_msg("case %zu, ratio %g: %s", i, cases[i].ratio,
                     replayed_word(replayed_judge(&times)));
    }
    struct replayed_times times = four;
    times.replayed = NAN;
    assert_int_equal(replayed_judge(&times), REPLAYED_UNKNOWN);
}

static void a_kernel_that_scatters_may_differ_more(void **state) {
    (void)state;
    struct replayed_times times = four;
    times.native = 1.3;
    times.native_sd = 0.12;
    assert_int_equal(replayed_judge(&times), REPLAYED_AGREES);
    times.native_sd = 0.05;
    assert_int_equal(replayed_judge(&times), REPLAYED_DIFFERS);
}

static void verdicts_have_words(void **state) {
    (void)state;
    assert_string_equal(replayed_word(REPLAYED_UNKNOWN), "");
    assert_string_equal(replayed_word(REPLAYED_AGREES), "agrees");
    assert_string_equal(replayed_word(REPLAYED_DIFFERS), "differs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_is_that_of_one_process_more),
        cmocka_unit_test(cases_are_told_apart),
        cmocka_unit_test(a_kernel_that_scatters_may_differ_more),
        cmocka_unit_test(verdicts_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
