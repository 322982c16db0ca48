#include "reports/rows/rows.h"

#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/outcome.h"
#include "bench/base/text.h"
#include "bench/base/words.h"

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
#define LIST(row, kind, file, COLUMNS)                                                             \
    static const struct rows_column row##_columns[] = {                                            \
        SIZE(row##_row, m, "rows of C"), SIZE(row##_row, n, "columns of C"),                       \
        SIZE(row##_row, k, "length of the sums"), COLUMNS(COLUMN, row##_row)};                     \
    _Static_assert(sizeof row##_columns / sizeof *row##_columns <= ROWS_COLUMNS,                   \
                   "no file has more columns");
ROW_KINDS(LIST)

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

bool rows_found(const struct rows *unit, const char *kernel, const char *finding) {
    for (size_t i = 0; i < unit->audit_count; i++)
        if (strcmp(unit->audits[i].kernel, kernel) == 0 &&
            strcmp(unit->audits[i].finding, finding) == 0)
            return true;
    return false;
}

const struct recording_row *rows_recording(const struct rows *unit, const char *kernel) {
    const struct recording_row *last = NULL;
    for (size_t i = 0; i < unit->recording_count; i++)
        if (strcmp(unit->recordings[i].kernel, kernel) == 0)
            last = &unit->recordings[i];
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

const char *rows_deed(const struct check_row *row) {
#define OUTCOME_DEED(id, word, deed) deed,
    static const char *const deeds[] = {OUTCOMES(OUTCOME_DEED)};
    const int outcome = words_find(outcome_words, row->outcome);
    return outcome < 0 ? row->outcome : deeds[outcome];
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

static int compare_texts(const void *left, const void *right) {
    return strcmp(left, right);
}

const char *kept_text(const char *text) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void *kept;
    pthread_mutex_lock(&lock);
    char *const *found = tfind(text, &kept, compare_texts);
    const char *is =
        found ? *found : *(char *const *)tsearch(need_copy(text), &kept, compare_texts);
    pthread_mutex_unlock(&lock);
    return is;
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
    array = need_more(array, count, size);
    memcpy(array + count * size, row, size);
    keep_texts(kind, count ? array + (count - 1) * size : NULL, array + count * size);
    count++;
    memcpy((char *)rows + rows_files[kind].array, &array, sizeof array);
    memcpy((char *)rows + rows_files[kind].count, &count, sizeof count);
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

/* Whether both rows have the same text there, or the same number to SAME of it. */
static bool is_equal(const struct rows_column *column, const void *left, const void *right) {
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
        if (is_equal(column, stored, wanted))
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
