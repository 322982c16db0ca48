/* Claims: files of them are read, and they are judged by the rows of a run. */

#include <math.h>
#include <string.h>

#include "reports/tables/claims.h"
#include "reports/tables/runs.h"
#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/well_formed.h"
#include "timing/stats.h"
#include "timing/tails.h"

/* The claims' reader. */

#define HEAD                                                                                       \
    "set,gpu,accumulate,lens,suite,shapes,quantity,mode,baseline,percent,tolerance,text,source\n"
#define CLAIM                                                                                      \
    HEAD "mine,A100,f16,call,paper,4,speedup,offline,cublas-max,10,2,\303\274ber 10 %,a page; 3\n"

static const struct about any; /* of no set, so that all claims stay */

TEST(claims_are_read) {
    struct claims claims;
    assert_int_equal(
        claims_read(put("# a comment\n" CLAIM
                        "other,A100,f16,call,,4,wins,offline,previous,-1.5,2,less,a page\n"),
                    &any, &claims),
        0);
    assert_int_equal(claims.count, 2);
    const struct claim *claim = claims.list;
    assert_string_equal(claim->text, "\303\274ber 10 %");
    assert_string_equal(claim->source, "a page; 3");
    assert_string_equal(claim->set, "mine");
    assert_string_equal(claim->gpu, "A100");
    assert_string_equal(claim->accumulate, "f16");
    assert_string_equal(claim->lens, "call");
    assert_string_equal(claim->suite, "paper");
    assert_string_equal(claim->mode, "offline");
    assert_true(claim->value == 0.1 && claim->tolerance == 0.02 && claim->shapes == 4);
    assert_string_equal(claim->quantity, "speedup");
    assert_true(claim[1].value == -0.015 && strcmp(claim[1].quantity, "wins") == 0);
    assert_string_equal(claim[1].set, "other");
    assert_string_equal(claim[1].suite, "");
    claims_free(&claims);
}

/* Faults of single columns: tests/queries/refused.txt. */
TEST(bad_claims_name_the_line) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "claims.csv:1: the file is empty"},
        {HEAD, "claims.csv: holds no claim"},
        {"set,gpu\nmine,A100\n", "claims.csv:1: no column 'quantity'"},
        {CLAIM "b\n", "claims.csv:3: 1 fields where the header has 13"},
        {CLAIM "b,\377,f16,call,,4,best,offline,previous,1,2,t,s\n",
         ":3: column gpu: holds bytes that are no UTF-8"},
    };
    struct claims claims;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_says(claims_read(put(bad[i].text), &any, &claims), -1, bad[i].says);
        assert_null(claims.list);
    }
    assert_says(claims_read(scratch_path("nowhere.csv"), &any, &claims), -1,
                "nowhere.csv: cannot read: No such");
    assert_says(claims_read(scratch, &any, &claims), -1, "cannot read: Is a directory");
}

/* What is published with the project can be read, and says what the paper says. */
TEST(published_claims_are_read) {
    static const struct {
        const char *set;
        size_t count;
    } sets[] = {{"a100_F16F16F16F16", 18},
                {"a100_F32F16F16F32", 8},
                {"3090_F32F16F16F32", 8},
                {"h100_F32F16F16F32", 8}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct about about = {.shapes = 1};
        struct claims claims;
        double sum = 0;
        strcpy(about.set, sets[i].set);
        assert_int_equal(claims_read(SOURCE "/ci/claims.csv", &any, &claims), 0);
        assert_int_equal(claims.count, 42);
        claims_free(&claims);
        assert_int_equal(claims_read(SOURCE "/ci/claims.csv", &about, &claims), 0);
        assert_int_equal(claims.count, sets[i].count);
        for (size_t j = 0; j < claims.count; j++) {
            assert_string_equal(claims.list[j].set, sets[i].set);
            sum += strcmp(claims.list[j].quantity, "speedup") == 0 ? claims.list[j].value : 0;
        }
        if (i == 0)
            assert_true(fabs(sum - (.22 + .192 + .168 + .114 + .287 + .26 + .224 + .159)) < 1e-12);
        claims_free(&claims);
    }
}

/* Judging them. scipy.stats: s = [.05, .1, .15, .2]; t.interval(.95, 3, mean(s), sem(s)) */

/* What is found of a claim: its means, each with its interval, and the verdict. */
struct value {
    double mean, low, high;
};
struct finding {
    size_t measured;
    struct value mean, regression, as_baseline, as_published;
    char verdict[32], why[512];
};

static struct value value_of(sqlite3_stmt *row, const char *name) {
    char low[32], high[32];
    snprintf(low, sizeof low, "%s_low", name);
    snprintf(high, sizeof high, "%s_high", name);
    return (struct value){query_number(row, name), query_number(row, low), query_number(row, high)};
}

/* Of a run of the shapes 1x1x1, 2x1x1, ..., not by size, or only of some kernels. */
static bool only;
static struct finding found_beside(const struct claim *claim, const struct about *about,
                                   const struct rows *rows, const struct rows *published) {
    sqlite3 *db = query_open();
    json_t *plan = json_pack("{s:[]}", "shapes");
    for (size_t first = 1; first <= 2; first++)
        for (size_t i = first; i <= about->shapes; i += 2)
            json_array_append_new(json_object_get(plan, "shapes"), json_sprintf("%zux1x1", i));
    json_object_set_new(plan, "only", json_boolean(only));
    query_load(db, "run", rows);
    if (published)
        query_load(db, "(published)", published);
    runs_add(db, "run", &(struct rundir){.about = *about, .plan = plan}, NULL);
    query_next(query_ask(db, "INSERT INTO lines (run, candidate) VALUES ('run', 'a'), ('run', 'a')",
                         NULL));
    struct pairs pairs;
    assert_int_equal(pairs_take("run", rows, &pairs), 0);
    claims_judge(db, "run", &pairs, &(struct claims){(struct claim *)claim, 1});
    pairs_free(&pairs);
    sqlite3_stmt *row = query_ask(db, "SELECT * FROM findings", NULL);
    assert_true(query_next(row));
    assert_string_equal(query_text(row, "candidate"), "a");
    struct finding finding = {query_count(row, "measured"),  value_of(row, "mean"),
                              value_of(row, "regression"),   value_of(row, "as_baseline"),
                              value_of(row, "as_published"), .why = ""};
    snprintf(finding.verdict, sizeof finding.verdict, "%s", query_text(row, "verdict"));
    snprintf(finding.why, sizeof finding.why, "%s", query_text(row, "why"));
    assert_false(query_next(row));
    sqlite3_close(db);
    json_decref(plan);
    return finding;
}

static struct finding found(const struct claim *claim, const struct about *about,
                            const struct rows *rows) {
    return found_beside(claim, about, rows, NULL);
}

static void judge(struct claim *claim, const struct about *about, const struct rows *rows,
                  double value, const char *want, const char *why) {
    claim->value = value;
    const struct finding finding = found(claim, about, rows);
    if (strcmp(finding.verdict, want) != 0)
        fail_msg("%s, not %s, at %g: %s", finding.verdict, want, value, finding.why);
    if (!*why)
        assert_string_equal(finding.why, "");
    says(finding.why, why);
}

enum { VISITS = 4 };
#define VARIANCE (0.01 * 4 / 3)

/* ln ratio of a visit is 0.1 above or below that of the row; no two shapes follow each other. */
static void add_row(struct rows *rows, int i) {
    static const int signs[4][VISITS] = {
        {1, 1, -1, -1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {-1, -1, 1, 1}};
    const double speedup = 0.05 * (i + 1);
    const double half = tails_student_quantile(0.975, VISITS - 1) * sqrt(VARIANCE / VISITS);
    struct ratio_row row = {.shape = {i + 1, 1, 1},
                            .candidate = "a",
                            .baseline = "cublas-max",
                            .mode = "offline",
                            .lens = "call",
                            .ratio = 1 + speedup,
                            .ci_low = (1 + speedup) * exp(-half),
                            .ci_high = (1 + speedup) * exp(half),
                            .visits = VISITS,
                            .freedom = VISITS - 1,
                            .speedup = i == 7 ? NAN : speedup};
    struct visit_row visit = {.shape = row.shape, .candidate = "a", .baseline = "cublas-max"};
    if (i == 4)
        row.lens = "device";
    else if (i == 5)
        row.mode = "server";
    else if (i == 6)
        row.candidate = "b";
    visit.candidate = row.candidate;
    visit.mode = row.mode;
    visit.lens = row.lens;
    row.variance = VARIANCE;
    rows_add_ratio(rows, &row);
    for (int v = 0; v < VISITS; v++) {
        visit.visit = v;
        visit.ratio = row.ratio * exp(0.1 * signs[i % 4][v]);
        rows_add_visit(rows, &visit);
    }
}

TEST(claims_are_judged) {
    struct claim claim = {.set = "mine",
                          .gpu = "A100",
                          .accumulate = "f16",
                          .baseline = "cublas-max",
                          .mode = "offline",
                          .lens = "call",
                          .tolerance = 0.02,
                          .shapes = 4};
    const struct about about = {.device = "NVIDIA A100-SXM4-80GB (cuda:0)",
                                .set = "mine",
                                .element = "f16",
                                .accumulate = "f16",
                                .shapes = 4,
                                .complete = true};
    struct rows rows = {0};
    struct finding finding;
    for (int i = 0; i < 8; i++)
        add_row(&rows, i);
    finding = found(&claim, &about, &rows);
    assert_int_equal(finding.measured, 4);
    assert_double_near(finding.mean.mean, 0.125, 1e-12);
    /* Each ln ratio scatters alone, and moves the mean by (1 + s) / 4. */
    double sum = 0, squares = 0;
    for (int i = 0; i < 4; i++) {
        const double part = pow(1 + 0.05 * (i + 1), 2) * VARIANCE / VISITS;
        sum += part;
        squares += part * part / (VISITS - 1);
    }
    const double half = tails_student_quantile(0.975, sum * sum / squares) * sqrt(sum) / 4;
    assert_double_near(finding.mean.low, 0.125 - half, 1e-9);
    assert_double_near(finding.mean.high, 0.125 + half, 1e-9);
    judge(&claim, &about, &rows, 0.04, "confirmed", "");
    judge(&claim, &about, &rows, 0.145 - half - 1e-6, "confirmed", "");
    judge(&claim, &about, &rows, 0.145 - half + 1e-6, "undecided", "too wide");
    judge(&claim, &about, &rows, 0.145 + half - 1e-6, "undecided", "too wide");
    judge(&claim, &about, &rows, 0.145 + half + 1e-6, "not confirmed", "");

    /* Two more shapes, of which no kernel has passed, count as no gain. */
    struct claim larger = claim;
    struct about other = about;
    larger.shapes = other.shapes = 6;
    judge(&larger, &other, &rows, (0.125 - half) * 4 / 6 + 0.02 - 1e-6, "confirmed", "");
    judge(&larger, &other, &rows, 0.06, "undecided", "2 of 6 shapes have no kernel");
    judge(&larger, &other, &rows, 0.1, "undecided", "too wide");
    judge(&larger, &other, &rows, 0.2478, "not confirmed", "");
    for (size_t i = 0; i < 4; i++)
        rows.ratios[i].speedup *= -1;
    judge(&larger, &other, &rows, -0.03, "undecided", "2 of 6 shapes have no kernel");
    judge(&larger, &other, &rows, 0, "not confirmed", "");
    for (size_t i = 0; i < 4; i++)
        rows.ratios[i].speedup *= -1;

    /* One visit has no interval, and proves nothing either way. */
    struct rows one = {0};
    rows_add_ratio(&one, &rows.ratios[0]);
    struct claim single = claim;
    struct about of_one = about;
    single.shapes = of_one.shapes = 1;
    judge(&single, &of_one, &one, -1, "undecided", "of one visit nothing shows");
    judge(&single, &of_one, &one, 1, "undecided", "of one visit nothing shows");
    judge(&larger, &other, &one, -1, "undecided", "of one visit nothing shows");
    judge(&larger, &other, &one, 1, "undecided", "of one visit nothing shows");
    finding = found(&single, &of_one, &one);
    assert_int_equal(finding.measured, 1);
    assert_double_near(finding.mean.mean, rows.ratios[0].speedup, 1e-12);
    assert_nan(finding.mean.low);
    assert_nan(finding.mean.high);
    rows_free(&one);

    rows.ratios[0].speedup = -1.0 / 4;
    strcpy(claim.quantity, "best");
    finding = found(&claim, &about, &rows);
    assert_true(fabs(finding.mean.mean - 0.45 / 4) < 1e-12);
    rows_free(&rows);
}

/* A shape whose visits' ln ratios these are, and the interval of Student's t. */
static void add_shape(struct rows *rows, int shape, const double *x, size_t visits) {
    struct ratio_row row = {.shape = {shape + 1, 1, 1},
                            .candidate = "a",
                            .baseline = "cublas-max",
                            .mode = "offline",
                            .lens = "call",
                            .visits = (double)visits,
                            .freedom = (double)visits - 1};
    const double mean = stats_mean(x, visits);
    double squares = 0;
    for (size_t v = 0; v < visits; v++)
        squares += (x[v] - mean) * (x[v] - mean);
    const double half = visits > 1 ? tails_student_quantile(0.975, row.freedom) *
                                         sqrt(squares / row.freedom / row.visits)
                                   : NAN;
    row.ratio = exp(mean);
    row.speedup = row.ratio - 1;
    row.visit_sd = visits > 1 ? sqrt(squares / row.freedom) : NAN;
    row.ci_low = exp(mean - half);
    row.ci_high = exp(mean + half);
    row.variance = visits > 1 ? squares / row.freedom : NAN;
    rows_add_ratio(rows, &row);
    struct visit_row visit = {.shape = row.shape,
                              .candidate = "a",
                              .baseline = "cublas-max",
                              .mode = "offline",
                              .lens = "call"};
    for (size_t v = 0; v < visits; v++) {
        visit.visit = (double)v;
        visit.ratio = exp(x[v]);
        rows_add_visit(rows, &visit);
    }
}

static const struct claim plain = {.set = "mine",
                                   .gpu = "A100",
                                   .accumulate = "f16",
                                   .baseline = "cublas-max",
                                   .mode = "offline",
                                   .lens = "call"};

static struct about about_of(size_t shapes) {
    return (struct about){.device = "A100",
                          .set = "mine",
                          .element = "f16",
                          .accumulate = "f16",
                          .shapes = shapes,
                          .complete = true};
}

/* Six shapes of a suite of 24 with these speedups, the third of which may be refused, and what was
 * published of all 24: of these six, and the rest so that the mean is 0.12. */
enum { DRAWN = 6, SUITE = 24 };
static const double drawn[DRAWN] = {.31, .12, .22, .05, -.08, .02};
static const double told[DRAWN] = {.35, .2, .18, .1, .0, .05};

static struct finding judge_sample(const struct claim *claim, const char *suite, bool refused,
                                   bool published) {
    struct rows rows = {0}, theirs = {0};
    struct about about = about_of(DRAWN);
    double rest = 0.12 * SUITE;
    strcpy(about.suite, suite);
    for (int i = 0; i < DRAWN; i++) {
        const double at = log(1 + drawn[i]), x[4] = {at - 1e-5, at + 1e-5, at - 1e-5, at + 1e-5};
        if (!refused || i != 2)
            add_shape(&rows, i, x, 4);
        rest -= told[i];
    }
    for (int i = 0; i < SUITE; i++) {
        const struct ratio_row row = {.shape = {i + 1, 1, 1},
                                      .candidate = "cuda-l2",
                                      .baseline = "cublas-max",
                                      .mode = "offline",
                                      .lens = "wait",
                                      .speedup = i < DRAWN ? told[i] : rest / (SUITE - DRAWN)};
        rows_add_ratio(&theirs, &row);
    }
    const struct finding finding = found_beside(claim, &about, &rows, published ? &theirs : NULL);
    rows_free(&rows);
    rows_free(&theirs);
    return finding;
}

static void assert_value(struct value value, double mean, double low, double high) {
    assert_double_near(value.mean, mean, 1e-9);
    assert_double_near(value.low, low, 1e-6);
    assert_double_near(value.high, high, 1e-6);
}

/* numpy and scipy, as in test_sample_mean.c, with t.ppf(.975, nu) * sqrt(variance). */
TEST(a_sample_of_the_suite_is_judged) {
    struct claim claim = plain;
    claim.shapes = SUITE;
    strcpy(claim.suite, "paper");
    claim.value = 0.3;
    struct finding finding = judge_sample(&claim, "paper", false, true);
    assert_string_equal(finding.verdict, "not confirmed");
    assert_int_equal(finding.measured, DRAWN);
    assert_value(finding.mean, 0.106666666667, 0.002705979921, 0.210627353412);
    assert_value(finding.regression, 0.069601275917, 0.012626153299, 0.126576398535);
    assert_nan(finding.as_baseline.mean);
    assert_nan(finding.as_published.mean);
    finding = judge_sample(&claim, "paper", true, true);
    assert_int_equal(finding.measured, DRAWN - 1);
    assert_value(finding.mean, 0.084, -0.034753923487, 0.202753923487);
    assert_value(finding.regression, 0.060222222222, 0.018688808154, 0.101755636290);
    assert_value(finding.as_baseline, 0.07, -0.022056707395, 0.162056707395);
    assert_value(finding.as_published, 0.1, 0.005892272676, 0.194107727324);
    /* Not confirmed only where both are below: 0.18 lies between the upper ends. */
    claim.value = 0.18;
    finding = judge_sample(&claim, "paper", true, false);
    assert_string_equal(finding.verdict, "undecided");
    assert_nan(finding.regression.mean);
    assert_nan(finding.as_published.mean);
    assert_double_near(finding.as_baseline.mean, 0.07, 1e-9);
    claim.value = -0.1;
    assert_string_equal(judge_sample(&claim, "paper", true, false).verdict, "confirmed");
    /* What was published of others than these shapes tells nothing of them. */
    claim.shapes = SUITE + 1;
    assert_nan(judge_sample(&claim, "paper", false, true).regression.mean);
    claim.shapes = SUITE;
    strcpy(claim.quantity, "wins");
    finding = judge_sample(&claim, "paper", false, false);
    assert_value(finding.mean, 0.833333333333, 0.487359805437, 0.979306861230);
    /* Shapes that somebody chose are no sample. */
    finding = judge_sample(&claim, "shapes", false, true);
    assert_string_equal(finding.verdict, "not comparable");
    says(finding.why, "other shapes, 6 and not 24");
    only = true;
    assert_string_equal(judge_sample(&claim, "paper", false, true).verdict, "not comparable");
    only = false;
    *claim.suite = 0;
    assert_string_equal(judge_sample(&claim, "", false, true).verdict, "not comparable");
}

/* A share of wins, of shapes clearly won and lost by next to nothing: of 400 runs 380 are to hold the
 * truth, less 3 standard deviations of such a count. */
TEST(share_of_wins_is_covered) {
    enum { SHAPES = 48, RUNS = 400 };
    struct claim claim = plain;
    const struct about about = about_of(SHAPES);
    uint64_t random = 5;
    int covered = 0;
    double width = 0;
    strcpy(claim.quantity, "wins");
    claim.shapes = SHAPES;
    for (int run = 0; run < RUNS; run++) {
        struct rows rows = {0};
        int won = 0;
        for (int i = 0; i < SHAPES; i++) {
            const double truth = i % 2 ? 0.1 : -1e-4;
            double x[12];
            for (int v = 0; v < 12; v++)
                x[v] = truth + 0.05 * draw_normal(&random);
            add_shape(&rows, i, x, 12);
            won += truth > 0;
        }
        const struct finding finding = found(&claim, &about, &rows);
        const double share = (double)won / SHAPES;
        covered += finding.mean.low <= share && share <= finding.mean.high;
        width += (finding.mean.high - finding.mean.low) / RUNS;
        rows_free(&rows);
    }
    print_message("wins: %d of %d runs hold the truth, mean width %.2f\n", covered, RUNS, width);
    assert_true(covered >= 380 - 3 * 4.4);
    assert_true(width < 0.55); /* half of the shapes are beyond doubt */
}

/* max(0, s) of four shapes, none of them faster. */
TEST(no_gain_needs_several_visits) {
    struct claim claim = plain;
    const struct about about = about_of(4);
    const double slower[] = {-0.1, -0.101, -0.1, -0.099}, near[] = {-0.1, 0.09, -0.11, 0.1};
    strcpy(claim.quantity, "best");
    claim.shapes = 4;
    for (size_t visits = 1; visits <= 4; visits += 3) {
        struct rows rows = {0};
        for (int i = 0; i < 4; i++)
            add_shape(&rows, i, slower, visits);
        judge(&claim, &about, &rows, 0.1, visits > 1 ? "not confirmed" : "undecided",
              visits > 1 ? "" : "of one visit nothing shows");
        rows_free(&rows);
    }
    /* Slower by less than the visits differ: another run may show a gain. */
    struct rows rows = {0};
    for (int i = 0; i < 4; i++)
        add_shape(&rows, i, near, 4);
    const struct finding finding = found(&claim, &about, &rows);
    assert_true(finding.mean.mean == 0 && finding.mean.high > 0.02);
    rows_free(&rows);
}

/* Published numbers are no measurement, and have no interval. */
TEST(imported_numbers_agree) {
    struct claim claim = plain;
    struct claims claims;
    struct about about = about_of(1);
    struct rows rows = {0};
    rows_add_ratio(&rows, &(struct ratio_row){.shape = {1, 1, 1},
                                              .candidate = "a",
                                              .baseline = "cublas-max",
                                              .mode = "offline",
                                              .lens = "call",
                                              .speedup = 0.125,
                                              .ratio = NAN});
    claim.shapes = 1;
    strcpy(about.imported, "published: cuda_l2_theirs_speedup_offline.csv");
    strcpy(claim.set, "theirs");
    judge(&claim, &about, &rows, 0.1252, "agrees", "");
    assert_nan(found(&claim, &about, &rows).mean.low);
    assert_says(claims_read(put(CLAIM), &about, &claims), -1,
                "claims.csv: is about the kernels mine, and the run holds published: "
                "cuda_l2_theirs_speedup_offline.csv");
    rows_free(&rows);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
