/* What became of the kernels of a run, and which shapes have none, in words and as a status. */
#include <string.h>

#include "bench/base/error.h"
#include "reports/tables/runs.h"
#include "reports/tables/tested.h"
#include "tests/support/test.h"

struct fate {
    int m;
    const char *candidate, *kernel, *outcome, *detail;
};

static struct tested take(const char *plan, const struct fate *fates, size_t count) {
    struct tested tested;
    struct rundir run = {.folder = "run", .plan = json_loads(plan, 0, NULL)};
    sqlite3 *db = query_open();
    assert_non_null(run.plan);
    run.about.shapes = json_array_size(json_object_get(run.plan, "shapes"));
    for (size_t i = 0; i < count; i++) {
        struct check_row row = {.shape = {fates[i].m, 2, 3}};
        strcpy(row.candidate, fates[i].candidate);
        strcpy(row.kernel, fates[i].kernel);
        strcpy(row.outcome, fates[i].outcome);
        strcpy(row.detail, fates[i].detail);
        rows_add_check(&run.rows, &row);
    }
    query_load(db, "run", &run.rows);
    runs_add(db, "run", &run, NULL);
    tested_take(db, "run", &tested);
    sqlite3_close(db);
    json_decref(run.plan);
    rows_free(&run.rows);
    return tested;
}

static const char plan[] = "{\"shapes\": [\"1x2x3\", \"2x2x3\"], \"candidates\": [{}], "
                           "\"units\": [\"1x2x3.a\", \"1x2x3.b\", \"2x2x3.a\", \"2x2x3.b\"]}";

TEST(test_all_passed) {
    static const struct fate fates[] = {
        {1, "a", "a", "ok", ""},
        {1, "a", "lib", "inexact", ""}, /* a library does not count */
        {1, "a", "previous", "inexact", ""},
        {2, "b", "b", "ok", ""}};
    const struct tested tested = take(plan, fates, 4);
    assert_int_equal(tested.kernels, 2);
    assert_int_equal(tested.status, EXIT_PASS);
    assert_true(tested.all_passed && !tested.none_serves);
    assert_string_equal(tested.text, "2 of 2 kernels on shapes passed");
    assert_string_equal(tested.unserved, "");
}

/* Unrecorded ones first, then by severity; of each fate the first by its first line. */
TEST(test_every_fate) {
    static const struct fate fates[] = {
        {1, "a", "a", "inexact", "off by 1\nand more"},
        {1, "b", "b", "unrecorded", "a graph"},
        {2, "a", "a", "no-compile", "error"},
        {2, "b", "b", "not-built", "no nvcc"},
        {3, "a", "a", "ok", ""},
        {3, "b", "b", "no-memory", ""},
        {4, "a", "a", "unsupported", ""},
    };
    struct tested tested = take(plan, fates, 7);
    assert_string_equal(
        tested.text,
        "1 of 7 kernels on shapes passed; 1 unrecorded, the first: 1x2x3 b does more in a call "
        "than "
        "can be recorded, or cannot be recorded: a graph; 1 unsupported, the first: 4x2x3 a says "
        "that it does not serve this problem; 1 not built, the first: 2x2x3 b was not built, since "
        "this machine lacks what that needs: no nvcc; 1 without memory, the first: 3x2x3 b was not "
        "loaded, since the device had too little free memory; 2 refused, the first: 1x2x3 a misses "
        "a product that is known exactly: off by 1");
    assert_int_equal(tested.status, EXIT_REFUSED);
    assert_true(!tested.all_passed && !tested.none_serves);
    /* A kernel that was refused matters more than one that lacks something, an unrecorded one less. */
    assert_int_equal(take(plan, fates + 3, 1).status, EXIT_ENVIRONMENT);
    assert_int_equal(take(plan, fates + 5, 1).status, EXIT_ENVIRONMENT);
    assert_int_equal(take(plan, fates + 1, 1).status, EXIT_PASS);
}

TEST(test_unserved) {
    static const struct fate fates[] = {{2, "a", "a", "unsupported", ""},
                                        {2, "b", "b", "unsupported", ""},
                                        {1, "a", "a", "unsupported", ""}};
    struct tested tested = take(plan, fates, 2);
    assert_string_equal(tested.unserved, "1 of 2 shapes has no kernel: 2x2x3");
    assert_true(tested.none_serves && !tested.all_passed);
    assert_int_equal(tested.status, EXIT_PASS);
    assert_string_equal(take(plan, fates + 2, 1).unserved, ""); /* b may serve it */
    assert_false(take(plan, NULL, 0).none_serves);
    /* Sorted by size; three are named. A run of libraries, or of some units, has none. */
    static const char many[] =
        "{\"shapes\": [\"10x1x1\", \"9x2x1\", \"9x1x2\", \"9x1x1\", \"8x8x8\"], "
        "\"candidates\": [%s], \"only\": %s, \"units\": [\"8x8x8.a\"]}";
    char text[256];
    snprintf(text, sizeof text, many, "{}", "null");
    assert_string_equal(take(text, NULL, 0).unserved,
                        "4 of 5 shapes have no kernel: 9x1x1, 9x1x2, 9x2x1 and 1 more");
    snprintf(text, sizeof text, many, "{}", "true");
    assert_string_equal(take(text, NULL, 0).unserved, "");
    snprintf(text, sizeof text, many, "", "null");
    assert_string_equal(take(text, NULL, 0).unserved, "");
    assert_string_equal(
        take("{\"shapes\": [\"1x1x1\"], \"candidates\": [{}], \"units\": []}", NULL, 0).unserved,
        "1 of 1 shape has no kernel: 1x1x1");
}
