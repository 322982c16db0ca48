/* Chains of steps: what a file says, and levels and changes against numbers worked out by hand. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/factors/factors.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "timing/stats.h"
#include "timing/tails.h"

#define DEFAULTS                                                                                   \
    "[defaults]\ntitle = t\nmode = offline\nlibrary = cublas-max\nmean = paper\nrefused = omit\n"
#define STEP "[a]\nsays = one\nrun = A\nlens = call\n"
#define CHAIN DEFAULTS STEP /* ten lines */

static const char *put(const char *text) {
    static char path[128];
    snprintf(path, sizeof path, "%s", scratch_path("steps.ini"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

TEST(a_file_says_steps) {
    struct factors_chain chain;
    assert_int_equal(
        factors_file_read(put(CHAIN "[b]\nsays = two\nrun = /runs/B\nlens = device\n"
                                    "library = torch-matmul\nmean = geometric\nrefused = one\n"),
                          &chain),
        0);
    assert_int_equal(chain.count, 2);
    assert_string_equal(chain.title, "t");
    assert_string_equal(chain.steps[0].name, "a");
    assert_string_equal(chain.steps[0].says, "one");
    assert_string_equal(chain.steps[0].run, scratch_path("A")); /* from the file's folder */
    assert_string_equal(chain.steps[0].mode, "offline");
    assert_string_equal(chain.steps[0].library, "cublas-max");
    assert_int_equal(chain.steps[0].mean, FACTORS_PAPER);
    assert_int_equal(chain.steps[0].refused, FACTORS_OMIT);
    assert_string_equal(chain.steps[1].run, "/runs/B");
    assert_string_equal(chain.steps[1].lens, "device");
    assert_string_equal(chain.steps[1].library, "torch-matmul");
    assert_int_equal(chain.steps[1].mean, FACTORS_GEOMETRIC);
    assert_int_equal(chain.steps[1].refused, FACTORS_ONE);
    factors_chain_free(&chain);
}

TEST(a_broken_file_is_refused_by_its_line) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {CHAIN, "steps.ini: has 1 step; a step is a [section], and two or more are wanted"},
        {"", "steps.ini: has 0 steps"},
        {"[a]\nsays = x\n[b]\n", "steps.ini:1: [a] has no run"},
        {CHAIN "[b]\nrun = B\nsays = x\n", "steps.ini:11: [b] has no lens"},
        {CHAIN "[a]\n", "steps.ini:11: [a] is there already"},
        {CHAIN "[defaults]\n", "steps.ini:11: [defaults] is said once"},
        {CHAIN "title = t\n", "steps.ini:11: the title is the chain's"},
        {CHAIN "lens = call\n", "steps.ini:11: lens is said already"},
        {CHAIN "colour = red\n", "steps.ini:11: 'colour' is not a key"},
        {CHAIN "[b]\nlens = wall\n", "steps.ini:12: 'wall' is not call, device, stream or wait"},
        {CHAIN "[b]\nmean = median\n", "steps.ini:12: 'median' is not paper or geometric"},
        {CHAIN "[b]\nrefused = no\n", "steps.ini:12: 'no' is not omit, one or count"},
        {CHAIN "[b]\nlibrary = x\n", "steps.ini:12: 'x' is not previous, torch-matmul"},
        {CHAIN "[b c]\n", "steps.ini:11: 'b c' is no name"},
        {"says = x\n", "steps.ini:1: "},
    };
    struct factors_chain chain;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_says(factors_file_read(put(bad[i].text), &chain), -1, bad[i].says);
        assert_null(chain.steps);
    }
}

enum { SHAPES = 4, VISITS = 4 };

/* ln ratio of each shape and visit; the rows of shapes come in no order. */
static void add_run(struct rows *rows, double x[SHAPES][VISITS], size_t shapes, size_t visits) {
    for (size_t i = shapes; i-- > 0;) {
        struct ratio_row row = {.shape = {(int64_t)i + 1, 64, 64},
                                .candidate = "mine",
                                .baseline = "cublas-max",
                                .mode = "offline",
                                .lens = "call"};
        struct visit_row visit = {.shape = row.shape,
                                  .candidate = "mine",
                                  .baseline = "cublas-max",
                                  .mode = "offline",
                                  .lens = "call"};
        double sum = 0;
        for (size_t r = 0; r < visits; r++) {
            sum += x[i][r];
            visit.visit = (double)r;
            visit.ratio = exp(x[i][r]);
            visit.speedup = exp(x[i][r]) - 1;
            rows_add_visit(rows, &visit);
        }
        const double half = tails_student_quantile(0.975, 3) * stats_sd(x[i], visits) / 2;
        row.ratio = exp(sum / (double)visits);
        row.visits = (double)visits;
        row.freedom = (double)visits - 1;
        row.ci_low = visits > 1 ? row.ratio * exp(-half) : NAN;
        row.ci_high = visits > 1 ? row.ratio * exp(half) : NAN;
        row.speedup = row.ratio - 1;
        rows_add_ratio(rows, &row);
    }
}

static void refuse(struct rows *rows, int64_t m, const char *outcome) {
    struct check_row row = {.shape = {m, 64, 64}, .candidate = "mine", .kernel = "mine"};
    snprintf(row.outcome, sizeof row.outcome, "%s", outcome);
    rows_add_check(rows, &row);
}

static struct factors_step step_of(const char *name, int mean, int refused) {
    struct factors_step step = {
        .run = "RUN", .mode = "offline", .lens = "call", .library = "cublas-max", .mean = mean};
    snprintf(step.name, sizeof step.name, "%s", name);
    step.refused = refused;
    return step;
}

/* What the chain says of the rows, whatever was found before. */
static int make(struct factors_chain *chain, const struct rows *rows) {
    chain->shapes = chain->refused = 0;
    for (size_t s = 0; s < chain->count; s++)
        chain->steps[s].shapes = chain->steps[s].alone = 0;
    return factors_make(chain, rows);
}

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* The second run is the first times 0.9 in every visit: levels scatter, and the change does not. */
TEST(changes_are_paired_by_shape_and_visit) {
    double x[SHAPES][VISITS] = {{0.1, 0.14, 0.12, 0.08},
                                {-0.2, -0.15, -0.17, -0.21},
                                {0.3, 0.33, 0.31, 0.29},
                                {0, 0.05, 0.02, -0.03}};
    double y[SHAPES][VISITS], sum = 0;
    struct factors_step steps[] = {step_of("a", FACTORS_GEOMETRIC, FACTORS_OMIT),
                                   step_of("b", FACTORS_GEOMETRIC, FACTORS_OMIT)};
    struct factors_chain chain = {.steps = steps, .count = 2};
    struct rows rows[2] = {{0}};
    for (int i = 0; i < SHAPES; i++)
        for (int r = 0; r < VISITS; r++) {
            y[i][r] = x[i][r] + log(0.9);
            sum += x[i][r];
        }
    add_run(&rows[0], x, SHAPES, VISITS);
    add_run(&rows[1], y, SHAPES, VISITS);
    assert_int_equal(make(&chain, rows), 0);
    const struct factors_step *a = steps, *b = a + 1;
    assert_true(chain.shapes == SHAPES && chain.refused == 0);
    assert_true(a->shapes == SHAPES && a->visits == VISITS && a->alone == 0);
    near(a->level.ratio, exp(sum / SHAPES / VISITS));
    near(b->level.ratio, 0.9 * a->level.ratio);
    assert_true(isnan(a->change.ratio) && isnan(a->share));
    near(b->change.ratio, 0.9);
    near(b->share, 1);
    assert_true(a->level.low < a->level.ratio - 0.01 && a->level.high > a->level.ratio + 0.01);
    near(b->change.low, 0.9);
    near(b->change.high, 0.9);
    near(b->change.shapes_low, 0.9);

    /* Visit by visit the other way about: the change scatters more than either. */
    for (int i = 0; i < SHAPES; i++)
        for (int r = 0; r < VISITS; r++)
            y[i][r] = x[i][VISITS - 1 - r] + log(0.9);
    rows_free(&rows[1]);
    rows[1] = (struct rows){0};
    add_run(&rows[1], y, SHAPES, VISITS);
    assert_int_equal(make(&chain, rows), 0);
    near(steps[1].change.ratio, 0.9);
    assert_true(steps[1].change.low < 0.89);
    near(steps[1].change.shapes_low, 0.9);

    /* With fewer visits on one side, the intervals of both levels add as independent ones do. */
    rows_free(&rows[1]);
    rows[1] = (struct rows){0};
    add_run(&rows[1], y, SHAPES, VISITS - 1);
    assert_int_equal(make(&chain, rows), 0);
    a = steps;
    b = a + 1;
    /* Welch's has more degrees of freedom than either level's. */
    const double half = log(b->change.high / b->change.ratio);
    const double both =
        hypot(log(a->level.high / a->level.ratio), log(b->level.high / b->level.ratio));
    assert_true(half < both && half > 0.6 * both);

    /* And with one visit there is none, but over shapes. */
    rows_free(&rows[1]);
    rows[1] = (struct rows){0};
    add_run(&rows[1], y, SHAPES, 1);
    assert_int_equal(make(&chain, rows), 0);
    b = steps + 1;
    assert_true(b->visits == 1 && isnan(b->level.low) && isnan(b->change.low));
    assert_true(isfinite(b->change.shapes_low) && isfinite(b->level.shapes_low));
    rows_free(&rows[0]);
    rows_free(&rows[1]);
}

/* One visit, ratios 1.2, 0.9, 1.5 and 0.6, of which the last two are refused: one by each run. */
TEST(refused_kernels_count_as_the_step_says) {
    double x[SHAPES][VISITS] = {{log(1.2)}, {log(0.9)}, {log(1.5)}, {log(0.6)}};
    struct factors_step steps[] = {step_of("counted", FACTORS_PAPER, FACTORS_COUNT),
                                   step_of("one", FACTORS_PAPER, FACTORS_ONE),
                                   step_of("omitted", FACTORS_PAPER, FACTORS_OMIT),
                                   step_of("geometric", FACTORS_GEOMETRIC, FACTORS_OMIT)};
    struct factors_chain chain = {.steps = steps, .count = 4};
    struct rows rows[4] = {{0}};
    add_run(&rows[0], x, 4, 1);
    for (int s = 1; s < 4; s++) {
        add_run(&rows[s], x, s == 2 ? 3 : 2, 1); /* what is refused was not timed, or was */
        refuse(&rows[s], 3, "deviates");
        refuse(&rows[s], 4, s == 2 ? "dishonest" : "inexact");
        refuse(&rows[s], 1, "ok");
    }
    assert_int_equal(make(&chain, rows), 0);
    assert_true(chain.shapes == 4 && chain.refused == 2);
    near(steps[0].level.ratio, (1.2 + 0.9 + 1.5 + 0.6) / 4);
    near(steps[1].level.ratio, (1.2 + 0.9 + 1 + 1) / 4);
    near(steps[2].level.ratio, (1.2 + 0.9) / 2);
    near(steps[3].level.ratio, sqrt(1.2 * 0.9));
    assert_int_equal(steps[1].shapes, 4);
    assert_int_equal(steps[2].shapes, 2);
    near(steps[2].change.ratio, (1.05) / (4.1 / 4));
    double share = 0;
    for (size_t s = 1; s < 4; s++)
        share += steps[s].share;
    near(share, 1);

    /* Over shapes, the mean of two of four: deviations of 0.15 and -0.15 count twice, over 1.05. */
    const double sd = sqrt(2 * pow(2 * 0.15 / 1.05, 2) / 3);
    near(log(steps[2].level.shapes_high / steps[2].level.ratio),
         tails_student_quantile(0.975, 3) * sd / 2);

    steps[1].refused = FACTORS_COUNT;
    assert_says(make(&chain, rows), -1, "[one]: RUN has refused 2 kernels and not timed them");
    for (int s = 0; s < 4; s++)
        rows_free(&rows[s]);
}

TEST(all_steps_are_over_the_same_shapes) {
    double x[SHAPES][VISITS] = {{0.1}, {0.2}, {0.3}, {0.4}};
    struct factors_step steps[] = {step_of("a", FACTORS_GEOMETRIC, FACTORS_OMIT),
                                   step_of("b", FACTORS_GEOMETRIC, FACTORS_OMIT),
                                   step_of("c", FACTORS_GEOMETRIC, FACTORS_OMIT)};
    struct factors_chain chain = {.steps = steps, .count = 3};
    struct rows rows[3] = {{0}};
    add_run(&rows[0], x, 4, 1);
    add_run(&rows[1], x, 3, 1);
    add_run(&rows[2], x, 2, 1);
    assert_int_equal(make(&chain, rows), 0);
    assert_int_equal(chain.shapes, 2);
    for (int s = 0; s < 3; s++) {
        near(steps[s].level.ratio, exp(0.15));
        assert_int_equal(steps[s].alone, s == 2); /* of three shapes; of four, b lacks it too */
    }
    assert_true(isnan(steps[1].share)); /* of a way of no length */

    /* All of them refused and left out, several kernels, no such ratio, no shape in common. */
    refuse(&rows[1], 1, "nan");
    refuse(&rows[1], 2, "nan");
    assert_says(make(&chain, rows), -1, "[a]: all of its 2 shapes are refused, and it omits them");
    rows[2].ratios[0].candidate = "other";
    assert_says(make(&chain, rows), -1, "[c]: RUN has kernels of several names, mine and other");
    strcpy(steps[2].lens, "device");
    assert_says(make(&chain, rows), -1, "[c]: RUN has no ratio to cublas-max by device, offline");
    strcpy(steps[2].lens, "call");
    rows[2].ratios[0].candidate = "mine";
    for (size_t i = 0; i < rows[2].ratio_count; i++)
        rows[2].ratios[i].shape.n = 7;
    for (size_t i = 0; i < rows[2].visit_count; i++)
        rows[2].visits[i].shape.n = 7;
    assert_says(make(&chain, rows), -1, "no shape is in all 3 steps");
    for (int s = 0; s < 3; s++)
        rows_free(&rows[s]);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
