/* Runs of several cards put together: what is planted is found. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/writers.h"
#include "reports/rows/derive.h"
#include "reports/tables/cards.h"
#include "tests/support/doubles.h"
#include "tests/support/test.h"

enum { RUNS = 3, SHAPES = 4, VISITS = 4 };

/* ln(t_reference / t_candidate) in per cent. Runs 0 and 2 are of one card. */
static const double effects[RUNS][SHAPES] = {
    {0, 1, 2, 3}, {1.2, 2.3, 2.9, 4.4}, {0.2, 1.0, 2.2, 2.8}};
static const double visits[VISITS] = {0.3, -0.1, 0.1, -0.3};
static struct rundir runs[RUNS];

/* The variance of a visit that stands behind an interval of so many degrees of freedom. */
enum { FREEDOM = 12 };

static void add(struct rows *rows, const char *baseline, int64_t m, double effect, double scale) {
    const double t = 2.1788128296672284, half = t * 0.0025 * scale / 2; /* scipy: t.ppf(.975, 12) */
    struct ratio_row ratio = {.shape = {m, 64, 64},
                              .candidate = "mine",
                              .mode = "offline",
                              .lens = "device",
                              .place = "stage",
                              .ratio = exp(effect),
                              .ci_low = exp(effect - half),
                              .ci_high = exp(effect + half),
                              .visits = VISITS,
                              .visit_sd = 0.0025,
                              .freedom = FREEDOM};
    ratio.baseline = baseline;
    ratio.variance = derive_variance(&ratio);
    rows_add_ratio(rows, &ratio);
    for (int v = 0; v < VISITS; v++) {
        struct visit_row row = {.shape = ratio.shape,
                                .candidate = "mine",
                                .mode = "offline",
                                .lens = "device",
                                .visit = v,
                                .ratio = exp(effect + visits[v] / 100)};
        row.baseline = ratio.baseline;
        rows_add_visit(rows, &row);
    }
}

static int begin(void **state) {
    (void)state;
    for (int r = 0; r < RUNS; r++) {
        runs[r] = (struct rundir){.folder = r == 0 ? "A" : r == 1 ? "B" : "C"};
        strcpy(runs[r].about.cards, r == 1 ? "GPU-b" : "GPU-a");
        for (int i = 0; i < SHAPES; i++) {
            add(&runs[r].rows, "openblas-max", 64 + i, effects[r][i] / 100, 1);
            add(&runs[r].rows, "cublas-nn", 64 + i, 0, 1);
        }
        runs[r].read = true;
    }
    return 0;
}

static int end(void **state) {
    (void)state;
    for (int r = 0; r < RUNS; r++)
        rundir_close(&runs[r]);
    return 0;
}

/* By numpy 2.4 and scipy 1.17 from the numbers above, card a the mean of its two runs: mean squares
 * of a two-way layout, Student's t of each part, half-widths of the mean over two cards. */
TEST_WITH(test_groups, begin, end) {
    struct cards cards;
    cards_make(runs, RUNS, &cards);
    assert_int_equal(cards.count, 2);
    assert_int_equal(cards.group_count, 2);
    assert_int_equal(cards.cell_count, 2 * SHAPES);
    const struct cards_group *group = &cards.groups[1];
    assert_string_equal(group->reference, "openblas-max");
    assert_int_equal(group->shapes, SHAPES);
    assert_double_near(group->effect.common.variance, 6.903125e-05, 1e-15);
    assert_double_near(group->effect.own.variance, 3.34375e-06, 1e-15);
    assert_double_near(group->visits, 1.171875e-06, 1e-15);
    assert_double_near(group->half_model, 0.07476228225848956, 1e-6);
    cards_free(&cards);
}

/* Cards that seem to be equal are not known better than by their visits. */
TEST_WITH(test_equal_cards, begin, end) {
    struct cards cards;
    cards_make(runs, RUNS, &cards);
    assert_double_near(cards.groups[0].effect.common.variance, 0, 1e-20);
    assert_true(cards.groups[0].half_model > 0.0015);
    assert_double_near(cards.groups[0].half_card, 2.1788128296672284 * 0.0025 / 2, 1e-12);
    cards_free(&cards);
}

/* Over shapes there are two values: 1.525 and 2.7 %. */
TEST_WITH(test_mean, begin, end) {
    struct cards cards;
    cards_make(runs, RUNS, &cards);
    struct pair like = {
        .candidate = "mine", .reference = "openblas-max", .mode = "offline", .lens = "device"};
    const struct estimate mean = cards_mean(&cards, &like);
    assert_double_near(log(mean.ratio), 0.021125, 1e-12);
    assert_double_near(log(mean.high / mean.ratio),
                       12.706204736174707 * 0.008308504678941935 / sqrt(2), 1e-9);
    like.reference = "none";
    assert_nan(cards_mean(&cards, &like).ratio);
    cards_free(&cards);
}

/* Runs of one card, and runs that do not say of which they are, say nothing of cards. */
TEST_WITH(test_one_card, begin, end) {
    struct cards cards;
    strcpy(runs[1].about.cards, "GPU-a");
    cards_make(runs, RUNS, &cards);
    assert_int_equal(cards.count, 1);
    assert_int_equal(cards.group_count, 0);
    cards_free(&cards);
    *runs[1].about.cards = 0;
    cards_make(runs, RUNS, &cards);
    assert_int_equal(cards.count, 0);
    cards_free(&cards);
}

/* A line for each size against the best library alone. */
TEST_WITH(test_table, begin, end) {
    struct cards cards;
    cards_make(runs, RUNS, &cards);
    struct document *page = document_new("page");
    cards_fill(page, &cards);
    json_t *lines = write_json_table(page, "cards");
    assert_int_equal(json_array_size(lines), 1);
    const json_t *line = json_array_get(lines, 0);
    assert_string_equal(json_string_value(json_object_get(line, "against")), "openblas-max");
    assert_double_near(json_number_value(json_object_get(line, "common_sd")),
                       sqrt(6.903125e-05 - 3.34375e-06 / 3), 1e-9);
    assert_double_near(json_number_value(json_object_get(line, "card_sd")),
                       sqrt(6.903125e-05 - 3.34375e-06 / 3 + 4 * 3.34375e-06 / 3 - 1.171875e-06),
                       1e-9);
    json_decref(lines);
    document_free(page);
    cards_free(&cards);
}
