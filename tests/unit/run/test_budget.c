/* What fits into a time. What runs is played here: it takes no time and says what it would take. */
#include "bench/run/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"

enum { SHAPES = 20 };
static struct shape shapes[SHAPES];
static struct candidate kernels[2], before[2];
static struct plan plan;
static char run[512];
static struct run_call call;
static struct budget budget;
static int runs, status;
static size_t piloted;
static double now;   /* what the clock says */
static double grows; /* seconds of a round more for each doubling of the product */

double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void) {
    return now;
}

/* The first round of the smallest takes 3 s, each later one 1 s. */
static double seconds_of(struct shape shape, int round) {
    return (round ? 1 : 3) + grows * log2(shape_flops(shape) / shape_flops(shapes[0]));
}

int run_plan(const struct plan *of, const struct run_call *how) {
    struct unit *units;
    const long count = plan_units(of, &units);
    char id[UNIT_ID];
    assert_true(count > 0);
    runs++;
    piloted = (size_t)count;
    assert_true(strstr(how->run, "/RUN.pilot"));
    how->heard(how->heard_by, "", -1, 0);
    for (long i = 0; i < count; i++)
        for (int round = 0; round < of->rounds; round++)
            how->heard(how->heard_by, unit_id(&units[i], id), round,
                       seconds_of(units[i].shape, round));
    free(units);
    return status;
}

static int begin(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    for (int i = 0; i < SHAPES; i++)
        shapes[i] = (struct shape){64, 64, 64 << i % 10};
    for (int i = 10; i < SHAPES; i++)
        shapes[i].m = 128;
    strcpy(kernels[0].label, "mine");
    strcpy(kernels[0].source_hash, "a");
    before[0] = kernels[0];
    snprintf(run, sizeof run, "%s", scratch_path("RUN"));
    plan = (struct plan){.suite = {.shapes = shapes, .count = SHAPES},
                         .set = {.list = kernels, .count = 1},
                         .previous = {.list = before, .count = 1},
                         .rounds = 4};
    snprintf(plan.set.folder, sizeof plan.set.folder, "%s", scratch_path("new"));
    snprintf(plan.previous.folder, sizeof plan.previous.folder, "%s", scratch_path("old"));
    files_make_folder(plan.set.folder);
    files_make_folder(plan.previous.folder);
    call = (struct run_call){.run = run};
    budget = (struct budget){.seconds = 100};
    runs = status = 0;
    grows = 0;
    now = 1000;
    return 0;
}

static int end(void **state) {
    budget_free(&budget);
    return scratch_remove(state);
}

static bool has(char *const *list, size_t count, const char *id) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], id) == 0)
            return true;
    return false;
}

/* 3 s and three times 1 s each: of 75 s, twelve. The others are left out, from all sizes. */
static void what_fits_is_chosen(void **state) {
    (void)state;
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(runs, 1);
    assert_int_equal(piloted, 3);
    assert_int_equal(plan.only_count, 12);
    assert_int_equal(plan.left_out_count, 8);
    size_t small = 0;
    for (size_t i = 0; i < 12; i++) {
        struct shape shape;
        char text[SHAPE_TEXT];
        snprintf(text, sizeof text, "%.*s", (int)(strchr(plan.only[i], '.') - plan.only[i]),
                 plan.only[i]);
        assert_null(shape_parse(text, &shape));
        small += shape_flops(shape) <= 2.0 * 64 * 64 * 2048;
        assert_false(has(plan.left_out, 8, plan.only[i]));
    }
    assert_true(small >= 4 && small <= 8);
    assert_int_not_equal(access(scratch_path("RUN.pilot"), F_OK), 0);
}

/* Of the largest product, 9 or 10 doublings away, a round takes 10 times as long. */
static void larger_ones_cost_more(void **state) {
    (void)state;
    grows = 1;
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    double sum = 0;
    for (size_t i = 0; i < SHAPES; i++) {
        char text[SHAPE_TEXT], id[UNIT_ID];
        snprintf(id, sizeof id, "%s.mine", shape_format(shapes[i], text));
        if (has(plan.only, plan.only_count, id))
            sum += seconds_of(shapes[i], 0) + 3 * seconds_of(shapes[i], 1);
    }
    assert_true(sum <= 75 && sum > 60);
}

static void calls_decide_what_comes_first(void **state) {
    (void)state;
    scratch_put("w.csv", "mnk,weight\n64x64x64,1\n128x64x512,5\n64x64x32768,3\n");
    budget.weights = scratch_path("w.csv");
    budget.seconds = 25; /* three */
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(plan.only_count, 3);
    assert_string_equal(plan.only[0], "128x64x512.mine");
    assert_string_equal(plan.only[1], "64x64x32768.mine");
    assert_string_equal(plan.only[2], "64x64x64.mine");
}

/* Without a file the suite's own counts decide. */
static void counts_of_the_suite_decide_too(void **state) {
    (void)state;
    static double counts[SHAPES];
    for (int i = 0; i < SHAPES; i++)
        counts[i] = i == 3 ? 5 : i == 7 ? 3 : 0.01;
    plan.suite.counts = counts;
    budget.seconds = 25; /* three */
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    char first[64], text[SHAPE_TEXT];
    for (int i = 0; i < 2; i++) {
        snprintf(first, sizeof first, "%s.mine", shape_format(shapes[i ? 7 : 3], text));
        assert_string_equal(plan.only[i], first);
    }
    plan.suite.counts = NULL;
}

static void what_changed_comes_before_calls(void **state) {
    (void)state;
    scratch_put("w.csv", "mnk,weight\n64x64x64,1\n128x64x512,5\n");
    kernels[1] = kernels[0];
    strcpy(kernels[1].label, "other");
    strcpy(kernels[1].source_hash, "new");
    before[1] = kernels[1];
    strcpy(before[1].source_hash, "old");
    plan.set.count = plan.previous.count = 2;
    budget.weights = scratch_path("w.csv");
    budget.seconds = 22 * 8 + 4;
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(plan.only_count, 22);
    for (size_t i = 0; i < 20; i++)
        assert_non_null(strstr(plan.only[i], ".other"));
    assert_string_equal(plan.only[0], "128x64x512.other");
    assert_string_equal(plan.only[20], "128x64x512.mine");
}

/* A second kernel, of the largest shape alone, for which 40 s are too few. */
static void add_large_kernel(const char *hash) {
    grows = 1;
    budget.seconds = 40;
    kernels[1] = kernels[0];
    strcpy(kernels[1].label, "large");
    kernels[1].has_shape = true;
    kernels[1].shape = shapes[SHAPES - 1];
    before[1] = kernels[1];
    strcpy(kernels[1].source_hash, hash);
    plan.set.count = plan.previous.count = 2;
}

static void a_changed_kernel_that_fits_nowhere_is_counted(void **state) {
    (void)state;
    add_large_kernel("new");
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    assert_true(plan.only_count > 0);
    assert_int_equal(plan.left_out_changed, 1);
    budget_free(&budget);
    budget.seconds = 100;
    plan.only = NULL;
    plan.only_count = plan.left_out_count = 0;
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(plan.left_out_changed, 0);
    assert_non_null(strstr(plan.only[0], ".large"));
}

static void a_header_that_differs_changes_every_kernel(void **state) {
    (void)state;
    add_large_kernel("a");
    scratch_put("new/common.h", "x");
    scratch_put("old/common.h", "x");
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(plan.left_out_changed, 0);
    budget_free(&budget);
    budget.seconds = 40;
    plan.only = NULL;
    plan.only_count = plan.left_out_count = 0;
    scratch_put("old/common.h", "y");
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(plan.left_out_changed, 1);
}

static void too_short_a_time_is_refused(void **state) {
    (void)state;
    budget.seconds = 5;
    assert_says(budget_choose(&budget, &plan, &call), EXIT_TROUBLE,
                "--budget: 5 s are too short: 4 rounds of the cheapest kernel take 6.0 s");
    status = EXIT_INTERRUPTED;
    budget_free(&budget);
    budget.seconds = 100;
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_INTERRUPTED);
}

static struct gate_suspects suspects_of(size_t count) {
    struct gate_suspects suspects = {
        .ids = calloc(count + 1, sizeof *suspects.ids), .count = count, .rounds = 13};
    for (size_t i = 0; i < count; i++)
        suspects.ids[i] = strdup(budget.units[count - 1 - i]);
    return suspects;
}

void gate_suspects_free(struct gate_suspects *suspects) {
    for (size_t i = 0; i < suspects->count; i++)
        free(suspects->ids[i]);
    free(suspects->ids);
}

/* 3 s and twelve times 1 s each: of 40 s that are left, two. */
static void suspects_have_what_is_left(void **state) {
    (void)state;
    assert_int_equal(budget_choose(&budget, &plan, &call), EXIT_PASS);
    struct gate_suspects suspects = suspects_of(5);
    assert_int_equal(budget_confirm(&budget, run, &suspects), 0);
    assert_int_equal(suspects.count, 5);
    now += 60;
    assert_says(budget_confirm(&budget, run, &suspects), 0,
                "3 suspects do not fit into what is left of 100 s");
    assert_int_equal(suspects.count, 2);
    assert_true(has(suspects.ids, 2, budget.units[0]) && has(suspects.ids, 2, budget.units[1]));
    assert_int_equal(files_make_folder(run), 0);
    assert_int_equal(budget_end(&budget, run), 0);
    json_t *json = jsonfile_read(run, "budget.json", "a run directory");
    assert_double_near(json_number_value(json_object_get(json, "spent")), 60, 1e-9);
    assert_int_equal(json_array_size(json_object_get(json, "unconfirmed")), 3);
    json_decref(json);
    gate_suspects_free(&suspects);
}

/* Compiling takes nothing of it. */
static void compiling_is_not_counted(void **state) {
    (void)state;
    budget.started = now - 30;
    budget_hear(&budget, "", -1, 30);
    assert_double_near(budget.started, now, 1e-9);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(what_fits_is_chosen),
        TEST(larger_ones_cost_more),
        TEST(calls_decide_what_comes_first),
        TEST(counts_of_the_suite_decide_too),
        TEST(what_changed_comes_before_calls),
        TEST(a_changed_kernel_that_fits_nowhere_is_counted),
        TEST(a_header_that_differs_changes_every_kernel),
        TEST(too_short_a_time_is_refused),
        TEST(suspects_have_what_is_left),
        TEST(compiling_is_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
