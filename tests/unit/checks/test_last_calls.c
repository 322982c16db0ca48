/* The last calls of a process that has timed, with runners that are faked: who is accused of what,
 * and what is told of libraries. */
#include "bench/checks/checks.h"

#include <signal.h>

#include "tests/support/doubles.h"
#include "tests/support/fake_unit.h"
#include "tests/support/test.h"

enum { CALLS = 4, ARMS = 3, GIVEN = 7, OTHER = 13 };
static struct behaviour_event events[ARMS * CALLS];
static struct arm_state *failed;

/* On a GPU; each call of every arm launches one kernel on the stream it was given. */
static int open_unit(void **state) {
    fake_unit(state);
    on_gpu();
    memset(events, 0, sizeof events);
    for (int i = 0; i < ARMS * CALLS; i++)
        events[i] = (struct behaviour_event){.call = i + 1,
                                             .kind = BEHAVIOUR_KERNEL,
                                             .stream = GIVEN,
                                             .given_stream = GIVEN,
                                             .name = "multiply"};
    fake.events = fake.last_events = events;
    fake.event_count = 8; /* what is recorded before */
    fake.last_count = ARMS * CALLS;
    failed = NULL;
    if (unit_open_runner(&context) < 0 || checks_libraries(&context) != EVENT_OK ||
        checks_candidate(&context) != EVENT_OK)
        return -1;
    rows_free(&result.rows);
    result.rows = (struct rows){0};
    return 0;
}

static void watched(enum outcome outcome, const char *detail) {
    struct arm_state *arm = unit_candidate(&context);
    assert_string_equal(outcome_word((enum outcome)last_calls_watch(&context, &failed)),
                        outcome_word(outcome));
    assert_string_equal(outcome_word(arm->outcome), outcome_word(outcome));
    if (!strstr(arm->row.detail, detail))
        fail_msg("detail lacks \"%s\": %s", detail, arm->row.detail);
    if (outcome != OUTCOME_OK)
        assert_ptr_equal(failed, arm);
}

TEST_WITH(all_arms_are_recorded, open_unit, fake_unit_end) {
    watched(OUTCOME_OK, "");
    const struct wire_trace *last = &fake_last(WIRE_TRACE, "lib-nn")->trace;
    assert_int_equal(last->arm_count, ARMS);
    assert_int_equal(last->calls, CALLS);
    for (int i = 0; i < ARMS; i++)
        assert_int_equal(last->arms[i], i);
    /* Each call has its time, and what is between them that of one more. */
    assert_double_near(fake.limit[fake.asked - 1], (ARMS * CALLS + 1) * unit_call_limit(&context),
                       1e-9);
    assert_int_equal(result.rows.audit_count, 0);
}

/* What libraries do is their own affair; what the first call does may be tuning. */
TEST_WITH(what_the_policy_rejects_is_found, open_unit, fake_unit_end) {
    for (int i = 0; i < 2 * CALLS + 1; i++)
        events[i].stream = OTHER;
    events[2 * CALLS + 1].kind = BEHAVIOUR_KERNEL;
    watched(OUTCOME_OK, "");
    events[2 * CALLS + 2].stream = OTHER;
    watched(OUTCOME_UNRECORDED,
            "last-calls: the kernel works on another stream than the one it was "
            "given: multiply, 1 time in call 3 (other-stream)");
    assert_int_equal(result.rows.audit_count, 1);
}

/* What is no fault is known from the first calls. Of libraries one thing is told. */
TEST_WITH(early_kernels_of_libraries_are_told, open_unit, fake_unit_end) {
    for (int i = CALLS; i < 2 * CALLS; i++)
        events[i].dependent = 1;
    for (int i = 2 * CALLS; i < 3 * CALLS; i++) {
        events[i].dependent = 1;
        events[i].grid[0] = i;
    }
    watched(OUTCOME_OK, "");
    assert_int_equal(result.rows.audit_count, 1);
    const struct audit_row *row = &result.rows.audits[0];
    assert_string_equal(row->kernel, "lib-tn");
    assert_string_equal(row->part, "last-calls");
    assert_string_equal(row->finding, "dependent-launch");
    assert_string_equal(row->level, "fact");
    assert_string_equal(row->text, "multiply, 4 times in calls 1 to 4");
    for (int i = 0; i < CALLS; i++)
        events[i].dependent = 1;
    watched(OUTCOME_OK, "");
    assert_int_equal(result.rows.audit_count, 3);
    assert_string_equal(result.rows.audits[1].kernel, "lib-nn");
}

static void unwatched(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)shared;
    if (request->verb == WIRE_TRACE) {
        reply->trace.recorded = 0;
        strcpy(reply->text, "no CUPTI");
    }
}

static void too_many(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)shared;
    if (request->verb == WIRE_TRACE)
        reply->trace.events = context.process.shared_bytes;
}

/* Where its first calls were recorded, it has kept its last ones from being so. */
static void unrecorded(const char *why) {
    struct arm_state *arm = unit_candidate(&context);
    char detail[256];
    snprintf(detail, sizeof detail,
             "last-calls: the kernel does not let its calls of CUDA be recorded: its last calls "
             "fail when recorded: %s (unrecorded)",
             why);
    watched(OUTCOME_UNRECORDED, detail);
    arm->outcome = OUTCOME_OK;
}

TEST_WITH(who_cannot_be_recorded_any_more_is_accused, open_unit, fake_unit_end) {
    fake.edit = unwatched;
    unrecorded("no CUPTI");
    fake.edit = too_many;
    unrecorded("they ask more of CUDA than there is room for");
    fake.edit = NULL;
    fake.dropped = 1;
    unrecorded("they ask more of CUDA than there is room for");
    fake.dropped = 0;
    struct fake_fault *fault = fake_fail(WIRE_TRACE, "lib-nn", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_LAUNCH_FAILED;
    fault->text = "status 7";
    unrecorded("status 7");
    fake_fail(WIRE_TRACE, "lib-nn", PROCESS_CRASHED)->code = SIGSEGV;
    unrecorded("signal 11 (Segmentation fault)");
    fake_fail(WIRE_TRACE, "lib-nn", PROCESS_TROUBLE);
    assert_int_equal(last_calls_watch(&context, &failed), TROUBLE);
}

TEST_WITH(where_nothing_can_be_recorded_nobody_is_watched, open_unit, fake_unit_end) {
    strcpy(session.no_recorder, "no CUPTI");
    watched(OUTCOME_OK, "");
    assert_int_equal(fake_count(WIRE_TRACE, "lib-nn"), 0);
}

/* A host has no recorder, and its clock is not defended. */
TEST_WITH(on_the_host_nobody_is_watched, open_unit, fake_unit_end) {
    strcpy(plan.device_kind, "host");
    watched(OUTCOME_OK, "");
    assert_int_equal(fake_count(WIRE_TRACE, "lib-nn"), 0);
}
