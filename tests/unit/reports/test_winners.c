/* Kernels of several runs beside their libraries. Ratios and intervals are those that scipy 1.17
 * computed: stats.ttest_1samp(x, 0) for a kernel, with confidence 1 - 0.05 / 3 where three kernels
 * share a shape; exp(-end) is taken. */
#include "reports/gate/gate_rows.h"
#include "reports/gate/winners.h"

#include <math.h>
#include <stdlib.h>

#include "assets.h"
#include "reports/page/writers.h"
#include "reports/tables/runs.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "timing/stats.h"

#define VISITS 4
static const double fast[] = {-0.10, -0.12, -0.09, -0.11}, close_[] = {-0.11, -0.09, -0.10, -0.13},
                    slow[] = {0.2, 0.22, 0.21, 0.19}, unsure[] = {-0.05, 0.03, -0.06, 0.02};

static struct gate_policy policy;
static struct pairs speeds[2];
static const char *sets[] = {"one", "two"};
static sqlite3 *db;
static sqlite3_stmt *row; /* of winner_rows.sql */

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
    sets[1] = "two";
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

static void let_go(void) {
    sqlite3_finalize(row);
    sqlite3_close(db);
    row = NULL;
    db = NULL;
}

static int tear_down(void **state) {
    let_go();
    pairs_free(&speeds[0]);
    pairs_free(&speeds[1]);
    gate_policy_free(&policy);
    return scratch_remove(state);
}

static void next(void) {
    assert_true(query_next(row));
}

/* Whether there are winners; the first is `row`. */
static bool make_by(const char *mode, const char *lens) {
    let_go();
    db = query_open();
    gate_load_policy(db, &policy);
    for (size_t i = 0; i < 2; i++)
        query_add_pairs(db, sets[i], &speeds[i]);
    winners_choose(db, mode, lens);
    row = query_ask(db, query_winner_rows, NULL);
    const bool any = query_next(row);
    row = any ? row : NULL;
    return any;
}

static void make(void) {
    assert_true(make_by("", ""));
}

static void is(const char *column, const char *wanted) {
    assert_string_equal(query_text(row, column), wanted);
}

static double number(const char *column) {
    return query_number(row, column);
}

/* The page, as text or CSV. */
static const char *shown(bool csv) {
    static char text[4096];
    struct document *page = document_new("");
    runs_add(db, "a", &(struct rundir){0}, NULL);
    query_fill(page, db, "", assets_winners_md);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_int_equal(csv ? write_csv(out, page, "winners") : write_text(out, page), 0);
    fclose(out);
    document_free(page);
    return text;
}

static void near(double value, double wanted) {
    if (!(fabs(value - wanted) < 1e-9))
        fail_msg("%.12g instead of %.12g", value, wanted);
}

TEST_WITH(kernels_stand_by_their_ratio_to_the_strongest_common_library, set_up, tear_down) {
    make();
    is("library", "cublas-tn");
    near(number("library_seconds"), 1e-5);
    near(number("ratio"), 1.1134908607465361);
    near(number("ratio_low"), 1.068257048148383);
    near(number("ratio_high"), 1.1606400342643397);
    is("winner", "close");
    is("set", "two");
    next();
    assert_false(query_next(row)); /* 256: the runs have no library in common */
    row = NULL;
    assert_non_null(strstr(shown(false), "On 1 shapes the runs have no library in common"));
}

/* 1.015 (0.943 to 1.093) is not shown, and what is within the margin is no win. */
TEST_WITH(ties_go_to_the_library, set_up, tear_down) {
    make();
    next();
    is("kernel", "fast");
    near(number("ratio_low"), 0.9426432263682065); /* of one kernel: 95 % */
    is("winner", "cublas-tn");
    for (size_t i = 0; i < policy.class_count; i++)
        policy.classes[i].margin = 0.01; /* of which it is outside */
    make();
    next();
    is("winner", "cublas-tn");
    for (size_t i = 0; i < policy.class_count; i++)
        policy.classes[i].margin = 0.17; /* within which it is */
    make();
    is("winner", "cublas-tn");
}

TEST_WITH(the_winners_are_a_table_and_a_header, set_up, tear_down) {
    char path[512];
    sets[1] = "t\"w\\o?";
    make();
    const char *text = shown(true);
    /* The library takes 10 us: 1e-5 / 1.1134909, and 2 * 64^3 by that. */
    assert_non_null(strstr(text, "64,64,64,offline,device,close,kernel,\"t\"\"w\\o?\",8.98076"));
    assert_non_null(strstr(text, ",0.0583789"));
    assert_non_null(strstr(text, ",cublas-tn,close,1.1134"));
    assert_non_null(strstr(text, "128,128,128,offline,device,cublas-tn,library,,1e-05,0.4194304,"
                                 "cublas-tn,fast,"));
    snprintf(path, sizeof path, "%s", scratch_path("winners.h"));
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    winners_write_header(out, db);
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
