/* A runner that was built without CUPTI records nothing, and says so. */
#include "bench/device/trace.h"

#include "tests/support/says.h"
#include "tests/support/test.h"

TEST(nothing_is_recorded) {
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
