/* Runners that are opened ahead of the unit that needs them, with a process layer that is faked. */
#include "bench/process/warm_runners.h"

#include "tests/support/fake_runner.h"
#include "tests/support/test.h"

enum { PLAIN, RECORDER };
static struct warm_runners runners;
static const struct wire_open plain = {.ordinal = 3}, recorder = {.ordinal = 3, .record = 1};

static int begin(void **state) {
    (void)state;
    fake_reset();
    runners = (struct warm_runners){.most = 3};
    fake.cores = 4;
    return 0;
}

static int end(void **state) {
    (void)state;
    warm_runners_end(&runners);
    assert_int_equal(runners.count, 0);
    assert_int_equal(fake.ended, fake.started);
    return 0;
}

TEST_WITH(what_is_missing_is_started, begin, end) {
    assert_int_equal(warm_runners_fill(&runners, RECORDER, &recorder, 1, 100), 0);
    assert_int_equal(runners.count, 1);
    assert_int_equal(runners.list[0].kind, RECORDER);
    assert_int_equal(warm_runners_fill(&runners, RECORDER, &recorder, 1, 100), 0);
    assert_int_equal(runners.count, 1);
    assert_int_equal(warm_runners_fill(&runners, PLAIN, &plain, 5, 200), 0);
    assert_int_equal(runners.count, 3); /* no more than `most` */
    assert_int_equal(runners.list[2].kind, PLAIN);
    assert_int_equal(runners.list[2].process.shared_bytes, 200);
    assert_int_equal(fake.asked, 0); /* nobody has waited */
    warm_runners_settle(&runners);
    assert_int_equal(runners.count, 3);
    assert_int_equal(fake_count(WIRE_OPEN, ""), 3);
    assert_int_equal(fake.log[0].open.record, 1);
    assert_int_equal(fake.log[2].open.ordinal, 3);
    warm_runners_settle(&runners);
    assert_int_equal(fake.asked, 3);
}

/* Who asks whether all have opened the device does not wait for it. */
TEST_WITH(it_is_seen_whether_all_are_open, begin, end) {
    assert_true(warm_runners_are_settled(&runners));
    warm_runners_fill(&runners, PLAIN, &plain, 2, 100);
    warm_runners_fill(&runners, RECORDER, &recorder, 1, 100);
    assert_int_equal(warm_runners_count(&runners, PLAIN), 2);
    assert_int_equal(warm_runners_count(&runners, RECORDER), 1);
    fake.silent = 1;
    assert_false(warm_runners_are_settled(&runners));
    assert_int_equal(fake.asked, 0);
    fake_fail(WIRE_OPEN, "", PROCESS_EXITED)->nth = 1;
    assert_true(warm_runners_are_settled(&runners));
    assert_int_equal(fake.asked, 3);
    assert_int_equal(warm_runners_count(&runners, PLAIN), 1);
    assert_true(warm_runners_are_settled(&runners));
    assert_int_equal(fake.asked, 3);
}

TEST_WITH(there_are_no_more_than_cores, begin, end) {
    fake.cores = 2;
    assert_int_equal(warm_runners_fill(&runners, PLAIN, &plain, 9, 100), 0);
    assert_int_equal(runners.count, 2);
}

TEST_WITH(one_of_the_kind_with_room_is_taken, begin, end) {
    struct runner_process process = PROCESS_NONE;
    warm_runners_fill(&runners, PLAIN, &plain, 1, 100);
    warm_runners_fill(&runners, RECORDER, &recorder, 2, 200);
    assert_false(warm_runners_take(&runners, PLAIN, 101, &process));
    assert_int_equal(process.pid, 0);
    assert_true(warm_runners_take(&runners, RECORDER, 200, &process));
    assert_int_equal(process.pid, 2);
    assert_int_equal(runners.count, 2);
    assert_int_equal(runners.list[0].process.pid, 1);
    assert_int_equal(runners.list[1].process.pid, 3);
    process_end(&process);
    assert_true(warm_runners_take(&runners, PLAIN, 100, &process));
    assert_int_equal(process.pid, 1);
    process_end(&process);
    assert_false(warm_runners_take(&runners, PLAIN, 0, &process));
}

/* One that cannot open the device is ended, and the next one is tried. */
TEST_WITH(who_cannot_open_the_device_is_ended, begin, end) {
    struct runner_process process = PROCESS_NONE;
    fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED)->status = -1;
    warm_runners_fill(&runners, PLAIN, &plain, 2, 100);
    assert_true(warm_runners_take(&runners, PLAIN, 100, &process));
    assert_int_equal(process.pid, 2);
    assert_int_equal(fake_count(WIRE_OPEN, ""), 2); /* it has opened the device */
    assert_int_equal(runners.count, 0);
    process_end(&process);
    fake_fail(WIRE_OPEN, "", PROCESS_EXITED)->code = 1;
    warm_runners_fill(&runners, PLAIN, &plain, 3, 100);
    warm_runners_settle(&runners);
    assert_int_equal(runners.count, 2);
    assert_int_equal(runners.list[0].process.pid, 4);
    assert_true(runners.list[0].open && runners.list[1].open);
}

TEST_WITH(who_cannot_be_started_is_a_fault, begin, end) {
    fake.no_start = true;
    assert_int_equal(warm_runners_fill(&runners, PLAIN, &plain, 2, 100), -1);
    assert_int_equal(runners.count, 0);
    assert_int_equal(warm_runners_fill(&runners, PLAIN, &plain, 0, 100), 0);
}
