/* Kernels of several runs beside their libraries. Ratios and intervals are those that scipy 1.17
 * computed: stats.ttest_1samp(x, 0) for a kernel, with confidence 1 - 0.05 / 3 where three kernels
 * share a shape; exp(-end) is taken. */
#include "reports/gate/winners.h"

#include <math.h>
#include <stdlib.h>

#include "reports/page/writers.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "timing/stats.h"

#define VISITS 4
static const double fast[] = {-0.10, -0.12, -0.09, -0.11}, close_[] = {-0.11, -0.09, -0.10, -0.13},
                    slow[] = {0.2, 0.22, 0.21, 0.19}, unsure[] = {-0.05, 0.03, -0.06, 0.02};

static struct gate_policy policy;
static struct pairs speeds[2];
static struct winners_run runs[2];
static struct winners winners;

/* The library takes as much longer than the strongest as `more` says, in ln. */
static void add(struct pairs *list_of, int64_t size, const char *candidate, const char *reference,
                double more, const double x[VISITS]) {
    struct pair *list = realloc(list_of->list, (list_of->count + 1) * sizeof *list);
    assert_non_null(list);
    list_of->list = list;
    struct pair *speed = &list[list_of->count++];
    *speed = (struct pair){.shape = {size, size, size},
                           .mode = "offline",
                           .lens = "device",
                           .cache = "warm",
                           .seconds = 1e-5 * exp(x[0]),
                           .reference_seconds = 1e-5 * exp(more),
                           .visits = VISITS};
    speed->candidate = candidate;
    speed->reference = reference;
    for (int i = 0; i < VISITS; i++)
        speed->x[i] = x[i] - more;
    speed->used = (struct spread){pow(stats_sd(speed->x, VISITS), 2), VISITS - 1};
}

static int set_up(void **state) {
    gate_policy_default(&policy);
    memset(speeds, 0, sizeof speeds);
    runs[0] = (struct winners_run){.name = "one", .speeds = &speeds[0]};
    runs[1] = (struct winners_run){.name = "two", .speeds = &speeds[1]};
    add(&speeds[0], 64, "fast", "cublas-nn", 0.05, fast);
    add(&speeds[0], 64, "fast", "cublas-tn", 0, fast);
    add(&speeds[0], 64, "fast", "cublas-max", -1, fast); /* which nobody can call */
    add(&speeds[0], 64, "fast", RUNDIR_PREVIOUS, -1, fast);
    add(&speeds[0], 64, "fast", "torch-matmul", -1, fast); /* which the other run lacks */
    add(&speeds[1], 64, "close", "cublas-nn", 0.05, close_);
    add(&speeds[1], 64, "close", "cublas-tn", 0, close_);
    add(&speeds[1], 64, "slow", "cublas-nn", 0.05, slow);
    add(&speeds[1], 64, "slow", "cublas-tn", 0, slow);
    add(&speeds[0], 128, "fast", "cublas-tn", 0, unsure);
    add(&speeds[0], 256, "fast", "cublas-tn", 0, fast);
    add(&speeds[1], 256, "close", "cublas-nn", 0, fast);
    return scratch_make(state);
}

static int tear_down(void **state) {
    winners_free(&winners);
    pairs_free(&speeds[0]);
    pairs_free(&speeds[1]);
    gate_policy_free(&policy);
    return scratch_remove(state);
}

static void make(void) {
    winners_find(runs, 2, "offline", "device", &policy, &winners);
}

static const char *winner(const struct winners_row *row) {
    return row->verdict == VERDICT_FASTER ? row->kernel : row->library;
}

static void near(double value, double wanted) {
    if (!(fabs(value - wanted) < 1e-9))
        fail_msg("%.12g instead of %.12g", value, wanted);
}

TEST_WITH(kernels_stand_by_their_ratio_to_the_strongest_common_library, set_up, tear_down) {
    make();
    assert_int_equal(winners.count, 2);
    assert_int_equal(winners.lone, 1); /* 256: the runs have no library in common */
    const struct winners_row *row = &winners.rows[0];
    assert_string_equal(row->library, "cublas-tn");
    near(row->library_seconds, 1e-5);
    assert_int_equal(row->run, 1);
    near(row->ratio.ratio, 1.1134908607465361);
    near(row->ratio.low, 1.068257048148383);
    near(row->ratio.high, 1.1606400342643397);
    assert_string_equal(winner(row), "close");
}

/* 1.015 (0.943 to 1.093) is not shown, and what is within the margin is no win. */
TEST_WITH(ties_go_to_the_library, set_up, tear_down) {
    make();
    const struct winners_row *row = &winners.rows[1];
    assert_string_equal(row->kernel, "fast");
    near(row->ratio.low, 0.9426432263682065); /* of one kernel: 95 % */
    assert_string_equal(winner(row), "cublas-tn");
    winners_free(&winners);
    for (size_t i = 0; i < policy.class_count; i++)
        policy.classes[i].margin = 0.01; /* of which it is outside */
    make();
    assert_string_equal(winner(&winners.rows[1]), "cublas-tn");
    winners_free(&winners);
    for (size_t i = 0; i < policy.class_count; i++)
        policy.classes[i].margin = 0.17; /* within which it is */
    make();
    assert_string_equal(winner(&winners.rows[0]), "cublas-tn");
}

/* They are counted, and the next one wins. */
TEST_WITH(unrecorded_kernels_are_left_out, set_up, tear_down) {
    char text[4096] = "";
    for (size_t i = 0; i < speeds[1].count; i++)
        speeds[1].list[i].unrecorded = strcmp(speeds[1].list[i].candidate, "close") == 0;
    make();
    assert_string_equal(winners.rows[0].kernel, "fast");
    assert_string_equal(winner(&winners.rows[0]), "fast");
    assert_int_equal(winners.unrecorded, 2); /* on two shapes */
    struct document *page = winners_page(&winners, runs, 0);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_int_equal(write_text(out, page), 0);
    fclose(out);
    document_free(page);
    assert_non_null(strstr(text, "Left out: 2 unrecorded kernels, a kernel on a shape being one."));
}

/* Of what was timed while the machine was disturbed nothing is shown: the next one wins. */
TEST_WITH(a_disturbed_kernel_does_not_win, set_up, tear_down) {
    for (size_t i = 0; i < speeds[1].count; i++)
        speeds[1].list[i].disturbed = 0.2;
    make();
    const struct winners_row *row = &winners.rows[0];
    assert_string_equal(row->kernel, "fast");
    near(row->ratio.ratio, 1.1107106103557052);
    assert_string_equal(winner(row), "fast");
}

/* Of one visit nothing is shown. */
TEST_WITH(one_visit_wins_nothing, set_up, tear_down) {
    for (size_t r = 0; r < 2; r++)
        for (size_t i = 0; i < speeds[r].count; i++)
            speeds[r].list[i].visits = 1;
    make();
    assert_true(isnan(winners.rows[0].ratio.low));
    assert_int_equal(winners.rows[0].verdict, VERDICT_UNDECIDED);
    assert_string_equal(winner(&winners.rows[0]), "cublas-tn");
}

TEST_WITH(a_mode_and_a_lens_are_chosen, set_up, tear_down) {
    winners_find(runs, 2, "server", "device", &policy, &winners);
    assert_int_equal(winners.count, 0);
    winners_free(&winners);
    winners_find(runs, 2, "offline", "call", &policy, &winners);
    assert_int_equal(winners.count, 0);
}

TEST_WITH(the_winners_are_a_table_and_a_header, set_up, tear_down) {
    char text[4096] = "", path[512];
    strcpy(runs[1].name, "t\"w\\o?");
    make();
    struct document *page = winners_page(&winners, runs, 0);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_int_equal(write_csv(out, page, "winners"), 0);
    fclose(out);
    document_free(page);
    /* The library takes 10 us: 1e-5 / 1.1134909, and 2 * 64^3 by that. */
    assert_non_null(strstr(text, "64,64,64,offline,device,close,kernel,\"t\"\"w\\o?\",8.98076"));
    assert_non_null(strstr(text, ",0.0583789"));
    assert_non_null(strstr(text, ",cublas-tn,close,1.1134"));
    assert_non_null(strstr(text, "128,128,128,offline,device,cublas-tn,library,,1e-05,0.4194304,"
                                 "cublas-tn,fast,"));
    snprintf(path, sizeof path, "%s", scratch_path("winners.h"));
    out = fopen(path, "w");
    assert_non_null(out);
    winners_write_header(out, &winners, runs);
    assert_int_equal(fclose(out), 0);
    scratch_put(
        "use.c",
        "#include <string.h>\n#include \"winners.h\"\n"
        "int main(void) {\n"
        "    const struct gemmgate_winner *w = gemmgate_find_winner(64, 64, 64);\n"
        "    if (!w || strcmp(w->name, \"close\") || strcmp(w->set, \"t\\\"w\\\\o\\?\") ||\n"
        "        w->ratio < 1.1134 || w->ratio > 1.1136)\n"
        "        return 1;\n"
        "    w = gemmgate_find_winner(128, 128, 128);\n"
        "    if (!w || strcmp(w->name, \"cublas-tn\") || *w->set)\n"
        "        return 2;\n"
        "    return gemmgate_find_winner(64, 128, 64) || gemmgate_find_winner(256, 1, 1);\n"
        "}\n");
    char command[1600];
    snprintf(command, sizeof command,
             "cc -std=c99 -Wall -Wextra -Werror -o '%s/use' '%s/use.c' && '%s/use'", scratch,
             scratch, scratch);
    assert_int_equal(system(command), 0);
}
