/* What the evidence shows of single rows, where several things are to be said at once. */
#include <stdio.h>
#include <string.h>

#include "reports/gate/gate_rows.h"
#include "reports/query/query.h"
#include "tests/support/test.h"

static struct gate gate;

/* A row of a kernel that was timed, with its evidence: values of `evidence` but the first, the row. */
static void weigh(const char *evidence) {
    char sql[2048];
    gate_free(&gate);
    gate_open(&gate);
    query_run(
        gate.db,
        "CREATE TABLE asked AS SELECT 0 AS stored, 0 AS compares, NULL AS run_unfit, NULL AS "
        "confirm_unfit, '' AS run_folder, '' AS confirm_folder, 0.5 AS most_disturbed;"
        "CREATE TABLE made AS SELECT 64 AS m, 64 AS n, 64 AS k, 'mine' AS candidate, '' AS source, "
        "'offline' AS mode, 'device' AS lens, 0 AS unrecorded, 'previous' AS reference, NULL AS "
        "visits_seconds, NULL AS wall_seconds, NULL AS seconds, NULL AS visits, 'undecided' AS "
        "status, '' AS why, '' AS text;"
        "CREATE TABLE placed AS SELECT 1 AS row, 'small' AS class, 0 AS class_place, 0.02 AS "
        "ordinary, 0 AS line, 0 AS most;"
        "CREATE TABLE evidence (row, must, reference, status, suspect, confirmed, ratio, low, "
        "high, "
        "p, margin, seconds, visits, left_out, timed_visits, disturbed, device_ratio, call_ratio)");
    snprintf(
        sql, sizeof sql,
        "INSERT INTO evidence (row, must, reference, status, suspect, confirmed, ratio, disturbed, "
        "margin, left_out) SELECT 1, *, 0 FROM (VALUES %s)",
        evidence);
    query_run(gate.db, sql);
    query_run(gate.db, query_gate_judge);
    query_run(gate.db, query_gate_unfit);
    query_run(gate.db, query_gate_acquit);
}

static void assert_row(const char *status, const char *reference, const char *text) {
    sqlite3_stmt *row = query_ask(gate.db, "SELECT * FROM gate_rows", NULL);
    assert_true(query_next(row));
    assert_string_equal(query_text(row, "status"), status);
    assert_string_equal(query_text(row, "reference"), reference);
    assert_string_equal(query_text(row, "text"), text);
    assert_false(query_next(row));
}

static int end(void **state) {
    (void)state;
    gate_free(&gate);
    return 0;
}

#define SAME "(0, 'previous', 'same', 0, 0, 1, NULL, 0.02)"
#define BEATEN "(1, 'lib-a', 'same', 0, 0, 1.25, NULL, 0)"
#define OPEN "(1, 'lib-b', 'undecided', 1, 0, 1.01, NULL, 0)"
#define BEHIND "(1, 'lib-c', 'behind', 1, 1, 0.9, NULL, 0)"
#define BEATEN_TOO "(1, 'lib-d', 'faster', 1, 1, 1.5, NULL, 0)"

/* The worst counts, wherever it stands; only what stands behind it is added. */
TEST_WITH(of_several_libraries_the_worst_counts, NULL, end) {
    weigh(SAME "," BEATEN "," BEATEN_TOO);
    assert_row("same", "previous", "beats lib-a by 1.25; beats lib-d by 1.5");
    weigh(SAME "," BEATEN "," OPEN "," BEHIND "," BEATEN_TOO);
    assert_row("behind", "lib-c", "must beat lib-c and is slower; beats lib-d by 1.5");
    weigh(SAME "," OPEN "," BEATEN_TOO);
    assert_row("undecided", "lib-b", "must beat lib-b, not shown to; beats lib-d by 1.5");
    assert_true(query_one(gate.db, "SELECT suspect FROM gate_rows") == 1);
}

TEST_WITH(a_slower_row_stays_slower, NULL, end) {
    weigh("(0, 'previous', 'slower', 1, 1, 0.9, NULL, 0.02)," BEHIND "," BEATEN_TOO);
    assert_row("slower", "previous", "beats lib-d by 1.5");
}

/* Nothing is known of a disturbed kernel, and its suspicion is no further reason. */
TEST_WITH(a_disturbed_row_is_held_against_nothing_else, NULL, end) {
    weigh("(0, 'previous', 'undecided', 1, 0, 0.99, 0.25, 0.02)," BEHIND "," BEATEN_TOO);
    assert_row("environment", "previous", "25 % of its blocks were disturbed");
    query_run(gate.db, "UPDATE asked SET most_disturbed = 0; DROP TABLE unfit");
    query_run(gate.db, query_gate_unfit);
    assert_true(query_one(gate.db, "SELECT why IS NOT NULL FROM unfit") == 1);
    query_run(gate.db, "UPDATE asked SET compares = 1; DROP TABLE unfit");
    query_run(gate.db, query_gate_unfit);
    assert_true(query_one(gate.db, "SELECT why IS NULL FROM unfit") == 1);
}

/* Times that cannot be trusted accuse of nothing. */
TEST_WITH(an_unfit_machine_acquits, NULL, end) {
    static const char *const rows[] = {"(0, 'previous', 'slower', 1, 1, 0.9, NULL, 0.02)",
                                       SAME "," BEHIND};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weigh(rows[i]);
        query_run(gate.db, "UPDATE unfit SET why = 'deaf'; DELETE FROM gate_rows");
        query_run(gate.db, query_gate_acquit);
        assert_row("environment", i ? "lib-c" : "previous", "its times would show a slowdown");
    }
}
