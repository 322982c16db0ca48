/* Series of promoted runs: in order, by machine, with the step that was planted and no other. */
#include <stdlib.h>

#include "bench/base/error.h"
#include "reports/store/history.h"
#include "reports/store/store.h"
#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/store_run.h"
#include "tests/support/test.h"

enum { RUNS = 12, STEP = 6 };

/* Two days only, and promoted in an order that is not that of the names. */
static void promote(int number, const struct store_run *made) {
    char run[32], name[32], now[32];
    struct store_entry entry;
    snprintf(run, sizeof run, "run-%s-%d", made->gpu ? made->gpu : "H100", number);
    snprintf(name, sizeof name, "%s-%d", made->gpu ? made->gpu : "v", number);
    snprintf(now, sizeof now, "2026-03-0%dT%02d:00:00Z", 1 + number / 7, 10 + number % 7);
    store_run_make(scratch_path(run), made);
    assert_int_equal(
        store_promote(scratch_path("store"), scratch_path(run), name, NULL, now, &entry), 0);
    store_entry_close(&entry);
}

/* A store with 12 runs of one machine, 2 % slower from the seventh on, and one of another, where
 * the kernel is unrecorded. */
static int set_up(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    for (int i = 0; i < RUNS; i++)
        promote(i, &(struct store_run){.seed = 1 + (unsigned)i,
                                       .slower = i < STEP ? 0 : 1 / 0.98 - 1,
                                       .gate = "pass",
                                       .kernels = i < STEP ? NULL : "fedcba9876543210"});
    promote(0, &(struct store_run){.gpu = "A100", .slower = 0.1, .unrecorded = true});
    return 0;
}

/* What history_show prints to stdout; the caller frees. */
static char *shown_by(const char *store, const char *folder, bool json) {
    char *text = calloc(1, 65536);
    FILE *caught = tmpfile();
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    assert_true(text && caught && kept >= 0 && dup2(fileno(caught), STDOUT_FILENO) >= 0);
    const int status = history_show(store, "openblas-max", folder, json);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(caught);
    text[fread(text, 1, 65535, caught)] = 0;
    fclose(caught);
    assert_int_equal(status, EXIT_PASS);
    return text;
}

static size_t count_words(const char *text, const char *word) {
    size_t count = 0;
    while ((text = strstr(text, word))) {
        text += strlen(word);
        count++;
    }
    return count;
}

TEST(test_series) {
    sqlite3 *db = query_open();
    assert_int_equal(history_read(scratch_path("store"), NULL, db), 0);
    sqlite3_stmt *row = query_ask(db,
                                  "SELECT * FROM series JOIN levels ON levels.rowid = at WHERE m = "
                                  "64 ORDER BY device, run",
                                  NULL);
    assert_true(query_next(row)); /* of another machine */
    assert_non_null(strstr(query_text(row, "device"), "A100"));
    assert_int_equal(query_count(row, "unrecorded"), 1);
    assert_double_near(query_number(row, "ratio"), 1.25 / 1.1, 2e-3);
    for (size_t i = 0; i < RUNS; i++) {
        char name[16];
        snprintf(name, sizeof name, "v-%zu", i);
        assert_true(query_next(row));
        assert_non_null(strstr(query_text(row, "device"), "H100"));
        assert_string_equal(query_text(row, "baseline"), "openblas-max");
        assert_string_equal(query_text(row, "entry"), name);
        assert_true(query_number(row, "ci_low") < query_number(row, "ratio") &&
                    query_number(row, "ratio") < query_number(row, "ci_high"));
        assert_true(i == STEP || isnan(query_number(row, "before")));
        if (i != STEP)
            continue;
        assert_double_near(query_number(row, "before"), 1.25, 2e-3);
        assert_double_near(query_number(row, "after"), 1.25 * 0.98, 2e-3);
    }
    assert_false(query_next(row));
    sqlite3_close(db);
}

/* One page over all shapes: the change of each, in the entry where it began, with its kernels'
 * commit. */
TEST(test_changes) {
    char *text = shown_by(scratch_path("store"), NULL, false);
    char *lines = strstr(text, "Newest over first");
    assert_non_null(lines);
    assert_non_null(
        strstr(lines, " all  ")); /* 2 % slower on both shapes, and in each size class */
    assert_non_null(strstr(lines, " 2  0.980 ("));
    char *changes = strstr(text, "What changed when"), *newest = strstr(text, "The newest run");
    assert_true(changes && newest && changes < newest);
    *newest = 0;
    assert_int_equal(count_words(changes, "v-5 "), 2); /* both shapes */
    assert_int_equal(count_words(changes, "v-6 "), 2);
    assert_int_equal(count_words(changes, "64x64x64"), 1);
    assert_int_equal(count_words(changes, "128x64x32"), 1);
    assert_int_equal(count_words(changes, " 01234567..fedcba98 "), 2);
    assert_int_equal(count_words(changes, "-2.0"), 2);
    assert_int_equal(count_words(newest + 1, "v-11"), 2);
    assert_int_equal(count_words(newest + 1, " unrecorded ("), 2);
    free(text);
    text = shown_by(scratch_path("store"), NULL, true);
    /* Of both shapes two changes and the newest of each machine; and two lines. */
    assert_int_equal(count_words(text, "\"unrecorded\": 1"), 2);
    assert_int_equal(count_words(text, "\"unrecorded\": 0"), 2 + 2 + 2);
    free(text);
}

/* Few runs: their intervals decide, and a run that is much slower is no "0 changes". */
TEST(test_few_runs) {
    const char *store = scratch_path("few");
    struct store_entry entry;
    for (unsigned i = 0; i < 3; i++) {
        char name[16], now[32];
        snprintf(name, sizeof name, "few-%u", i);
        snprintf(now, sizeof now, "2026-03-0%uT10:00:00Z", 1 + i);
        store_run_make(scratch_path(name),
                       &(struct store_run){.seed = i, .slower = i < 2 ? 0 : 0.6, .gate = "pass"});
        assert_int_equal(store_promote(store, scratch_path(name), name, NULL, now, &entry), 0);
        store_entry_close(&entry);
        if (i == 0)
            continue;
        char *text = shown_by(store, NULL, false);
        assert_non_null(strstr(text, i == 1 ? "Changes of level: 0 to slower, 0 to faster"
                                            : "Changes of level: 2 to slower, 0 to faster"));
        if (i == 2)
            assert_non_null(strstr(text, " mine, offline, device, -37.5 % in few-2"));
        assert_non_null(strstr(text, "In 2 series of fewer than 5 runs"));
        free(text);
    }
}

/* The alarm is over all series: of stores of stable series at most one in twenty tells a change,
 * and 3 standard deviations more. */
TEST(test_stable_store) {
    enum { STORES = 20, SERIES = 1000, EACH = 4, VISITS = 4, COUNT = SERIES * EACH };
    static struct history_point points[COUNT];
    uint64_t random = 7;
    int alarmed = 0;
    for (int store = 0; store < STORES; store++) {
        int told = 0;
        for (size_t i = 0; i < COUNT; i++) {
            double x[VISITS], mean = 0, squares = 0;
            for (int v = 0; v < VISITS; v++) {
                x[v] = 0.01 * draw_normal(&random);
                mean += x[v] / VISITS;
            }
            for (int v = 0; v < VISITS; v++)
                squares += (x[v] - mean) * (x[v] - mean);
            points[i] = (struct history_point){
                i / EACH, {-mean, {squares / (VISITS - 1) / VISITS, VISITS - 1}}, NAN, NAN};
        }
        history_judge(points, COUNT);
        for (size_t i = 0; i < COUNT; i++)
            told += !isnan(points[i].before);
        alarmed += told > 0;
    }
    print_message("%d of %d stores of stable series alarmed\n", alarmed, STORES);
    assert_true(alarmed <= 1 + 3);
}

static int refused(const char *store, const char *baseline) {
    return history_show(store, baseline, NULL, false);
}

TEST(test_refused) {
    assert_says(refused(scratch_path("store"), "torch-matmul"), EXIT_TROUBLE,
                "no promoted run has anything against torch-matmul");
    assert_says(refused(scratch_path("none"), NULL), EXIT_TROUBLE, "is no store");
}

/* history.html begins with the answer. */
TEST(test_page) {
    char command[512];
    free(shown_by(scratch_path("store"), scratch_path("pages"), false));
    snprintf(
        command, sizeof command,
        "cd %s && grep -q 'Changes of level: 2 to slower, 0 to faster' history.html && grep -q "
        "'on several devices' history.html",
        scratch_path("pages"));
    assert_int_equal(system(command), 0);
}

TESTS_BETWEEN(set_up, scratch_remove)
