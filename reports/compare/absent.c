#include "reports/compare/absent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/unserved.h"

static void note(struct comparison *comparison, struct shape shape, const char *kernel,
                 const char *before, const char *how, const char *outcome) {
    comparison->absent =
        need_more(comparison->absent, comparison->absent_count, sizeof *comparison->absent);
    struct comparison_absent *absent = &comparison->absent[comparison->absent_count++];
    *absent = (struct comparison_absent){.shape = shape, .outcome = outcome};
    snprintf(absent->kernel, sizeof absent->kernel, "%.95s", kernel);
    snprintf(absent->how, sizeof absent->how, "%s%s", before, how);
}

/* The row of the earlier kernel in the unit that checks[at] is of, or NULL: a unit's rows stand
 * together. */
static const struct check_row *previous_of(const struct rows *rows, size_t at) {
    const struct check_row *row = &rows->checks[at];
    size_t first = at;
    while (first > 0 && strcmp(row[0].candidate, rows->checks[first - 1].candidate) == 0 &&
           shape_compare(row->shape, rows->checks[first - 1].shape) == 0)
        first--;
    for (size_t i = first; i < rows->check_count; i++) {
        const struct check_row *other = &rows->checks[i];
        if (strcmp(row->candidate, other->candidate) != 0 ||
            shape_compare(row->shape, other->shape) != 0)
            return NULL;
        if (strcmp(other->kernel, RUNDIR_PREVIOUS) == 0)
            return other;
    }
    return NULL;
}

void absent_paired(const struct rundir *run, struct comparison *comparison) {
    const struct rows *rows = &run->rows;
    size_t count;
    struct unserved_removed *removed = unserved_removed(run->plan, &count);
    for (size_t i = 0; i < count; i++)
        note(comparison, removed[i].shape, removed[i].label, "", "gone", "");
    free(removed);
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (strcmp(row->kernel, row->candidate) != 0 || !rows_timed(rows_fate(row)))
            continue;
        const struct check_row *previous = previous_of(rows, i);
        if (!previous)
            note(comparison, row->shape, row->kernel, "", "added", "");
        else if (!rows_timed(rows_fate(previous)))
            note(comparison, row->shape, row->kernel, "earlier ",
                 rows_fate_words[rows_fate(previous)], previous->outcome);
    }
}

static bool is_planned(const struct rundir *run, struct shape shape) {
    const json_t *shapes = json_object_get(run->plan, "shapes"), *one;
    char text[SHAPE_TEXT];
    size_t i;
    shape_format(shape, text);
    json_array_foreach(shapes, i, one) if (json_is_string(one) &&
                                           strcmp(json_string_value(one), text) == 0) return true;
    return false;
}

/* Notes what is in a run and the other one was asked for and has not. Returns how many others there
 * are that stand alone. */
static size_t note_alone(const struct rundir *run, const struct rundir *other, bool is_new,
                         const char *baseline, struct comparison *comparison) {
    const struct pair *last = NULL;
    size_t rest = 0;
    for (size_t i = 0; i < run->speeds.count; i++) {
        const struct pair *speed = &run->speeds.list[i];
        if (strcmp(speed->reference, baseline) != 0 || comparison_partner(&other->speeds, speed) ||
            (last && shape_compare(last->shape, speed->shape) == 0 &&
             strcmp(last->candidate, speed->candidate) == 0))
            continue;
        last = speed;
        /* Pairs of the old run have the new set's name by now; its rows have not. */
        const bool is_set = is_new && strcmp(speed->candidate, run->about.set) == 0;
        const char *name = is_set ? other->about.set : speed->candidate;
        const struct check_row *check = rows_check(&other->rows, speed->shape, name, name);
        const enum rows_fate fate = check ? rows_fate(check) : ROWS_UNSUPPORTED;
        if (fate == ROWS_UNSUPPORTED && is_planned(other, speed->shape))
            note(comparison, speed->shape, speed->candidate, "", is_new ? "added" : "gone", "");
        else if (rows_timed(fate) || fate == ROWS_UNSUPPORTED)
            rest++;
        else if (is_new)
            note(comparison, speed->shape, speed->candidate, "earlier ", rows_fate_words[fate],
                 check->outcome);
    }
    return rest;
}

void absent_crossed(const struct rundir *old, const struct rundir *new_, const char *baseline,
                    struct comparison *comparison) {
    comparison->only_old = note_alone(old, new_, false, baseline, comparison);
    comparison->only_new = note_alone(new_, old, true, baseline, comparison);
}
