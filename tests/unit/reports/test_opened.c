/* A run is opened once: no command opens a file of one twice. Its bad folders are refused. */
#include <sys/inotify.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/gate/compare.h"
#include "reports/gate/gate.h"
#include "reports/gate/winners.h"
#include "reports/page/writers.h"
#include "reports/query/query.h"
#include "reports/report/report.h"
#include "reports/run/opened.h"
#include "reports/run/verify.h"
#include "reports/store/store.h"
#include "reports/tables/agree.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/store_run.h"
#include "tests/support/test.h"

enum { RUNS = 2, FOLDERS = 3, MOST = 64 };
static char runs[RUNS][512];
static const char *const both[RUNS] = {runs[0], runs[1]};
static struct gate_policy policy;

/* The files of the runs that were opened, and how often. */
static struct {
    int folder;
    char name[64];
    int count;
} opened[MOST];
static size_t opened_count;
static int watch;

/* They have no digests: to compare one opens its file once more. */
static int make_runs(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    gate_policy_default(&policy);
    for (unsigned r = 0; r < RUNS; r++) {
        snprintf(runs[r], sizeof runs[r], "%s", scratch_path(r ? "B" : "A"));
        store_run_make(runs[r], &(struct store_run){.seed = r + 1});
        if (remove(scratch_path(r ? "B/xxh128sums" : "A/xxh128sums")) < 0)
            return -1;
    }
    return 0;
}

static int remove_runs(void **state) {
    gate_policy_free(&policy);
    return scratch_remove(state);
}

static int begin(void **state) {
    static const char *const folders[FOLDERS] = {"", "units/64x64x64.mine", "units/128x64x32.mine"};
    char folder[PATH_MAX];
    (void)state;
    memset(opened, 0, sizeof opened);
    opened_count = 0;
    watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    for (int i = 0; i < RUNS * FOLDERS; i++)
        if (files_join(folder, runs[i / FOLDERS], folders[i % FOLDERS]) < 0 ||
            inotify_add_watch(watch, folder, IN_OPEN | IN_CLOSE) < 0)
            return -1;
    return 0;
}

static int end(void **state) {
    (void)state;
    return close(watch);
}

static void count_open(const struct inotify_event *event) {
    size_t i = 0;
    if (!(event->mask & IN_OPEN) || event->mask & IN_ISDIR || !event->len)
        return;
    while (i < opened_count &&
           (opened[i].folder != event->wd || strcmp(opened[i].name, event->name) != 0))
        i++;
    assert_true(i < MOST);
    opened_count += i == opened_count;
    opened[i].folder = event->wd;
    snprintf(opened[i].name, sizeof opened[i].name, "%s", event->name);
    opened[i].count++;
}

/* What was opened since the run was made: at least so many files, none of them twice. */
static void assert_opened_once(size_t least) {
    _Alignas(struct inotify_event) char events[1 << 16];
    for (ssize_t got; (got = read(watch, events, sizeof events)) > 0;)
        for (const char *at = events; at < events + got;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)at;
            count_open(event);
            at += sizeof *event + event->len;
        }
    for (size_t i = 0; i < opened_count; i++)
        if (opened[i].count > 1)
            fail_msg("%s is opened %d times", opened[i].name, opened[i].count);
    if (opened_count < least)
        fail_msg("%zu files are opened, where there should be %zu", opened_count, least);
}

/* plan.json, manifest.json and eight CSV files; of a unit four of these, samples.json and samples. */
enum { READ = 10, VERIFIED = READ + 2 * 6 };

TEST_WITH(test_report, begin, end) {
    const struct report_call call = {.runs = (const char *const[]){runs[0], runs[1]},
                                     .count = 2,
                                     .sqlite = scratch_path("runs.sqlite")};
    sqlite3 *db;
    assert_int_equal(report_make(&call), EXIT_PASS);
    assert_opened_once(RUNS * READ);
    /* --sqlite has the visits of both runs, too. */
    assert_int_equal(sqlite3_open(call.sqlite, &db), SQLITE_OK);
    for (int i = 0; i < RUNS; i++) {
        sqlite3_stmt *answer =
            query_ask(db, "SELECT count(*) AS x FROM visits WHERE run = ?1", runs[i], NULL);
        assert_true(query_next(answer) && query_count(answer, "x") > 0);
        assert_false(query_next(answer));
    }
    sqlite3_close(db);
    /* report.json has the facts and tables of the page. */
    json_t *page = json_load_file(scratch_path("A/report/report.json"), 0, NULL),
           *tables = json_object_get(page, "tables"), *line;
    size_t i, leading = 0;
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(page, "facts"), "complete")), "yes");
    assert_int_equal(json_array_size(json_object_get(tables, "shapes")), 2);
    json_array_foreach(json_object_get(tables, "table1"), i, line) {
        assert_true(json_is_number(json_object_get(line, "geomean_ratio")));
        leading += (size_t)json_integer_value(json_object_get(line, "leads"));
    }
    assert_int_equal(leading, 1);
    json_decref(page);
}

TEST_WITH(test_agree, begin, end) {
    struct rundir *list = rundir_open_all(both, RUNS);
    assert_non_null(list);
    struct agree agree;
    assert_int_equal(agree_read(list, RUNS, false, &agree), EXIT_PASS);
    document_free(agree_page(&agree));
    agree_free(&agree);
    rundir_close_all(list, RUNS);
    assert_opened_once(RUNS * READ);
}

TEST_WITH(test_compare, begin, end) {
    const struct compare_call call = {.run = runs[0], .old = runs[1], .policy = &policy};
    assert_int_equal(compare_make(&call), EXIT_PASS);
    assert_opened_once(RUNS * VERIFIED);
}

TEST_WITH(test_winners, begin, end) {
    char folder[512], *text;
    size_t size;
    snprintf(folder, sizeof folder, "%s", scratch_path("winners"));
    const struct winners_call call = {
        .runs = both, .count = RUNS, .policy = &policy, .folder = folder};
    struct document *page;
    assert_int_equal(winners_make(&call, &page), EXIT_PASS);
    assert_opened_once(RUNS * VERIFIED);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(write_text(out, page), 0);
    assert_int_equal(fclose(out), 0);
    for (size_t i = 0; i < RUNS; i++) /* each set with its run */
        assert_non_null(strstr(text, runs[i]));
    assert_non_null(
        strstr(scratch_read(scratch_path("winners/winners.h")), "gemmgate_find_winner"));
    free(text);
    document_free(page);
}

TEST_WITH(test_gate, begin, end) {
    const struct gate_call call = {.run = runs[0], .against = runs[1], .policy = &policy};
    struct gate gate;
    gate_judge(&call, &gate);
    assert_int_not_equal(gate.verdict, GATE_ERROR);
    gate_free(&gate);
    assert_opened_once(RUNS * VERIFIED);
}

TEST_WITH(test_promote, begin, end) {
    struct store_entry entry;
    assert_int_equal(store_promote(scratch_path("store"), runs[0], NULL, "for a test",
                                   "2026-03-02T00:00:00Z", &entry),
                     0);
    store_entry_close(&entry);
    assert_opened_once(VERIFIED);
}

TEST_WITH(test_verify, begin, end) {
    struct rundir run;
    assert_int_equal(rundir_open(runs[0], &run), 0);
    assert_int_equal(verify_run(&run), EXIT_PASS);
    rundir_close(&run);
    assert_opened_once(VERIFIED);
}

/* Where nothing was measured yet. */
TEST_WITH(test_not_begun, begin, end) {
    struct verify_counts counts;
    struct rundir run;
    scratch_put("begun/plan.json", "{\"units\": []}");
    assert_int_equal(rundir_open(scratch_path("begun"), &run), 0);
    assert_false(run.about.complete);
    assert_int_equal(rundir_read(&run), 0);
    assert_says(verify_count(&run, &counts), -1, "begun has no manifest.json");
    rundir_close(&run);
    assert_null(rundir_open_all((const char *const[]){runs[0], scratch_path("none")}, 2));
}

TESTS_BETWEEN(make_runs, remove_runs)
