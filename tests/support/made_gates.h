/* For tests of what a gate shows: gates that are made up. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_MADE_GATES_H
#define TESTS_SUPPORT_MADE_GATES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/gate/output.h"
#include "reports/query/query.h"
#include "tests/support/asserts.h"

#define NASTY                                                                                      \
    "a|b `c` <script>alert(1)</script> ]]> & \"q\" 'r' [x](http://y) *z* _u_ \\ %0A "              \
    "100%\r\n::error "                                                                             \
    "title=evil::x\n| --- | \x01\x1b[31m \xff\xc3 \xed\xa0\x80 \xef\xbf\xbe @all #1"

/* A row about a kernel on mx64x128. */
static void add_row(struct gate *gate, const char *status, int m, double ratio) {
    char number[12], quotient[32] = "";
    snprintf(number, sizeof number, "%d", m);
    if (isfinite(ratio))
        snprintf(quotient, sizeof quotient, "%.17g", ratio);
    query_next(query_ask(
        gate->db,
        "INSERT INTO gate_rows (m, n, k, candidate, source, mode, lens, unrecorded, class, status, "
        "why, "
        "text, reference, ratio, ci_low, ci_high, seconds, margin, p, visits, left_out, confirmed, "
        "device_ratio, call_ratio, wall_seconds) "
        "SELECT ?1, 64, 128, 'tiled', ?1 || '_64_128.cu', 'offline', 'device', 0, 'small', ?2, '', "
        "'', 'previous', ratio, ratio - 0.005, ratio + 0.005, 1e-5, 0.02, "
        "iif(?2 IN ('slower', 'faster'), 0.00025, NULL), iif(?2 = 'slower', 12, 4), 0, "
        "?2 = 'slower', ratio, ratio + 0.01, 2.5 FROM (SELECT CAST(nullif(?3, '') AS REAL) AS "
        "ratio)",
        number, status, quotient, NULL));
}

/* Changes the row that was added last; ?1 is the text. */
static void edit_row(const struct gate *gate, const char *changes, const char *text) {
    char sql[512];
    snprintf(sql, sizeof sql,
             "UPDATE gate_rows SET %s WHERE ?1 = ?1 AND rowid = (SELECT max(rowid) FROM gate_rows)",
             changes);
    query_next(query_ask(gate->db, sql, text, NULL));
}

/* A row about a kernel that was not timed. */
static void add_untimed(struct gate *gate, const char *status, int m, const char *text) {
    add_row(gate, status, m, NAN);
    edit_row(gate,
             "text = ?1, seconds = NULL, p = NULL, visits = NULL, wall_seconds = NULL, mode = '', "
             "lens = '', reference = ''",
             text);
}

/* As a gate has them. */
static void sort_rows(struct gate *gate) {
    query_run(gate->db,
              "CREATE TEMP TABLE sorted AS SELECT gate_rows.* FROM gate_rows JOIN statuses "
              "USING (status) ORDER BY severity, ratio IS NULL, ratio, m;"
              "DELETE FROM gate_rows; INSERT INTO gate_rows SELECT * FROM sorted");
}

__attribute__((unused)) static size_t row_count(const struct gate *gate) {
    return (size_t)query_one(gate->db, "SELECT count(*) FROM gate_rows");
}

static void add_line(struct gate *gate, const char *mode, const char *size_class) {
    query_next(
        query_ask(gate->db,
                  "INSERT INTO lines (run, candidate, baseline, mode, lens, class, shapes, wins, "
                  "geomean, low, high, faster, same, slower, undecided, environment, maybe, known, "
                  "behind, judged, refused, unrecorded, left_out, leads) VALUES "
                  "('gate', '', '', ?1, 'device', ?2, 10, 2, 0.99, iif(?2 = 'all', 0.985, NULL), "
                  "iif(?2 = 'all', 0.995, NULL), 1, 8, 1, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0)",
                  mode, size_class, NULL));
}

static void add_warning(const struct gate *gate, const char *text) {
    query_next(query_ask(gate->db, "INSERT INTO warnings VALUES (?1)", text, NULL));
}

/* Keeps the path: it is the gate's as long as the test runs. */
static void set_run(struct gate *gate, const char *run) {
    static char kept[16][PATH_MAX];
    static size_t count;
    gate->call.run = strcpy(kept[count++ % 16], run);
}

static void set_folder(struct gate *gate, const char *folder) {
    json_t *clean = json_stringn_nocheck(folder, strlen(folder));
    json_object_set_new_nocheck(gate->run.manifest, "folder", clean);
}

static struct gate begin(const char *run, enum gate_verdict verdict, const char *reason) {
    static const struct gate_policy policy;
    struct gate gate = {.verdict = verdict,
                        .coverage = 1,
                        .units = 10,
                        .suspects = 3,
                        .call = {.policy = &policy, .policy_file = "merge.ini"}};
    struct about *about = &gate.run.about;
    set_run(&gate, run);
    snprintf(gate.reason, sizeof gate.reason, "%s", reason);
    gate_open(&gate);
    query_run(gate.db, "INSERT INTO judged (mode, lens) VALUES ('offline', 'device')");
    gate.run.manifest = json_pack("{s:{s:s}}", "gemmgate", "git_commit", "abcdef");
    set_folder(&gate, "./sets/kernels");
    strcpy(about->set, "kernels");
    strcpy(gate.base.name, "origin/main");
    strcpy(about->device, "Some GPU");
    strcpy(about->hash, "0123456789abcdef0123456789abcdef");
    strcpy(about->start, "2026-11-21T10:00:00Z");
    strcpy(about->end, "2026-11-21T10:04:00Z");
    add_line(&gate, "offline", "all");
    add_line(&gate, "offline", "small");
    return gate;
}

__attribute__((unused)) static struct gate make_pass(const char *run) {
    struct gate gate = begin(run, GATE_PASS, "10 rows, none slower");
    for (int i = 0; i < 10; i++)
        add_row(&gate, i == 9 ? "faster" : "same", 64 + i, i == 9 ? 1.2 : 1);
    sort_rows(&gate);
    return gate;
}

/* Every status. */
__attribute__((unused)) static struct gate make_regression(const char *run) {
    struct gate gate = begin(run, GATE_REGRESSION, "2 of 12 rows are slower");
    add_untimed(&gate, "wrong", 64, "C[3,7] is 5 and should be 6");
    add_untimed(&gate, "unrecorded", 63, "cannot be recorded: it uses managed memory");
    add_row(&gate, "slower", 65, 0.95);
    add_row(&gate, "slower", 66, 0.80);
    add_row(&gate, "behind", 66, 0.90);
    edit_row(&gate, "margin = 0, reference = ?1", "cublas-max");
    add_untimed(&gate, "missing", 67, "was served by tiled");
    add_row(&gate, "environment", 68, 0.97);
    add_row(&gate, "undecided", 69, 0.98);
    add_row(&gate, "known", 70, 0.94);
    edit_row(&gate, "text = ?1", "waits for the new scheduler");
    add_row(&gate, "added", 71, NAN);
    edit_row(&gate, "visits = NULL", "");
    add_row(&gate, "same", 72, 1.001);
    edit_row(&gate, "mode = ?1", "server");
    add_row(&gate, "faster", 73, 1.1);
    edit_row(&gate, "unrecorded = 1, device_ratio = NULL, lens = ?1", "call");
    add_row(&gate, "faster", 74, 1.3);
    edit_row(&gate, "ci_high = 9e999", "");
    add_warning(&gate, "policy.ini:3: is needless");
    sort_rows(&gate);
    return gate;
}

__attribute__((unused)) static struct gate make_nasty(const char *run) {
    struct gate gate = begin(run, GATE_VERDICT_WRONG, NASTY);
    static const char *const statuses[] = {"wrong", "slower", "undecided", "known"};
    for (size_t i = 0; i < 4; i++) {
        char name[RUNDIR_NAME];
        snprintf(name, sizeof name, "%.95s", NASTY);
        add_row(&gate, statuses[i], 64, 0.9);
        edit_row(&gate, "candidate = ?1, mode = ?1, lens = ?1, reference = ?1, class = 'a|b'",
                 name);
        edit_row(&gate, "source = ?1, text = ?1", NASTY);
    }
    snprintf(gate.run.about.set, sizeof gate.run.about.set, "%.95s", NASTY);
    strcpy(gate.base.name, NASTY);
    snprintf(gate.run.about.device, sizeof gate.run.about.device, "%.95s", NASTY);
    set_folder(&gate, NASTY);
    add_warning(&gate, NASTY);
    return gate;
}

/* Texts and names as long as they can be where `long_texts`; more of everything than may be
 * shown. */
enum { MANY_LINES = 128, MANY_WARNINGS = 64 };
__attribute__((unused)) static struct gate make_thousand(const char *run, bool long_texts) {
    struct gate gate = begin(run, GATE_REGRESSION, "many rows are slower");
    for (int i = 0; i < 1000; i++) {
        const char *status = i < 30    ? "wrong"
                             : i < 60  ? "slower"
                             : i < 80  ? "undecided"
                             : i < 100 ? "known"
                             : i < 900 ? "same"
                                       : "faster";
        add_row(&gate, status, 64 + i, i < 900 ? 0.9 : 1.1);
    }
    char text[RUNDIR_TEXT] = "", candidate[RUNDIR_NAME] = "";
    memset(text, '|', sizeof text - 1);
    memset(candidate, 0xff, sizeof candidate - 1);
    if (long_texts)
        query_next(query_ask(gate.db, "UPDATE gate_rows SET text = ?1, candidate = ?2", text,
                             candidate, NULL));
    sort_rows(&gate);
    if (!long_texts)
        return gate;
    memset(gate.reason, '<', sizeof gate.reason - 1);
    char path[RUNDIR_TEXT] = "";
    memset(path, 0xff, sizeof path - 1);
    set_run(&gate, path);
    memset(gate.base.name, 0xff, sizeof gate.base.name - 1);
    char warning[RUNDIR_TEXT] = "";
    memset(warning, '*', sizeof warning - 1);
    for (int i = 0; i < MANY_WARNINGS; i++)
        add_warning(&gate, warning);
    char mode[RUNDIR_NAME] = "";
    memset(mode, 0xff, sizeof mode - 1);
    for (size_t i = 2; i < MANY_LINES; i++)
        add_line(&gate, mode, "all");
    return gate;
}

static void end(struct gate *gate) {
    gate_free(gate);
}

/* What the writer writes; the caller frees. */
__attribute__((unused)) static char *written(int (*write)(FILE *, const struct gate *),
                                             const struct gate *gate) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(write(out, gate), 0);
    assert_int_equal(ferror(out), 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strlen(text), size);
    return text;
}

static size_t occurrences(const char *text, const char *end_, const char *what) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)) && at < end_; at += strlen(what))
        count++;
    return count;
}

__attribute__((unused)) static size_t count_all(const char *text, const char *what) {
    return occurrences(text, text + strlen(text), what);
}

#endif
