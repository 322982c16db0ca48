/* Claims: files of them are read, and they are judged by the rows of a run. */

#include <math.h>
#include <string.h>

#include "reports/tables/claims.h"
#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/well_formed.h"
#include "timing/stats.h"
#include "timing/tails.h"

/* The claims' reader. */

#define CLAIM                                                                                      \
    "[defaults]\nsource = a page; 3\nset = mine\ngpu = A100\naccumulate = f16\nlens = call\n"      \
    "quantity = speedup\ntolerance = 2 %\nshapes = 4\nmode = offline\n"                            \
    "[first]\ntext = \303\274ber 10 %\nbaseline = cublas-max\nvalue = 10 %\n"

TEST(claims_are_read) {
    struct claims claims;
    assert_int_equal(
        claims_read(put(CLAIM "[second]\ntext = less\nbaseline = previous\nvalue = -1.5%\n"
                              "quantity = wins\nset = other\n"),
                    &claims),
        0);
    assert_int_equal(claims.count, 2);
    const struct claim *claim = claims.list;
    assert_string_equal(claim->name, "first");
    assert_string_equal(claim->text, "\303\274ber 10 %");
    assert_string_equal(claim->set, "mine");
    assert_string_equal(claim->gpu, "A100");
    assert_string_equal(claim->accumulate, "f16");
    assert_string_equal(claim->lens, "call");
    assert_string_equal(claim->mode, "offline");
    assert_true(claim->value == 0.1 && claim->tolerance == 0.02 && claim->shapes == 4);
    assert_int_equal(claim->quantity, CLAIM_SPEEDUP);
    assert_true(claim[1].value == -0.015 && claim[1].quantity == CLAIM_WINS);
    assert_string_equal(claim[1].set, "other");
    claims_free(&claims);
}

TEST(bad_claims_name_the_line) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "claims.ini: holds no claim"},
        {"[defaults]\nset = a\n", "claims.ini: holds no claim"},
        {"set = a\n", "claims.ini:1: 'set' stands before any [section]"},
        {"[a]\n", "claims.ini:1: [a] has no text"},
        {CLAIM "[b]\ntext = b\nvalue = 1 %\n[c]\n", "claims.ini:15: [b] has no baseline"},
        {CLAIM "[b]\ntext = b\nvalue = 1 %\n", "claims.ini:15: [b] has no baseline"},
        {CLAIM "[first]\n", "claims.ini:15: [first] is there already"},
        {CLAIM "[defaults]\n", "claims.ini:15: [defaults] is said once"},
        {CLAIM "value = 1 %\n", "claims.ini:15: value is said already"},
        {CLAIM "unknown = 1\n", "claims.ini:15: 'unknown' is not a key"},
        {CLAIM "[a b]\n", "claims.ini:15: 'a b' is no name"},
        {CLAIM "[b]]\n", "claims.ini:15: ']' stands behind"},
        {CLAIM "[b\n", "claims.ini:15: neither [section] nor key"},
        {CLAIM "nonsense\n", "claims.ini:15: neither [section] nor key"},
        {CLAIM " lens = call\n", "claims.ini:15: begins with a blank"},
        {CLAIM "[b]\nvalue = 1\n", "claims.ini:16: '1' is not a share in per cent"},
        {CLAIM "[b]\nvalue = 0x1 %\n", "claims.ini:16: '0x1 %' is not a share"},
        {CLAIM "[b]\nvalue = -101 %\n", "claims.ini:16: -101 % is not from"},
        {CLAIM "[b]\nvalue = nan %\n", "claims.ini:16: 'nan %' is not a share"},
        {CLAIM "[b]\ntolerance = -1 %\n", "claims.ini:16: -1 % is not from 0 %"},
        {CLAIM "[b]\nshapes = 1.5\n", "claims.ini:16: '1.5' is no whole number"},
        {CLAIM "[b]\nshapes = 0\n", "claims.ini:16: '0' is not a number from 1"},
        {CLAIM "[b]\naccumulate = bf16\n", "claims.ini:16: 'bf16' is not f16 or f32"},
        {CLAIM "[b]\nquantity = median\n", "claims.ini:16: 'median' is not speedup, best or wins"},
        {CLAIM "[b]\nbaseline = cublas-mx\n",
         "claims.ini:16: 'cublas-mx' is not previous, torch-matmul, cublas-nn, cublas-tn, "
         "cublas-max, cublas-autotune-nn, cublas-autotune-tn, cublas-autotune-max, "
         "cublaslt-heuristic-nn, cublaslt-heuristic-tn, cublaslt-heuristic-max, "
         "cublaslt-autotune-nn, cublaslt-autotune-tn, cublaslt-autotune-max, "
         "openblas-nn, openblas-tn or openblas-max\n"},
        {CLAIM "[b]\nmode = online\n", "claims.ini:16: 'online' is not offline or server"},
        {CLAIM "[b]\nlens = wall\n", "claims.ini:16: 'wall' is not call, device, stream or wait"},
        {CLAIM "[b]\ntext =\n", "claims.ini:16: has no value"},
        {CLAIM "[b]\ngpu = \377\n", "claims.ini:16: holds bytes that are no UTF-8"},
    };
    struct claims claims;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_says(claims_read(put(bad[i].text), &claims), -1, bad[i].says);
        assert_null(claims.list);
    }
    assert_says(claims_read(scratch_path("nowhere.ini"), &claims), -1, "nowhere.ini: No such");
    assert_says(claims_read(scratch, &claims), -1, "cannot be read");
}

/* What is published with the project can be read, and says what the paper says. */
TEST(published_claims_are_read) {
    struct claims claims;
    double sum = 0;
    assert_int_equal(claims_read(SOURCE "/ci/claims/cuda-l2-a100-f16.ini", &claims), 0);
    assert_int_equal(claims.count, 18);
    for (size_t i = 0; i < claims.count; i++)
        sum += claims.list[i].quantity == CLAIM_SPEEDUP ? claims.list[i].value : 0;
    assert_true(fabs(sum - (.22 + .192 + .168 + .114 + .287 + .26 + .224 + .159)) < 1e-12);
    claims_free(&claims);
    assert_int_equal(claims_read(SOURCE "/ci/claims/cuda-l2-a100-f32.ini", &claims), 0);
    assert_int_equal(claims.count, 8);
    claims_free(&claims);
    assert_int_equal(claims_read(SOURCE "/ci/claims/cuda-l2-h100-f32.ini", &claims), 0);
    assert_int_equal(claims.count, 8);
    claims_free(&claims);
}

/* Judging them. scipy.stats: s = [.05, .1, .15, .2]; t.interval(.95, 3, mean(s), sem(s)) */

static struct claim_finding found(const struct claim *claim, const struct about *about,
                                  const struct rows *rows) {
    struct table_line line = {.candidate = "a"};
    const struct claims claims = {(struct claim *)claim, 1};
    struct claim_findings findings;
    assert_int_equal(claims_judge(&claims, about, rows, &(struct table){&line, 1}, &findings), 0);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list->candidate, "a");
    assert_int_equal(findings.verdicts[findings.list->verdict], 1);
    const struct claim_finding finding = *findings.list;
    claims_findings_free(&findings);
    return finding;
}

static void judge(struct claim *claim, const struct about *about, const struct rows *rows,
                  double value, enum claim_verdict want, const char *why) {
    claim->value = value;
    const struct claim_finding finding = found(claim, about, rows);
    if (finding.verdict != want)
        fail_msg("%s, not %s, at %g: %s", claims_word(finding.verdict), claims_word(want), value,
                 finding.why);
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
    struct claim_finding finding;
    for (int i = 0; i < 8; i++)
        add_row(&rows, i);
    finding = found(&claim, &about, &rows);
    assert_int_equal(finding.shapes, 4);
    assert_double_near(finding.mean, 0.125, 1e-12);
    /* Each ln ratio scatters alone, and moves the mean by (1 + s) / 4. */
    double sum = 0, squares = 0;
    for (int i = 0; i < 4; i++) {
        const double part = pow(1 + 0.05 * (i + 1), 2) * VARIANCE / VISITS;
        sum += part;
        squares += part * part / (VISITS - 1);
    }
    const double half = tails_student_quantile(0.975, sum * sum / squares) * sqrt(sum) / 4;
    assert_double_near(finding.low, 0.125 - half, 1e-9);
    assert_double_near(finding.high, 0.125 + half, 1e-9);
    judge(&claim, &about, &rows, 0.04, CLAIM_CONFIRMED, "");
    judge(&claim, &about, &rows, 0.145 - half - 1e-6, CLAIM_CONFIRMED, "");
    judge(&claim, &about, &rows, 0.145 - half + 1e-6, CLAIM_UNDECIDED, "too wide");
    judge(&claim, &about, &rows, 0.145 + half - 1e-6, CLAIM_UNDECIDED, "too wide");
    judge(&claim, &about, &rows, 0.145 + half + 1e-6, CLAIM_NOT_CONFIRMED, "");

    struct about other = about;
    other.complete = false;
    judge(&claim, &other, &rows, 0.04, CLAIM_UNDECIDED, "not complete");
    other = about;
    strcpy(other.device, "NVIDIA H200 (cuda:0)");
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE,
          "other GPU, not A100; on this one it would be confirmed");
    judge(&claim, &other, &rows, 0.1, CLAIM_NOT_COMPARABLE,
          "on this one it would be undecided (the interval is too wide)");
    judge(&claim, &other, &rows, 0.2478, CLAIM_NOT_COMPARABLE,
          "on this one it would be not confirmed");
    strcpy(other.accumulate, "f32");
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE,
          "GPU, not A100; other accumulate, not f16");
    other = about;
    strcpy(other.element, "bf16");
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE, "other elements, not f16");
    other = about;
    strcpy(other.set, "theirs");
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE, "other kernels, not mine");
    other = about;
    other.shapes = 3;
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE, "other shapes, 3 and not 4");
    struct claim unmeasured = claim;
    strcpy(unmeasured.baseline, "torch-matmul");
    judge(&unmeasured, &about, &rows, 0.04, CLAIM_NOT_COMPARABLE, "torch-matmul was not timed");

    /* Two more shapes, of which no kernel has passed, count as no gain. */
    struct claim larger = claim;
    larger.shapes = other.shapes = 6;
    strcpy(other.set, "mine");
    judge(&larger, &other, &rows, (0.125 - half) * 4 / 6 + 0.02 - 1e-6, CLAIM_CONFIRMED, "");
    judge(&larger, &other, &rows, 0.06, CLAIM_UNDECIDED, "2 of 6 shapes have no kernel");
    judge(&larger, &other, &rows, 0.1, CLAIM_UNDECIDED, "too wide");
    judge(&larger, &other, &rows, 0.2478, CLAIM_NOT_CONFIRMED, "");
    for (size_t i = 0; i < 4; i++)
        rows.ratios[i].speedup *= -1;
    judge(&larger, &other, &rows, -0.03, CLAIM_UNDECIDED, "2 of 6 shapes have no kernel");
    judge(&larger, &other, &rows, 0, CLAIM_NOT_CONFIRMED, "");
    for (size_t i = 0; i < 4; i++)
        rows.ratios[i].speedup *= -1;

    /* One visit has no interval, and proves nothing either way. */
    struct rows one = {.ratios = rows.ratios, .ratio_count = 1};
    struct claim single = claim;
    struct about of_one = about;
    single.shapes = of_one.shapes = 1;
    judge(&single, &of_one, &one, -1, CLAIM_UNDECIDED, "of one visit nothing shows");
    judge(&single, &of_one, &one, 1, CLAIM_UNDECIDED, "of one visit nothing shows");
    judge(&larger, &other, &one, -1, CLAIM_UNDECIDED, "of one visit nothing shows");
    judge(&larger, &other, &one, 1, CLAIM_UNDECIDED, "of one visit nothing shows");
    finding = found(&single, &of_one, &one);
    assert_int_equal(finding.shapes, 1);
    assert_double_near(finding.mean, rows.ratios[0].speedup, 1e-12);
    assert_nan(finding.low);
    assert_nan(finding.high);

    rows.ratios[0].speedup = -1.0 / 4;
    claim.quantity = CLAIM_BEST;
    finding = found(&claim, &about, &rows);
    assert_true(fabs(finding.mean - 0.45 / 4) < 1e-12);
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

/* A share of wins, of shapes clearly won and lost by next to nothing: of 400 runs 380 are to hold the
 * truth, less 3 standard deviations of such a count. */
TEST(share_of_wins_is_covered) {
    enum { SHAPES = 48, RUNS = 400 };
    struct claim claim = plain;
    const struct about about = about_of(SHAPES);
    uint64_t random = 5;
    int covered = 0;
    double width = 0;
    claim.quantity = CLAIM_WINS;
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
        const struct claim_finding finding = found(&claim, &about, &rows);
        const double share = (double)won / SHAPES;
        covered += finding.low <= share && share <= finding.high;
        width += (finding.high - finding.low) / RUNS;
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
    claim.quantity = CLAIM_BEST;
    claim.shapes = 4;
    for (size_t visits = 1; visits <= 4; visits += 3) {
        struct rows rows = {0};
        for (int i = 0; i < 4; i++)
            add_shape(&rows, i, slower, visits);
        judge(&claim, &about, &rows, 0.1, visits > 1 ? CLAIM_NOT_CONFIRMED : CLAIM_UNDECIDED,
              visits > 1 ? "" : "of one visit nothing shows");
        rows_free(&rows);
    }
    /* Slower by less than the visits differ: another run may show a gain. */
    struct rows rows = {0};
    for (int i = 0; i < 4; i++)
        add_shape(&rows, i, near, 4);
    const struct claim_finding finding = found(&claim, &about, &rows);
    assert_true(finding.mean == 0 && finding.high > 0.02);
    rows_free(&rows);
}

/* Published numbers are no measurement: they are the claim's, or differ from it. */
TEST(imported_numbers_agree_or_differ) {
    struct claim claim = plain;
    struct claims claims = {&claim, 1};
    struct about about = about_of(4);
    struct rows rows = {0};
    for (int i = 0; i < 4; i++)
        rows_add_ratio(&rows, &(struct ratio_row){.shape = {i + 1, 1, 1},
                                                  .candidate = "a",
                                                  .baseline = "cublas-max",
                                                  .mode = "offline",
                                                  .lens = "call",
                                                  .speedup = 0.125,
                                                  .ratio = NAN});
    claim.shapes = 4;
    strcpy(about.imported, "published: cuda_l2_mine_speedup_offline.csv");
    judge(&claim, &about, &rows, 0.1252, CLAIM_AGREES, "");
    judge(&claim, &about, &rows, 0.111, CLAIM_DIFFERS, "");
    assert_nan(found(&claim, &about, &rows).low);
    assert_int_equal(claims_fit(&claims, "claims.ini", &about), 0);
    claim.shapes = 5;
    judge(&claim, &about, &rows, 0.125, CLAIM_NOT_COMPARABLE, "other shapes, 4 and not 5");
    strcpy(about.imported, "published: cuda_l2_theirs_speedup_offline.csv");
    judge(&claim, &about, &rows, 0.125, CLAIM_NOT_COMPARABLE, "other kernels, not mine");
    assert_says(claims_fit(&claims, "claims.ini", &about), -1,
                "claims.ini: is about the kernels mine, and the run holds published: "
                "cuda_l2_theirs_speedup_offline.csv");
    strcpy(about.imported, "published: a.csv");
    assert_int_equal(claims_fit(&claims, "claims.ini", &about), 0);
    rows_free(&rows);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
