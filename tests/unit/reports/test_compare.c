/* Comparisons of made-up runs, and totals against ratios and intervals that a Python program computed
 * which follows suite_mean.h. */
#include "reports/gate/compare.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "reports/gate/gate_rows.h"
#include "tests/support/doubles.h"
#include "tests/support/made_runs.h"
#include "tests/support/test.h"
#include "timing/stats.h"

#define X(...) .visits = sizeof(double[]){__VA_ARGS__} / sizeof(double), .x = {__VA_ARGS__}

static struct pair a_pair(int64_t size, const char *mode, struct pair pair) {
    pair.shape = (struct shape){size, size, size};
    pair.mode = mode;
    pair.candidate = "mine";
    pair.reference = "lib";
    pair.lens = "device";
    for (size_t i = 0; i < pair.visits; i++)
        pair.visit[i] = (unsigned char)i;
    pair.used = (struct spread){pow(stats_sd(pair.x, pair.visits), 2), (double)pair.visits - 1};
    return pair;
}

/* A row that rests on the pairs. */
static void add_pair(const struct pair *now, const struct pair *before, const char *status) {
    const bool small = now->shape.m < 32;
    char size[12];
    snprintf(size, sizeof size, "%d", (int)now->shape.m);
    query_next(query_ask(
        gate.db,
        "INSERT INTO gate_rows (m, n, k, candidate, mode, lens, class, class_place, link, "
        "status) VALUES (?1, ?1, ?1, 'mine', ?2, 'device', ?3, ?3 = 'large', 'lib', ?4)",
        size, now->mode, small ? "small" : "large", status, NULL));
    pairs_add(&gate.run.speeds, now);
    if (before)
        pairs_add(&gate.base.run.speeds, before);
}

static void add_lines(void) {
    query_run(gate.db, "CREATE TABLE asked AS SELECT 0 AS other_card");
    query_add_pairs(gate.db, "run", &gate.run.speeds);
    query_add_pairs(gate.db, "base", &gate.base.run.speeds);
    gate_rows_sum(&gate);
}

TEST(test_verdicts) {
    static const struct {
        double low, high;
        enum verdict verdict;
    } cases[] = {
        {0.99, 1.01, VERDICT_SAME},
        {1.001, 1.019, VERDICT_SAME},
        {0.981, 0.999, VERDICT_SAME},
        {1.001, 1.02, VERDICT_FASTER},
        {1.5, 1.6, VERDICT_FASTER},
        {0.98, 0.999, VERDICT_SLOWER},
        {0.5, 0.6, VERDICT_SLOWER},
        {0.98, 1.01, VERDICT_UNDECIDED},
        {0.99, 1.03, VERDICT_UNDECIDED},
        {NAN, NAN, VERDICT_UNDECIDED},
        {1, 1, VERDICT_SAME},
        {0.9803, 1, VERDICT_UNDECIDED},
    };
    /* 1 / 1.02 = 0.98039...: slower by 2 % is the same distance as faster by 2 %. */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(verdict_of(cases[i].low, cases[i].high, 0.02), cases[i].verdict);
}

/* scipy 1.17: stats.ttest_1samp(x, 0), and of two runs stats.ttest_ind(new, old, equal_var=False);
 * .confidence_interval(0.95), of which exp(-end) is taken. */
TEST(test_estimates) {
    const struct pair paired =
        a_pair(16, "offline", (struct pair){X(0.050, 0.043, 0.061, 0.047, 0.055)});
    const struct pair old = a_pair(64, "offline",
                                   (struct pair){X(0.25, 0.21, 0.29, 0.20, 0.27, 0.24, 0.26)}),
                      new_ = a_pair(64, "offline", (struct pair){X(0.31, 0.35, 0.30, 0.34)}),
                      one = a_pair(66, "offline", (struct pair){X(0.1)});
    struct estimate is = estimate_over(&paired, NULL);
    assert_double_near(is.ratio, 0.9500886338026269, 1e-12);
    assert_double_near(is.low, 0.9418498914730595, 1e-10);
    assert_double_near(is.high, 0.9583994437469888, 1e-10);
    /* 8.096 degrees of freedom; a pooled variance would give 0.8858 to 0.9633. */
    is = estimate_over(&new_, &old);
    assert_double_near(is.ratio, 0.9237759507504261, 1e-12);
    assert_double_near(is.low, 0.8883580628342452, 1e-10);
    assert_double_near(is.high, 0.9606059120601222, 1e-10);
    /* One visit on either side is too few for Welch. */
    is = estimate_over(&new_, &one);
    assert_true(isfinite(is.ratio) && isnan(is.low) && isnan(is.high));
}

/* Visits in which one shape is slow and the other quick: who mixes them up sees more spread. The
 * second has a visit more. */
TEST_WITH(test_totals, set_up, tear_down) {
    const struct pair list[] = {
        a_pair(16, "offline", (struct pair){.left_out = 1, X(0.05, -0.03, 0.04, -0.02)}),
        a_pair(16, "server", (struct pair){X(0.5)}),
        a_pair(17, "server", (struct pair){X(0.1, 0.1)}),
        a_pair(64, "offline", (struct pair){X(-0.04, 0.05, -0.02, 0.03, 0.5)})};
    static const struct {
        const char *mode, *size_class;
        size_t rows, left_out;
        double ratio, low, high;
    } expected[] = {
        {"offline", "all", 2, 1, 0.9445940693665233, 0.7331280890553502, 1.217056022273134},
        {"offline", "small", 1, 1, 0.990049833749168, 0.9277792856889885, 1.0564998469208537},
        {"offline", "large", 1, 0, 0.9012252974212047, 0.6821134877897809, 1.190721267429697},
        {"server", "all", 2, 0, 0.7408182206817179, NAN, NAN}, /* exp(-(0.5 + 0.1) / 2) */
        {"server", "small", 2, 0, 0.7408182206817179, NAN, NAN},
    };
    gate_open(&gate);
    for (size_t i = 0; i < 4; i++)
        add_pair(&list[i], NULL, i == 2 ? "slower" : "undecided");
    query_run(
        gate.db,
        "INSERT INTO gate_rows (m, n, k, candidate, mode, lens, class, status) "
        "VALUES (16, 16, 16, 'alone', 'offline', 'device', 'small', 'added')"); /* and is in none */
    add_lines();
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(text_of_line(i, "mode"), expected[i].mode);
        assert_string_equal(text_of_line(i, "class"), expected[i].size_class);
        assert_double_near(of_line(i, "shapes"), (double)expected[i].rows, 0);
        assert_double_near(of_line(i, "left_out"), (double)expected[i].left_out, 0);
        assert_double_near(of_line(i, "geomean"), expected[i].ratio, 1e-12);
        const double low = of_line(i, "low"), high = of_line(i, "high");
        assert_int_equal(isnan(low), isnan(expected[i].low));
        if (isnan(expected[i].low))
            continue;
        assert_double_near(low, expected[i].low, 1e-10);
        assert_double_near(high, expected[i].high, 1e-10);
    }
    assert_double_near(of_line(0, "undecided"), 2, 0);
    assert_double_near(of_line(3, "slower"), 1, 0);
    assert_double_near(of_line(3, "undecided"), 1, 0);
}

/* Two runs: the spread of the old visits counts for the whole too. */
TEST_WITH(test_crossed_totals, set_up, tear_down) {
    const struct pair old[] = {a_pair(
                                   64, "offline",
                                   (struct pair){.left_out = 1, X(0.25, 0.21, 0.29, 0.20, 0.27)}),
                               a_pair(65, "offline", (struct pair){X(-0.10, -0.12, -0.08, -0.09)})},
                      now[] = {a_pair(64, "offline", (struct pair){X(0.31, 0.35, 0.30, 0.34)}),
                               a_pair(65, "offline",
                                      (struct pair){X(-0.11, -0.14, -0.12, -0.15, -0.13)})};
    gate_open(&gate);
    for (size_t i = 0; i < 2; i++)
        add_pair(&now[i], &old[i], "same");
    gate.base.stored = true;
    add_lines();
    assert_double_near(of_line(0, "shapes"), 2, 0);
    assert_double_near(of_line(0, "left_out"), 1, 0); /* of the old visits */
    assert_double_near(of_line(0, "geomean"), 0.9760416688368561, 1e-12);
    assert_double_near(of_line(0, "low"), 0.9444317741582214, 1e-10);
    assert_double_near(of_line(0, "high"), 1.008709538764666, 1e-10);
}

/* Fails unless the texts stand one after another. */
static void assert_in_order(const char *text, const char *const *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(text, parts[i]);
        if (!found)
            fail_msg("lacks \"%s\" from here on: %s", parts[i], text);
        text = found + strlen(parts[i]);
    }
}

static int compared(const char *run, const char *old, const char *baseline) {
    char paths[3][512];
    const char *const names[] = {run, old ? old : "", "compared"};
    for (size_t i = 0; i < 3; i++)
        snprintf(paths[i], sizeof paths[i], "%s", scratch_path(names[i]));
    const struct compare_call call = {.run = paths[0],
                                      .old = old ? paths[1] : NULL,
                                      .baseline = baseline,
                                      .policy = &policy,
                                      .folder = paths[2]};
    return compare_make(&call);
}

/* Every lens has rows; nothing is measured again, and a ratio outside of the margin is a verdict. */
TEST_WITH(test_paired, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{.slower = 0.05}, {.slower = -0.1}, {.alone = true}},
                               .two_lenses = true,
                               .removed = "other"});
    stderr_catch();
    const int status = compared("run", NULL, NULL);
    stderr_says("of the new release 3 of 3 kernels on shapes passed; 3 gone: 64x64x64 other, "
                "128x64x32 other, 256x256x64 other; 1 added: 256x256x64 mine");
    assert_int_equal(status, EXIT_PASS);
    const char *const rows[] = {"status,m,n,k,candidate,source,mode,lens,unrecorded,reference,"
                                "size_class,ratio,ci_low,ci_high,reference_seconds,seconds,margin,",
                                "\nslower,64,64,64,mine,mine.cu,offline,call,0,previous,small,0.95",
                                "\nslower,64,64,64,mine,mine.cu,offline,device,0,previous,small,",
                                ",interval,",
                                "\nmissing,64,64,64,other,,,,0,,small,,",
                                "\nadded,256,256,64,mine,mine.cu,offline,device,0,,small,,",
                                "\nfaster,128,64,32,mine,mine.cu,offline,device,0,previous,small,"};
    assert_in_order(scratch_read(scratch_path("compared/compare.csv")), rows,
                    sizeof rows / sizeof *rows);
    const char *const page[] = {
        "# Comparison of two releases\n",
        "**Not all is compared**: of the new release",
        "**The new release has 1.029 times the speed of the old one** by `device`, offline (95 % ",
        "): of 2 rows 1 are faster, 1 slower, 0 the same, 0 undecided.",
        "time of the old release / the time of the new one: **above 1 the new one is faster**",
        "arms of the same blocks",
        "### What needs a look",
        "| slower | 64x64x64 | `mine` | `takes 5 % more time than previous` |",
        "| missing | 64x64x64 | `other` | `the earlier set had this kernel` |",
        "### Largest improvements",
        "| faster | 128x64x32 |",
        "Statistics of all",
        "### The whole set",
        "| device | all | 2 | 1.02",
        "Student's t over the visits"};
    assert_in_order(scratch_read(scratch_path("compared/compare.md")), page,
                    sizeof page / sizeof *page);
    /* A picture says more than the rows. */
    const char *const pictured[] = {"times the speed of the old one", "<figure",
                                    "What needs a look"};
    if (system("gnuplot --version > /dev/null 2>&1") == 0)
        assert_in_order(strstr(scratch_read(scratch_path("compared/compare.html")), "<main>"),
                        pictured, 3);
    assert_null(strstr(scratch_read(scratch_path("compared/compare.md")), "confirm"));
    assert_null(strstr(scratch_read(scratch_path("compared/compare.md")), "nan"));
}

/* One run has its pages beside it, and their paths are printed last. */
TEST_WITH(test_pages_of_one_run, set_up, tear_down) {
    char run[512];
    make("run", &(struct made){.kernels = {{.slower = 0.05}, {0}, {0}}});
    snprintf(run, sizeof run, "%s", scratch_path("run"));
    const struct compare_call call = {.run = run, .policy = &policy};
    assert_int_equal(compare_make(&call), EXIT_PASS);
    assert_non_null(strstr(scratch_read(scratch_path("run/compare/compare.csv")), "\nslower,64,"));
    assert_non_null(strstr(scratch_read(scratch_path("run/compare/compare.md")), "| old | `"));
}

/* Of two runs a number is of an unrecorded kernel as soon as it is in one of them. */
TEST_WITH(test_crossed, set_up, tear_down) {
    make("old", &(struct made){.kernels = {{.outcome = "unrecorded"}, {.outcome = "inexact"}, {0}},
                               .two_lenses = true,
                               .set = "was",
                               .label = "was",
                               .no_before = true});
    make("run", &(struct made){.kernels = {{0}, {0}, {.slower = 0.05}},
                               .two_lenses = true,
                               .set = "is",
                               .label = "is",
                               .no_before = true});
    stderr_catch();
    const int renamed = compared("run", "old", "cublas-tn");
    stderr_says("1 earlier refused: 128x64x32 is");
    assert_int_equal(renamed, EXIT_PASS);
    const char *const rows[] = {"\nslower,256,256,64,is,mine.cu,offline,device,0,\"old, by "
                                "cublas-tn\",small,0.95",
                                "\nadded,128,64,32,is,", "the earlier kernel was refused: inexact",
                                "\nsame,64,64,64,is,mine.cu,offline,call,1,\"old, by cublas-tn"};
    assert_in_order(scratch_read(scratch_path("compared/compare.csv")), rows,
                    sizeof rows / sizeof *rows);
    const char *const page[] = {"1 are of *unrecorded* kernels.", "**two runs**",
                                "through the baseline `cublas-tn`", "Welch's t"};
    assert_in_order(scratch_read(scratch_path("compared/compare.md")), page,
                    sizeof page / sizeof *page);
    stderr_catch();
    const int unknown = compared("run", "old", "torch-matmul");
    stderr_says("--baseline torch-matmul: ");
    assert_int_equal(unknown, EXIT_TROUBLE);
}

TEST_WITH(test_other_shapes, set_up, tear_down) {
    make("old", &(struct made){.no_before = true});
    make("run",
         &(struct made){.kernels = {{0}, {.absent = true}, {.absent = true}}, .no_before = true});
    assert_int_equal(compared("run", "old", NULL), EXIT_PASS);
    assert_non_null(strstr(scratch_read(scratch_path("compared/compare.md")),
                           "Not compared: 2 kernels of the old run on shapes that the new run"));
    stderr_catch();
    const int status = compared("old", "run", NULL);
    stderr_says("2 added: 128x64x32 mine, 256x256x64 mine");
    assert_int_equal(status, EXIT_PASS);
    make("apart", &(struct made){.no_before = true, .gpu = "A100"});
    stderr_catch();
    const int apart = compared("apart", "old", NULL);
    stderr_says("cannot be compared: gpu.name");
    assert_int_equal(apart, EXIT_NOT_COMPARABLE);
}

/* Nothing follows from times of a disturbed machine, whichever of two runs it disturbed. */
TEST_WITH(test_disturbed, set_up, tear_down) {
    make("old", &(struct made){.kernels = {{.disturbed = true}, {0}, {0}}, .no_before = true});
    make("run", &(struct made){.kernels = {{0}, {.disturbed = true}, {0}}, .no_before = true});
    assert_int_equal(compared("run", "old", NULL), EXIT_PASS);
    const char *const rows[] = {"\nenvironment,64,64,64,", "25 % of its blocks were disturbed\n",
                                "environment,128,64,32,", "25 % of its blocks were disturbed\n",
                                "same,256,256,64,"};
    assert_in_order(scratch_read(scratch_path("compared/compare.csv")), rows,
                    sizeof rows / sizeof *rows);
    assert_non_null(
        strstr(scratch_read(scratch_path("compared/compare.md")),
               "1 the same, 0 undecided. The machine was disturbed while 2 were timed"));
}
