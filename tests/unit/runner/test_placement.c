/* Operands and outputs move, with nothing of what they held, and all memory is given back. */
#include "bench/runner/placement.h"

#include "bench/base/outcome.h"
#include "correctness/numbers/element_bits.h"
#include "tests/support/runner_memory.h"
#include "tests/support/test.h"

static struct device_ops device;
static struct runner runner;
static struct wire_time request;
static struct wire_reply reply;
static uint64_t visited; /* the last visit, and what it ends with */
static int visit_ends;
static const void *at_visit; /* where A lay then */

static int begin(void **state) {
    (void)state;
    device = fake_device_ops();
    memset(&reply, 0, sizeof reply);
    visited = 0;
    visit_ends = OUTCOME_OK;
    runner = (struct runner){.device = &device, .shape = {4, 6, 8}};
    request = (struct wire_time){.seed = 3, .placement_seconds = 2, .arm_count = 2};
    return device_host.open(0, &runner.device_state) < 0 ||
                   !runner_operands(&runner, runner.shape, LAYOUT_PLAIN) ||
                   !runner_operands(&runner, (struct shape){8, 8, 8}, LAYOUT_CANDIDATE) ||
                   runner_outputs(&runner, 2, 24) < 0
               ? -1
               : 0;
}

static int end(void **state) {
    (void)state;
    return runner_memory_end(&runner);
}

static int visit(struct runner *visiting, const struct wire_time *asked, uint64_t number,
                 float *samples, struct wire_reply *told) {
    (void)asked, (void)told;
    assert_ptr_equal(visiting, &runner);
    samples[VISIT_FLOATS - 1] = 1; /* there is room */
    visited = number;
    at_visit = runner.operands[0].a.data;
    return visit_ends;
}

TEST_WITH(a_move_is_due_after_so_long_and_some_blocks, begin, end) {
    runner.blocks_here = 16;
    runner.moved = runner_now() - 2;
    assert_true(placement_is_due(&runner, &request));
    runner.moved = runner_now() - 1;
    assert_false(placement_is_due(&runner, &request));
    runner.moved = runner_now() - 100;
    runner.blocks_here = 15;
    assert_false(placement_is_due(&runner, &request));
    runner.blocks_here = 1000;
    request.placement_seconds = 0; /* they stay */
    assert_false(placement_is_due(&runner, &request));
}

enum { BUFFERS = 8 };
static const struct {
    struct guarded *buffer;
    int64_t elements;
} all[BUFFERS] = {{&runner.operands[0].a, 32},     {&runner.operands[0].b_row, 48},
                  {&runner.operands[0].b_col, 48}, {&runner.operands[1].a, 64},
                  {&runner.operands[1].b_row, 64}, {&runner.operands[1].b_col, 64},
                  {&runner.outputs[0], 24},        {&runner.outputs[1], 24}};

/* Each with what was around it before, which the next look would not forgive. */
static void spoil_guards(void) {
    for (int i = 0; i < BUFFERS; i++)
        all[i].buffer->data[-1] = all[i].buffer->data[all[i].elements] = 9;
}

static void buffers_are_as_they_were(void) {
    for (int i = 0; i < BUFFERS; i++) {
        uint64_t changed = 0;
        assert_int_equal(all[i].buffer->elements, all[i].elements);
        const struct guarded *buffer = all[i].buffer;
        assert_int_equal(guarded_check(&device, runner.device_state, &buffer, 1, &changed), 0);
        assert_int_equal(changed, 0);
        memset(all[i].buffer->data, 7, (size_t)all[i].elements * 2); /* it is its own */
    }
    assert_int_equal(fake_device.held, BUFFERS);
}

TEST_WITH(all_buffers_move_and_a_visit_follows, begin, end) {
    for (uint64_t block = 20; block < 30; block++) {
        spoil_guards();
        runner.blocks_here = 50;
        runner.moved = 0;
        const double before = runner_now();
        assert_int_equal(placement_change(&runner, &request, visit, block, &reply), OUTCOME_OK);
        assert_int_equal(reply.status, 0);
        assert_true(visited == visit_after_move(block));
        assert_ptr_equal(at_visit, runner.operands[0].a.data);
        assert_true(runner.placement == block - 19);
        assert_true(runner.blocks_here == 0);
        assert_true(runner.moved >= before && runner.moved <= runner_now());
        buffers_are_as_they_were();
    }
    visit_ends = OUTCOME_LAUNCH_FAILED;
    assert_int_equal(placement_change(&runner, &request, visit, 40, &reply), OUTCOME_LAUNCH_FAILED);
}

/* Most buffers have a filler of some size before them. */
TEST_WITH(fillers_lie_between, begin, end) {
    const int before = fake_device.taken;
    for (uint64_t block = 0; block < 20; block++)
        placement_change(&runner, &request, visit, block, &reply);
    const int fillers = fake_device.taken - before - 20 * BUFFERS;
    assert_true(fillers > 10 * BUFFERS && fillers <= 20 * BUFFERS);
}

/* The distance of two buffers is another each time. */
TEST_WITH(they_lie_otherwise_each_time, begin, end) {
    int distances = 0;
    ptrdiff_t last = 0;
    for (uint64_t block = 0; block < 20; block++) {
        placement_change(&runner, &request, visit, block, &reply);
        const ptrdiff_t now =
            (const char *)runner.outputs[0].memory - (const char *)runner.operands[0].a.memory;
        distances += now != last;
        last = now;
    }
    assert_true(distances > 5);
}

TEST_WITH(a_stray_write_is_found_before_it_is_gone, begin, end) {
    request.suspect_count = 1;
    request.arms[0] = 4;
    runner.outputs[1].data[-1] = 9;
    assert_int_equal(placement_change(&runner, &request, visit, 1, &reply), OUTCOME_WROTE_OUTSIDE);
    assert_int_equal(reply.time.failed_arm, 4);
    assert_int_equal(runner.placement, 0);
    assert_int_equal(visited, 0);
    request.suspect_count = 0; /* nobody is held to it */
    assert_int_equal(placement_change(&runner, &request, visit, 1, &reply), OUTCOME_OK);
    assert_int_equal(runner.placement, 1);
}

TEST_WITH(what_cannot_be_moved_lacks_memory, begin, end) {
    fake_device.most_held = 5;
    assert_int_equal(placement_change(&runner, &request, visit, 1, &reply), OUTCOME_NO_MEMORY);
    assert_string_equal(reply.text, "operands and outputs cannot be moved");
    assert_int_equal(visited, 0);
    fake_device.most_held = 0;
}
