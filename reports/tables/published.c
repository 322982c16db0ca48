#include "reports/tables/published.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/tables/tables.h"
#include "timing/stats.h"

#define NEAR 1.1

/* The rows of a run with a speedup over a main baseline, in the order of tables. A speedup of -1
 * is none: it is a time of 0. */
struct list {
    const struct ratio_row **rows;
    size_t count;
    bool one; /* candidate */
};

static void list_rows(const struct rows *rows, struct list *list) {
    *list = (struct list){need(rows->ratio_count, sizeof *list->rows), 0, true};
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (!(row->speedup > -1) || tables_main_index(row->baseline) == TABLES_MAIN)
            continue;
        list->rows[list->count++] = row;
        list->one = list->one && strcmp(row->candidate, list->rows[0]->candidate) == 0;
    }
    qsort(list->rows, list->count, sizeof *list->rows, tables_row_compare);
}

/* The end of the rows from `first` on that differ by shape alone. */
static size_t line_end(const struct list *list, size_t first) {
    size_t end = first + 1;
    while (end < list->count && tables_line_compare(list->rows[first], list->rows[end]) == 0)
        end++;
    return end;
}

/* Where theirs of the same key as the row's begin; their count where there are none. */
static size_t find_key(const struct list *theirs, const struct ratio_row *wanted) {
    size_t first = 0;
    while (first < theirs->count && tables_line_compare(theirs->rows[first], wanted) != 0)
        first = line_end(theirs, first);
    return first;
}

/* Where theirs of the line begin. One call on an idle device has two clocks, events and the
 * host's: theirs by the other one where there are none by the same. */
static size_t find_line(const struct list *theirs, const struct ratio_row *of) {
    const char *const call = words_lenses[LENS_CALL], *const wait = words_lenses[LENS_WAIT];
    struct ratio_row wanted = *of;
    if (theirs->count > 0 && theirs->one)
        wanted.candidate = theirs->rows[0]->candidate;
    const size_t same = find_key(theirs, &wanted);
    const bool events = strcmp(of->lens, call) == 0;
    if (same < theirs->count || (!events && strcmp(of->lens, wait) != 0))
        return same;
    wanted.lens = events ? wait : call;
    return find_key(theirs, &wanted);
}

/* scratch holds three numbers a pair. */
static void summarise(struct published_line *line, double *scratch) {
    const size_t n = line->shapes;
    double *theirs = scratch, *ours = scratch + n, *quotient = scratch + 2 * n;
    for (size_t i = 0; i < n; i++) {
        theirs[i] = line->pairs[i].theirs->speedup;
        ours[i] = line->pairs[i].ours->speedup;
        quotient[i] = (1 + ours[i]) / (1 + theirs[i]);
        line->near += quotient[i] <= NEAR && quotient[i] >= 1 / NEAR;
        line->both_faster += theirs[i] > 0 && ours[i] > 0;
        line->only_theirs += theirs[i] > 0 && !(ours[i] > 0);
        line->only_ours += ours[i] > 0 && !(theirs[i] > 0);
    }
    line->theirs = stats_mean(theirs, n);
    line->ours = stats_mean(ours, n);
    line->correlation = stats_rank_correlation(theirs, ours, n);
    line->quotient = stats_median(quotient, n);
}

/* Both lists are in the order of shapes. */
static void match(const struct ratio_row *const *ours, size_t our_count,
                  const struct ratio_row *const *theirs, size_t their_count,
                  struct published_line *line) {
    double others = 0;
    size_t at = 0;
    for (size_t i = 0; i < their_count; i++) {
        while (at < our_count && shape_compare(ours[at]->shape, theirs[i]->shape) < 0)
            at++;
        if (at < our_count && shape_compare(ours[at]->shape, theirs[i]->shape) == 0) {
            line->pairs[line->shapes++] = (struct published_pair){theirs[i], ours[at]};
        } else {
            line->others++;
            others += theirs[i]->speedup;
        }
    }
    line->others_theirs = line->others ? others / (double)line->others : NAN;
}

static void make_lines(const struct list *ours, const struct list *theirs, double *scratch,
                       struct published *published) {
    struct published_pair *next = published->pairs;
    for (size_t first = 0, end; first < ours->count; first = end) {
        end = line_end(ours, first);
        const size_t begin = find_line(theirs, ours->rows[first]);
        struct published_line *line = &published->lines[published->count];
        if (begin == theirs->count)
            continue;
        *line = (struct published_line){
            .of = ours->rows[first], .there = theirs->rows[begin], .pairs = next};
        match(ours->rows + first, end - first, theirs->rows + begin,
              line_end(theirs, begin) - begin, line);
        if (line->shapes == 0)
            continue;
        summarise(line, scratch);
        next += line->shapes;
        published->count++;
    }
}

void published_make(const struct rows *ours, const struct rows *theirs,
                    struct published *published) {
    struct list our_list, their_list;
    const size_t room = ours->ratio_count;
    double *scratch = need(3 * room, sizeof *scratch);
    published->count = 0;
    published->lines = need(room, sizeof *published->lines);
    published->pairs = need(room, sizeof *published->pairs);
    list_rows(ours, &our_list);
    list_rows(theirs, &their_list);
    make_lines(&our_list, &their_list, scratch, published);
    free(our_list.rows);
    free(their_list.rows);
    free(scratch);
}

void published_free(struct published *published) {
    free(published->lines);
    free(published->pairs);
    *published = (struct published){0};
}
