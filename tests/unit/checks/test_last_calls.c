/* The last calls of a process that has timed, with runners that are faked: who is accused of what,
 * and what is told of libraries. */
#include "bench/checks/last_calls.h"

#include "bench/checks/checks.h"

#include <signal.h>

#include "tests/support/doubles.h"
#include "tests/support/fake_unit.h"
#include "tests/support/test.h"

enum { CALLS = 4, ARMS = 3 }; /* one of the calls is not kept */
static struct arm_state *failed;

/* What an arm does in each call but the first, and in the first. */
static void do_calls(struct facts *facts, const char *first, const char *name, bool dependent) {
    memset(facts, 0, sizeof *facts);
    for (int i = 0; i < CALLS; i++) {
        const char *which = i == 0 ? first : name;
        const struct facts_launch launch = {
            .name = which, .symbol = which, .grid = {1, 1, 1}, .dependent = dependent};
        facts_begin(facts, true);
        if (*which)
            facts_add_launch(facts, &launch);
        facts_end(facts);
    }
}

/* On a GPU; each call of every arm launches one kernel. */
static int open_unit(void **state) {
    fake_unit(state);
    on_gpu();
    struct fake_kernel *const arms[ARMS] = {nn, tn, kernel};
    for (int i = 0; i < ARMS; i++) {
        do_calls(&arms[i]->facts, "multiply", "multiply", false);
        arms[i]->last_facts = arms[i]->facts;
    }
    failed = NULL;
    if (unit_open_runner(&context) < 0 || checks_libraries(&context) != 0 ||
        checks_kernel(&context, UNIT_CANDIDATE) != 0)
        return -1;
    context.own = context.checked.kernel[UNIT_CANDIDATE];
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

TEST_WITH(all_arms_are_watched, open_unit, fake_unit_end) {
    watched(OUTCOME_OK, "");
    static const char *const names[ARMS] = {"last calls of lib-nn", "last calls of lib-tn",
                                            "last calls of mine.so"};
    for (int i = 0; i < ARMS; i++) {
        const struct wire_record *last = &fake_last(WIRE_RECORD, names[i])->record;
        assert_int_equal(last->unkept, 1);
        assert_int_equal(last->calls, CALLS - 1);
        assert_int_equal(last->arm, i);
    }
    /* Each call has its time, and what is between them that of one more. */
    assert_double_near(fake.limit[fake.asked - 1], (CALLS + 1) * unit_call_limit(&context), 1e-9);
    assert_int_equal(result.rows.audit_count, 0);
    assert_true(unit_candidate(&context)->work == kernel->last_facts.last.digest);
}

/* What libraries do is their own affair. */
TEST_WITH(what_is_refused_is_found, open_unit, fake_unit_end) {
    do_calls(&nn->last_facts, "nvjet_hsh", "nvjet_hsh", false);
    strcpy(nn->refused, "it uses graphs");
    watched(OUTCOME_OK, "");
    do_calls(&kernel->last_facts, "multiply", "nvjet_hsh", false);
    watched(OUTCOME_UNRECORDED,
            "last-calls: the kernel calls a library of linear algebra: nvjet_hsh, "
            "3 times in later ones (library-gemm)");
    assert_int_equal(result.rows.audit_count, 1);
}

TEST_WITH(who_does_what_cannot_be_recorded_is_found, open_unit, fake_unit_end) {
    strcpy(kernel->refused, "it works on another stream");
    watched(OUTCOME_UNRECORDED, "last-calls: the kernel cannot be recorded: "
                                "it works on another stream (unrecorded)");
}

/* What is no fault is known from the first calls. Of libraries one thing is told. */
TEST_WITH(early_kernels_of_libraries_are_told, open_unit, fake_unit_end) {
    do_calls(&tn->last_facts, "multiply", "multiply", true);
    do_calls(&kernel->last_facts, "multiply", "divide", true);
    watched(OUTCOME_OK, "");
    assert_int_equal(result.rows.audit_count, 1);
    const struct audit_row *row = &result.rows.audits[0];
    assert_string_equal(row->kernel, "lib-tn");
    assert_string_equal(row->part, "last-calls");
    assert_string_equal(row->finding, "dependent-launch");
    assert_string_equal(row->level, "fact");
    assert_string_equal(row->text, "multiply, 1 time in the first call, 3 in later ones");
}

static void unwatched(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)shared;
    if (request->verb == WIRE_RECORD) {
        reply->outcome = OUTCOME_UNRECORDED;
        strcpy(reply->text, "no CUPTI");
    }
}

/* Where its first calls were recorded, it has kept its last ones from being so. */
static void unrecorded(const char *why) {
    struct arm_state *arm = unit_candidate(&context);
    char detail[256];
    snprintf(detail, sizeof detail,
             "last-calls: the kernel cannot be recorded: its last calls "
             "fail when recorded: %s (unrecorded)",
             why);
    watched(OUTCOME_UNRECORDED, detail);
    arm->outcome = OUTCOME_OK;
}

/* Also beside a library, of which nothing is known that would keep it from being watched. */
TEST_WITH(who_cannot_be_recorded_any_more_is_accused, open_unit, fake_unit_end) {
    fake.edit = unwatched;
    unrecorded("no CUPTI");
    fake.edit = NULL;
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "last calls of mine.so" : "last calls of lib-nn";
        struct fake_fault *fault = fake_fail(WIRE_RECORD, name, PROCESS_ANSWERED);
        fault->outcome = OUTCOME_LAUNCH_FAILED;
        fault->text = "status 7";
        unrecorded("status 7");
        fake_fail(WIRE_RECORD, name, PROCESS_CRASHED)->code = SIGSEGV;
        unrecorded("signal 11 (Segmentation fault)");
    }
    fake_fail(WIRE_RECORD, "last calls of lib-nn", PROCESS_TROUBLE);
    assert_int_equal(last_calls_watch(&context, &failed), TROUBLE);
}

TEST_WITH(where_nothing_can_be_recorded_nobody_is_watched, open_unit, fake_unit_end) {
    strcpy(session.no_recorder, "no CUPTI");
    watched(OUTCOME_OK, "");
    assert_int_equal(fake_count(WIRE_RECORD, "last calls of mine.so"), 0);
}

/* A host has no recorder, and its clock is not defended. */
TEST_WITH(on_the_host_nobody_is_watched, open_unit, fake_unit_end) {
    strcpy(plan.device_kind, "host");
    watched(OUTCOME_OK, "");
    assert_int_equal(fake_count(WIRE_RECORD, "last calls of lib-nn"), 0);
}
