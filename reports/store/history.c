#include "reports/store/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/page/writers.h"
#include "reports/run/verify.h"
#include "reports/store/store.h"
#include "reports/tables/lines.h"
#include "timing/significance.h"

static const struct rows_column level_columns[] = {QUERY_NUMBER(history_point, before),
                                                   QUERY_NUMBER(history_point, after)};
static const struct rows_file level_file = QUERY_ROWS("levels", history_point, level_columns);

/* Of one kind of machine the pairs of the first points of all series, and of the newest. */
struct machine {
    const char *key;
    struct pairs first, newest;
};

struct machines {
    struct machine *list;
    size_t count;
};

/* Adds to sorted pairs those of others that they lack. */
static void add_missing(struct pairs *pairs, const struct pairs *others) {
    const size_t count = pairs->count;
    for (size_t i = 0; i < others->count; i++)
        if (!pairs_find(&(struct pairs){pairs->list, count}, &others->list[i],
                        others->list[i].reference))
            pairs_add(pairs, &others->list[i]);
    if (pairs->count)
        qsort(pairs->list, pairs->count, sizeof *pairs->list, pairs_compare);
}

/* Takes over the pairs of a run behind those of earlier ones. */
static void take_pairs(struct machines *machines, const char *key, struct pairs *pairs) {
    size_t at = 0;
    while (at < machines->count && strcmp(machines->list[at].key, key) != 0)
        at++;
    if (at == machines->count) {
        machines->list = need_more(machines->list, at, sizeof *machines->list);
        machines->list[machines->count++] = (struct machine){.key = kept_text(key)};
    }
    struct machine *machine = &machines->list[at];
    add_missing(&machine->first, pairs);
    add_missing(pairs, &machine->newest);
    pairs_free(&machine->newest);
    machine->newest = *pairs;
    *pairs = (struct pairs){0};
}

/* Adds the ratios of the entry's honest kernels. Of its rows only these stay: a store may hold a
 * thousand shapes. */
static int read_entry(struct store_entry *entry, size_t number, struct machines *machines,
                      sqlite3 *db) {
    struct rundir *run = &entry->run;
    char name[STORE_NUMBER];
    if (verify_clean(run, "; restore it, or promote the run again") < 0 || rundir_speeds(run) < 0)
        return -1;
    pairs_keep_passed(&run->speeds);
    query_add_pairs(db, store_number(number, name), &run->speeds);
    take_pairs(machines, run->fingerprint.key, &run->speeds);
    rows_free(&run->rows);
    return 0;
}

/* The summary lines of each kind of machine: newest over first. */
static void add_lines(sqlite3 *db, struct machines *machines) {
    query_next(query_ask(db, query_history_summed, NULL));
    for (size_t i = 0; i < machines->count; i++) {
        struct machine *machine = &machines->list[i];
        lines_add(db, machine->key, &machine->newest, &machine->first);
        pairs_free(&machine->first);
        pairs_free(&machine->newest);
    }
    free(machines->list);
}

/* ln of the mean level of the points. */
static double level_of(const struct history_point *points, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += points[i].value.x;
    return exp(sum / (double)count);
}

/* How many points from the first on are of its series; their values go to an array. */
static size_t take_series(const struct history_point *points, size_t count,
                          struct changes_value *values) {
    size_t n = 0;
    for (; n < count && points[n].series == points->series; n++)
        values[n] = points[n].value;
    return n;
}

void history_judge(struct history_point *points, size_t count) {
    struct changes_value *values = need(count, sizeof *values);
    double *chances = need(count, sizeof *chances);
    size_t *at = need(count + 2, sizeof *at), series = 0;
    for (size_t i = 0, n; i < count; i += n) {
        n = take_series(points + i, count - i, values);
        chances[series++] = changes_chance(values, n);
    }
    const double level = significance_level(chances, series, HISTORY_ALPHA);
    for (size_t i = 0, n; i < count; i += n) {
        n = take_series(points + i, count - i, values);
        /* A zero before and the count behind make every level lie between two neighbours. */
        const size_t changes = changes_find(values, n, level, at + 1);
        at[0] = 0;
        at[changes + 1] = n;
        for (size_t c = 1; c <= changes; c++) {
            struct history_point *changed = &points[i + at[c]];
            changed->before = level_of(points + i + at[c - 1], at[c] - at[c - 1]);
            changed->after = level_of(changed, at[c + 1] - at[c]);
        }
    }
    free(values);
    free(chances);
    free(at);
}

size_t history_choose(sqlite3 *db, const char *baseline) {
    struct history_point *points = NULL;
    size_t count = 0;
    query_next(query_ask(db, query_history_series, baseline ? baseline : "", NULL));
    for (sqlite3_stmt *row = query_ask(db, query_history_points, NULL); query_next(row);) {
        points = need_more(points, count, sizeof *points);
        points[count++] = (struct history_point){
            .series = query_count(row, "series"),
            .value = {log(query_number(row, "ratio")),
                      {query_number(row, "error"), query_number(row, "freedom")}},
            .before = NAN,
            .after = NAN};
    }
    history_judge(points, count);
    query_add(db, &level_file, "", points, count);
    free(points);
    return count;
}

int history_read(const char *folder, const char *baseline, sqlite3 *db) {
    struct store store;
    struct machines machines = {0};
    int status = store_open(folder, &store);
    for (size_t i = 0; i < store.count && status == 0; i++)
        status = read_entry(&store.list[i], i, &machines, db);
    store_load(db, &store);
    store_close(&store);
    const bool any = status == 0 && history_choose(db, baseline) > 0;
    add_lines(db, &machines);
    if (status < 0 || any)
        return status;
    return error("%s: no promoted run has anything%s%s; `gemmgate baseline list --store %s` tells "
                 "what there is",
                 folder, baseline ? " against " : "", baseline ? baseline : "", folder);
}

static struct document *make_page(sqlite3 *db) {
    struct document *page = document_new("History of a store");
    char shortest[24], share[24];
    snprintf(shortest, sizeof shortest, "%d", CHANGES_SCATTER);
    snprintf(share, sizeof share, "%g", 100 * HISTORY_ALPHA);
    document_section(page, 2, "verdict", "Verdict", false);
    query_say(page, query_ask(db, query_history_verdict, shortest, share, NULL));
    document_section(page, 2, "lines", "Newest over first", false);
    query_table(page, "lines", NULL, query_ask(db, query_history_lines, NULL));
    document_section(page, 2, "changes", "What changed when", false);
    query_say(page, query_ask(db,
                              "SELECT 'paragraph' AS kind, 'No series has changed its level.' AS "
                              "text WHERE NOT EXISTS (SELECT 1 FROM levels WHERE before > 0)",
                              NULL));
    query_table(page, "changes", NULL, query_ask(db, query_history_changes, NULL));
    unrecorded_explain(page);
    document_section(page, 2, "newest", "The newest run of each shape", false);
    query_table(page, "newest", NULL, query_ask(db, query_history_newest, NULL));
    unrecorded_explain(page);
    return page;
}

int history_show(const char *store, const char *baseline, const char *folder, bool json) {
    sqlite3 *db = query_open();
    int status = history_read(store, baseline, db);
    if (status == 0) {
        struct document *page = make_page(db);
        status = json ? write_json(stdout, page) : write_text(stdout, page);
        if (status == 0 && folder)
            status =
                files_make_folder(folder) < 0 ? -1 : write_file(folder, "history.html", page, NULL);
        document_free(page);
    }
    sqlite3_close(db);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
