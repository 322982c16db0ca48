/* How many jobs run at once, what memory does to that, and how a pool ends. */
#include "candidates/build/child_pool.h"

#include <math.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

enum { JOBS = 6 };

/* What a pool did, in order, as "+JOB" and "-JOB", and how many ran at most. */
struct record {
    struct child children[JOBS];
    const char *scripts[JOBS]; /* NULL: nothing to run */
    double bytes[JOBS];
    bool again[JOBS];
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

static int start(void *context, size_t job, struct child **child) {
    struct record *record = context;
    if ((int)job == record->fail)
        return error("it cannot be started");
    if (!record->scripts[job])
        return 0;
    const char *const arguments[] = {"/bin/sh", "-c", record->scripts[job], NULL};
    const struct child_program program = {.arguments = arguments, .output = -1};
    *child = &record->children[job];
    note(record, '+', job);
    return child_start(*child, &program);
}

static int end(void *context, size_t job) {
    struct record *record = context;
    note(record, '-', job);
    record->fates[job] = record->children[job].fate;
    if (record->scripts[job][0] == ':')
        record->stop = 1;
    if (!record->again[job])
        return 0;
    record->again[job] = false;
    return CHILD_AGAIN;
}

static double needs(void *context, size_t job) {
    return ((struct record *)context)->bytes[job];
}

static int run(struct record *record, size_t most, double memory, double limit_seconds) {
    const struct child_pool pool = {.count = JOBS,
                                    .most = most,
                                    .limit_seconds = limit_seconds,
                                    .memory = memory,
                                    .stop = &record->stop,
                                    .context = record,
                                    .needs = memory < INFINITY ? needs : NULL,
                                    .start = start,
                                    .end = end};
    return child_pool_run(&pool);
}

TEST(as_many_run_as_may) {
    for (int most = 0; most <= 4; most++) {
        struct record record = {.fail = -1};
        for (int i = 0; i < JOBS; i++)
            record.scripts[i] = i == 2 ? NULL : "sleep 0.03";
        assert_int_equal(run(&record, (size_t)most, INFINITY, 60), 0);
        assert_int_equal(record.most, most > 1 ? most : 1);
        assert_int_equal(record.runs, 0);
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(record.fates[i], i == 2 ? CHILD_NONE : CHILD_ENDED);
        if (most <= 1)
            assert_string_equal(record.text, "+0-0+1-1+3-3+4-4+5-5");
    }
}

/* Job 3 needs more than there is, and runs with no other. */
TEST(memory_is_shared) {
    struct record record = {.fail = -1, .bytes = {2, 1, 2, 9, 1, 3}};
    for (int i = 0; i < JOBS; i++)
        record.scripts[i] = "sleep 0.03";
    assert_int_equal(run(&record, 9, 3, 60), 0);
    assert_int_equal(record.most, 2);
    /* The first three may end in any order. */
    const char *third = strstr(record.text, "+3-3+4-4+5-5");
    assert_non_null(third);
    assert_int_equal(third - record.text, strlen("+0-0+1-1+2-2"));
}

TEST(a_job_may_run_again_alone) {
    struct record record = {.fail = -1, .again = {true}};
    for (int i = 0; i < JOBS; i++)
        record.scripts[i] = i == 0 ? "true" : "sleep 0.2";
    assert_int_equal(run(&record, 3, INFINITY, 60), 0);
    const char *again = strstr(strstr(record.text, "-0"), "+0");
    assert_non_null(again);
    assert_memory_equal(again, "+0-0", 4);
    for (const char *c = strstr(record.text, "-0"); c < again; c++)
        assert_int_not_equal(*c, '+'); /* nobody starts while it waits */
    assert_int_equal(record.runs, 0);
}

TEST(a_slow_job_is_killed) {
    struct record record = {.fail = -1};
    for (int i = 0; i < JOBS; i++)
        record.scripts[i] = i == 1 ? "sleep 1000" : "true";
    assert_int_equal(run(&record, 2, INFINITY, 1), 0);
    for (int i = 0; i < JOBS; i++)
        assert_int_equal(record.fates[i], i == 1 ? CHILD_TOO_LONG : CHILD_ENDED);
}

TEST(a_pool_is_stopped) {
    struct record record = {.fail = -1, .scripts = {"sleep 1000", ":", "sleep 1000", "true"}};
    const double begun = clock_seconds();
    assert_int_equal(run(&record, 3, INFINITY, 60), 1);
    assert_true(clock_seconds() - begun < 30);
    assert_int_equal(record.fates[0], CHILD_STOPPED);
    assert_int_equal(record.fates[1], CHILD_ENDED);
    assert_int_equal(record.fates[2], CHILD_STOPPED);
    assert_int_equal(record.fates[3], CHILD_NONE);
    assert_int_equal(record.runs, 0);
}

TEST(a_pool_ends_with_what_cannot_be_started) {
    struct record record = {.fail = 2, .scripts = {"sleep 1000", "sleep 1000", "true", "true"}};
    assert_says(run(&record, 9, INFINITY, 60), -1, "it cannot be started");
    assert_int_equal(record.fates[0], CHILD_STOPPED);
    assert_int_equal(record.fates[1], CHILD_STOPPED);
    assert_int_equal(record.fates[3], CHILD_NONE);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
