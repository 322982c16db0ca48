/* The audits of a kernel under test, with runners that are faked: the facts of its calls are judged,
 * and what cannot be recorded is told. */
#include "bench/checks/findings.h"

#include "bench/checks/checks.h"

#include <stdio.h>

#include "tests/support/checked_arms.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

/* What the kernel does in one of its calls. */
static void do_call(const char *function, const char *name) {
    facts_begin(&kernel->facts, true);
    if (function)
        facts_add_function(&kernel->facts, function);
    if (name)
        facts_add_launch(&kernel->facts,
                         &(struct facts_launch){
                             .name = name, .symbol = name, .grid = {2, 3, 4}, .block = {32, 1, 1}});
    facts_end(&kernel->facts);
}

/* On a GPU; each of some calls launches one kernel. */
static int open_gpu(void **state) {
    fake_unit(state);
    on_gpu();
    for (int i = 0; i < 3; i++)
        do_call(NULL, "multiply");
    if (unit_open_runner(&context) < 0)
        return -1;
    return checks_libraries(&context) == 0 ? 0 : -1;
}

/* The one row that there is. */
static const struct audit_row *only_audit(enum finding_kind kind) {
    assert_int_equal(result.rows.audit_count, 1);
    const struct audit_row *row = &result.rows.audits[0];
    assert_string_equal(row->part, "calls");
    assert_string_equal(row->finding, finding_words[kind].word);
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
    const struct wire_add *add = &fake_last(WIRE_ADD, "mine.so")->add;
    assert_int_equal(add->sandbox, 1);
    assert_int_equal(add->kind, ARM_CANDIDATE);
    assert_int_equal(fake_count(WIRE_RECORD, ""), 1); /* libraries are not recorded */
}

TEST_WITH(facts_of_recorded_calls_are_judged, open_gpu, fake_unit_end) {
    do_call(NULL, "nvjet_hsh");
    outcome_is(check_candidate(), OUTCOME_UNRECORDED,
               "calls: the kernel calls a library of linear algebra: nvjet_hsh, 1 time in later");
    assert_int_equal(result.rows.audit_count, 2);
    assert_string_equal(result.rows.audits[1].finding, "changing-kernels");
    assert_int_equal(fake_count(WIRE_ADD, "recording of mine.so"), 0); /* nothing is carried out */
    assert_string_equal(result.rows.recordings[0].result, "no");
}

TEST_WITH(memory_beyond_the_workspace_is_found, open_gpu, fake_unit_end) {
    plan.workspace_bytes = 10;
    facts_hold(&kernel->facts, 11);
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "11 bytes, in call 3; its workspace is 10");
    only_audit(FINDING_WORKSPACE);
}

TEST_WITH(a_fact_refuses_nobody, open_gpu, fake_unit_end) {
    do_call("cuMemAlloc_v2", "multiply");
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(result.rows.audit_count, 1);
    assert_string_equal(result.rows.audits[0].finding, "alloc-per-call");
    assert_string_equal(result.rows.audits[0].level, "fact");
}

/* Rows of one kind are counted; a flood of them hides no other. */
TEST_WITH(a_flood_of_facts_is_cut, open_gpu, fake_unit_end) {
    char name[32];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "cuMemAlloc_v%d", i);
        do_call(name, "multiply");
    }
    do_call("cuCtxSynchronize", "multiply");
    check_candidate();
    assert_int_equal(result.rows.audit_count, 17);
    assert_double_near(result.rows.audits[15].number, 16, 0);
    assert_string_equal(result.rows.audits[16].finding, "sync-per-call");
}

/* By the second process the facts are known. */
TEST_WITH(facts_are_told_once, open_gpu, fake_unit_end) {
    do_call("cuMemAlloc_v2", "multiply");
    fake.recording.error = 100;
    outcome_is(check_candidate(), OUTCOME_DISHONEST, "");
    assert_int_equal(result.rows.recording_count, 2);
    assert_int_equal(result.rows.audit_count, 1);
}

TEST_WITH(a_host_has_nothing_to_record, open_gpu, fake_unit_end) {
    strcpy(plan.device_kind, "host");
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(fake_count(WIRE_RECORD, ""), 0);
    assert_string_equal(unit_candidate(&context)->row.note, "");
}

TEST_WITH(an_earlier_release_is_judged_too, open_gpu, fake_unit_end) {
    with_earlier();
    facts_hold(&old->facts, 1);
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    assert_int_equal(fake_count(WIRE_RECORD, "old.so"), 1);
    assert_int_equal(result.rows.audit_count, 1);
    outcome_is(unit_previous(&context), OUTCOME_UNRECORDED, "1 bytes, in setup");
}

/* The first set-up is that of the checks; all later ones are recorded. */
static void fail_recorded_setup(int32_t status, int32_t outcome, const char *text) {
    for (int i = 0; i < 2; i++) {
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
    assert_int_equal(result.rows.recording_count, 2);
}

TEST_WITH(nor_is_dying, open_gpu, fake_unit_end) {
    struct fake_fault *fault = fake_fail(WIRE_RECORD, "mine.so", PROCESS_CRASHED);
    fault->printed = "last\nwords";
    fault->always = true;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED,
               "its calls fail when recorded: signal 0 (Unknown signal 0); printed: last words");
    only_audit(FINDING_UNRECORDED);
}

TEST_WITH(nor_is_taking_long, open_gpu, fake_unit_end) {
    fake_fail(WIRE_RECORD, "mine.so", PROCESS_TIMED_OUT)->always = true;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED,
               "its calls fail when recorded: killed after ");
    only_audit(FINDING_UNRECORDED);
}

TEST_WITH(what_fails_once_is_tried_again, open_gpu, fake_unit_end) {
    fake_fail(WIRE_RECORD, "mine.so", PROCESS_CRASHED);
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(result.rows.audit_count, 0);
    assert_int_equal(result.rows.recording_count, 2);
}

/* The recorder's own fault is ours. */
TEST_WITH(what_a_machine_cannot_record_is_our_fault, open_gpu, fake_unit_end) {
    fail_recorded_setup(-1, OUTCOME_OK, "no room for the operands");
    assert_says(checks_kernel(&context, UNIT_CANDIDATE), TROUBLE,
                "mine, mine, its setup fails when recorded: no room for the operands");
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
    assert_says(checks_kernel(&context, UNIT_CANDIDATE), TROUBLE,
                "no process can be had that records a kernel's calls: no CUPTI; --lens call");
    assert_true(session.unfit);
    assert_int_equal(fake_count(WIRE_RECORD, ""), 0);
}

TEST_WITH(by_call_alone_kernels_are_timed_there, open_gpu, fake_unit_end) {
    plan.lenses = plan.precise = 1 << LENS_CALL;
    cannot_record();
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_string_equal(unit_candidate(&context)->row.note,
                        "not recorded on this machine: no CUPTI");
    assert_int_equal(fake_count(WIRE_RECORD, ""), 0);
    assert_int_equal(result.rows.recording_count, 0);
}

TEST_WITH(trouble_of_ours_is_ours, open_gpu, fake_unit_end) {
    fake_fail(WIRE_RECORD, "mine.so", PROCESS_TROUBLE);
    assert_int_equal(checks_kernel(&context, UNIT_CANDIDATE), TROUBLE);
}
