/* Commands that read runs which are there already: what they print, what they refuse, and their
 * exit statuses. */

#include "tests/support/program.h"
#include "tests/support/store_run.h"
#include "tests/support/test.h"

static int make_runs(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    store_run_make(scratch_path("CARD-A"), &(struct store_run){.seed = 4, .card = "GPU-a"});
    store_run_make(scratch_path("CARD-B"),
                   &(struct store_run){.seed = 5, .slower = 0.02, .card = "GPU-b"});
    store_run_make(scratch_path("OLD"), &(struct store_run){.seed = 1});
    store_run_make(scratch_path("NEW"), &(struct store_run){.seed = 2});
    store_run_make(scratch_path("SLOW"), &(struct store_run){.seed = 3, .slower = 0.05});
    mkdir(scratch_path("set"), 0777);
    return program_shell(
        "cp -r OLD OTHER && sed -i 's/33554432/1/' OTHER/plan.json && rm OTHER/xxh128sums");
}

TEST(a_run_is_derived_again) {
    program_gives(0, "verify OLD", "2 units, 2 of them timed: 42 rows derived again from", "");
    program_refuses("verify set", "set/plan.json: cannot read");
    assert_int_equal(program_shell("cp -r OLD EDITED && "
                                   "sed -i '2s/\\.\\([0-9]\\)/.1\\1/' EDITED/ratios.csv"),
                     0);
    program_gives(2, "verify EDITED", "2 units, 2 of them timed: 42 rows derived again", "EDITED");
}

TEST(a_report_is_made) {
    if (program_shell("command -v gnuplot") != 0)
        skip();
    program_gives(0, "report OLD", "OLD/report/report.md\nOLD/report/report.html\ngemmgate report",
                  "");
    assert_int_equal(access(scratch_path("OLD/report/report.html"), F_OK), 0);
    program_refuses("report OLD --claims none", "none");
    program_refuses("report OLD --published none", "none");
}

TEST(runs_are_held_against_each_other) {
    program_gives(0, "agree OLD NEW", "How far runs agree\n", "");
    program_printed("OLD");
    program_printed("NEW");
    program_gives(0, "agree OLD NEW --json", "{\n \"title\": \"How far runs agree\"", "");
    program_refuses("agree OLD set", "set/plan.json");
    program_gives(4, "agree OLD OTHER", "", "OTHER");
}

#define IN_PAGE "cat CARD-A/report/report.md | grep -qF -e "

TEST(cards_stand_side_by_side) {
    program_gives(0, "agree CARD-A CARD-B", "How far runs agree\n", "");
    program_printed("Over the shapes that every run has\n");
    program_printed("1.225 (1.225 to 1.226)");
    program_gives(4, "agree CARD-A CARD-A", "", "CARD-A and CARD-A are one run");
    program_refuses("report CARD-A CARD-B", "CARD-B: one run is wanted; others of its plan stand");
    if (program_shell("command -v gnuplot") != 0)
        skip();
    program_gives(0, "report CARD-A", "CARD-A/report/report.md\n", "");
    assert_int_equal(program_shell(IN_PAGE "'for this one card (another may differ by more)'"), 0);
    scratch_put("CARD-A/command.json", "{\"words\": [\"run\"], \"folder\": \"/home\"}");
    program_gives(0, "report CARD-A --again CARD-B", "CARD-A/report/report.md\n", "");
    assert_int_equal(program_shell(IN_PAGE "'1.225 (1.225 to 1.226)'"), 0);
    assert_int_equal(program_shell(IN_PAGE "'report RUN --again CARD-B'"), 0);
}

#define KEPT " --store STORE"

TEST(a_store_keeps_runs) {
    program_refuses("baseline list" KEPT, "STORE: is no store");
    program_refuses("baseline promote set" KEPT, "set/plan.json");
    program_gives(0, "baseline promote OLD --name v1" KEPT, "promoted as v1 (fingerprint ", "");
    program_printed("): 2 shapes, 4 visits\n");
    program_refuses("baseline promote NEW" KEPT, "NEW: was not gated");
    program_gives(0, "baseline promote NEW --force tried" KEPT, "promoted as 2026-03-01T10-00-",
                  "it is promoted all the same: tried");
    program_gives(2, "baseline promote NEW --name v1 --force tried" KEPT, "",
                  "has an entry v1 already");
    program_gives(0, "baseline list" KEPT, "promoted  ", "");
    program_printed("  v1  ");
    program_gives(0, "baseline list --json" KEPT, "[\n  {\n    \"promoted\": \"2", "");
}

TEST(shapes_are_followed_over_a_store) {
    program_gives(0, "baseline promote OLD --store KEPT", "promoted as ", "");
    program_gives(0, "history --store KEPT", "History of a store\n\nVerdict\n\nChanges of level: 0",
                  "");
    program_gives(0, "history --store KEPT --baseline openblas-nn",
                  "History of a store\n\nVerdict\n\nChanges of level: 0", "");
    program_printed(" openblas-nn ");
    program_refuses("history --store KEPT --baseline none",
                    "no promoted run has anything against none");
}

#define COMPARED "Comparison of two releases\n"

/* What 1.05 times slower is depends on the margin. */
TEST(two_runs_are_compared) {
    program_gives(0, "compare OLD NEW", COMPARED, "");
    program_printed("through the baseline openblas-max");
    assert_int_equal(access(scratch_path("compare"), F_OK), -1);
    program_gives(0, "compare OLD NEW --baseline openblas-nn -o FOLDER", COMPARED, "");
    program_printed("through the baseline openblas-nn");
    assert_int_equal(access(scratch_path("FOLDER/compare.csv"), F_OK), 0);
    program_gives(0, "compare OLD SLOW -o SLOWER", COMPARED, "");
    assert_int_equal(program_shell("grep -q ^slower, SLOWER/compare.csv"), 0);
    program_gives(0, "compare OLD SLOW --margin 50 -o ALIKE", COMPARED, "");
    assert_int_equal(program_shell("grep -q ^slower, ALIKE/compare.csv"), 1);
    program_refuses("compare OLD NEW SLOW", "compare: too many arguments: SLOW");
    program_refuses("compare OLD set", "OLD is measured already and set is no run directory");
    program_refuses("compare OLD NEW --visits 3", "--visits: OLD is measured already");
    program_gives(4, "compare OLD OTHER", "", "OTHER");
    program_refuses("compare OLD NEW --weights weights.csv", "compare takes no --weights");
}

TEST(the_winners_are_named) {
    program_gives(0, "winners OLD SLOW -o WON", "Winners\n", "");
    assert_int_equal(program_shell("grep -q '{64, 64, 64, \"mine\", ' WON/winners.h"), 0);
    program_gives(0, "winners OLD --json", "[\n", "");
    program_gives(0, "winners SLOW --margin 30", "Winners\n", "");
    program_printed("On 0 of 2 shapes");
    program_refuses("winners OLD --lens stream", "by lens stream");
    program_refuses("winners OLD --lens call,device", "one mode and one lens are wanted");
    program_refuses("winners set", "set/plan.json");
    program_gives(4, "winners OLD OTHER", "", "OTHER");
}

TEST(what_cannot_be_compared_is_refused) {
    program_refuses("compare", "compare: two arguments are wanted, OLD and NEW");
    program_refuses("compare OLD", "OLD holds no earlier release");
    program_refuses("compare OLD none", "none: No such file or directory; a run directory is "
                                        "wanted, as OLD is");
    program_refuses("compare none OLD", "none: No such file or directory; a run directory is "
                                        "wanted, as OLD is");
    program_refuses("compare set OLD", "OLD is measured already and set is no run directory");
    program_refuses("compare OLD --baseline openblas-nn",
                    "--baseline openblas-nn: two runs are compared through a library");
    program_refuses("compare set set -o R --baseline openblas-nn",
                    "--baseline openblas-nn: two runs are compared through a library");
    program_refuses("compare OLD NEW --visits 3", "--visits: OLD is measured already");
    program_refuses("compare set set", "-o RUN is wanted");
}

TEST(what_cannot_be_gated_is_refused) {
    program_refuses("gate", "gate: the kernels to measure are wanted (--candidates NEW), or a "
                            "run to judge");
    program_refuses("gate NEW --candidates set", "gate: the kernels to measure are wanted");
    program_refuses("gate none", "none is no run directory: there is no none/plan.json");
    program_refuses("gate NEW --against set",
                    "--against set: neither a run directory nor a store; NEW is measured already");
    program_refuses("gate NEW --entry v1", "--entry v1: of which store?");
    program_refuses("gate NEW --against OLD --entry v1", "--entry v1: of which store?");
    program_refuses("gate NEW --policy none", "none: No such file or directory");
    scratch_put("findings.ini", "[gate]\n[findings]\nthread = reject\n");
    program_refuses("gate NEW --policy findings.ini",
                    "findings.ini:2: what is refused is fixed, and no policy changes it");
    scratch_put("margins.ini", "[gate]\nnonsense = 3\n");
    program_refuses("gate NEW --policy margins.ini", "margins.ini:2: ");
    program_refuses("gate NEW --seed 3", "--seed: NEW is measured already");
    program_gives(0, "baseline promote OLD --store GATED --name v1", "promoted as v1 ", "");
    program_refuses("gate NEW --against GATED --entry v9",
                    "--entry v9: GATED: no entry is called v9");
    assert_int_equal(access(scratch_path("NEW/gate"), F_OK), -1);
}

TEST(a_measured_run_is_gated) {
    const char *const told = "A ratio is the time of what a kernel is held against / its own";
    program_gives(2, "gate OLD", told, "");
    program_gives(2, "gate OLD --release", told, "");
    program_gives(0, "gate OLD --absolute", told, "");
    assert_int_equal(program_shell("$P gate OLD | grep -q '^error (exit status 2): there is "
                                   "nothing to compare with'"),
                     0);
    assert_int_equal(program_shell("$P gate OLD --absolute | grep -q '^pass (exit status 0): '"),
                     0);
    assert_int_equal(access(scratch_path("OLD/gate/summary.md"), F_OK), 0);
    assert_int_equal(program_shell("cp -r OLD DAMAGED && rm DAMAGED/manifest.json"), 0);
    program_gives(2, "gate DAMAGED",
                  "error (exit status 2): DAMAGED is not complete: ", "--resume");
}

TEST(published_ratios_become_a_run) {
    scratch_put("off.csv", "mnk,torch.matmul,cuBLAS-tn,cuBLAS-nn,cuBLAS-max,cuBLASLt-heuristic-tn,"
                           "cuBLASLt-heuristic-nn,cuBLASLt-heuristic-max,cuBLASLt-auto-tuning-tn,"
                           "cuBLASLt-auto-tuning-nn,cuBLASLt-auto-tuning-max\n"
                           "64_64_64,1.500,1.3,1.2,1.2,1.1,1.15,1.1,1.05,1.06,1.05\n");
    program_refuses("import cuda-l2 -o RUN", "--offline FILE or --server FILE is wanted");
    assert_int_equal(program_shell("$P import cuda-l2 --offline off.csv -o OFFLINE"), 0);
    assert_int_equal(program_shell("grep -q offline OFFLINE/ratios.csv"), 0);
    assert_int_equal(program_shell("$P import cuda-l2 --server off.csv -o SERVER"), 0);
    assert_int_equal(program_shell("grep -q server SERVER/ratios.csv"), 0);
}

TESTS_BETWEEN(make_runs, scratch_remove)
