

#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"
#include "reports/query/query.h"
#include "tests/support/baseline_product.h"
#include "tests/support/test.h"

static const struct shape shapes[] = {{1, 1, 1},    {1, 17, 5},    {17, 1, 5},   {5, 7, 1},
                                      {64, 64, 64}, {65, 33, 129}, {31, 257, 9}, {128, 96, 640}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void each_host_baseline(void (*check)(const struct baseline *)) {
    int checked = 0;
    for (int i = 0; baselines[i]; i++)
        if (baselines[i]->ops.device == GEMM_HOST) {
            check(baselines[i]);
            checked++;
        }
    assert_true(checked >= 2);
}

static void check_products(const struct baseline *baseline) {
    struct product product;
    product_open(&product, &device_host);
    for (int i = 0; i < ELEMENT_COUNT * SHAPES; i++) {
        product.element = (enum element)(i / SHAPES);
        const struct shape s = shapes[i % SHAPES];
        const enum outcome outcome = product_try(&product, baseline, s, GEMM_F32);
        if (outcome != OUTCOME_OK)
            fail_msg("%s on %ldx%ldx%ld of %s: %s", baseline->ops.name, (long)s.m, (long)s.n,
                     (long)s.k, element_words[product.element], outcome_word(outcome));
    }
}

TEST(products_are_right) {
    each_host_baseline(check_products);
}

/* What a baseline does that takes one copy of B for the other. */
static int launch_wrong(void *state, const struct gemm_args *args) {
    struct gemm_args swapped = *args;
    swapped.b_row = args->b_col;
    swapped.b_col = args->b_row;
    return baseline_openblas_nn.ops.launch(state, &swapped);
}

TEST(a_wrong_layout_is_caught) {
    struct baseline wrong = baseline_openblas_nn;
    wrong.ops.launch = launch_wrong;
    struct product product = {.element = ELEMENT_F16};
    product_open(&product, &device_host);
    assert_int_equal(product_try(&product, &wrong, (struct shape){9, 12, 10}, GEMM_F32),
                     OUTCOME_INEXACT);
}

static void check_claims(const struct baseline *baseline) {
    assert_int_equal(baseline->ops.accumulate, GEMM_F32);
}

TEST(the_host_accumulates_in_f32_only) {
    each_host_baseline(check_claims);
}

static bool reports_know(sqlite3 *db, const char *name) {
    return query_any(query_ask(db, "SELECT 1 FROM baselines WHERE baseline = ?1", name, NULL));
}

TEST(the_table_is_sound) {
    sqlite3 *db = query_open();
    for (int i = 0; baselines[i]; i++) {
        const struct baseline *b = baselines[i];
        assert_int_equal(b->ops.abi, GEMMGATE_ABI);
        assert_true(b->ops.device == GEMM_HOST || b->ops.device == GEMM_CUDA);
        assert_true(b->ops.accumulate && !(b->ops.accumulate & ~(GEMM_F16 | GEMM_F32)));
        assert_non_null(b->ops.launch);
        assert_int_equal(!b->variants, !b->select);
        assert_int_equal(!b->variants, !b->describe);
        assert_true(*b->ops.name &&
                    !b->ops.name[strspn(b->ops.name, "abcdefghijklmnopqrstuvwxyz0123456789.-")]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(baselines[j]->ops.name, b->ops.name);
        if (!reports_know(db, b->ops.name))
            fail_msg("reports/query/words.sql lacks %s", b->ops.name);
    }
    sqlite3_close(db);
}
