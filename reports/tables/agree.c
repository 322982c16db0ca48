#include "reports/tables/agree.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/tables/lines.h"
#include "timing/agreement.h"

#define FOUND(name, kind, member) QUERY_COLUMN(agree_group, name, kind, found.member)
static const struct rows_column columns[] = {
    QUERY_TEXT(agree_group, mode),
    QUERY_TEXT(agree_group, lens),
    QUERY_TEXT(agree_group, sizes),
    {"percent", .form = ROWS_TEXT, .offset = offsetof(struct agree_group, percent)},
    FOUND("pairs", SIZE, rows),
    FOUND("share", NUMBER, share),
    FOUND("share_low", NUMBER, share_low),
    FOUND("share_high", NUMBER, share_high),
    FOUND("expected", NUMBER, expected),
    FOUND("median_difference", NUMBER, median_difference),
    FOUND("p90_difference", NUMBER, ninth_difference),
    FOUND("median_combined", NUMBER, median_combined),
    FOUND("median_half", NUMBER, median_half),
    FOUND("excess_sd", NUMBER, excess_sd),
    FOUND("opposite", SIZE, opposite),
    FOUND("changed", SIZE, changed)};
static const struct rows_file file = QUERY_ROWS("agreement", agree_group, columns);

/* What the database calls a run. */
enum { RUN_NAME = 24 };
static const char *name_of(size_t number, char name[RUN_NAME]) {
    snprintf(name, RUN_NAME, "%08zu", number);
    return name;
}

static void make_lines(const struct agree *agree, size_t number) {
    char name[RUN_NAME];
    if (lines_make(agree->db, name_of(number, name), &agree->runs[number].rows) < 0)
        exit(EXIT_TROUBLE); /* nothing is written yet */
}

/* Of columns with this ending. */
static struct agreement_side side_of(sqlite3_stmt *row, const char *ratio, const char *low,
                                     const char *high, const char *freedom, const char *verdict) {
    return (struct agreement_side){
        log(query_number(row, ratio)), log(query_number(row, high) / query_number(row, low)) / 2,
        query_number(row, freedom),
        (enum verdict)words_find(verdict_words, query_text(row, verdict))};
}

/* Ends the last group, of so many rows. */
static void end_group(const struct agreement_row *rows, size_t count, struct agree *agree) {
    if (agree->group_count == 0)
        return;
    struct agree_group *group = &agree->groups[agree->group_count - 1];
    struct agreement *found = &group->found;
    *found = agreement_of(rows, count, VERDICT_CONFIDENCE);
    found->median_difference = expm1(found->median_difference);
    found->ninth_difference = expm1(found->ninth_difference);
    found->median_combined = expm1(found->median_combined);
    found->median_half = expm1(found->median_half);
    snprintf(group->percent, sizeof group->percent, "%.0f", 100 * found->share);
}

static void take_groups(sqlite3 *db, struct agree *agree) {
    struct agreement_row *rows = NULL;
    size_t count = 0;
    for (sqlite3_stmt *row = query_ask(db, query_agree_rows, NULL); query_next(row);) {
        if (query_count(row, "at") == 1) {
            end_group(rows, count, agree);
            count = 0;
            agree->groups = need_more(agree->groups, agree->group_count, sizeof *agree->groups);
            agree->groups[agree->group_count++] =
                (struct agree_group){.mode = kept_text(query_text(row, "mode")),
                                     .lens = kept_text(query_text(row, "lens")),
                                     .sizes = kept_text(query_text(row, "sizes"))};
        }
        rows = need_more(rows, count, sizeof *rows);
        rows[count++] = (struct agreement_row){
            side_of(row, "ratio", "low", "high", "freedom", "verdict"),
            side_of(row, "again", "again_low", "again_high", "again_freedom", "again_verdict"),
            query_count(row, "number")};
    }
    end_group(rows, count, agree);
    free(rows);
}

/* Adds runs to the database. */
static void load(sqlite3 *db, const struct rundir *runs, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        struct rows rows = {.ratios = runs[i].rows.ratios,
                            .ratio_count = runs[i].rows.ratio_count,
                            .checks = runs[i].rows.checks,
                            .check_count = runs[i].rows.check_count};
        char name[RUN_NAME];
        query_load(db, name_of(i, name), &rows);
    }
}

void agree_match(const struct rundir *runs, size_t alike, size_t count, struct agree *agree) {
    char of[24];
    *agree = (struct agree){.db = query_open(), .runs = runs, .run_count = alike, .count = count};
    load(agree->db, runs, 0, alike);
    take_groups(agree->db, agree);
    agree_load(agree->db, agree);
    snprintf(of, sizeof of, "%zu", alike);
    query_next(query_ask(agree->db, query_agree_counts, of, NULL));
    agree->pairs = (size_t)query_one(agree->db, "SELECT known FROM agree_counted");
    load(agree->db, runs, alike, count);
    for (sqlite3_stmt *row = query_ask(agree->db, query_copies, NULL); query_next(row);) {
        agree->one = &runs[query_count(row, "former")];
        agree->copy = &runs[query_count(row, "latter")];
    }
}

void agree_free(struct agree *agree) {
    free(agree->groups);
    sqlite3_close(agree->db);
    *agree = (struct agree){0};
}

void agree_load(sqlite3 *db, const struct agree *agree) {
    query_add(db, &file, "", agree->groups, agree->group_count);
}

void agree_add_lines(const struct agree *agree, const struct runs_asked *asked) {
    char name[RUN_NAME];
    for (size_t i = 0; i < agree->count; i++)
        runs_add(agree->db, name_of(i, name), &agree->runs[i], asked);
    make_lines(agree, 0);
    query_next(query_ask(agree->db, query_common, NULL));
    query_next(query_ask(agree->db, query_common_summed, NULL));
    query_next(query_ask(agree->db, "DELETE FROM lines", NULL));
    for (size_t i = 0; i < agree->count; i++)
        make_lines(agree, i);
}

void agree_fill(struct document *page, const struct agree *agree) {
    query_fill(page, agree->db, "", assets_agree_md);
}

struct document *agree_page(const struct agree *agree) {
    struct document *page = document_new("How far runs agree");
    agree_add_lines(agree, &(struct runs_asked){.claims = NULL});
    agree_fill(page, agree);
    return page;
}

/* Whether the plans are equal but for the fields that each run has of its own. Returns an exit
 * status. */
static int same_plan(const struct rundir *first, const struct rundir *second) {
    struct plan_difference found;
    if (!fingerprint_plans_differ(first->plan, second->plan, true, &found))
        return EXIT_PASS;
    error("%s and %s are of different plans: %s is %.100s and %.100s; only runs with the same "
          "options but --seed and --device can agree",
          first->folder, second->folder, found.path, found.here, found.there);
    return EXIT_NOT_COMPARABLE;
}

/* What runs of different machines differ in first; NULL: their machines are of one kind. A driver may
 * be another. */
static const char *other_machine(const struct rundir *first, const struct rundir *second,
                                 const char **here, const char **there) {
    static const char *const machine[] = {"gpu.name", "cpu.model"};
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        *here = json_string_value(jsonfile_find(first->manifest, machine[i]));
        *there = json_string_value(jsonfile_find(second->manifest, machine[i]));
        if (strcmp(*here ? *here : "", *there ? *there : "") != 0)
            return machine[i];
    }
    return NULL;
}

static int refuse_machine(const struct rundir *first, const struct rundir *second) {
    const char *here, *there, *differs = other_machine(first, second, &here, &there);
    error(
        "%s and %s are of different machines: %s is %s and %s; `gemmgate report RUN --again RUN2` "
        "puts devices side by side",
        first->folder, second->folder, differs, here ? here : "not known",
        there ? there : "not known");
    return EXIT_NOT_COMPARABLE;
}

static int begun_plan(const struct rundir *first, const struct rundir *second) {
    const int status = same_plan(first, second);
    if (status != EXIT_PASS)
        return status;
    return rundir_begun(first) < 0 || rundir_begun(second) < 0 ? EXIT_TROUBLE : EXIT_PASS;
}

/* Puts the runs of the first one's kind of machine first, *alike of them. Returns an exit status. */
static int put_first(struct rundir *runs, size_t count, size_t *alike) {
    int status = EXIT_PASS;
    const char *here, *there;
    *alike = 1;
    for (size_t i = 1; i < count && status == EXIT_PASS; i++) {
        const struct rundir run = runs[i];
        status = begun_plan(&runs[0], &run);
        if (status != EXIT_PASS || other_machine(&runs[0], &run, &here, &there))
            continue;
        memmove(&runs[*alike + 1], &runs[*alike], (i - *alike) * sizeof run);
        runs[(*alike)++] = run;
    }
    return status;
}

/* Whether runs can stand beside each other, and those of one kind of machine agree. Returns an exit status. */
static int check_match(const struct agree *agree) {
    if (agree->copy)
        return error("%s and %s are one run: measure again, into another folder",
                     agree->one->folder, agree->copy->folder),
               EXIT_NOT_COMPARABLE;
    if (agree->pairs > 0 || agree->run_count == 1)
        return EXIT_PASS;
    error("%s and %s have no row with an interval in both: there is nothing to compare; an "
          "interval of one visit is none: measure with --visits 12",
          agree->runs[0].folder, agree->runs[agree->run_count - 1].folder);
    return EXIT_TROUBLE;
}

int agree_read(struct rundir *runs, size_t count, bool devices, struct agree *agree) {
    size_t alike;
    int status = put_first(runs, count, &alike);
    *agree = (struct agree){.runs = runs, .run_count = alike};
    if (status == EXIT_PASS && alike < count && !devices)
        status = refuse_machine(&runs[0], &runs[alike]);
    for (size_t i = 0; i < count && status == EXIT_PASS; i++)
        status = rundir_read(&runs[i]) < 0 ? EXIT_TROUBLE : EXIT_PASS;
    if (status != EXIT_PASS || count == 1)
        return status;
    agree_match(runs, alike, count, agree);
    return check_match(agree);
}
