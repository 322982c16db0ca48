/* Two sets of kernels beside each other, on the host: a gate and a comparison that measure. No time
 * that they measure matters here. */

#include "bench/base/jsonfile.h"
#include "tests/support/program.h"
#include "tests/support/test.h"

static int make_sets(void **state) {
    return scratch_make(state) < 0
               ? -1
               : program_shell("mkdir set broken && "
                               "cp " SOURCE "/candidates/examples/host/half.h set && "
                               "cp " SOURCE "/candidates/examples/host/blocked.c set/kernel.c && "
                               "echo no C >broken/a.c");
}

#define LITTLE                                                                                     \
    " --device host --shapes 16x16x16 --baselines openblas-nn --warmup 0 --duration 0.01 --seed "  \
    "7 "
#define GATE "gate --device host --shapes 16x16x16 --seed 7 --candidates broken "

/* The plan in a run directory has these members. */
static void plans(const char *run, double warmup_seconds, int visits, const char *precise_ratios,
                  const char *precise_lens) {
    json_t *plan = jsonfile_read(scratch_path(run), "plan.json", "a run directory");
    assert_non_null(plan);
    const double warmup = json_number_value(json_object_get(plan, "warmup_seconds"));
    assert_true(warmup == warmup_seconds);
    assert_int_equal(json_integer_value(json_object_get(plan, "visits")), visits);
    assert_string_equal(jsonfile_text(plan, "precise_ratios"), precise_ratios);
    const json_t *lens = json_array_get(json_object_get(plan, "precise_lenses"), 0);
    assert_string_equal(lens ? json_string_value(lens) : "", precise_lens);
    json_decref(plan);
}

/* Kernels that do not compile are judged without being timed. */
TEST(a_gate_times_what_it_judges) {
    scratch_put("call.ini", "[gate]\nlens = call\n");
    scratch_put("beat.ini", "[gate]\nlens = call\n[gate.must]\nopenblas-max = all\n");
    program_gives(6, GATE "--against set -o BESIDE", NULL, "1 unit in ");
    program_printed("\nwrong ");
    plans("BESIDE", 0.5, 8, "previous", "");
    program_gives(6, GATE "--against set --policy call.ini --warmup 3 --visits 2 -o CALL", NULL,
                  "1 unit in ");
    program_printed("\nwrong ");
    plans("CALL", 3, 2, "previous", "call");
    program_gives(6, GATE "--against set --policy beat.ini -o BEAT", NULL, "1 unit in ");
    program_printed("\nwrong ");
    plans("BEAT", 2, 8, "all", "call");
    program_gives(6, GATE "--absolute -o ALONE", NULL, "1 unit in ");
    program_printed("\nwrong ");
    plans("ALONE", 2, 8, "all", "call");
}

/* What was there before keeps its verdict, unless it was to be gone on with. */
TEST(a_gate_of_another_run_is_left_alone) {
    program_gives(6, GATE "--absolute -o GATE", NULL, "1 unit in ");
    program_printed("\nwrong ");
    assert_int_equal(program_shell("rm -r GATE/gate"), 0);
    program_refuses(GATE "--absolute -o GATE", "GATE");
    assert_int_equal(access(scratch_path("GATE/gate"), F_OK), -1);
    program_gives(6, GATE "--absolute -o GATE --resume", "A ratio is", "resuming");
    assert_int_equal(access(scratch_path("GATE/gate/summary.md"), F_OK), 0);
    program_gives(2, GATE "--absolute -o GATE --resume --visits 3", "", "visits");
    program_gives(77, GATE "--absolute -o NONE --baselines all --device cuda:99", "", "cuda");
    program_refuses(GATE "--absolute", "-o RUN is wanted");
    program_refuses(GATE "--absolute --visits 1 -o NONE", "--visits 1: one process does not show");
    program_refuses(GATE "--shard 1/2 -o NONE", "there is nothing to compare with");
    assert_int_equal(access(scratch_path("NONE"), F_OK), -1);
}

TEST(two_folders_are_measured_and_compared) {
    program_gives(0, "compare set set" LITTLE "-o COMPARED", "Comparison of two releases\n",
                  "1 unit in ");
    plans("COMPARED", 0, 4, "all", "call");
    assert_int_equal(access(scratch_path("COMPARED/ratios.csv"), F_OK), 0);
    program_gives(0, "compare COMPARED", "Comparison of two releases\n", "");
    program_refuses("compare set none" LITTLE "-o NONE", "none");
    program_refuses("compare none set" LITTLE "-o NONE", "none");
}

TESTS_BETWEEN(make_sets, scratch_remove)
