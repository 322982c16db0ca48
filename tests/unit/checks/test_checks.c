/* Set-up and checks of every arm, against runners that are faked: what they do is said here. */

#include <math.h>

#include "bench/checks/checks.h"
#include "bench/checks/finalists.h"
#include "bench/checks/values_check.h"
#include "bench/jobs/set_up.h"
#include "bench/runner/operands.h"
#include "tests/support/checked_arms.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

TEST_WITH(libraries_are_measured_not_judged, open_unit, fake_unit_end) {
    nn->error = 0.5;
    assert_int_equal(checks_libraries(&context), 0);
    assert_int_equal(context.checked.arm_count, 2);
    const struct arm_state *arm = &context.checked.arms[0];
    outcome_is(arm, OUTCOME_OK, "");
    assert_string_equal(arm->row.kernel, "lib-nn");
    assert_string_equal(context.checked.arms[1].row.kernel, "lib-tn");
    assert_string_equal(arm->row.candidate, "mine");
    assert_string_equal(arm->row.claimed, "f32");
    assert_string_equal(arm->row.seen, "f32");
    assert_string_equal(arm->row.layout, "");
    assert_int_equal(arm->row.shape.n, 16);
    assert_double_near(arm->row.share_compared, 1, 0.01);
    assert_double_near(arm->row.deviation, 0.5, 0.01);
    assert_double_near(context.checked.largest_deviation, arm->row.deviation, 0);
    assert_double_near(arm->row.coarse, 1.0 / (24 * 16), 1e-9);
    assert_double_near(context.checked.arms[1].row.coarse, 0, 0);
    assert_nan(arm->row.bound);
    assert_nan(arm->row.paper_bound);
    assert_nan(arm->row.code_length);
    assert_nan(arm->row.stages);
    assert_double_near(arm->row.padding_share, 0, 0);
    assert_double_near(arm->row.setup_seconds, 0.25, 0);
    assert_double_near(arm->row.first_call_seconds, 0.5, 0);
    /* Ones and zeros, normals and the probe's inputs: half a second each. */
    assert_double_near(context.check_seconds, 2 * 3 * 0.5, 1e-9);
    assert_double_near(context.start_seconds, 2 * 0.25, 1e-9);
    assert_null(arm->built);
    assert_int_equal(arm->variant, -1);
    assert_int_equal(context.checked.arms[1].number, 1);
}

/* Every kernel meets the same inputs, and each check others. */
TEST_WITH(inputs_are_drawn_from_the_seed, open_unit, fake_unit_end) {
    const struct wire_call *calls[6];
    int count = 0;
    assert_int_equal(checks_libraries(&context), 0);
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_CALL)
            calls[count++] = &fake.log[i].call;
    assert_int_equal(count, 6);
    const int kinds[] = {INPUT_BINARY, INPUT_NORMAL, INPUT_PROBE};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(calls[i]->input_kind, kinds[i % 3]);
        assert_int_equal(calls[i]->arm, i / 3);
        assert_int_equal(calls[i]->poison, WIRE_POISON_NONE);
        assert_true(calls[i]->seed == seed_derive(77, SEED_CHECK, (uint64_t)i % 3));
    }
}

TEST_WITH(calls_and_setups_have_limits, open_unit, fake_unit_end) {
    assert_int_equal(checks_libraries(&context), 0);
    check_candidate();
    const double call = 10 + 2.0 * 24 * 16 * 48 / 1e9;
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_CALL)
            assert_double_near(fake.limit[i], call, 1e-9);
        else if (fake.log[i].verb == WIRE_ADD)
            assert_double_near(fake.limit[i], fake.log[i].add.kind == ARM_CANDIDATE ? 60 : 3600, 0);
    assert_int_equal(fake_count(WIRE_ADD, "mine.so"), 1);
    on_gpu();
    assert_double_near(unit_call_limit(&context), 10 + 2.0 * 24 * 16 * 48 / 1e11, 1e-12);
    plan.call_timeout_seconds = 3;
    assert_double_near(unit_call_limit(&context), 3, 0);
}

TEST_WITH(a_candidate_that_is_right_passes, open_unit, fake_unit_end) {
    assert_int_equal(checks_libraries(&context), 0);
    const struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_OK, "");
    assert_int_equal(context.checked.kernel[UNIT_CANDIDATE], 2);
    assert_string_equal(arm->row.kernel, "mine");
    assert_string_equal(arm->row.source, "mine.c");
    assert_string_equal(arm->row.source_hash, "abc");
    assert_string_equal(arm->row.layout, "both");
    assert_string_equal(arm->row.seen, "f32");
    assert_string_equal(arm->row.note, "");
    assert_double_near(arm->row.code_length, 321, 0);
    assert_nan(arm->row.bm);
    assert_nan(arm->row.bn);
    assert_nan(arm->row.bk);
    assert_nan(arm->row.stages);
    assert_nan(arm->row.swizzle);
    assert_ptr_equal(arm->built, &built[0]);
    assert_double_near(arm->row.paper_bound, context.checked.largest_deviation, 0);
    assert_true(arm->row.bound > arm->row.deviation);
    assert_string_equal(session.sandbox, "locked in");
    assert_int_equal(fake_last(WIRE_ADD, "mine.so")->add.sandbox, 1);
}

TEST_WITH(what_a_source_tells_is_in_the_row, open_unit, fake_unit_end) {
    mine.traits = (struct candidate_traits){5, 128, 64, 32, 4, 1};
    const struct check_row *row = &check_candidate()->row;
    assert_double_near(row->bm, 128, 0);
    assert_double_near(row->bn, 64, 0);
    assert_double_near(row->bk, 32, 0);
    assert_double_near(row->stages, 4, 0);
    assert_double_near(row->swizzle, 1, 0);
}

TEST_WITH(the_sandbox_is_told_as_it_is, open_unit, fake_unit_end) {
    plan.memcheck = true;
    check_candidate();
    assert_string_equal(session.sandbox, "locked in; none under --memcheck");
    plan.sandbox = false;
    *session.sandbox = 0;
    check_candidate();
    assert_string_equal(session.sandbox, "none: --no-sandbox");
    assert_int_equal(fake_last(WIRE_ADD, "mine.so")->add.sandbox, 0);
}

TEST_WITH(a_layout_is_what_is_read, open_unit, fake_unit_end) {
    const char *const layouts[] = {"none", "nn", "tn", "both"};
    for (unsigned reads = 0; reads < 4; reads++) {
        kernel->reads = reads;
        assert_string_equal(check_candidate()->row.layout, layouts[reads]);
    }
    assert_int_equal(fake_count(WIRE_CALL, "mine.so"), 4 * (5 + VALUES_CALLS));
}

TEST_WITH(what_is_written_beside_c_is_seen, open_unit, fake_unit_end) {
    kernel->changed_inputs = 5;
    outcome_is(check_candidate(), OUTCOME_INPUT_CHANGED, "5 elements of A or B were changed");
    kernel->changed_guards = 7;
    outcome_is(check_candidate(), OUTCOME_WROTE_OUTSIDE, "7 elements around A, B or C");
}

TEST_WITH(memory_is_held_against_the_workspace, open_unit, fake_unit_end) {
    plan.workspace_bytes = 4096;
    kernel->held_bytes = 4096;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    kernel->held_bytes = 4097;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED,
               "calls: the kernel holds more memory than the workspace that it was given: 4097 "
               "bytes; its workspace is 4096 bytes (workspace)");
    struct call call = {.call = {"f(a)", 1}};
    mine.call = &call; /* which is told of none */
    outcome_is(check_candidate(), OUTCOME_OK, "");
    call.workspace.line = 1;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "more memory than the workspace");
    mine.call = NULL;
}

TEST_WITH(claims_that_cannot_be_are_lies, open_unit, fake_unit_end) {
    const double times[] = {-1e-9, INFINITY, NAN};
    for (int i = 0; i < 3; i++) {
        kernel->setup_seconds = times[i];
        outcome_is(check_candidate(), OUTCOME_DISHONEST, "that its setup took ");
        kernel->setup_seconds = 0;
        kernel->call_seconds = times[i];
        outcome_is(check_candidate(), OUTCOME_DISHONEST, "that a call took ");
        kernel->call_seconds = 0;
        fake.now = 1000;
    }
    const struct shape small[] = {{23, 16, 48}, {24, 15, 48}, {24, 16, 47}};
    for (int i = 0; i < 3; i++) {
        kernel->padded = small[i];
        outcome_is(check_candidate(), OUTCOME_DISHONEST, "operands of 2");
    }
    kernel->padded = (struct shape){32, 16, 64};
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_double_near(
        context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]].row.padding_share,
        1 - 18432.0 / 32768, 1e-12);
}

/* What is compiled cannot be run; what is unrecorded is not. */
TEST_WITH(a_kernel_that_does_not_compile_is_not_run, open_unit, fake_unit_end) {
    built[0].outcome = BUILD_FAILED;
    strcpy(built[0].message, "error: no such thing");
    outcome_is(check_candidate(), OUTCOME_NO_COMPILE, "error: no such thing");
    assert_int_equal(fake_count(WIRE_ADD, "mine.so"), 0);
}

/* Whole lines, and the last one, too, where there is room for all. */
TEST_WITH(what_a_compiler_says_keeps_its_lines, open_unit, fake_unit_end) {
    built[0].outcome = BUILD_LACKING;
    strcpy(built[0].message, "(killed twice)\ncc ended with signal 9");
    check_candidate();
    assert_string_equal(unit_candidate(&context)->row.detail,
                        "(killed twice)\ncc ended with signal 9");
    context.checked.arm_count = 0;
    memset(built[0].message, 'x', RUNDIR_TEXT + 10);
    strcpy(built[0].message + RUNDIR_TEXT + 10, "\n");
    memcpy(built[0].message, "one\n", 4);
    check_candidate();
    assert_string_equal(unit_candidate(&context)->row.detail, "one");
}

TEST_WITH(in_the_paper_s_way_an_autotuned_library_chooses_once, open_unit, fake_unit_end) {
    tn->variants = kernel->variants = 8;
    plan.autotuned[1] = true;
    plan.tune_lens = LENS_STREAM;
    plan.tune_warmup = 4;
    plan.tune_rounds = 9;
    assert_int_equal(checks_libraries(&context), 0);
    check_candidate();
    const struct wire_tune first = fake_last(WIRE_ADD, "lib-tn")->add.tune;
    assert_int_equal(first.variant, WIRE_CHOOSE);
    assert_int_equal(first.lens, LENS_STREAM);
    assert_int_equal(first.stream_calls, LAYOUT_CALLS);
    assert_int_equal(first.warmup_rounds, 4);
    assert_int_equal(first.timed_rounds, 9);
    assert_true(first.seed == seed_derive(77, SEED_TUNE, 1));
    assert_int_equal(context.checked.arms[1].variant, 3);
    assert_string_equal(context.checked.arms[1].row.variant, "algorithm 3");
    strcpy(context.checked.arms[1].row.variant, "algorithm 3; best of 8");
    struct arm_state *failed;
    bool lost = false;
    unit_drop_runner(&context, &context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(set_up_arms(&context, &failed, &lost), OUTCOME_OK);
    assert_int_equal(fake_last(WIRE_ADD, "lib-tn")->add.tune.variant, 3);
    assert_string_equal(context.checked.arms[1].row.variant, "algorithm 3; best of 8");
}

/* The ranks of 8 algorithms in three processes, of which the last fails in the second. By their sums
 * 5, 2 and 6 are the best. */
static int ranked; /* processes */
static void rank(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    static const uint8_t ranks[3][8] = {
        {7, 6, 0, 5, 4, 1, 3, 2}, {7, 6, 3, 5, 4, 0, 1, WIRE_FAILED}, {6, 7, 1, 5, 4, 0, 2, 3}};
    (void)shared;
    if (request->verb == WIRE_ADD && request->add.tune.variant == WIRE_RANK)
        memcpy(reply->add.rank, ranks[ranked++ % 3], sizeof *ranks);
}

static void with_finalists(void) {
    tn->variants = 8;
    plan.autotuned[1] = plan.finalists = true;
    plan.tune_lens = LENS_DEVICE;
    ranked = 0;
    fake.edit = rank;
}

static int rank_shapes(void) {
    const struct unit *const units[] = {&unit, &unit}; /* two kernels of one shape */
    const int status = finalists_rank(&session, units, 2);
    if (session.finalists)
        assert_int_equal(session.finalist_count, 1);
    return status;
}

static void arms_are(const char *const *names) {
    int count = 0;
    for (; names[count]; count++)
        assert_string_equal(context.checked.arms[count].row.kernel, names[count]);
    assert_int_equal(context.checked.arm_count, count);
}

TEST_WITH(the_best_by_three_processes_and_the_first_suggestion_are_arms, fake_unit, fake_unit_end) {
    with_finalists();
    plan.cache = CACHE_COLD;
    assert_int_equal(rank_shapes(), 0);
    assert_int_equal(fake.started, 3);
    assert_int_equal(fake_count(WIRE_ADD, "lib-nn"), 0);
    assert_int_equal(fake_count(WIRE_ADD, "lib-tn"), 3);
    assert_int_equal(fake_last(WIRE_ADD, "lib-tn")->add.tune.cache, CACHE_COLD);
    assert_int_equal(fake_last(WIRE_ADD, "lib-tn")->add.tune.lens, LENS_DEVICE);
    assert_int_equal(context.process.pid, PROCESS_NONE.pid);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(checks_libraries(&context), 0);
    arms_are((const char *const[]){"lib-nn", "lib-tn#6", "lib-tn#3", "lib-tn#7", "lib-tn#1", NULL});
    outcome_is(&context.checked.arms[4], OUTCOME_OK, "");
    assert_int_equal(fake_last(WIRE_ADD, "lib-tn")->add.tune.variant, 0);
    assert_string_equal(context.checked.arms[1].row.variant, "algorithm 5");
    struct arm_state *failed;
    bool lost = false;
    unit_drop_runner(&context, &context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(set_up_arms(&context, &failed, &lost), OUTCOME_OK);
    assert_int_equal(fake_count(WIRE_ADD, "lib-tn"), 3 + 2 * 4);
}

/* One that fails in a process of the three is ranked by the others; in all, it has the algorithm that
 * it suggests first, and its check says why. */
TEST_WITH(a_library_may_fail_where_it_is_ranked, fake_unit, fake_unit_end) {
    with_finalists();
    fake_fail(WIRE_ADD, "lib-tn", PROCESS_CRASHED)->code = 11;
    assert_int_equal(rank_shapes(), 0);
    assert_int_equal(session.finalists->of[1].count, 4);
    fake_fail(WIRE_ADD, "lib-tn", PROCESS_CRASHED)->always = true;
    assert_int_equal(rank_shapes(), 0);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(checks_libraries(&context), 0);
    arms_are((const char *const[]){"lib-nn", "lib-tn", NULL});
    assert_int_equal(context.checked.arms[1].variant, 0);
    assert_int_equal(context.checked.arms[1].outcome, OUTCOME_CRASHED);
}

/* Of three algorithms the last fails in one process: it is none of the best. */
static void rank_few(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)shared;
    if (request->verb == WIRE_ADD && request->add.tune.variant == WIRE_RANK)
        memcpy(reply->add.rank, (uint8_t[]){1, 2, ranked++ == 1 ? WIRE_FAILED : 0}, 3);
}

TEST_WITH(an_algorithm_that_fails_is_no_finalist, fake_unit, fake_unit_end) {
    with_finalists();
    tn->variants = 3;
    fake.edit = rank_few;
    assert_int_equal(rank_shapes(), 0);
    assert_int_equal(session.finalists->of[1].count, 2);
    assert_int_equal(session.finalists->of[1].variant[0], 0);
    assert_int_equal(session.finalists->of[1].variant[1], 1);
}

/* The heuristic's arm is the first suggestion, and is not timed again. */
TEST_WITH(the_first_suggestion_has_one_arm, fake_unit, fake_unit_end) {
    with_finalists();
    strcpy(plan.baselines[0], "lib-heuristic-tn");
    strcpy(nn->name, "lib-heuristic-tn");
    strcpy(plan.baselines[1], "lib-autotune-tn");
    strcpy(tn->name, "lib-autotune-tn");
    assert_int_equal(rank_shapes(), 0);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(checks_libraries(&context), 0);
    arms_are((const char *const[]){"lib-heuristic-tn", "lib-autotune-tn#6", "lib-autotune-tn#3",
                                   "lib-autotune-tn#7", NULL});
}

/* What is only checked has no times that a choice could rest on. */
TEST_WITH(nothing_is_ranked_without_times, fake_unit, fake_unit_end) {
    with_finalists();
    plan.modes[MODE_OFFLINE] = false;
    assert_int_equal(rank_shapes(), 0);
    assert_int_equal(fake.started, 0);
}

TEST_WITH(a_library_that_takes_the_runner_down_leaves_the_others, open_unit, fake_unit_end) {
    fake_fail(WIRE_CALL, "lib-tn", PROCESS_CRASHED)->code = 11;
    assert_int_equal(checks_libraries(&context), 0);
    assert_int_equal(context.checked.arm_count, 2);
    outcome_is(&context.checked.arms[0], OUTCOME_OK, "");
    outcome_is(&context.checked.arms[1], OUTCOME_CRASHED, "signal 11");
    assert_int_equal(fake_count(WIRE_ADD, "lib-tn"), 1);
    assert_int_equal(fake_count(WIRE_ADD, "lib-nn"), 1);
    assert_int_equal(fake.started, 2);
    outcome_is(check_candidate(), OUTCOME_OK, "");
}

/* In the fresh runner another one may fail. */
TEST_WITH(two_libraries_may_take_the_runner_down, open_unit, fake_unit_end) {
    fake_fail(WIRE_CALL, "lib-tn", PROCESS_CRASHED)->code = 11;
    fake_fail(WIRE_ADD, "lib-nn", PROCESS_EXITED);
    assert_int_equal(checks_libraries(&context), 0);
    outcome_is(&context.checked.arms[0], OUTCOME_EXITED, "");
    outcome_is(&context.checked.arms[1], OUTCOME_CRASHED, "");
    assert_int_equal(fake.started, 3);
    outcome_is(check_candidate(), OUTCOME_OK, "");
}

TEST_WITH(a_library_that_declines_stays_in_the_list, open_unit, fake_unit_end) {
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-nn", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_UNSUPPORTED;
    fault->text = "odd sizes";
    assert_int_equal(checks_libraries(&context), 0);
    outcome_is(&context.checked.arms[0], OUTCOME_UNSUPPORTED, "odd sizes");
    outcome_is(&context.checked.arms[1], OUTCOME_OK, "");
    assert_int_equal(result.rows.check_count, 0);
}

/* How a runner ends is the outcome of the arm that it was asked about. */
TEST_WITH(every_end_has_its_outcome, open_unit, fake_unit_end) {
    static const struct {
        enum process_answer answer;
        int code, status, said;
        enum outcome outcome;
        const char *detail;
    } ends[] = {
        {PROCESS_CRASHED, 6, 0, 0, OUTCOME_CRASHED, "signal 6 (Aborted); printed: last words"},
        {PROCESS_EXITED, 3, 0, 0, OUTCOME_EXITED, "exit status 3; printed: last words"},
        {PROCESS_TIMED_OUT, 0, 0, 0, OUTCOME_TIMED_OUT, "killed after 10 s"},
        {PROCESS_FORGED, 0, 0, 0, OUTCOME_DISHONEST, "in its process's stead"},
        {PROCESS_ANSWERED, 0, 0, OUTCOME_DEVICE_ERROR, OUTCOME_DEVICE_ERROR, "a misaligned"},
        {PROCESS_ANSWERED, 0, 0, OUTCOME_LAUNCH_FAILED, OUTCOME_LAUNCH_FAILED, "a misaligned"},
        {PROCESS_ANSWERED, 0, 0, OUTCOME_COUNT, OUTCOME_DISHONEST, "an unknown outcome"},
        {PROCESS_ANSWERED, 0, 0, -1, OUTCOME_DISHONEST, "an unknown outcome, -1"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        memset(fake.faults, 0, sizeof fake.faults);
        struct fake_fault *fault = fake_fail(WIRE_CALL, "mine.so", ends[i].answer);
        fault->code = ends[i].code;
        fault->status = ends[i].status;
        fault->outcome = ends[i].said;
        fault->text = "a\tmisaligned\033address";
        fault->printed = "last\nwords \n";
        fault->text = "a misaligned address";
        outcome_is(check_candidate(), ends[i].outcome, ends[i].detail);
        assert_null(
            strchr(context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]].row.detail, '\n'));
    }
    fake_fail(WIRE_ADD, "mine.so", PROCESS_TROUBLE);
    assert_int_equal(checks_kernel(&context, UNIT_CANDIDATE), TROUBLE);
    /* What the runner calls a fault of its own is no kernel's. */
    memset(fake.faults, 0, sizeof fake.faults);
    fake_fail(WIRE_CALL, "mine.so", PROCESS_ANSWERED)->status = -1;
    assert_int_equal(checks_kernel(&context, UNIT_CANDIDATE), TROUBLE);
}

TEST_WITH(what_a_kernel_says_is_made_harmless, open_unit, fake_unit_end) {
    struct fake_fault *fault = fake_fail(WIRE_CALL, "mine.so", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_DEVICE_ERROR;
    fault->text = "\033[31mred\x7f ##[error] \xc2\x9b";
    outcome_is(check_candidate(), OUTCOME_DEVICE_ERROR, " [31mred   #[error]   ");
    char long_text[3000];
    memset(long_text, 'x', sizeof long_text - 1);
    strcpy(long_text + sizeof long_text - 5, "last");
    struct arm_state *arm = &context.checked.arms[0];
    arm_describe(arm, long_text, "it %s", "says");
    assert_memory_equal(arm->row.detail, "it says; printed: xxxx", 22);
    assert_string_equal(arm->row.detail + strlen(arm->row.detail) - 5, "xlast");
    assert_true(strlen(arm->row.detail) > sizeof arm->row.detail - 16);
    arm_describe(arm, " \n", "nothing");
    assert_string_equal(arm->row.detail, "nothing");
}

TEST_WITH(an_interrupt_ends_the_work, open_unit, fake_unit_end) {
    extern volatile int interrupted;
    interrupted = 1;
    assert_says(checks_libraries(&context), TROUBLE, "interrupted");
    interrupted = 0;
    assert_int_equal(fake_count(WIRE_ADD, ""), 0);
}

TEST_WITH(an_earlier_release_need_only_be_right, open_unit, fake_unit_end) {
    with_earlier();
    assert_int_equal(checks_libraries(&context), 0);
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    assert_int_equal(context.checked.kernel[UNIT_PREVIOUS], 2);
    const struct arm_state *arm = &context.checked.arms[2];
    outcome_is(arm, OUTCOME_OK, "");
    assert_string_equal(arm->row.kernel, RUNDIR_PREVIOUS);
    assert_string_equal(arm->row.candidate, "mine");
    assert_string_equal(arm->row.source, "old.c");
    assert_ptr_equal(arm->built, &built[1]);
    assert_string_equal(arm->row.layout, "both"); /* it is prepared like its successor */
    assert_string_equal(arm->row.seen, "");
    assert_int_equal(fake_count(WIRE_CALL, "old.so"), 4);
}

/* What it does in its process is nothing to the candidate. */
TEST_WITH(an_earlier_release_may_take_its_runner_down, open_unit, fake_unit_end) {
    with_earlier();
    assert_int_equal(checks_libraries(&context), 0);
    fake_fail(WIRE_CALL, "old.so", PROCESS_EXITED)->code = 1;
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    outcome_is(unit_previous(&context), OUTCOME_EXITED, "exit status 1");
    unit_drop_runner(&context, &context.process);
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(fake.started, 2);
    assert_int_equal(fake_count(WIRE_ADD, "lib-nn"), 1);
}

TEST_WITH(the_libraries_of_large_products_are_not_probed, open_unit, fake_unit_end) {
    plan.baseline_count = 1;
    unit.shape = (struct shape){1 << 11, 1 << 11, 1};
    process_end(&context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(checks_libraries(&context), 0);
    assert_int_equal(fake_count(WIRE_CALL, "lib-nn"), 2); /* k is too small for the probe */
    unit.shape = (struct shape){1 << 11, (1 << 11) + 1, 16};
    process_end(&context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    context.checked.arm_count = 0;
    assert_int_equal(checks_libraries(&context), 0);
    assert_int_equal(fake_count(WIRE_CALL, "lib-nn"), 2 + 2);
    assert_string_equal(context.checked.arms[0].row.seen, "");
}

/* compute-sanitizer, in a runner of its own. */
TEST_WITH(memcheck_is_asked_last, open_unit, fake_unit_end) {
    plan.memcheck = true;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_string_equal(fake.program, "compute-sanitizer");
    assert_int_equal(fake_count(WIRE_ADD, "mine.so"), 2);
    assert_int_equal(fake_last(WIRE_ADD, "mine.so")->add.sandbox, 0);
    assert_int_equal(fake_last(WIRE_CALL, "mine.so")->call.input_kind, INPUT_BINARY);
    assert_double_near(fake.limit[fake.asked - 1], 120 + 100 * unit_call_limit(&context), 1e-9);
    assert_string_equal(context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]].row.note, "");
    fake.finish_code = RUNNER_MEMCHECK_FOUND;
    outcome_is(check_candidate(), OUTCOME_MEMCHECK, "compute-sanitizer --tool memcheck");
    fake.finish_code = 1;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_memory_equal(context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]].row.note,
                        "memcheck did not end well (1)", 29);
    fake.finish_code = 0;
    struct fake_fault *fault = fake_fail(WIRE_CALL, "mine.so", PROCESS_EXITED);
    fault->nth = 5 + VALUES_CALLS;
    fault->printed = "Invalid __global__ read of size 2";
    outcome_is(check_candidate(), OUTCOME_MEMCHECK, "Invalid __global__ read");
    kernel->changed_inputs = 1; /* what has failed already is not asked */
    const int started = fake.started;
    check_candidate();
    assert_int_equal(fake.started, started);
    kernel->changed_inputs = 0;
    struct fake_fault *opening = fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED);
    opening->status = -1;
    assert_says(checks_kernel(&context, UNIT_CANDIDATE), TROUBLE, "is compute-sanitizer on PATH?");
}
