/* The audits of a kernel under test, with runners that are faked: what was recorded is judged, and
 * what cannot be recorded is told. */
#include "bench/checks/audit.h"

#include <stdio.h>

#include "tests/support/checked_arms.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

enum { CALLS = 8, GIVEN = 7, OTHER = 13 };
static struct behaviour_event events[CALLS];

/* On a GPU; each of the calls launches one kernel on the stream it was given. */
static int open_gpu(void **state) {
    fake_unit(state);
    on_gpu();
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
static const struct audit_row *only_audit(enum finding_kind kind) {
    assert_int_equal(result.rows.audit_count, 1);
    const struct audit_row *row = &result.rows.audits[0];
    assert_string_equal(row->part, "calls");
    assert_string_equal(row->finding, finding_word(kind));
    assert_string_equal(row->level, "refused");
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
    const struct wire_add *add = &fake_last(WIRE_ADD, "mine.so")->add;
    assert_int_equal(add->sandbox, 1);
    assert_int_equal(add->kind, ARM_CANDIDATE);
    assert_int_equal(fake_count(WIRE_TRACE, ""), 1); /* libraries are not recorded */
}

TEST_WITH(recorded_calls_are_judged, open_gpu, fake_unit_end) {
    for (int i = 0; i < CALLS; i++)
        events[i].stream = OTHER;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "calls: the kernel ");
    only_audit(FINDING_OTHER_STREAM);
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
    only_audit(FINDING_UNRECORDED);
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

TEST_WITH(a_host_has_nothing_to_record, open_gpu, fake_unit_end) {
    strcpy(plan.device_kind, "host");
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(fake_count(WIRE_TRACE, ""), 0);
    assert_string_equal(unit_candidate(&context)->row.note, "");
}

/* A fact is told, and judges nobody. */
TEST_WITH(a_fact_refuses_nobody, open_gpu, fake_unit_end) {
    for (int i = 0; i < CALLS; i++)
        events[i].dependent = true;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_string_equal(result.rows.audits[0].finding, "dependent-launch");
    assert_string_equal(result.rows.audits[0].level, "fact");
}

TEST_WITH(an_earlier_release_is_recorded_too, open_gpu, fake_unit_end) {
    with_earlier();
    assert_int_equal(checks_previous(&context), EVENT_OK);
    assert_int_equal(fake_count(WIRE_TRACE, "old.so"), 1);
}

/* The first set-up is that of the checks; all later ones are recorded. */
static void fail_recorded_setup(int32_t status, int32_t outcome, const char *text) {
    for (int i = 0; i < 3; i++) {
        struct fake_fault *fault = fake_fail(WIRE_ADD, "mine.so", PROCESS_ANSWERED);
        fault->nth = 1;
        fault->status = status;
        fault->outcome = outcome;
        fault->setup_seconds = 0.1;
        fault->text = text;
    }
}

TEST_WITH(failing_is_no_way_around_the_audit, open_gpu, fake_unit_end) {
    fail_recorded_setup(0, OUTCOME_SETUP_FAILED, "status 5");
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "its setup fails when recorded: status 5");
    only_audit(FINDING_UNRECORDED);
}

TEST_WITH(nor_is_dying, open_gpu, fake_unit_end) {
    struct fake_fault *fault = fake_fail(WIRE_TRACE, "mine.so", PROCESS_CRASHED);
    fault->printed = "last\nwords";
    fault->always = true;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "its calls fail when recorded: last words");
    only_audit(FINDING_UNRECORDED);
}

TEST_WITH(nor_is_taking_long, open_gpu, fake_unit_end) {
    fake_fail(WIRE_TRACE, "mine.so", PROCESS_TIMED_OUT)->always = true;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED,
               "its calls fail when recorded: killed at its time limit");
    only_audit(FINDING_UNRECORDED);
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
    only_audit(FINDING_UNRECORDED);
}

TEST_WITH(nor_is_a_flood_of_calls, open_gpu, fake_unit_end) {
    fake.dropped = 1;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "ask more of CUDA than there is room for");
    only_audit(FINDING_UNRECORDED);
}

/* The recorder's own fault is ours. */
TEST_WITH(what_a_machine_cannot_record_is_our_fault, open_gpu, fake_unit_end) {
    fail_recorded_setup(-1, OUTCOME_OK, "no room for the operands");
    assert_says(checks_candidate(&context), EVENT_TROUBLE,
                "mine, mine: when recorded: no room for the operands");
    assert_int_equal(result.rows.audit_count, 0);
    assert_false(session.unfit);
}

static void cannot_record(void) {
    struct fake_fault *fault = fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED);
    fault->status = -1;
    fault->text = "no CUPTI";
}

TEST_WITH(a_device_that_cannot_record_is_no_place_to_measure, open_gpu, fake_unit_end) {
    cannot_record();
    assert_says(checks_candidate(&context), EVENT_TROUBLE,
                "no process can be had that records a kernel's calls: no CUPTI; --lens call");
    assert_true(session.unfit);
    assert_int_equal(fake_count(WIRE_TRACE, ""), 0);
}

TEST_WITH(by_call_alone_kernels_are_timed_there, open_gpu, fake_unit_end) {
    plan.lenses = plan.precise = 1 << LENS_CALL;
    cannot_record();
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_string_equal(unit_candidate(&context)->row.note,
                        "not recorded on this machine: no CUPTI");
    assert_int_equal(fake_count(WIRE_TRACE, ""), 0);
    assert_int_equal(result.rows.replay_count, 0);
}

TEST_WITH(trouble_of_ours_is_ours, open_gpu, fake_unit_end) {
    fake_fail(WIRE_TRACE, "mine.so", PROCESS_TROUBLE);
    assert_int_equal(checks_candidate(&context), EVENT_TROUBLE);
}
