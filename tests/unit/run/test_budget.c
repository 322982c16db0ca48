/* What is begun in a time. What runs is played here, on a clock of its own. */
#include "bench/run/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "reports/run/rundir.h"
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
static double now;   /* what the clock says */
static double opens; /* seconds until the first visit can begin */

double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void) {
    return now;
}

/* First visits, in the order of the units, until the time is over. One takes 3 s, compiling 7. */
int run_plan(const struct plan *of, const struct run_call *how) {
    const double until = now + 7 + how->first_seconds;
    struct unit *units;
    struct rows rows = {0};
    const long count = plan_units(of, &units);
    char id[UNIT_ID];
    assert_true(count > 0 && how->first_seconds > 0);
    json_t *plan_now = plan_json(of, units, (size_t)count), *kept = json_pack("{s:i}", "round", 1);
    runs++;
    *how->compile_seconds += 7;
    now += 7 + opens;
    assert_int_equal(rundir_create(how->run, plan_now, how->resume), 0);
    for (long i = 0; i < count && now < until; i++) {
        unit_id(&units[i], id);
        int rounds = 0;
        assert_int_equal(rundir_count_rounds(how->run, id, &rounds), 0);
        if (rounds == 0)
            now += 3;
        assert_int_equal(rundir_write_rounds(how->run, id, &rows, NULL, 0, kept), 0);
    }
    json_t *manifest =
        json_pack("{s:{s:f, s:f}}", "seconds", "whole", now - 1000.0, "compile", 7.0);
    assert_int_equal(rundir_write_json(how->run, "manifest.json", manifest), 0);
    json_decref(manifest);
    json_decref(plan_now);
    json_decref(kept);
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
    opens = 0;
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

/* A fourth of 75 s is for the first of four visits, which take 3 s: seven are begun, the last of
 * them just before. The others are left out, from all sizes. */
static void what_fits_is_begun(void **state) {
    (void)state;
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(runs, 1);
    assert_true(call.resume);
    assert_int_equal(plan.only_count, 7);
    assert_int_equal(plan.left_out_count, 13);
    size_t small = 0;
    for (size_t i = 0; i < 7; i++) {
        struct shape shape;
        char text[SHAPE_TEXT];
        snprintf(text, sizeof text, "%.*s", (int)(strchr(plan.only[i], '.') - plan.only[i]),
                 plan.only[i]);
        assert_null(shape_parse(text, &shape));
        small += shape_flops(shape) <= 2.0 * 64 * 64 * 2048;
        assert_false(has(plan.left_out, 13, plan.only[i]));
    }
    assert_true(small >= 2 && small <= 5);
    json_t *kept = rundir_read_json(run, "plan.json");
    assert_int_equal(json_array_size(json_object_get(kept, "units")), 7);
    assert_int_equal(json_array_size(json_object_get(kept, "left_out")), 13);
    json_decref(kept);
}

/* What was dealt out stays so; what was stopped before has what is left of the time. */
static void a_gate_that_is_gone_on_with_has_chosen(void **state) {
    (void)state;
    status = EXIT_INTERRUPTED;
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_INTERRUPTED);
    budget_free(&budget);
    status = EXIT_PASS;
    plan.only = NULL;
    plan.only_count = 0;
    call.resume = true;
    budget = (struct budget){.seconds = 60};
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(runs, 2);
    assert_int_equal(plan.only_count, 9); /* seven, and two in a fourth of 24 s */
    budget_free(&budget);
    plan.only = plan.left_out = NULL;
    plan.only_count = plan.left_out_count = 0;
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(runs, 2);
    assert_int_equal(plan.only_count, 9);
    assert_int_equal(plan.left_out_count, 11);
}

static void calls_decide_what_comes_first(void **state) {
    (void)state;
    scratch_put("w.csv", "mnk,weight\n64x64x64,1\n128x64x512,5\n64x64x32768,3\n");
    budget.weights = scratch_path("w.csv");
    budget.seconds = 42; /* three: a visit has 7.9 s */
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
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
    budget.seconds = 42; /* three: a visit has 7.9 s */
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
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
    budget.seconds = 350; /* 22: a visit has 65.6 s */
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(plan.only_count, 22);
    for (size_t i = 0; i < 20; i++)
        assert_non_null(strstr(plan.only[i], ".other"));
    assert_string_equal(plan.only[0], "128x64x512.other");
    assert_string_equal(plan.only[20], "128x64x512.mine");
}

/* A second kernel, of the largest shape alone; both have changed. */
static void add_large_kernel(const char *hash) {
    kernels[1] = kernels[0];
    strcpy(kernels[1].label, "large");
    kernels[1].has_shape = true;
    kernels[1].shape = shapes[SHAPES - 1];
    before[1] = kernels[1];
    strcpy(kernels[0].source_hash, hash);
    strcpy(kernels[1].source_hash, hash);
    plan.set.count = plan.previous.count = 2;
}

static void a_changed_kernel_that_is_never_begun_is_counted(void **state) {
    (void)state;
    add_large_kernel("new");
    scratch_put("w.csv", "mnk,weight\n64x64x64,5\n");
    budget.weights = scratch_path("w.csv");
    budget.seconds = 10; /* one */
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    assert_string_equal(plan.only[0], "64x64x64.mine");
    assert_int_equal(plan.left_out_changed, 1);
}

static void a_header_that_differs_changes_every_kernel(void **state) {
    (void)state;
    add_large_kernel("a");
    scratch_put("new/common.h", "x");
    scratch_put("old/common.h", "x");
    budget.seconds = 10;
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(plan.left_out_changed, 0);
    budget_free(&budget);
    plan.only = plan.left_out = NULL;
    plan.only_count = plan.left_out_count = 0;
    call = (struct run_call){.run = scratch_path("OTHER")};
    scratch_put("old/common.h", "y");
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    assert_int_equal(plan.left_out_changed, 1);
}

static void too_short_a_time_is_refused(void **state) {
    (void)state;
    opens = 20;
    assert_says(budget_screen(&budget, &plan, &call), EXIT_TROUBLE,
                "--budget: 100 s are too short: not one kernel was begun");
}

/* What confirms suspects: 13 visits of each, the least valuable first. */
static struct plan confirming(char *ids[5]) {
    struct plan second = plan;
    for (size_t i = 0; i < 5; i++)
        ids[i] = budget.units.list[4 - i];
    second.only = ids;
    second.only_count = 5;
    second.left_out = NULL;
    second.left_out_count = 0;
    second.rounds = 13;
    return second;
}

/* Of 100 s 21 are over, and a visit has 6.1: three are begun. Compiling is not counted. */
static void suspects_have_what_is_left(void **state) {
    (void)state;
    char *ids[5], folder[600];
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    struct plan second = confirming(ids);
    struct run_call again = call;
    snprintf(folder, sizeof folder, "%s/confirm", run);
    again.run = folder;
    assert_says(budget_confirm(&budget, &second, &again), EXIT_PASS,
                "2 suspects do not fit into what is left of 100 s");
    assert_int_equal(second.only_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(second.only[i], budget.units.list[i]);
    json_t *kept = rundir_read_json(folder, "plan.json");
    assert_int_equal(json_array_size(json_object_get(kept, "units")), 3);
    assert_null(json_object_get(kept, "left_out"));
    json_decref(kept);
    assert_int_equal(budget_end(&budget, run), 0);
    json_t *json = jsonfile_read(run, "budget.json", "a run directory");
    assert_double_near(json_number_value(json_object_get(json, "spent")), 30, 1e-9);
    assert_int_equal(json_array_size(json_object_get(json, "unconfirmed")), 2);
    json_decref(json);
}

/* Then there is no second stage. */
static void no_suspect_may_fit(void **state) {
    (void)state;
    char *ids[5], folder[600];
    assert_int_equal(budget_screen(&budget, &plan, &call), EXIT_PASS);
    struct plan second = confirming(ids);
    struct run_call again = call;
    snprintf(folder, sizeof folder, "%s/confirm", run);
    again.run = folder;
    now += 100;
    opens = 1;
    assert_says(budget_confirm(&budget, &second, &again), EXIT_PASS, "5 suspects do not fit");
    assert_int_equal(second.only_count, 0);
    assert_int_equal(access(folder, F_OK), -1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(what_fits_is_begun),
        TEST(a_gate_that_is_gone_on_with_has_chosen),
        TEST(calls_decide_what_comes_first),
        TEST(counts_of_the_suite_decide_too),
        TEST(what_changed_comes_before_calls),
        TEST(a_changed_kernel_that_is_never_begun_is_counted),
        TEST(a_header_that_differs_changes_every_kernel),
        TEST(too_short_a_time_is_refused),
        TEST(suspects_have_what_is_left),
        TEST(no_suspect_may_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
