#include "bench/base/beside.h"

#include "tests/support/test.h"

static void count(void *context) {
    ++*(int *)context;
}

TEST(work_is_done_once_and_before_it_ends) {
    int times = 0;
    struct beside beside;
    beside_begin(&beside, count, &times);
    beside_end(&beside);
    assert_int_equal(times, 1);
    beside_end(&beside);
    assert_int_equal(times, 1);
}

TEST(without_a_thread_the_work_is_done_at_the_end) {
    int times = 0;
    struct beside beside = {.work = count, .context = &times, .begun = true};
    beside_end(&beside);
    beside_end(&beside);
    assert_int_equal(times, 1);
}

TEST(what_was_never_begun_has_no_work) {
    struct beside beside = {0};
    beside_end(&beside);
}
