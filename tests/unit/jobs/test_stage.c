/* The stage's processes, which are faked: which units they serve, for how long, and what they are
 * asked. */
#include "bench/jobs/processes.h"

#include <stdlib.h>

#include "bench/runner/layout.h"
#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

enum { VISITS = 12 };

static struct arm_state *candidate, *previous;

/* Both kernels have passed and were recorded. */
static int open_stage(void **state) {
    fake_unit(state);
    on_gpu();
    with_earlier();
    plan.visits = VISITS;
    context.checked.arm_count = 2;
    context.checked.kernel[UNIT_CANDIDATE] = 0;
    context.checked.kernel[UNIT_PREVIOUS] = 1;
    candidate = &context.checked.arms[0];
    previous = &context.checked.arms[1];
    for (int i = 0; i < UNIT_KERNELS; i++) {
        context.recorded[i] = (struct recorded){.bytes = malloc(5),
                                                .size = 5,
                                                .padded = {32, 16, 64},
                                                .operands = LAYOUT_PREVIOUS - i,
                                                .calls = 8};
        memcpy(context.recorded[i].bytes, i == 0 ? "mine" : "hers", 5);
    }
    return 0;
}

static int end(void **state) {
    warm_runners_end(&session.warm);
    return fake_unit_end(state);
}

static void forget(int which) {
    recorded_forget(&context.recorded[which]);
}

TEST_WITH(the_candidate_decides_whether_there_is_a_stage, open_stage, end) {
    static const struct {
        enum outcome candidate, previous;
        bool serves;
    } cases[] = {{OUTCOME_OK, OUTCOME_OK, true},
                 {OUTCOME_OK, OUTCOME_UNRECORDED, true},
                 {OUTCOME_OK, OUTCOME_INEXACT, true},
                 {OUTCOME_UNRECORDED, OUTCOME_OK, false},
                 {OUTCOME_INEXACT, OUTCOME_OK, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        candidate->outcome = cases[i].candidate;
        previous->outcome = cases[i].previous;
        if (unit_is_staged(&context) != cases[i].serves)
            fail_msg("case %zu", i);
    }
    context.checked.kernel[UNIT_CANDIDATE] = -1; /* libraries alone */
    assert_true(unit_is_staged(&context));
}

TEST_WITH(a_plan_or_a_device_may_have_no_stage, open_stage, end) {
    plan.lenses = 1 << LENS_CALL;
    assert_false(unit_is_staged(&context));
    plan.lenses = 1 << LENS_DEVICE;
    assert_true(unit_is_staged(&context));
    assert_int_equal(unit_own_lenses(&plan) & 1 << LENS_DEVICE, 0);
    strcpy(plan.device_kind, "host");
    assert_false(unit_is_staged(&context));
    assert_true(unit_own_lenses(&plan) & 1 << LENS_DEVICE);
}

/* Of eleven visits four see kernels anew, the first among them. */
TEST_WITH(precise_lenses_have_processes_of_the_kernels, open_stage, end) {
    enum { CALL = 1 << LENS_CALL, DEVICE = 1 << LENS_DEVICE, STREAM = 1 << LENS_STREAM };
    static const struct {
        int lenses, precise;
        bool offline, server;
        int visits;
    } cases[] = {{CALL | DEVICE, DEVICE, true, false, 1},
                 {CALL | DEVICE, ~0, true, false, 4},
                 {CALL | DEVICE, CALL, true, false, 11},
                 {DEVICE | STREAM, ~0, true, false, 1},
                 {CALL | STREAM, STREAM, true, false, 1},
                 {CALL | STREAM, STREAM, false, true, 4}, /* which is not timed by a stream */
                 {CALL | STREAM, STREAM, true, true, 4}};
    plan.visits = 11;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plan.lenses = cases[i].lenses;
        plan.precise = cases[i].precise;
        plan.modes[MODE_OFFLINE] = cases[i].offline;
        plan.modes[MODE_SERVER] = cases[i].server;
        if (unit_own_visits(&context) != cases[i].visits)
            fail_msg("case %zu: %d", i, unit_own_visits(&context));
    }
    plan.lenses = plan.precise = DEVICE | STREAM;
    forget(UNIT_CANDIDATE);
    candidate->outcome = OUTCOME_UNRECORDED;
    assert_int_equal(unit_own_visits(&context), 11); /* all that it has is timed there */
    assert_int_equal(unit_own_every(&context), 1);
}

static void shape_is(struct shape shape) {
    assert_int_equal(shape_compare(fake_last(WIRE_SHAPE, "")->shape.shape, shape), 0);
}

TEST_WITH(each_visit_tells_the_shape, open_stage, end) {
    struct unit other = {.shape = {8, 8, 8}, .candidate = &mine};
    assert_int_equal(stage_take(&context), 0);
    assert_int_equal(fake_count(WIRE_OPEN, ""), 1);
    assert_true(fake_last(WIRE_OPEN, "")->open.fixed && !fake_last(WIRE_OPEN, "")->open.record);
    assert_true(fake_last(WIRE_OPEN, "")->open.rehearse);
    shape_is(SHAPE);
    const pid_t first = session.stage.process.pid;
    context.unit = &other;
    assert_int_equal(stage_take(&context), 0);
    shape_is(other.shape);
    context.unit = &unit;
    assert_int_equal(stage_take(&context), 0);
    shape_is(SHAPE);
    assert_int_equal(fake_count(WIRE_SHAPE, ""), 3);
    assert_int_equal(fake_count(WIRE_OPEN, ""), 1);
    assert_int_equal(session.stage.process.pid, first);
    assert_int_equal(session.stage.units, 3);
    assert_int_equal(fake.started, 1);
}

/* A process has room for the largest product that it may have to show. */
TEST_WITH(a_process_has_room_for_every_unit, open_stage, end) {
    static struct shape shapes[] = {SHAPE, {16384, 16384, 64}};
    plan.suite.shapes = shapes;
    plan.suite.count = 2;
    assert_int_equal(stage_take(&context), 0);
    assert_true(session.stage.process.shared_bytes >= (size_t)2 * 16384 * 16384);
}

/* All units once, then all again, in a process of its own each time: visits of one process would not
 * be independent. */
TEST_WITH(each_visit_of_a_unit_is_in_another_process, open_stage, end) {
    for (int visit = 0; visit < VISITS; visit++) {
        context.visit = visit;
        for (int units = 0; units < 3; units++)
            assert_int_equal(stage_take(&context), 0);
        assert_int_equal(fake.started, 1 + visit);
        assert_int_equal(session.stage.units, 3);
    }
    assert_int_equal(fake.killed, VISITS - 1);
}

/* Four start side by side, and no more than there are visits left. */
TEST_WITH(stages_of_the_next_visits_open_together, open_stage, end) {
    static const int started[VISITS] = {4, 4, 4, 4, 6, 6};
    session.warm.most = fake.cores = 8;
    plan.visits = 6;
    for (int visit = 0; visit < 6; visit++) {
        context.visit = visit;
        assert_int_equal(stage_take(&context), 0);
        assert_int_equal(fake.started, started[visit]);
    }
    warm_runners_end(&session.warm);
}

TEST_WITH(a_process_serves_so_many_visits, open_stage, end) {
    for (int visit = 0; visit < 2 * STAGE_UNITS; visit++) {
        assert_int_equal(stage_take(&context), 0);
        assert_int_equal(fake.started, 1 + visit / STAGE_UNITS);
        assert_int_equal(session.stage.units, 1 + visit % STAGE_UNITS);
    }
}

TEST_WITH(a_process_that_does_not_take_a_shape_is_replaced, open_stage, end) {
    assert_int_equal(stage_take(&context), 0);
    fake_fail(WIRE_SHAPE, "", PROCESS_ANSWERED)->status = -1;
    assert_int_equal(stage_take(&context), 0);
    assert_int_equal(fake.started, 2);
    assert_int_equal(session.stage.units, 1);
    fake.faults[0].verb = 0;
    fake_fail(WIRE_SHAPE, "", PROCESS_CRASHED)->code = 11;
    assert_int_equal(stage_take(&context), 0);
    assert_int_equal(fake.started, 3);
    assert_true(unit_is_staged(&context));
}

TEST_WITH(what_is_dropped_is_not_used_again, open_stage, end) {
    stage_drop(&context); /* none yet */
    assert_int_equal(stage_take(&context), 0);
    stage_drop(&context);
    assert_int_equal(session.stage.process.pid, PROCESS_NONE.pid);
    assert_int_equal(fake.killed, 1);
    assert_int_equal(stage_take(&context), 0);
    assert_int_equal(fake.started, 2);
    assert_int_equal(fake_count(WIRE_OPEN, ""), 2);
}

TEST_WITH(a_device_without_a_process_for_it_is_unfit, open_stage, end) {
    struct fake_fault *fault = fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED);
    fault->status = -1;
    fault->text = "memory at fixed addresses is not to be had";
    assert_says(stage_take(&context), -1,
                "carries out recordings: memory at fixed addresses is not to be had; --lens call");
    assert_true(session.unfit);
    assert_int_equal(session.stage.units, 0);
    assert_int_equal(session.stage.process.pid, PROCESS_NONE.pid);
    fake.no_start = true;
    assert_int_equal(stage_take(&context), -1);
}

TEST_WITH(a_recording_is_put_into_the_shared_memory, open_stage, end) {
    assert_int_equal(stage_take(&context), 0);
    for (int which = 0; which < UNIT_KERNELS; which++) {
        const struct wire_request request = stage_load_request(&context, &context.recorded[which]);
        assert_int_equal(request.verb, WIRE_ADD);
        assert_int_equal(request.add.kind, ARM_RECORDING);
        assert_int_equal(request.add.bytes, 5);
        assert_int_equal(shape_compare(request.add.padded, context.recorded[which].padded), 0);
        assert_int_equal(request.add.operands, LAYOUT_PREVIOUS - which);
        assert_int_equal(request.add.sandbox, 1);
        assert_memory_equal(session.stage.process.shared, context.recorded[which].bytes, 5);
    }
}
