#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>

#include "tests/support/draws.h"
#include "timing/changes.h"

enum { LEAST = 3, MOST = 40 };

/* Noise of deviation 1 about 100, and steps added from two places on. */
static void fill(double *x, size_t n, size_t first, double first_step, size_t second,
                 double second_step, uint64_t *random) {
    for (size_t i = 0; i < n; i++)
        x[i] = 100 + draw_normal(random) + (i >= first ? first_step : 0) +
               (i >= second ? second_step : 0);
}

static bool near(size_t place, size_t wanted) {
    return place + 1 >= wanted && place <= wanted + 1;
}

static void noise_has_no_changes(void **state) {
    (void)state;
    uint64_t random = 1;
    int found = 0;
    for (int trial = 0; trial < 200; trial++) {
        double x[20];
        size_t at[20];
        fill(x, 20, 20, 0, 20, 0, &random);
        found += changes_find(x, 20, LEAST, 0.01, at) > 0;
    }
    assert_in_range(found, 0, 200 * 2 / 100);
}

static void a_step_is_found(void **state) {
    (void)state;
    uint64_t random = 2;
    int found = 0, placed = 0;
    for (int trial = 0; trial < 200; trial++) {
        double x[20];
        size_t at[20];
        fill(x, 20, 10, trial % 2 ? 3 : -3, 20, 0, &random);
        const size_t count = changes_find(x, 20, LEAST, 0.01, at);
        found += count == 1;
        placed += count == 1 && near(at[0], 10);
    }
    assert_in_range(found, 190, 200);
    /* Two of the values beside it add to 3 too much or too little in 3.4 % of all draws. */
    assert_in_range(placed, 180, 200);
}

static void two_steps_are_found(void **state) {
    (void)state;
    uint64_t random = 3;
    int up = 0, back = 0;
    for (int trial = 0; trial < 100; trial++) {
        double x[MOST];
        size_t at[MOST];
        fill(x, 36, 12, 4, 24, 4, &random);
        up += changes_find(x, 36, LEAST, 0.01, at) == 2 && near(at[0], 12) && near(at[1], 24);
        fill(x, 36, 9, 4, 21, -4, &random);
        back += changes_find(x, 36, LEAST, 0.01, at) == 2 && near(at[0], 9) && near(at[1], 21);
    }
    assert_in_range(up, 95, 100);
    assert_in_range(back, 95, 100);
}

/* Only these four and those four on either side, or the other way round, are as extreme: 2 of 70
 * choices, 0.0286. */
static const double eight[] = {1, 2, 3, 4, 11, 12, 13, 14};

/* Half of alpha is for it. */
static void p_is_what_it_should_be(void **state) {
    (void)state;
    size_t at[8];
    assert_int_equal(changes_find(eight, 8, 2, 2 * 0.034, at), 1);
    assert_int_equal(at[0], 4);
    assert_int_equal(changes_find(eight, 8, 2, 2 * 0.023, at), 0);
}

/* The second segment has half of the first's. */
static void later_segments_have_less(void **state) {
    (void)state;
    double x[16];
    size_t at[16];
    for (size_t i = 0; i < 16; i++)
        x[i] = i < 8 ? eight[i] : 1000;
    assert_int_equal(changes_find(x, 16, 2, 4 * 0.023, at), 1);
    assert_int_equal(at[0], 8);
    assert_int_equal(changes_find(x, 16, 2, 4 * 0.034, at), 2);
    assert_int_equal(at[0], 4);
    assert_int_equal(at[1], 8);
}

static void levels_are_long_enough(void **state) {
    (void)state;
    uint64_t random = 4;
    double x[20];
    size_t at[20];
    fill(x, 20, 18, 100, 20, 0, &random);
    assert_int_equal(changes_find(x, 20, 2, 0.05, at), 1);
    assert_int_equal(at[0], 18);
    assert_int_equal(changes_find(x, 20, 3, 0.05, at), 1);
    assert_int_equal(at[0], 17);
    fill(x, 20, 2, 100, 20, 0, &random);
    assert_int_equal(changes_find(x, 20, 3, 0.05, at), 1);
    assert_int_equal(at[0], 3);
    /* Three can be a level of their own where that many are asked for, not where four are. */
    fill(x, 20, 10, 100, 13, -100, &random);
    assert_int_equal(changes_find(x, 20, 3, 0.05, at), 2);
    assert_int_equal(at[0], 10);
    assert_int_equal(at[1], 13);
    const size_t count = changes_find(x, 20, 4, 0.05, at);
    for (size_t i = 0; i <= count; i++)
        assert_true((i < count ? at[i] : 20) >= 4 + (i > 0 ? at[i - 1] : 0));
}

static void nothing_to_find(void **state) {
    (void)state;
    const double clear[] = {0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9};
    size_t at[20];
    assert_int_equal(changes_find(clear, 12, 6, 0.01, at), 1);
    assert_int_equal(at[0], 6);
    assert_int_equal(changes_find(clear, 12, 7, 0.01, at), 0);
    assert_int_equal(changes_find(clear, 12, 6, 0.0009, at), 0);
    for (size_t n = 0; n <= 4; n++)
        assert_int_equal(changes_find(clear + 4, n, 2, 0.01, at), 0);
    double x[20];
    for (int i = 0; i < 20; i++)
        x[i] = 0.1;
    assert_int_equal(changes_find(x, 20, 2, 0.5, at), 0);
    for (int i = 0; i < 20; i++)
        x[i] = i < 10 ? 1 : 2;
    x[3] = NAN;
    assert_int_equal(changes_find(x, 20, 2, 0.5, at), 0);
    x[3] = INFINITY;
    assert_int_equal(changes_find(x, 20, 2, 0.5, at), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_has_no_changes),     cmocka_unit_test(a_step_is_found),
        cmocka_unit_test(two_steps_are_found),      cmocka_unit_test(p_is_what_it_should_be),
        cmocka_unit_test(later_segments_have_less), cmocka_unit_test(levels_are_long_enough),
        cmocka_unit_test(nothing_to_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
