/* The audits of a kernel under test, with runners that are faked: what was recorded is judged, and
 * what cannot be recorded is told. */
#include "bench/checks/audit.h"

#include <stdio.h>

#include "tests/support/checked_arms.h"
#include "tests/support/doubles.h"
#include "tests/support/test.h"

enum { CALLS = 8, GIVEN = 7, OTHER = 13 };
static struct behaviour_event events[CALLS];

/* On a GPU; each of the calls launches one kernel on the stream it was given. */
static int open_gpu(void **state) {
    fake_unit(state);
    on_gpu();
    for (int i = 0; i < FINDING_COUNT; i++)
        plan.policy.level[i] = LEVEL_REJECT;
    memset(events, 0, sizeof events);
    for (int i = 0; i < CALLS; i++) {
        events[i] = (struct behaviour_event){.call = i + 1,
                                             .kind = BEHAVIOUR_KERNEL,
                                             .stream = GIVEN,
                                             .given_stream = GIVEN,
                                             .grid = {2, 3, 4},
                                             .block = {32, 1, 1},
                                             .start_ns = 1000 * (uint64_t)(i + 1),
                                             .end_ns = 1000 * (uint64_t)(i + 1) + 500,
                                             .name = "multiply"};
    }
    fake.events = events;
    fake.event_count = CALLS;
    if (unit_open_runner(&context) < 0)
        return -1;
    return checks_libraries(&context) == EVENT_OK ? 0 : -1;
}

/* The one row that there is. */
static const struct audit_row *only_audit(enum finding_kind kind, const char *level) {
    assert_int_equal(result.rows.audit_count, 1);
    const struct audit_row *row = &result.rows.audits[0];
    assert_string_equal(row->part, "calls");
    assert_string_equal(row->finding, finding_word(kind));
    assert_string_equal(row->level, level);
    assert_string_equal(row->kernel, "mine");
    assert_double_near(row->number, 1, 0);
    return row;
}

TEST_WITH(a_kernel_that_does_nothing_else_passes, open_gpu, fake_unit_end) {
    const struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_OK, "");
    assert_int_equal(result.rows.audit_count, 0);
    assert_non_null(strstr(arm->row.variant, "2x3x4"));
    assert_string_equal(arm->row.note, "");
    const struct wire_request *trace = fake_last(WIRE_TRACE, "mine.so");
    assert_int_equal(trace->trace.calls, CALLS);
    assert_int_equal(trace->trace.arms[0], 0);
    assert_int_equal(trace->trace.first, 5);
    assert_in_range(trace->trace.between, 12, 300);
    assert_int_equal(fake_last(WIRE_OPEN, "")->open.trace, 1);
    const struct wire_add *add = &fake_last(WIRE_ADD, "mine.so")->add;
    assert_int_equal(add->sandbox, 1);
    assert_int_equal(add->kind, ARM_CANDIDATE);
    assert_int_equal(fake_count(WIRE_TRACE, ""), 1); /* libraries are not recorded */
}

TEST_WITH(recorded_calls_are_judged, open_gpu, fake_unit_end) {
    for (int i = 0; i < CALLS; i++)
        events[i].stream = OTHER;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "calls: the kernel ");
    only_audit(FINDING_OTHER_STREAM, "reject");
}

/* What a kernel does only after the first calls is seen, too; what the runner says of the number of
 * calls is not believed. */
static void claims_calls(const struct wire_request *request, struct wire_reply *reply,
                         void *shared) {
    (void)shared;
    if (request->verb == WIRE_TRACE)
        reply->trace.between = 1000;
}

static void claims_no_record(const struct wire_request *request, struct wire_reply *reply,
                             void *shared) {
    (void)shared;
    if (request->verb == WIRE_TRACE)
        reply->trace.recorded = 0;
}

TEST_WITH(who_claims_that_it_was_not_recorded_is_accused, open_gpu, fake_unit_end) {
    fake.edit = claims_no_record;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "calls: ");
    only_audit(FINDING_UNRECORDED, "reject");
}

TEST_WITH(later_calls_are_judged, open_gpu, fake_unit_end) {
    char detail[64];
    for (int i = 5; i < CALLS; i++)
        events[i].stream = OTHER;
    fake.edit = claims_calls;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "multiply, 3 times in calls ");
    const int between = fake_last(WIRE_TRACE, "mine.so")->trace.between;
    snprintf(detail, sizeof detail, "in calls %d to %d", between + 6, between + 8);
    outcome_is(unit_candidate(&context), OUTCOME_UNRECORDED, detail);
}

TEST_WITH(a_policy_may_let_it_pass, open_gpu, fake_unit_end) {
    for (int i = 0; i < CALLS; i++)
        events[i].stream = OTHER;
    plan.policy.level[FINDING_OTHER_STREAM] = LEVEL_WARN;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    only_audit(FINDING_OTHER_STREAM, "warn");
}

TEST_WITH(without_audits_nothing_is_recorded, open_gpu, fake_unit_end) {
    for (int i = 0; i < CALLS; i++)
        events[i].stream = OTHER;
    plan.audit = false;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(fake_count(WIRE_TRACE, ""), 0);
}

TEST_WITH(a_host_has_nothing_to_record, open_gpu, fake_unit_end) {
    strcpy(plan.device_kind, "host");
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(fake_count(WIRE_TRACE, ""), 0);
    assert_string_equal(unit_candidate(&context)->row.note, "");
}

TEST_WITH(an_earlier_release_is_recorded_where_that_is_asked_for, open_gpu, fake_unit_end) {
    with_earlier();
    assert_int_equal(checks_previous(&context), EVENT_OK);
    assert_int_equal(fake_count(WIRE_TRACE, "old.so"), 0);
    plan.audit_previous = true;
    assert_int_equal(checks_previous(&context), EVENT_OK);
    assert_int_equal(fake_count(WIRE_TRACE, "old.so"), 1);
    plan.audit = false;
    check_candidate();
    assert_int_equal(fake_count(WIRE_TRACE, "mine.so"), 0);
}

/* The second set-up is the one that is recorded. */
static struct fake_fault *fail_recorded_setup(enum process_answer answer) {
    struct fake_fault *fault = fake_fail(WIRE_ADD, "mine.so", answer);
    fault->nth = 1;
    return fault;
}

TEST_WITH(failing_is_no_way_around_the_audit, open_gpu, fake_unit_end) {
    struct fake_fault *fault = fail_recorded_setup(PROCESS_ANSWERED);
    fault->outcome = OUTCOME_SETUP_FAILED;
    fault->setup_seconds = 0.1;
    fault->text = "status 5";
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "its setup fails when recorded: status 5");
    only_audit(FINDING_UNRECORDED, "reject");
}

TEST_WITH(nor_is_dying, open_gpu, fake_unit_end) {
    fake_fail(WIRE_TRACE, "mine.so", PROCESS_CRASHED)->printed = "last\nwords";
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "its calls fail when recorded: last words");
    only_audit(FINDING_UNRECORDED, "reject");
}

TEST_WITH(nor_is_taking_long, open_gpu, fake_unit_end) {
    fake_fail(WIRE_TRACE, "mine.so", PROCESS_TIMED_OUT);
    outcome_is(check_candidate(), OUTCOME_UNRECORDED,
               "its calls fail when recorded: killed at its time limit");
    only_audit(FINDING_UNRECORDED, "reject");
}

static void not_recorded(const struct wire_request *request, struct wire_reply *reply,
                         void *shared) {
    (void)shared;
    if (request->verb == WIRE_TRACE) {
        reply->trace.recorded = 0;
        strcpy(reply->text, "CUPTI gave up");
    }
}

TEST_WITH(why_nothing_is_recorded_is_told, open_gpu, fake_unit_end) {
    fake.edit = not_recorded;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "CUPTI gave up");
    only_audit(FINDING_UNRECORDED, "reject");
}

TEST_WITH(nor_is_a_flood_of_calls, open_gpu, fake_unit_end) {
    fake.dropped = 1;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "ask more of CUDA than there is room for");
    only_audit(FINDING_UNRECORDED, "reject");
}

/* Before its setup has run, nothing is its own doing. */
TEST_WITH(what_a_machine_cannot_record_is_told, open_gpu, fake_unit_end) {
    struct fake_fault *fault = fail_recorded_setup(PROCESS_ANSWERED);
    fault->status = -1;
    fault->text = "the setup cannot be recorded";
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(result.rows.audit_count, 0);
    assert_string_equal(unit_candidate(&context)->row.note,
                        "calls not audited: the setup cannot be recorded");
}

TEST_WITH(a_device_that_cannot_record_is_told, open_gpu, fake_unit_end) {
    struct fake_fault *fault = fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED);
    fault->status = -1;
    fault->text = "no CUPTI";
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_string_equal(unit_candidate(&context)->row.note, "calls not audited: no CUPTI");
    assert_int_equal(fake_count(WIRE_TRACE, ""), 0);
}

TEST_WITH(trouble_of_ours_is_ours, open_gpu, fake_unit_end) {
    fake_fail(WIRE_TRACE, "mine.so", PROCESS_TROUBLE);
    assert_int_equal(checks_candidate(&context), EVENT_TROUBLE);
}
