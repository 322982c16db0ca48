/* Gates over run directories that are made up: every status, every verdict, and what is refused. */

#include <math.h>

#include "bench/base/files.h"
#include "reports/gate/gate.h"
#include "tests/support/doubles.h"
#include "tests/support/made_runs.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

TEST_WITH(test_words, set_up, tear_down) {
    static const int exits[] = {75, 2, 6, 5, 4, 1, 1, 3, 0}; /* the order of precedence */
    for (int i = 0; i < GATE_VERDICT_COUNT; i++)
        assert_int_equal(gate_verdict_exit((enum gate_verdict)i), exits[i]);
    assert_string_equal(gate_verdict_word(GATE_NOT_COMPARABLE), "not-comparable");
}

TEST_WITH(test_pass, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{.slower = 0.01}, {.slower = -0.1}, {.alone = true}}});
    assert_string_equal(judge(NULL, true), "pass");
    assert_string_equal(gate.reason,
                        "1 added, 1 same, 1 maybe-faster (best: 10 % less time) of 3 rows");
    assert_int_equal(row_count(), 3);
    assert_int_equal(gate.units, 3);
    assert_int_equal(gate.suspects, 0);
    assert_int_equal(warnings_with(""), 0);
    assert_double_near(gate.coverage, 1, 0);
    assert_string_equal(status_of(0), "same");
    assert_string_equal(status_of(1), "maybe-faster");
    assert_string_equal(status_of(2), "added");
    const struct gate_row *row = row_of(0);
    assert_double_near(row->ratio, 1 / 1.01, 1e-4);
    assert_double_near(row->ci_low, row->ratio, 0.01);
    assert_double_near(row->ci_high, row->ratio, 0.01);
    assert_true(row->ci_low < row->ratio && row->ratio < row->ci_high);
    assert_double_near(row->margin, 0.02, 0);
    assert_double_near(row->seconds, 8.08e-6, 2e-8);
    assert_double_near(row->reference_seconds, 8e-6, 2e-8);
    assert_string_equal(row->reference, "previous");
    assert_string_equal(row->mode, "offline");
    assert_string_equal(row->lens, "device");
    assert_string_equal(row->source, "mine.cu");
    assert_string_equal(row->size_class, policy.classes[0].name);
    assert_true(isnan(row->p) && row->visits == 4 && !row->confirmed);
    row = row_of(2);
    assert_true(isnan(row->ratio));
    assert_double_near(row->seconds, 8e-6, 2e-8);
    const double ratio = of_line(0, "geomean");
    assert_true(of_line(0, "shapes") == 2 && of_line(1, "shapes") == 2);
    assert_true(of_line(0, "same") == 1 && of_line(0, "maybe") == 1);
    assert_double_near(ratio, 1 / sqrt(1.01 * 0.9), 1e-3);
    assert_double_near(of_line(0, "low"), ratio, 0.01);
    assert_double_near(of_line(0, "high"), ratio, 0.01);
    assert_string_equal(fact("set"), "kernels");
    assert_string_equal(fact("previous"), "before");
    assert_string_equal(fact("commit"), "0123456789");
    assert_int_equal(strlen(fact("plan_hash")), 32);
}

/* A wrong kernel fails the gate, whatever the machine lacks; where all are wrong, nothing else is counted. */
TEST_WITH(wrong_goes_before_what_the_machine_lacks, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{.outcome = "inexact"}, {.outcome = "not-built"}, {0}}});
    assert_string_equal(judge(NULL, false), "wrong");
    assert_reason("1 of 3 kernels on shapes refused; the first: 64x64x64 mine: ");
    assert_reason("; 1 wrong, 1 environment, 1 same of 3 rows");
    static const struct kernel wrong = {.outcome = "inexact"};
    make("all", &(struct made){.kernels = {wrong, wrong, wrong}});
    judge_run("all");
    assert_reason("3 of 3 kernels on shapes refused; the first: 64x64x64 mine: ");
    assert_null(strstr(gate.reason, "3 wrong of 3 rows"));
}

/* It is in no total: it was faster by cheating. */
TEST_WITH(test_totals_of_the_second_stage, set_up, tear_down) {
    struct made run = {.kernels = {{0}, {.slower = 0.025}, {0}}, .two_lenses = true};
    make("run", &run);
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_double_near(of_line(0, "shapes"), 3, 0);
    run.kernels[1].outcome = "inexact";
    make("run/confirm", &run);
    assert_string_equal(judge(NULL, true), "wrong");
    assert_double_near(of_line(0, "shapes"), 2, 0);
    assert_double_near(of_line(0, "refused"), 1, 0);
}

/* A kernel that passes and has no time may be slower by any amount, whatever has taken the time away:
 * the policy's share of undecided rows does not cover it. */
TEST_WITH(a_row_without_a_time_is_inconclusive, set_up, tear_down) {
    policy.undecided = 1;
    make("run", &(struct made){.kernels = {{.untimed = true}, {0}, {0}}});
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_int_equal(gate_verdict_exit(gate.verdict), 3);
    assert_reason("1 of 3 rows lack a time of a kernel that passed its checks: nothing shows how "
                  "fast it is; the first: 64x64x64 mine (offline, device): was not timed");
    assert_string_equal(status_of(0), "undecided");
    assert_int_equal(warnings_with(""), 0);
    make("earlier", &(struct made){.kernels = {{.untimed_before = true}, {0}, {0}}});
    assert_string_equal(judge_run("earlier"), "inconclusive");
    assert_reason("64x64x64 mine (offline, device): the earlier kernel was not timed");
    make("marked", &(struct made){.kernels = {{.marked = true}, {0}, {0}}});
    assert_string_equal(judge_run("marked"), "inconclusive");
    assert_reason("64x64x64 mine (offline, device): was not timed");
}

/* Nothing was timed: the rows have the lens that was planned. */
TEST_WITH(a_run_without_times_is_inconclusive, set_up, tear_down) {
    static const struct kernel none = {.untimed = true};
    make("run", &(struct made){.kernels = {none, none, none}, .two_lenses = true});
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_reason("3 of 3 rows lack a time");
    assert_string_equal(row_of(0)->lens, "device");
    strcpy(policy.lens, "call");
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_string_equal(row_of(0)->lens, "call");
}

/* The confirmation is to decide, and its process has lost the times of the suspect. */
TEST_WITH(a_suspect_without_a_time_is_inconclusive, set_up, tear_down) {
    struct made confirm = confirming(0);
    policy.undecided = 1;
    confirm.kernels[1].untimed = true;
    make("run", &one_near);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_reason("1 of 3 rows lack a time of a kernel that passed its checks");
    assert_string_equal(row_of(1)->text, "was not timed in the confirmation");
    confirm.kernels[1].untimed = false;
    make("kept", &one_near);
    make("kept/confirm", &confirm);
    assert_string_equal(judge_run("kept"), "pass");
}

TEST_WITH(test_screen, set_up, tear_down) {
    struct gate_suspects suspects;
    make("run", &(struct made){.kernels = {{0}, {.slower = 0.025}, {.spread = 0.02}}});
    struct gate_call call = a_call(NULL);
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 2);
    assert_string_equal(suspects.ids[0], "128x64x32.mine");
    assert_string_equal(suspects.ids[1], "256x256x64.mine");
    assert_int_equal(suspects.visits, 56);
    gate_suspects_free(&suspects);
    make("quiet", &one_near);
    call.run = scratch_path("quiet");
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.visits, 56);
    gate_suspects_free(&suspects);
    make("same", &(struct made){0});
    call.run = scratch_path("same");
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_true(suspects.count == 0 && suspects.seconds == 0);
    gate_suspects_free(&suspects);
    call.run = "/nowhere";
    assert_says(gate_screen(&call, &suspects), -1, "/nowhere");
}

static struct gate_suspects screened(void) {
    struct gate_suspects suspects, kept;
    struct gate_call call = a_call(NULL);
    assert_int_equal(gate_screen(&call, &suspects), 0);
    kept = suspects;
    kept.ids = NULL;
    gate_suspects_free(&suspects);
    return kept;
}

/* Checks and audits are made once again; of visits there are 56 in the place of 4. What modes share is half of each
 * of two. */
TEST_WITH(test_screen_seconds, set_up, tear_down) {
    struct made confirm = confirming(0);
    make("run", &(struct made){.kernels = {{.slower = 0.025, .visits = 4},
                                           {.slower = 0.025, .visits = 10},
                                           {.visits = 1000}}});
    assert_double_near(screened().seconds, ((5 + 14 * (1 + 4)) + (5 + 14 * (1 + 10))) / 2.0, 1e-9);
    confirm.kernels[1].visits = 30;
    make("run/confirm", &confirm);
    judge(NULL, false);
    assert_double_near(row_of(0)->wall_seconds, 6 + 4, 1e-9);
    assert_double_near(row_of(1)->wall_seconds, 6 + 10 + 6 + 30, 1e-9);
    files_remove_tree(scratch_path("run"));
    make("run", &one_near);
    judge(NULL, false);
    assert_nan(row_of(0)->wall_seconds);
    files_remove_tree(scratch_path("run"));
    make("run", &(struct made){.two_modes = true,
                               .kernels = {{.slower = 0.025, .visits = 4},
                                           {.slower = 0.025, .visits = 10},
                                           {.visits = 1000}}});
    assert_double_near(screened().seconds, ((2.5 + 14 * (0.5 + 4)) + (2.5 + 14 * (0.5 + 10))) / 2,
                       1e-9);
    judge(NULL, false);
    assert_double_near(row_of(0)->wall_seconds, 3 + 4, 1e-9);
}

TEST_WITH(test_unconfirmed, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{0}, {.slower = 0.01, .spread = 0.02}, {0}}});
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_reason("1 undecided, 2 same of 3 rows; the policy lets 25 % of the rows be undecided; "
                  "the worst: 128x64x32");
    policy.undecided = 0.34;
    assert_string_equal(judge(NULL, false), "pass");
    assert_warning("1 of 3 rows are undecided, which the policy lets pass");
    assert_reason("1 undecided, 2 same of 3 rows; the worst that is undecided: 128x64x32 mine "
                  "(offline, device) takes ");
    assert_string_equal(status_of(1), "undecided");
    assert_true(strstr(row_of(1)->text, "confirmation"));
    assert_double_near(row_of(1)->p, 1, 0);
    assert_int_equal(gate.suspects, 1);
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_reason("; the policy lets no row be undecided; the worst: 128x64x32 mine (offline, "
                  "device) takes ");
    policy.on_merge = GATE_UNDECIDED_PASS;
    assert_string_equal(judge(NULL, false), "pass");
    assert_int_equal(warnings_with(""), 0);
}

/* What is slower from one end of its interval to the other is let pass by no policy. */
TEST_WITH(test_undecided_beyond, set_up, tear_down) {
    make("run", &one_near);
    policy.undecided = 1;
    policy.on_merge = GATE_UNDECIDED_PASS;
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_string_equal(status_of(1), "undecided");
    assert_reason("1 undecided, 2 same of 3 rows; 1 undecided row is slower than the margin allows "
                  "by the whole interval; the worst: 128x64x32 mine (offline, device) takes 2.5 % "
                  "more time than previous: the confirmation did not measure it again");
}

/* The first visits convict nobody, however slow: only fresh ones do. */
TEST_WITH(test_screening_only_clears, set_up, tear_down) {
    struct gate_suspects suspects;
    make("run", &one_slow);
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_string_equal(row_of(1)->status, "undecided");
    assert_true(!row_of(1)->confirmed && row_of(1)->visits == 4);
    assert_int_equal(gate.suspects, 1);
    struct gate_call call = a_call(NULL);
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 1);
    gate_suspects_free(&suspects);
    /* What was disturbed is cleared by nothing. */
    struct made disturbed = {.kernels = {{0}, {.disturbed = true}, {0}}};
    make("disturbed", &disturbed);
    call.run = scratch_path("disturbed");
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 1);
    gate_suspects_free(&suspects);
}

TEST_WITH(test_confirmed, set_up, tear_down) {
    make("run", &one_near);
    make("run/confirm",
         &(struct made){.kernels = {{.absent = true}, {.slower = 0.04}, {.absent = true}},
                        .visits = 22});
    assert_string_equal(judge(NULL, false), "regression");
    assert_reason(
        "1 slower, 2 same of 3 rows; the worst: 128x64x32 mine (offline, device) takes 4 %");
    const struct gate_row *row = row_at(0);
    assert_string_equal(row->status, "slower");
    assert_double_near(row->ratio, 1 / 1.04, 1e-4);
    assert_true(row->p > 0 && row->p < 1e-6);
    assert_double_near(row->ci_low, row->ratio, 0.01);
    assert_double_near(row->ci_high, row->ratio, 0.01);
    assert_double_near(row->seconds, 8.32e-6, 2e-8);
    assert_double_near(row->reference_seconds, 8e-6, 2e-8);
    assert_true(row->confirmed && row->visits == 22);
    assert_int_equal(count_of("slower"), 1);
    assert_int_equal(count_of("same"), 2);
}

/* What the screening says of a suspect is forgotten. */
TEST_WITH(test_acquitted, set_up, tear_down) {
    struct made confirm = confirming(0.005);
    make("run", &one_near);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, true), "pass");
    assert_string_equal(status_of(1), "same");
    assert_double_near(row_of(1)->ratio, 1 / 1.005, 1e-4);
    assert_true(row_of(1)->confirmed);
}

/* 2.5 % with a spread of 1 %: neither shown to be slower than 2 % nor shown not to be. */
TEST_WITH(test_undecided_after_confirmation, set_up, tear_down) {
    struct made confirm = confirming(0.025);
    confirm.kernels[1].spread = 0.01;
    make("run", &one_near);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_string_equal(status_of(1), "undecided");
    assert_true(row_of(1)->p > 0.01);
}

TEST_WITH(test_wrong, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{0}, {.slower = 0.05}, {.outcome = "inexact"}},
                               .controls_failed = true});
    assert_string_equal(judge(NULL, false), "wrong");
    assert_reason("1 of 3 kernels on shapes refused; the first: 256x256x64 mine: misses a product "
                  "that is known exactly: C[0]");
    assert_reason("; 1 wrong, 1 undecided, 1 same of 3 rows");
    assert_string_equal(row_at(0)->status, "wrong");
    assert_string_equal(row_at(0)->text, "misses a product that is known exactly: C[0][1] is 4");
    assert_string_equal(row_at(0)->source, "mine.cu");
    assert_int_equal(row_count(), 3);
    assert_double_near(gate.coverage, 2.0 / 3, 1e-12);
}

TEST_WITH(test_wrong_when_confirmed, set_up, tear_down) {
    struct made confirm = confirming(0);
    confirm.kernels[1].outcome = "replayed";
    make("run", &one_near);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "wrong");
    assert_string_equal(
        row_at(0)->text,
        "leaves a C that is not the product of that timed call's inputs: C[0][1] is 4");
    assert_int_equal(row_count(), 3);
}

/* A kernel that is no measure, as the confirmation shows, has not become slower against it. */
TEST_WITH(test_earlier_wrong_when_confirmed, set_up, tear_down) {
    struct made confirm = confirming(0);
    confirm.kernels[1].before = "inexact";
    make("run", &one_near);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "pass");
    assert_string_equal(row_of(1)->status, "added");
    assert_string_equal(row_of(1)->text, "the earlier kernel was refused: inexact: C[0][1] is 4");
}

TEST_WITH(test_missing, set_up, tear_down) {
    make("run", &(struct made){.removed = "64x32x16.mine"});
    assert_string_equal(judge(NULL, false), "regression");
    assert_reason(
        "1 missing, 3 same of 4 rows; the worst: 64x32x16 mine: the earlier set had this kernel");
    assert_string_equal(row_at(0)->status, "missing");
    assert_int_equal(row_at(0)->shape.k, 16);
}

/* A kernel for every shape that is gone is missing where nothing else serves the shape; elsewhere
 * it is not known what is lost. */
TEST_WITH(test_missing_everywhere, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{0}, {.outcome = "unsupported", .alone = true}, {0}},
                               .removed = "other"});
    policy.coverage = 0;
    assert_string_equal(judge(NULL, false), "regression");
    assert_reason("1 missing, 2 undecided, 2 same of 5 rows; the worst: 128x64x32 other: the "
                  "earlier set had this kernel");
    assert_int_equal(count_of("undecided"), KERNELS - 1);
    assert_string_equal(row_at(1)->candidate, "other");
    assert_string_equal(row_at(1)->text,
                        "the earlier set had this kernel; mine serves the shape, and nothing shows "
                        "whether it is as fast");
}

/* What the policy says of what is undecided holds of a kernel that is gone, too; it was not timed,
 * and is no row that a disturbed machine could have spared. */
TEST_WITH(test_gone, set_up, tear_down) {
    make("run", &(struct made){.removed = "other"});
    assert_string_equal(judge(NULL, false), "inconclusive"); /* else a new name would hide a loss */
    assert_reason("3 kernels are gone: nothing shows whether");
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_reason("the first: 64x64x64 other: the earlier set had this kernel; mine serves");
    make("disturbed",
         &(struct made){.kernels = {{.disturbed = true}, {0}, {0}}, .removed = "other"});
    judge_run("disturbed");
    assert_reason("the machine was disturbed while 1 of 3 rows were timed");
    /* The worst of them is one with a number. */
    make("noisy", &(struct made){.kernels = {{0}, {.spread = 0.1}, {0}}, .removed = "other"});
    judge_run("noisy");
    assert_reason("; the worst: 128x64x32 mine (offline, device) takes");
}

TEST_WITH(test_unsupported, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{.outcome = "unsupported", .alone = true}, {0}, {0}}});
    assert_string_equal(judge(NULL, false), "coverage");
    assert_int_equal(gate_verdict_exit(gate.verdict), 1);
    assert_string_equal(gate.reason,
                        "66.67 % of the shapes have an honest kernel where the policy's coverage "
                        "asks for 100 %: none for 64x64x64; 2 same of 2 rows");
    assert_int_equal(row_count(), 2);
    policy.coverage = 0.6;
    assert_string_equal(judge(NULL, false), "pass");
}

TEST_WITH(test_unsupported_any_more, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{.outcome = "unsupported"}, {0}, {0}}});
    policy.coverage = 0;
    assert_string_equal(judge(NULL, false), "regression");
    assert_string_equal(row_of(0)->status, "missing");
}

TEST_WITH(test_before_was_wrong, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{.before = "inexact"}, {0}, {0}}});
    assert_string_equal(judge(NULL, false), "pass");
    assert_string_equal(status_of(0), "added");
    assert_true(strstr(row_of(0)->text, "inexact"));
}

/* Who has named the earlier kernels is not asked for them. */
TEST_WITH(test_all_before_were_wrong, set_up, tear_down) {
    struct gate_call call = a_call(NULL);
    static const struct kernel mended = {.before = "inexact"};
    make("run", &(struct made){.kernels = {mended, mended, mended}});
    assert_string_equal(judge(NULL, false), "error");
    assert_string_equal(
        gate.reason,
        "there is nothing to compare with: every earlier kernel was refused; the first: 64x64x64 "
        "mine (offline, device): the earlier kernel was refused: inexact: C[0][1] is 4; name a "
        "library that must be beaten ([gate.must] of the policy), or let the checks alone decide "
        "(--absolute)");
    call.absolute = true;
    assert_string_equal(judge_as(&call), "pass");
    assert_reason("3 added of 3 rows; no kernel is refused, and no earlier kernel is "
                  "compared with");
}

TEST_WITH(test_lenses, set_up, tear_down) {
    make("run", &(struct made){.two_lenses = true});
    judge(NULL, false);
    assert_int_equal(row_count(), 3);
    assert_string_equal(row_at(0)->lens, "device");
    strcpy(policy.lens, "call");
    judge(NULL, false);
    assert_string_equal(row_at(0)->lens, "call");
    assert_int_equal(warnings_with(""), 0);
    strcpy(policy.lens, "stream");
    assert_refused("the policy judges the lens stream, by which");
    strcpy(policy.lens, "");
    strcpy(policy.mode, "server");
    assert_refused("the policy judges the mode server, and");
    strcpy(policy.mode, "offline");
    judge(NULL, false);
    assert_int_equal(row_count(), 3);
}
