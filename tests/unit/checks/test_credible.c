/* Times that the device cannot have reached, seen in whole units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/whole_units.h"

/* The device needs 100 us for the product. */
static void know_the_light(void) {
    session.rates.f16_flops = 2.0 * 24 * 16 * 48 / 100e-6;
}

static void nothing_is_faster_than_the_device(void **state) {
    (void)state;
    know_the_light(); /* of which the candidate takes 80 us */
    run();
    became("mine", "too-fast");
    assert_non_null(strstr(check_of("mine")->detail,
                           "80 us by the call lens in offline mode; this device needs at least "
                           "100 us"));
    assert_int_equal(result.series_count, 0);
    assert_int_equal(result.rows.ratio_count, 0);
}

static void a_kernel_near_the_light_is_believed(void **state) {
    (void)state;
    know_the_light();
    for (int lens = 0; lens < LENS_COUNT; lens++)
        kernel->seconds[lens] = 91e-6;
    run();
    became("mine", "ok");
    assert_int_equal(rounds_of("mine"), 2);
}

/* It fails by itself: it is not tried again. */
static void an_earlier_release_that_is_too_fast_is_left_out(void **state) {
    (void)state;
    with_earlier();
    know_the_light();
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        kernel->seconds[lens] = 110e-6;
        old->seconds[lens] = 70e-6;
    }
    run();
    became("previous", "too-fast");
    became("mine", "ok");
    assert_int_equal(rounds_of("mine"), 2);
    assert_int_equal(rounds_of("previous"), 0);
    assert_int_equal(fake_count(WIRE_ADD, "old.so"), 2);
    assert_int_equal(fake.started, 2 + 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_unit, fake_unit_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_faster_than_the_device),
        TEST(a_kernel_near_the_light_is_believed),
        TEST(an_earlier_release_that_is_too_fast_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
