/* A runner that was built without CUPTI records nothing, and says so. */
#include "bench/device/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/says.h"

static void nothing_is_recorded(void **state) {
    (void)state;
    const char *why = NULL;
    uint64_t count = 7, dropped = 7;
    struct behaviour_event event;
    assert_int_equal(trace_start(&why), -1);
    assert_string_equal(why, "gemmgate-runner was built without CUPTI");
    assert_says(trace_begin(3), -1, "call 3: gemmgate-runner was built without CUPTI");
    assert_says(trace_end(4), -1, "call 4: gemmgate-runner was built without CUPTI");
    assert_says(trace_collect(&event, 1, &count, &dropped), -1,
                "gemmgate-runner was built without CUPTI");
    assert_int_equal(count, 0);
    assert_int_equal(dropped, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
