/* What a call draws: of whole units on a GPU that is faked, whose counter grows by what a test says. */
#include "bench/jobs/energy.h"

#include <dlfcn.h>

#include "tests/support/doubles.h"
#include "tests/support/fake_nvml.h"
#include "tests/support/staged_units.h"
#include "tests/support/test.h"

static struct fake_gpu *gpu;
static unsigned drawn[] = {400000, 410000, 420000}; /* millijoules, in a row of each visit */
enum { STEP = 7 };

static int rows_asked(void) {
    int count = 0;
    for (int i = 0; i < fake.asked; i++)
        count += fake.log[i].verb == WIRE_REPEAT;
    return count;
}

/* A row draws by its visit, which has three, and the kernel's half. Between two steps of the counter it is
 * asked twice. */
static void draw(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)reply, (void)shared;
    if (request->verb != WIRE_REPEAT)
        return;
    const bool own = strcmp(fake.asked_of[fake.asked - 1], "mine.so") == 0;
    gpu->millijoules += drawn[(rows_asked() - 1) / 3] / (own ? 2 : 1);
}

/* A unit with a stage, and a card with a counter. Loading the stand-in first makes it the library that
 * nvml.c finds. */
static int with_counter(void **state) {
    void *library = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    if (!library || with_stage(state) < 0)
        return -1;
    gpu = dlsym(library, "fake_gpu");
    gpu->millijoules = 1000;
    gpu->step = STEP;
    session.nvml = nvml_open("GPU-fake", "");
    plan.energy = true;
    fake.edit = draw;
    return session.nvml ? 0 : -1;
}

static int end(void **state) {
    nvml_close(session.nvml);
    session.nvml = NULL;
    return fake_unit_end(state);
}

static const struct time_row *time_of(const char *arm, const char *lens) {
    for (size_t i = 0; i < result.rows.time_count; i++)
        if (strcmp(result.rows.times[i].kernel, arm) == 0 &&
            strcmp(result.rows.times[i].lens, lens) == 0)
            return &result.rows.times[i];
    fail_msg("no times of %s by %s", arm, lens);
    return NULL;
}

/* By hand: 400, 410 and 420 J, and two steps of 7 mJ, over 0.5 s / 100 us = 5,000 calls. */
TEST_WITH(joules_are_the_difference_over_the_calls, with_counter, end) {
    run();
    became("mine", "ok");
    const struct time_row *library = time_of("lib-nn", "device"), *own = time_of("mine", "device");
    const double calls = (double)fake_last(WIRE_REPEAT, "lib-nn")->repeat.calls,
                 own_calls = (double)fake_last(WIRE_REPEAT, "mine.so")->repeat.calls;
    assert_double_near(calls, 5000, 1); /* float32 has no 100 us */
    assert_double_near(own_calls, 6250, 1);
    assert_double_near(library->joules, (410 + 2 * STEP / 1000.0) / calls, 1e-8);
    assert_double_near(library->joules_sd, 10 / calls, 1e-8);
    assert_double_near(library->joules_rows, ENERGY_VISITS, 0);
    assert_double_near(own->joules, (205 + 2 * STEP / 1000.0) / own_calls, 1e-8);
    assert_true(isnan(time_of("lib-nn", "stream")->joules));
    assert_true(isnan(time_of("lib-nn", "call")->joules));
}

/* One of each library and kernel, and none of a control, in the first visits, on the stage. */
TEST_WITH(the_first_visits_have_a_row_of_each, with_counter, end) {
    run();
    assert_int_equal(rows_asked(), 3 * ENERGY_VISITS);
    assert_int_equal(count_of(WIRE_REPEAT, "", true), 3 * ENERGY_VISITS);
}

TEST_WITH(nothing_is_measured_unasked, with_counter, end) {
    plan.energy = false;
    run();
    assert_int_equal(rows_asked(), 0);
    assert_true(isnan(time_of("mine", "device")->joules));
}

/* The times are as ever. */
TEST_WITH(without_a_counter_nothing_is_lost, with_counter, end) {
    gpu->millijoules = 0;
    run();
    became("mine", "ok");
    assert_int_equal(rows_asked(), 0);
    assert_true(isnan(time_of("mine", "device")->joules));
    assert_double_near(time_of("mine", "device")->median, 80e-6, 1e-6);
}

TEST_WITH(a_counter_that_stands_tells_nothing, with_counter, end) {
    gpu->step = 0;
    fake.edit = NULL;
    plan.visits = 2;
    run();
    assert_int_equal(rows_asked(), 0);
    assert_true(isnan(time_of("mine", "device")->joules));
    assert_double_near(time_of("mine", "device")->median, 80e-6, 1e-6);
}

/* The card waits for the host then, and draws less. */
TEST_WITH(calls_that_are_too_short_have_none, with_counter, end) {
    kernel->seconds[LENS_STREAM] = 1.6 * kernel->seconds[LENS_DEVICE];
    run();
    assert_true(isnan(time_of("mine", "device")->joules));
    assert_false(isnan(time_of("lib-nn", "device")->joules));
}

/* A kernel that leaves out elements that are numbers already does nothing in a row. */
TEST_WITH(rows_with_less_work_than_their_calls_have_none, with_counter, end) {
    kernel->seconds[LENS_STREAM] = 0.4 * kernel->seconds[LENS_DEVICE];
    run();
    assert_true(isnan(time_of("mine", "device")->joules));
    assert_false(isnan(time_of("lib-nn", "device")->joules));
}

static void draw_backwards(const struct wire_request *request, struct wire_reply *reply,
                           void *shared) {
    (void)reply, (void)shared;
    gpu->millijoules -= request->verb == WIRE_REPEAT ? 500 : 0;
}

/* A driver that is loaded again begins at 0. */
TEST_WITH(a_counter_that_falls_tells_nothing, with_counter, end) {
    gpu->millijoules = 1000000;
    fake.edit = draw_backwards;
    run();
    became("mine", "ok");
    assert_true(isnan(time_of("mine", "device")->joules));
    assert_true(isnan(time_of("lib-nn", "device")->joules));
}

/* As any that fails on the stage. */
TEST_WITH(a_kernel_that_fails_in_a_row_is_named, with_counter, end) {
    struct fake_fault *fault = fake_fail(WIRE_REPEAT, "mine.so", PROCESS_CRASHED);
    fault->always = true;
    run();
    became("mine", "unrecorded"); /* the stage is no place of its code */
    detail_says("mine", "while its energy was measured");
}
