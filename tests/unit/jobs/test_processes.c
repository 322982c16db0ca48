/* How the runners of a unit are opened, warmed up and let go; their processes are faked. */
#include "bench/jobs/processes.h"

#include <stdlib.h>

#include "bench/record/recording.h"
#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static int begin(void **state) {
    fake_unit(state);
    session.warm.most = fake.cores = 16;
    return 0;
}

static int end(void **state) {
    warm_runners_end(&session.warm);
    return fake_unit_end(state);
}

static void open_as(enum runner_kind kind) {
    process_end(&context.process);
    assert_int_equal(unit_open(&context, kind, &context.process), 0);
}

/* How a runner of the kind was asked to open the device: "rehearse fixed record". */
static void opens(enum runner_kind kind, const char *flags) {
    char asked[16];
    open_as(kind);
    const struct wire_open *open = &fake_last(WIRE_OPEN, "")->open;
    snprintf(asked, sizeof asked, "%d%d%d", open->rehearse, open->fixed, open->record);
    assert_string_equal(asked, flags);
    assert_string_equal(open->device_kind, plan.device_kind);
}

TEST_WITH(each_kind_is_opened_in_its_way, begin, end) {
    opens(RUNNER_PLAIN, "000");
    opens(RUNNER_MEMCHECK, "000");
    assert_string_equal(fake.program, "compute-sanitizer");
    on_stage();
    opens(RUNNER_PLAIN, "000");
    opens(RUNNER_RECORDER, "011");
    opens(RUNNER_PLAYER, "110");
}

static void shares(enum runner_kind kind, size_t bytes) {
    open_as(kind);
    assert_int_equal(context.process.shared_bytes, bytes);
}

TEST_WITH(c_samples_and_recordings_have_room, begin, end) {
    static struct shape large[] = {{4096, 4096, 16}, {1024, 64, 16}};
    const size_t mib = (size_t)1 << 20;
    shares(RUNNER_PLAIN, 4 * mib);
    on_stage();
    shares(RUNNER_RECORDER, RECORDING_MOST_BYTES);
    shares(RUNNER_PLAYER, RECORDING_MOST_BYTES);
    plan.suite.shapes = large; /* which others of the run may have */
    plan.suite.count = 2;
    shares(RUNNER_PLAIN, 64 * mib);
    plan.suite.count = 0;
    unit.shape = large[0];
    shares(RUNNER_PLAIN, 64 * mib);
}

/* What is known of the functions that the kernels call. */
TEST_WITH(a_shape_says_what_its_kernels_need, begin, end) {
    static struct call reads = {.reads_c = true};
    plan.workspace_bytes = 123;
    plan.inputs = INPUTS_INTEGERS;
    for (int i = 0; i < 3; i++) {
        mine.call = i == 1 ? &reads : NULL;
        earlier.call = i == 2 ? &reads : NULL;
        unit.previous = i == 2 ? &earlier : NULL;
        open_as(RUNNER_PLAIN);
        const struct wire_shape *shape = &fake_last(WIRE_SHAPE, "")->shape;
        assert_int_equal(shape_compare(shape->shape, SHAPE), 0);
        assert_int_equal(shape->accumulate, GEMM_F32);
        assert_int_equal(shape->workspace_bytes, 123);
        assert_int_equal(shape->inputs, INPUTS_INTEGERS);
        assert_int_equal(shape->finite_c, i > 0);
    }
}

static void warmed(size_t recorders) {
    warm_runners_end(&session.warm);
    assert_int_equal(unit_warm(&context, RUNNER_RECORDER), 0);
    assert_int_equal(warm_runners_count(&session.warm, RUNNER_RECORDER), recorders);
    assert_int_equal(session.warm.count, recorders);
}

TEST_WITH(recorders_are_warmed_up, begin, end) {
    warmed(0); /* the host has none */
    on_stage();
    with_earlier();
    warmed(2);
    session.visits_ahead = 7; /* one is the next unit's */
    warmed(3);
    unit.previous = NULL;
    warmed(2);
    unit.candidate = NULL;
    warmed(0);
    with_earlier();
    fake.no_start = true;
    warm_runners_end(&session.warm);
    assert_int_equal(unit_warm(&context, RUNNER_RECORDER), -1);
}

/* A GPU's library makes its first product before anybody waits for it. */
TEST_WITH(who_is_warmed_up_has_made_a_product, begin, end) {
    for (int gpu = 0; gpu < 2; gpu++) {
        session.visits_ahead = 1;
        assert_int_equal(unit_warm(&context, RUNNER_PLAIN), 0);
        processes_settle(&session);
        assert_int_equal(fake_last(WIRE_OPEN, "")->open.rehearse, gpu);
        warm_runners_end(&session.warm);
        on_gpu();
    }
}

TEST_WITH(the_next_are_warmed_up_where_none_is_left, begin, end) {
    on_gpu();
    plan.lenses = 1 << LENS_CALL;
    session.visits_ahead = 2;
    assert_int_equal(unit_warm(&context, RUNNER_PLAIN), 0);
    assert_int_equal(warm_runners_count(&session.warm, RUNNER_PLAIN), 2);
    session.visits_ahead = 4;
    assert_int_equal(unit_warm(&context, RUNNER_PLAIN), 0);
    assert_int_equal(warm_runners_count(&session.warm, RUNNER_PLAIN), 2);
    open_as(RUNNER_PLAIN);
    open_as(RUNNER_PLAIN);
    assert_int_equal(fake.started, 2);
    assert_int_equal(unit_warm(&context, RUNNER_PLAIN), 0);
    assert_int_equal(warm_runners_count(&session.warm, RUNNER_PLAIN), 4);
}

TEST_WITH(stages_are_warmed_up_for_the_visits_that_are_left, begin, end) {
    on_stage();
    plan.visits = 12;
    context.visit = 10;
    assert_int_equal(unit_warm(&context, RUNNER_PLAYER), 0);
    assert_int_equal(warm_runners_count(&session.warm, RUNNER_PLAYER), 2);
    warm_runners_end(&session.warm);
    context.visit = 3;
    assert_int_equal(unit_warm(&context, RUNNER_PLAYER), 0);
    assert_int_equal(warm_runners_count(&session.warm, RUNNER_PLAYER), 4);
}

TEST_WITH(a_warm_one_that_does_not_take_the_shape_is_replaced, begin, end) {
    on_gpu();
    session.visits_ahead = 1;
    assert_int_equal(unit_warm(&context, RUNNER_PLAIN), 0);
    fake_fail(WIRE_SHAPE, "", PROCESS_ANSWERED)->status = -1;
    open_as(RUNNER_PLAIN);
    assert_int_equal(fake.started, 2);
    assert_int_equal(fake.ended, 1);
}

TEST_WITH(a_shape_is_taken_or_not, begin, end) {
    open_as(RUNNER_PLAIN);
    assert_int_equal(unit_take_shape(&context, &context.process), 0);
    fake_fail(WIRE_SHAPE, "", PROCESS_ANSWERED)->status = -1;
    assert_int_equal(unit_take_shape(&context, &context.process), -1);
    fake_fail(WIRE_SHAPE, "", PROCESS_CRASHED)->code = 11;
    assert_int_equal(unit_take_shape(&context, &context.process), -1);
}

TEST_WITH(who_is_dropped_leaves_in_its_own_time, begin, end) {
    open_as(RUNNER_PLAIN);
    unit_drop_runner(&context, &context.process);
    assert_int_equal(fake.killed, 1);
    assert_int_equal(fake.ended, 0);
    assert_int_equal(context.process.pid, PROCESS_NONE.pid);
    fake.lingers = 1;
    assert_false(processes_are_settled(&session));
    assert_int_equal(fake.ended, 0);
    assert_true(processes_are_settled(&session));
    assert_int_equal(fake.ended, 1);
    open_as(RUNNER_PLAIN);
    unit_drop_runner(&context, &context.process);
    open_as(RUNNER_PLAIN); /* a GPU may take one process at a time */
    assert_int_equal(fake.ended, 2);
    unit_drop_runner(&context, &context.process);
    processes_settle(&session);
    assert_int_equal(fake.ended, 3);
}

TEST_WITH(nothing_is_settled_while_one_opens_the_device, begin, end) {
    on_gpu();
    session.visits_ahead = 1;
    assert_int_equal(unit_warm(&context, RUNNER_PLAIN), 0);
    fake.silent = 1;
    assert_false(processes_are_settled(&session));
    assert_true(processes_are_settled(&session));
}

TEST_WITH(how_a_runner_fails_is_told, begin, end) {
    struct fake_fault *fault = fake_fail(WIRE_OPEN, "", PROCESS_CRASHED);
    fault->code = 9;
    fault->printed = "no driver";
    assert_says(unit_open_runner(&context), -1,
                "the runner died (9) while opening the device: no driver");
    process_end(&context.process);
    fault = fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED);
    fault->status = -1;
    fault->text = "busy";
    fault->printed = "says the driver";
    assert_says(unit_open_runner(&context), -1, "busy: says the driver");
    process_end(&context.process);
    fake.start_takes = 2;
    context.start_seconds = 1;
    assert_int_equal(unit_open_runner(&context), 0);
    assert_true(context.start_seconds == 3);
    process_end(&context.process);
    fake.no_start = true;
    assert_int_equal(unit_open_runner(&context), -1);
}

TEST_WITH(without_a_process_there_is_no_stage, begin, end) {
    on_stage();
    for (int i = 0; i < 4; i++) {
        const bool died = i > 1, stage = i % 2;
        struct fake_fault *fault =
            fake_fail(WIRE_OPEN, "", died ? PROCESS_CRASHED : PROCESS_ANSWERED);
        fault->status = -1;
        fault->text = "no\x1b room";
        fault->printed = "a last line";
        char why[WIRE_TEXT];
        snprintf(why, sizeof why, "no process can be had that %s: %s; --lens call does without",
                 stage ? "carries out recordings" : "records a kernel's calls",
                 died ? fault->printed : "no  room");
        session.unfit = false;
        *session.no_recorder = 0;
        assert_says(stage ? unit_open(&context, RUNNER_PLAYER, &context.process)
                          : unit_open(&context, RUNNER_RECORDER, &context.process),
                    -1, why);
        assert_true(session.unfit);
        assert_int_equal(fake.ended, i + 1);
    }
    *session.no_recorder = 0;
    assert_int_equal(unit_open(&context, RUNNER_PLAYER, &context.process), 0);
    process_end(&context.process);
    fake.no_start = true;
    assert_int_equal(unit_open(&context, RUNNER_RECORDER, &context.process), -1);
    assert_string_equal(session.no_recorder, "");
}
