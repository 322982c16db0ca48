#include "reports/rows/rows.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/outcome.h"
#include "bench/base/text.h"
#include "bench/base/words.h"
#include "reports/rows/kept_text.h"

#define VERDICT_WORD(name, word) word,
static const char *const verdicts[] = {"", VERDICTS(VERDICT_WORD) NULL};
static const char *const controls[] = {"aa", "across", "autotune", "delay", NULL};
static const char *const control_verdicts[] = {"ok", "off", "missed", "unknown", NULL};
static const char *const audit_parts[] = {"library",    "source", "calls", "code",
                                          "last-calls", "stage",  NULL};
static const char *const recording_results[] = {"same", "right", "wrong", "no", NULL};
static const char *const levels[] = {"fact", "refused", NULL};

/* What the forms of columns.h are: form, key, unit, words. */
#define FORM_TEXT(bytes) .form = ROWS_TEXT, .unit = "", .room = bytes
#define FORM_WORD(list) FORM_TEXT(RUNDIR_NAME), .words = list
#define FORM_KEPT(bytes) .kept = true, FORM_TEXT(bytes)
#define FORM_KEPT_WORD(list) .kept = true, FORM_WORD(list)
#define FORM_NUMBER(of) .form = ROWS_NUMBER, .unit = of
#define FORM_UNBOUND(of) .form = ROWS_UNBOUND, .unit = of
#define FORM_KEY_TEXT(bytes) .key = true, FORM_TEXT(bytes)
#define FORM_KEY_WORD(list) .key = true, FORM_WORD(list)
#define FORM_KEY_KEPT(bytes) .key = true, FORM_KEPT(bytes)
#define FORM_KEY_KEPT_WORD(list) .key = true, FORM_KEPT_WORD(list)
#define FORM_KEY_NUMBER(of) .key = true, FORM_NUMBER(of)

#define PLACE(row, member)                                                                         \
    .offset = offsetof(struct row, member), .size = sizeof(((struct row *)0)->member)
#define SIZE(row, member, says)                                                                    \
    {                                                                                              \
        .name = #member, .unit = "", .meaning = says, .form = ROWS_SIZE, .key = true,              \
        PLACE(row, shape.member)                                                                   \
    }
#define COLUMN(of, form, member, detail, says)                                                     \
    {.name = #member, .meaning = says, PLACE(of, member), FORM_##form(detail)},
#define CHECK_COLUMN(...) COLUMN(check_row, __VA_ARGS__)
#define TIME_COLUMN(...) COLUMN(time_row, __VA_ARGS__)
#define RATIO_COLUMN(...) COLUMN(ratio_row, __VA_ARGS__)
#define VISIT_COLUMN(...) COLUMN(visit_row, __VA_ARGS__)
#define CONTROL_COLUMN(...) COLUMN(control_row, __VA_ARGS__)
#define CONDITION_COLUMN(...) COLUMN(condition_row, __VA_ARGS__)
#define AUDIT_COLUMN(...) COLUMN(audit_row, __VA_ARGS__)
#define RECORDING_COLUMN(...) COLUMN(recording_row, __VA_ARGS__)

#define LIST(row, ROW)                                                                             \
    static const struct rows_column row##_columns[] = {                                            \
        SIZE(row##_row, m, "rows of C"), SIZE(row##_row, n, "columns of C"),                       \
        SIZE(row##_row, k, "length of the sums"), ROW##_COLUMNS(ROW##_COLUMN)};                    \
    _Static_assert(sizeof row##_columns / sizeof *row##_columns <= ROWS_COLUMNS,                   \
                   "no file has more columns")
LIST(check, CHECK);
LIST(time, TIME);
LIST(ratio, RATIO);
LIST(visit, VISIT);
LIST(control, CONTROL);
LIST(condition, CONDITION);
LIST(audit, AUDIT);
LIST(recording, RECORDING);

#define FILE_OF(row, kind, file, COLUMNS)                                                          \
    [kind] = {.name = file,                                                                        \
              .columns = row##_columns,                                                            \
              .column_count = sizeof row##_columns / sizeof *row##_columns,                        \
              .row_size = sizeof(struct row##_row),                                                \
              .array = offsetof(struct rows, row##s),                                              \
              .count = offsetof(struct rows, row##_count)},
const struct rows_file rows_files[ROWS_KINDS] = {ROW_KINDS(FILE_OF)};

const char *rows_verdict(const struct ratio_row *row) {
    return verdict_words[row->disturbed > ROWS_DISTURBED_MOST
                             ? VERDICT_DISTURBED
                             : verdict_of(row->ci_low, row->ci_high, VERDICT_MARGIN)];
}

const struct check_row *rows_check(const struct rows *rows, struct shape shape,
                                   const char *candidate, const char *kernel) {
    const struct check_row *row = NULL;
    while ((row = rows_next(rows, ROWS_CHECKS, shape, row)))
        if (strcmp(row->candidate, candidate) == 0 && strcmp(row->kernel, kernel) == 0)
            return row;
    return NULL;
}

bool rows_found(const struct rows *rows, struct shape shape, const char *candidate,
                const char *kernel, const char *finding) {
    const struct audit_row *row = NULL;
    while ((row = rows_next(rows, ROWS_AUDITS, shape, row)))
        if (strcmp(row->candidate, candidate) == 0 && strcmp(row->kernel, kernel) == 0 &&
            strcmp(row->finding, finding) == 0)
            return true;
    return false;
}

const struct recording_row *rows_recording(const struct rows *rows, struct shape shape,
                                           const char *candidate, const char *kernel) {
    const struct recording_row *last = NULL, *row = NULL;
    while ((row = rows_next(rows, ROWS_RECORDINGS, shape, row)))
        if (strcmp(row->candidate, candidate) == 0 && strcmp(row->kernel, kernel) == 0)
            last = row;
    return last;
}

size_t rows_stated(const struct rows *rows, const char *lens, double *seconds) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < rows->ratio_count; i++)
        if (rows->ratios[i].launch_seconds > 0 && strcmp(rows->ratios[i].lens, lens) == 0) {
            sum += log(rows->ratios[i].launch_seconds);
            count++;
        }
    *seconds = exp(sum / (double)count);
    return count;
}

#define FATE_WORD(id, word) word,
const char *const rows_fate_words[ROWS_FATE_COUNT] = {ROWS_FATES(FATE_WORD)};

enum rows_fate rows_fate(const struct check_row *row) {
    static const struct {
        enum outcome outcome;
        enum rows_fate fate;
    } fates[] = {{OUTCOME_OK, ROWS_PASSED},
                 {OUTCOME_UNRECORDED, ROWS_UNRECORDED},
                 {OUTCOME_UNSUPPORTED, ROWS_UNSUPPORTED},
                 {OUTCOME_NOT_BUILT, ROWS_NOT_BUILT},
                 {OUTCOME_NO_MEMORY, ROWS_NO_MEMORY}};
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++)
        if (strcmp(row->outcome, outcome_word(fates[i].outcome)) == 0)
            return fates[i].fate;
    return ROWS_REFUSED;
}

bool rows_timed(enum rows_fate fate) {
    return fate == ROWS_PASSED || fate == ROWS_UNRECORDED;
}

static bool is_unrecorded(const struct check_row *row) {
    return row && rows_fate(row) == ROWS_UNRECORDED;
}

bool rows_unrecorded(const struct rows *rows, struct shape shape, const char *candidate,
                     const char *baseline) {
    return is_unrecorded(rows_check(rows, shape, candidate, candidate)) ||
           (strcmp(baseline, RUNDIR_PREVIOUS) == 0 &&
            is_unrecorded(rows_check(rows, shape, candidate, RUNDIR_PREVIOUS)));
}

bool rows_unbounded(const struct rows *rows, const struct ratio_row *row) {
    return rows_unrecorded(rows, row->shape, row->candidate, row->baseline) ||
           strcmp(row->place, words_places[PLACE_UNBOUNDED]) == 0;
}

const char *rows_deed(const struct check_row *row) {
#define OUTCOME_DEED(id, word, deed) deed,
    static const char *const deeds[] = {OUTCOMES(OUTCOME_DEED)};
    const int outcome = words_find(outcome_words, row->outcome);
    return outcome < 0 ? row->outcome : deeds[outcome];
}

/* "64x64x64 mine does not compile: mine.c:1:1: error ..."; returns text. */
static const char *check_text(const struct check_row *row, char text[ROWS_CHECK_TEXT]) {
    char shape[SHAPE_TEXT];
    snprintf(text, ROWS_CHECK_TEXT, "%s %s %s%s%.*s", shape_format(row->shape, shape), row->kernel,
             rows_deed(row), *row->detail ? ": " : "", (int)strcspn(row->detail, "\n"),
             row->detail);
    return text;
}

struct rows_tested rows_tested(const struct rows *rows, const char *candidate) {
    struct rows_tested tested = {0};
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        const enum rows_fate fate = rows_fate(row);
        if (strcmp(row->kernel, candidate ? candidate : row->candidate) != 0 ||
            strcmp(row->candidate, row->kernel) != 0)
            continue;
        if (tested.counts[fate]++ == 0)
            tested.first[fate] = row;
        tested.kernels++;
    }
    return tested;
}

void rows_tested_text(const struct rows_tested *tested, char *text, size_t size) {
    char first[ROWS_CHECK_TEXT];
    text_append(text, size, "%zu of %zu kernels on shapes passed", tested->counts[ROWS_PASSED],
                tested->kernels);
    for (int fate = ROWS_PASSED + 1; fate < ROWS_FATE_COUNT; fate++)
        if (tested->counts[fate])
            text_append(text, size, "; %zu %s, the first: %s", tested->counts[fate],
                        rows_fate_words[fate], check_text(tested->first[fate], first));
}

int rows_tested_status(const struct rows_tested *tested) {
    return tested->counts[ROWS_REFUSED]                                      ? EXIT_REFUSED
           : tested->counts[ROWS_NOT_BUILT] + tested->counts[ROWS_NO_MEMORY] ? EXIT_ENVIRONMENT
                                                                             : EXIT_PASS;
}

bool rows_is_derived(enum rows_kind kind) {
    return kind == ROWS_TIMES || kind == ROWS_RATIOS || kind == ROWS_VISITS ||
           kind == ROWS_CONTROLS;
}

char *rows_of(const struct rows *rows, enum rows_kind kind, size_t *count) {
    char *array;
    memcpy(&array, (const char *)rows + rows_files[kind].array, sizeof array);
    memcpy(count, (const char *)rows + rows_files[kind].count, sizeof *count);
    return array;
}

struct rows_index {
    struct {
        uint32_t *sorted; /* all rows, by shape and then as they stand */
        uint32_t *at;     /* of each row its place there */
    } of[ROWS_KINDS];
};

static void drop_index(struct rows *rows) {
    for (int kind = 0; rows->index && kind < ROWS_KINDS; kind++) {
        free(rows->index->of[kind].sorted);
        free(rows->index->of[kind].at);
    }
    free(rows->index);
    rows->index = NULL;
}

/* All rows begin with their shape. */
static struct shape shape_of(const char *rows, size_t size, size_t row) {
    struct shape shape;
    memcpy(&shape, rows + row * size, sizeof shape);
    return shape;
}

/* The rows of a kind. */
struct kind_rows {
    const char *array;
    size_t count, size;
};

static struct kind_rows rows_of_kind(const struct rows *rows, int kind) {
    struct kind_rows of = {.size = rows_files[kind].row_size};
    of.array = rows_of(rows, (enum rows_kind)kind, &of.count);
    return of;
}

static int compare_places(const void *left, const void *right, void *context) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct kind_rows *of = context;
    const int order =
        shape_compare(shape_of(of->array, of->size, a), shape_of(of->array, of->size, b));
    return order ? order : (a > b) - (a < b);
}

void rows_index(struct rows *rows) {
    drop_index(rows);
    rows->index = need(1, sizeof *rows->index);
}

/* Sorts the rows of a kind, unless that was done. */
static void sort_kind(const struct rows *rows, int kind) {
    struct kind_rows of = rows_of_kind(rows, kind);
    if (rows->index->of[kind].sorted)
        return;
    uint32_t *sorted = need(of.count, sizeof *sorted), *at = need(of.count, sizeof *at);
    for (size_t i = 0; i < of.count; i++)
        sorted[i] = (uint32_t)i;
    qsort_r(sorted, of.count, sizeof *sorted, compare_places, &of);
    for (size_t i = 0; i < of.count; i++)
        at[sorted[i]] = (uint32_t)i;
    rows->index->of[kind].sorted = sorted;
    rows->index->of[kind].at = at;
}

/* The first place of the shape, or where it would be. */
static size_t first_place(const struct kind_rows *of, const uint32_t *sorted, struct shape shape) {
    size_t low = 0, high = of->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (shape_compare(shape_of(of->array, of->size, sorted[middle]), shape) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const void *rows_next(const struct rows *rows, enum rows_kind kind, struct shape shape,
                      const void *row) {
    const struct kind_rows of = rows_of_kind(rows, kind);
    size_t at = row ? (size_t)((const char *)row - of.array) / of.size + 1 : 0;
    if (rows->index) {
        sort_kind(rows, kind);
        const uint32_t *sorted = rows->index->of[kind].sorted;
        at = row ? rows->index->of[kind].at[at - 1] + 1 : first_place(&of, sorted, shape);
        at = at < of.count ? sorted[at] : of.count;
        return at < of.count && shape_compare(shape_of(of.array, of.size, at), shape) == 0
                   ? of.array + at * of.size
                   : NULL;
    }
    while (at < of.count && shape_compare(shape_of(of.array, of.size, at), shape) != 0)
        at++;
    return at < of.count ? of.array + at * of.size : NULL;
}

const char *rows_text(const struct rows_column *column, const void *row) {
    const char *text = (const char *)row + column->offset;
    if (column->kept)
        memcpy(&text, text, sizeof text);
    return text;
}

double rows_number(const struct rows_column *column, const void *row) {
    int64_t size;
    double number;
    if (column->form == ROWS_SIZE) {
        memcpy(&size, (const char *)row + column->offset, sizeof size);
        return (double)size;
    }
    memcpy(&number, (const char *)row + column->offset, sizeof number);
    return number;
}

/* The row points to texts that stay. The row before has most of them, or is NULL. */
static void keep_texts(enum rows_kind kind, const char *before, char *row) {
    const struct rows_file *file = &rows_files[kind];
    for (size_t c = 0; c < file->column_count; c++) {
        const struct rows_column *column = &file->columns[c];
        if (!column->kept)
            continue;
        const char *text = rows_text(column, row), *last = before ? rows_text(column, before) : "";
        text = text ? text : "";
        text = strcmp(text, last) == 0 ? last : kept_text(text);
        memcpy(row + column->offset, &text, sizeof text);
    }
}

void rows_add(struct rows *rows, enum rows_kind kind, const void *row) {
    size_t count, size = rows_files[kind].row_size;
    char *array = rows_of(rows, kind, &count);
    drop_index(rows);
    array = need_more(array, count, size);
    memcpy(array + count * size, row, size);
    keep_texts(kind, count ? array + (count - 1) * size : NULL, array + count * size);
    count++;
    memcpy((char *)rows + rows_files[kind].array, &array, sizeof array);
    memcpy((char *)rows + rows_files[kind].count, &count, sizeof count);
}

void rows_clear(enum rows_kind kind, void *row) {
    const struct rows_file *file = &rows_files[kind];
    const double unknown = NAN;
    memset(row, 0, file->row_size);
    for (size_t c = 0; c < file->column_count; c++)
        if (file->columns[c].form == ROWS_NUMBER || file->columns[c].form == ROWS_UNBOUND)
            memcpy((char *)row + file->columns[c].offset, &unknown, sizeof unknown);
}

#define DEFINE_ADD(row, kind, file, COLUMNS)                                                       \
    void rows_add_##row(struct rows *rows, const struct row##_row *add) {                          \
        rows_add(rows, kind, add);                                                                 \
    }
ROW_KINDS(DEFINE_ADD)

void rows_append(struct rows *rows, const struct rows *more) {
    for (int kind = 0; kind < ROWS_KINDS; kind++) {
        size_t count;
        const char *array = rows_of(more, (enum rows_kind)kind, &count);
        for (size_t i = 0; i < count; i++)
            rows_add(rows, (enum rows_kind)kind, array + i * rows_files[kind].row_size);
    }
}

void rows_free(struct rows *rows) {
    drop_index(rows);
    for (int kind = 0; kind < ROWS_KINDS; kind++) {
        size_t count;
        free(rows_of(rows, (enum rows_kind)kind, &count));
    }
    *rows = (struct rows){0};
}

/* A member's value, for people. */
static void show_member(const struct rows_column *column, const char *row, char text[RUNDIR_TEXT]) {
    if (column->form == ROWS_TEXT)
        snprintf(text, RUNDIR_TEXT, "%s", rows_text(column, row));
    else
        snprintf(text, RUNDIR_TEXT, "%.9g", rows_number(column, row));
}

/* Files hold twelve digits, and a difference of two numbers loses some. */
#define SAME 1e-8

bool rows_equal(const struct rows_column *column, const void *left, const void *right) {
    if (column->form == ROWS_TEXT)
        return strcmp(rows_text(column, left), rows_text(column, right)) == 0;
    const double a = rows_number(column, left), b = rows_number(column, right);
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= SAME * fmax(fabs(a), fabs(b));
}

/* 1 after saying how the row differs, where that is wanted; 0 where it does not. */
static size_t row_differs(const char *where, enum rows_kind kind, size_t at, const char *stored,
                          const char *wanted, bool say) {
    char key[RUNDIR_TEXT], names[4 * RUNDIR_TEXT] = "", was[RUNDIR_TEXT], is[RUNDIR_TEXT];
    for (size_t f = 0; f < rows_files[kind].column_count; f++) {
        const struct rows_column *column = &rows_files[kind].columns[f];
        if (column->key) {
            show_member(column, wanted, key);
            text_append(names, sizeof names, " %.100s", key);
        }
        if (rows_equal(column, stored, wanted))
            continue;
        if (!say)
            return 1;
        show_member(column, stored, was);
        show_member(column, wanted, is);
        error("%s/%s, row %zu (%.300s): %s is '%.200s' where the samples give '%.200s'", where,
              rows_files[kind].name, at + 1, names + 1, column->name, was, is);
        return 1;
    }
    return 0;
}

size_t rows_differ(const char *where, const struct rows *stored, const struct rows *wanted,
                   size_t most) {
    size_t differences = 0;
    for (int kind = 0; kind < ROWS_KINDS; kind++) {
        size_t there, should;
        const char *left = rows_of(stored, (enum rows_kind)kind, &there);
        const char *right = rows_of(wanted, (enum rows_kind)kind, &should);
        const size_t size = rows_files[kind].row_size;
        if (there != should && differences++ < most)
            error("%s/%s: %zu rows where there should be %zu", where, rows_files[kind].name, there,
                  should);
        for (size_t i = 0; i < there && there == should; i++)
            differences += row_differs(where, (enum rows_kind)kind, i, left + i * size,
                                       right + i * size, differences < most);
    }
    return differences;
}
