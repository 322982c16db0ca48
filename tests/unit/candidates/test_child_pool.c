/* How many jobs run at once, and how a pool ends. */
#include "candidates/build/child_pool.h"

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

enum { JOBS = 6 };

/* What a pool did, in order, as "+JOB" and "-JOB", and how many ran at most. */
struct record {
    const char *scripts[JOBS];
    enum child_fate fates[JOBS];
    char text[256];
    int runs, most;
    int fail; /* the job that cannot be started, or -1 */
    volatile int stop;
};

static void note(struct record *record, char mark, size_t job) {
    const size_t used = strlen(record->text);
    snprintf(record->text + used, sizeof record->text - used, "%c%zu", mark, job);
    record->runs += mark == '+' ? 1 : -1;
    record->most = record->runs > record->most ? record->runs : record->most;
}

static int start(void *context, size_t job, struct child *child) {
    struct record *record = context;
    if ((int)job == record->fail)
        return error("it cannot be started");
    const char *const arguments[] = {"/bin/sh", "-c", record->scripts[job], NULL};
    const struct child_program program = {.arguments = arguments, .output = -1};
    note(record, '+', job);
    return child_start(child, &program);
}

static int end(void *context, size_t job, const struct child *child) {
    struct record *record = context;
    note(record, '-', job);
    record->fates[job] = child->fate;
    if (record->scripts[job][0] == ':')
        record->stop = 1;
    return 0;
}

static int run(struct record *record, size_t most, double limit_seconds) {
    const struct child_pool pool = {.count = JOBS,
                                    .most = most,
                                    .limit_seconds = limit_seconds,
                                    .stop = &record->stop,
                                    .context = record,
                                    .start = start,
                                    .end = end};
    return child_pool_run(&pool);
}

TEST(as_many_run_as_may) {
    for (int most = 1; most <= 4; most++) {
        struct record record = {.fail = -1};
        for (int i = 0; i < JOBS; i++)
            record.scripts[i] = "sleep 0.03";
        assert_int_equal(run(&record, (size_t)most, 60), 0);
        assert_int_equal(record.most, most);
        assert_int_equal(record.runs, 0);
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(record.fates[i], CHILD_ENDED);
        if (most == 1)
            assert_string_equal(record.text, "+0-0+1-1+2-2+3-3+4-4+5-5");
    }
}

TEST(a_slow_job_is_killed) {
    struct record record = {.fail = -1};
    for (int i = 0; i < JOBS; i++)
        record.scripts[i] = i == 1 ? "sleep 1000" : "true";
    assert_int_equal(run(&record, 2, 1), 0);
    for (int i = 0; i < JOBS; i++)
        assert_int_equal(record.fates[i], i == 1 ? CHILD_TOO_LONG : CHILD_ENDED);
}

TEST(a_pool_is_stopped) {
    struct record record = {.fail = -1, .scripts = {"sleep 1000", ":", "sleep 1000", "true"}};
    const double begun = clock_seconds();
    assert_int_equal(run(&record, 3, 60), 1);
    assert_true(clock_seconds() - begun < 30);
    assert_int_equal(record.fates[0], CHILD_STOPPED);
    assert_int_equal(record.fates[1], CHILD_ENDED);
    assert_int_equal(record.fates[2], CHILD_STOPPED);
    assert_int_equal(record.fates[3], CHILD_NONE);
    assert_int_equal(record.runs, 0);
}

TEST(a_pool_ends_with_what_cannot_be_started) {
    struct record record = {.fail = 2, .scripts = {"sleep 1000", "sleep 1000", "true", "true"}};
    assert_says(run(&record, 9, 60), -1, "it cannot be started");
    assert_int_equal(record.fates[0], CHILD_STOPPED);
    assert_int_equal(record.fates[1], CHILD_STOPPED);
    assert_int_equal(record.fates[3], CHILD_NONE);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
