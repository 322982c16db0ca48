/* What became of the kernels of a run, as a status. The words: tests/queries/refused.txt. */
#include "bench/base/error.h"
#include "reports/tables/runs.h"
#include "reports/tables/tested.h"
#include "tests/support/test.h"

/* Of a run of the kernels a and b on two shapes. `fates`: (m, candidate, kernel, outcome), ... */
static struct tested take(const char *fates) {
    char sql[512];
    struct tested tested;
    sqlite3 *db = query_open();
    runs_add(db, "run", &(struct rundir){.folder = "run"}, NULL);
    query_run(db, "UPDATE runs SET shapes = 2, plan = '{\"shapes\": [\"1x2x3\", \"2x2x3\"], "
                  "\"candidates\": [{}], \"units\": [\"1x2x3.a\", \"1x2x3.b\", \"2x2x3.a\", "
                  "\"2x2x3.b\"]}'");
    snprintf(sql, sizeof sql,
             "INSERT INTO checks (run, m, n, k, candidate, kernel, outcome, detail) SELECT 'run', "
             "column1, 2, 3, column2, column3, column4, '' FROM (VALUES %s)",
             fates);
    query_run(db, sql);
    tested_take(db, "run", &tested);
    sqlite3_close(db);
    return tested;
}

/* A kernel that was refused matters more than one that lacks something, an unrecorded one less. A
 * library does not count. */
TEST(fates_make_a_status) {
    static const struct {
        const char *fates;
        size_t kernels;
        int status;
        bool all_passed, none_serves;
    } cases[] = {
        {"(1, 'a', 'a', 'ok'), (1, 'a', 'lib', 'nan')", 1, EXIT_PASS, true, false},
        {"(1, 'a', 'a', 'nan'), (2, 'b', 'b', 'not-built')", 2, EXIT_REFUSED, false, false},
        {"(1, 'a', 'a', 'ok'), (2, 'b', 'b', 'not-built')", 2, EXIT_ENVIRONMENT, false, false},
        {"(2, 'b', 'b', 'no-memory')", 1, EXIT_ENVIRONMENT, false, false},
        {"(1, 'b', 'b', 'unrecorded')", 1, EXIT_PASS, false, false},
        {"(1, 'a', 'a', 'ok'), (2, 'b', 'b', 'unsupported')", 2, EXIT_PASS, false, false},
        {"(1, 'a', 'a', 'unsupported')", 1, EXIT_PASS, false, true},
        {"(1, 'a', 'lib', 'ok')", 0, EXIT_PASS, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct tested tested = take(cases[i].fates);
        assert_int_equal(tested.kernels, cases[i].kernels);
        assert_int_equal(tested.status, cases[i].status);
        assert_int_equal(tested.all_passed, cases[i].all_passed);
        assert_int_equal(tested.none_serves, cases[i].none_serves);
    }
}

TEST(a_shape_without_a_kernel_is_told) {
    const struct tested tested =
        take("(1, 'a', 'a', 'ok'), (2, 'a', 'a', 'unsupported'), (2, 'b', 'b', 'unsupported')");
    assert_memory_equal(tested.text, "1 of 3 kernels on shapes passed; 2 unsupported", 46);
    assert_string_equal(tested.unserved, "1 of 2 shapes has no kernel: 2x2x3");
    assert_true(!tested.none_serves && !tested.all_passed);
}
