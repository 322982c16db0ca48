/* Workers in this process and in others: every item once, and an end when something fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/process/interrupt.h"
#include "bench/run/workers.h"
#include "tests/support/says.h"

enum { ITEMS = 20 };
static const size_t NOBODY = (size_t)-1;

/* What happens where: items by their number, workers by theirs. */
static struct job {
    size_t fails, dies, interrupts, no_start, workers;
    size_t heard[ITEMS], pids[ITEMS], count;
} job;

static int work(void *context, size_t number, struct worker *worker) {
    const struct job *what = context;
    struct worker_done done = {0};
    if (number == what->no_start)
        return -1;
    while (worker_take(worker, &done.item)) {
        const size_t ahead = worker_ahead(worker), waiting = done.item.unit;
        if (ahead > (waiting + what->workers - 1) / what->workers ||
            (what->workers == 1 && ahead != waiting))
            return -1;
        if (done.item.unit == what->dies)
            raise(SIGKILL);
        if (done.item.unit == what->interrupts)
            interrupted = 1;
        done.status = done.item.unit == what->fails ? -1 : 0;
        snprintf(done.summary, sizeof done.summary, "%d", (int)getpid());
        if (worker_tell(worker, &done) < 0)
            return -1;
    }
    return 0;
}

static void hear(void *context, const struct worker_done *done) {
    struct job *what = context;
    if (done->status < 0)
        return;
    what->heard[done->item.unit]++;
    what->pids[what->count++] = (size_t)atol(done->summary);
}

static struct work_item order[ITEMS];

static int start(void **state) {
    (void)state;
    interrupted = 0;
    job = (struct job){NOBODY, NOBODY, NOBODY, NOBODY, 1, {0}, {0}, 0};
    for (size_t i = 0; i < ITEMS; i++)
        order[i] = (struct work_item){ITEMS - 1 - i, 0};
    return 0;
}

static int run(size_t count) {
    job.workers = count;
    const struct workers workers = {.count = count,
                                    .items = order,
                                    .item_count = ITEMS,
                                    .units = ITEMS,
                                    .context = &job,
                                    .work = work,
                                    .report = hear};
    return workers_run(&workers);
}

static void all_are_done_once(void) {
    assert_int_equal(job.count, ITEMS);
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(job.heard[i], 1);
}

static void one_worker_is_this_process(void **state) {
    (void)state;
    assert_int_equal(run(1), 0);
    all_are_done_once();
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(job.pids[i], getpid());
}

static void items_are_handed_out_in_their_order(void **state) {
    (void)state;
    job.fails = 15; /* the fifth */
    assert_int_equal(run(1), -1);
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(job.heard[i], i > 15);
}

static void several_are_processes_of_their_own(void **state) {
    (void)state;
    assert_int_equal(run(3), 0);
    all_are_done_once();
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_not_equal(job.pids[i], getpid());
}

static void one_that_fails_ends_all(void **state) {
    (void)state;
    job.fails = 19; /* the first */
    assert_int_equal(run(3), -1);
    assert_int_equal(job.heard[19], 0);
    assert_true(job.count < ITEMS);
}

static void one_that_dies_is_told(void **state) {
    (void)state;
    job.dies = 10;
    assert_says(run(2), -1, "was killed by signal 9");
    assert_int_equal(job.heard[10], 0);
}

static void one_that_cannot_start_ends_all(void **state) {
    (void)state;
    job.no_start = 0;
    assert_int_equal(run(1), -1);
    assert_int_equal(job.count, 0);
    job.no_start = 1;
    assert_int_equal(run(2), -1);
}

/* A worker's own signal is its own; the caller's is told to all. */
static void an_interrupt_ends_all(void **state) {
    (void)state;
    interrupted = 1;
    assert_says(run(2), -1, "interrupted");
    assert_int_equal(job.count, 0);
}

static void a_worker_that_is_interrupted_takes_no_more(void **state) {
    (void)state;
    for (size_t i = 0; i < ITEMS; i++)
        order[i] = (struct work_item){i, 0};
    job.interrupts = 0;
    job.no_start = 1; /* the other has nothing to do with it */
    assert_int_equal(run(2), -1);
    assert_true(job.count <= 1);
}

#define TEST(name) cmocka_unit_test_setup(name, start)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_worker_is_this_process),
        TEST(items_are_handed_out_in_their_order),
        TEST(several_are_processes_of_their_own),
        TEST(one_that_fails_ends_all),
        TEST(one_that_dies_is_told),
        TEST(one_that_cannot_start_ends_all),
        TEST(an_interrupt_ends_all),
        TEST(a_worker_that_is_interrupted_takes_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
