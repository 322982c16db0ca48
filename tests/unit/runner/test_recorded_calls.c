/* Calls and setups that are recorded: each between its begin and its end, and told what fails. The
 * recorder notes in the same log as the device (support/fake_device.h). */

#include "bench/base/outcome.h"
#include "bench/device/trace.h"
#include "bench/runner/requests/requests.h"
#include "tests/support/runner_memory.h"
#include "tests/support/test.h"

static struct device_ops device;
static struct runner runner;
static struct wire_reply reply;
static int good_launches; /* before one fails */
static uint64_t most_events;
static char shared[10 * sizeof(struct behaviour_event)];

int __wrap_trace_start(const char **why);
int __wrap_trace_start(const char **why) {
    *why = "no recorder";
    return fake_note("start");
}

int __wrap_trace_begin(int call);
int __wrap_trace_begin(int call) {
    char name[16];
    snprintf(name, sizeof name, "begin%d", call);
    return fake_note(name);
}

int __wrap_trace_end(int call);
int __wrap_trace_end(int call) {
    char name[16];
    snprintf(name, sizeof name, "end%d", call);
    return fake_note(name);
}

int __wrap_trace_collect(struct behaviour_event *events, uint64_t most, uint64_t *count,
                         uint64_t *dropped);
int __wrap_trace_collect(struct behaviour_event *events, uint64_t most, uint64_t *count,
                         uint64_t *dropped) {
    assert_ptr_equal(events, shared);
    most_events = most;
    *count = 5;
    *dropped = 2;
    return fake_note("collect");
}

static int launch(void *state, const struct gemm_args *args) {
    (void)state, (void)args;
    fake_note("launch");
    return good_launches-- > 0 ? 0 : 8;
}

static const struct kernel_ops ops = {.launch = launch};

static int begin(void **state) {
    (void)state;
    device = fake_device_ops();
    memset(&reply, 0, sizeof reply);
    good_launches = 99;
    most_events = 0;
    runner = (struct runner){.device = &device,
                             .shape = {4, 6, 8},
                             .accumulate = GEMM_F32,
                             .tracing = true,
                             .shared = shared,
                             .shared_bytes = sizeof shared};
    if (device_host.open(0, &runner.device_state) < 0)
        return -1;
    runner.arms[0] = (struct arm){.ops = &ops,
                                  .problem = {4, 6, 8, GEMM_F32},
                                  .inputs = runner_operands(&runner, runner.shape, LAYOUT_PLAIN)};
    runner.arm_count = 1;
    return 0;
}

static int end(void **state) {
    (void)state;
    return runner_memory_end(&runner);
}

static void trace(int calls) {
    memset(&reply, 0, sizeof reply);
    fake_noted();
    runner_trace(&runner, &(struct wire_trace){.arm_count = 1, .calls = calls, .seed = 4}, &reply);
}

static void is_fault(const char *text) {
    assert_int_equal(reply.status, -1);
    assert_string_equal(reply.text, text);
}

static void is_blamed(const char *text) {
    assert_int_equal(reply.outcome, OUTCOME_DEVICE_ERROR);
    assert_string_equal(reply.text, text);
}

/* A sync more before each call: fresh inputs. */
TEST_WITH(each_call_is_recorded_by_itself, begin, end) {
    trace(2);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_string_equal(fake_noted(), "sync begin1 launch end1 sync "
                                      "sync begin2 launch end2 sync collect ");
    assert_int_equal(most_events, 10);
    assert_int_equal(reply.trace.events, 5);
    assert_int_equal(reply.trace.dropped, 2);
}

/* None of those between has inputs of its own. */
TEST_WITH(calls_between_are_not_recorded, begin, end) {
    struct wire_trace request = {
        .arm_count = 1, .calls = 2, .first = 1, .between = 3, .between_seconds = 3600, .seed = 4};
    fake_noted();
    runner_trace(&runner, &request, &reply);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.trace.between, 3);
    assert_string_equal(fake_noted(), "sync begin1 launch end1 sync "
                                      "launch sync launch sync launch sync "
                                      "sync begin2 launch end2 sync collect ");
    request.between_seconds = 0; /* no time for any */
    memset(&reply, 0, sizeof reply);
    runner_trace(&runner, &request, &reply);
    assert_int_equal(reply.trace.between, 0);
    assert_string_equal(fake_noted(), "sync begin1 launch end1 sync "
                                      "sync begin2 launch end2 sync collect ");
    request.between_seconds = 3600;
    good_launches = 2;
    runner_trace(&runner, &request, &reply);
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_string_equal(fake_noted(), "sync begin1 launch end1 sync launch sync launch collect ");
}

TEST_WITH(a_call_that_fails_is_the_last, begin, end) {
    good_launches = 1;
    trace(3);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_string_equal(reply.text, "status 8");
    assert_string_equal(fake_noted(), "sync begin1 launch end1 sync "
                                      "sync begin2 launch end2 collect ");
    good_launches = 99;
    fake_device.fails = "sync";
    fake_device.spared = 1; /* that of the fresh inputs */
    trace(3);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_DEVICE_ERROR);
    assert_string_equal(reply.text, "the device is lost");
    assert_string_equal(fake_noted(), "sync begin1 launch end1 sync collect ");
}

TEST_WITH(what_a_kernel_keeps_from_being_recorded_is_its_own, begin, end) {
    static const char *const fails[] = {"begin1", "end1"};
    for (int i = 0; i < 2; i++) {
        fake_device.fails = fails[i];
        trace(1);
        is_blamed("a call cannot be recorded");
        assert_string_equal(fake_noted(), "sync begin1 launch end1 collect ");
    }
    fake_device.fails = "collect";
    trace(1);
    is_blamed("what was recorded cannot be collected");
    fake_device.fails = "sync";
    trace(1);
    is_fault("fresh inputs could not be made");
    fake_device.fails = NULL;
}

TEST_WITH(without_room_nothing_is_called, begin, end) {
    fake_device.most_held = fake_device.held;
    trace(1);
    assert_int_equal(reply.outcome, OUTCOME_NO_MEMORY);
    assert_string_equal(reply.text, "no room for an output");
    fake_device.most_held = 0;
}

static void add_idle(void) {
    memset(&reply, 0, sizeof reply);
    fake_noted();
    runner_add(&runner, &(struct wire_add){.kind = ARM_IDLE}, &reply);
}

TEST_WITH(a_setup_is_recorded, begin, end) {
    add_idle();
    assert_int_equal(reply.status, 0);
    assert_string_equal(fake_noted(), "begin0 sync end0 ");
    static const char *const fails[] = {"begin0", "end0"};
    for (int i = 0; i < 2; i++) {
        fake_device.fails = fails[i];
        add_idle();
        i == 0 ? is_fault("the setup cannot be recorded")
               : is_blamed("the setup cannot be recorded");
    }
    fake_device.fails = "sync";
    add_idle();
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_DEVICE_ERROR);
    assert_string_equal(reply.text, "after setup: the device is lost");
    fake_device.fails = NULL;
    runner.tracing = false;
    add_idle();
    assert_string_equal(fake_noted(), "sync ");
}

/* In a process that has timed recording begins with them; both arms are the same one here. */
TEST_WITH(calls_of_several_arms_are_recorded, begin, end) {
    const struct wire_trace request = {.arm_count = 2, .calls = 2, .seed = 4};
    runner.tracing = false;
    fake_noted();
    runner_trace(&runner, &request, &reply);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.trace.recorded, 1);
    assert_int_equal(reply.trace.events, 5);
    assert_string_equal(fake_noted(),
                        "start sync begin1 launch end1 sync sync begin2 launch end2 sync "
                        "sync begin3 launch end3 sync sync begin4 launch end4 sync collect ");
    good_launches = 1;
    memset(&reply, 0, sizeof reply);
    runner_trace(&runner, &request, &reply);
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_string_equal(reply.text, "status 8");
    assert_string_equal(fake_noted(), "start sync begin1 launch end1 sync "
                                      "sync begin2 launch end2 collect ");
    fake_device.fails = "start";
    memset(&reply, 0, sizeof reply);
    runner_trace(&runner, &request, &reply);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.trace.recorded, 0);
    assert_string_equal(reply.text, "no recorder");
    assert_string_equal(fake_noted(), "start ");
}
