#include "reports/run/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/outcome.h"
#include "reports/run/samples.h"

/* How a member of a row is written. An output that holds infinity deviates infinitely, so there is
 * one column that is not always finite. */
enum form { SIZE, TEXT, NUMBER, NUMBER_OR_INF };

struct field {
    const char *name;
    enum form form;
    bool key; /* the key fields together name a row */
    size_t offset, size;
    const char *const *words; /* NULL-ended: the only texts allowed. NULL: any */
};

#define OUTCOME_WORD(id, word, sentence) word,
static const char *const outcomes[] = {OUTCOMES(OUTCOME_WORD) NULL};
static const char *const verdicts[] = {"", "faster", "slower", "undecided", "environment", NULL};
static const char *const controls[] = {"aa", "delay", NULL};
static const char *const audit_parts[] = {"library", "source", "calls", "code", NULL};
static const char *const levels[] = {"info", "warn", "reject", NULL};
static const char *const control_verdicts[] = {"ok", "off", "missed", NULL};

#define PLACE(row, member) offsetof(struct row, member), sizeof(((struct row *)0)->member)
#define FIELD(row, form, key, member)                                                              \
    { #member, form, key, PLACE(row, member), NULL }
#define WORD(row, key, member, words)                                                              \
    { #member, TEXT, key, PLACE(row, member), words }
#define SHAPE(row)                                                                                 \
    {"m", SIZE, true, PLACE(row, shape.m), NULL}, {"n", SIZE, true, PLACE(row, shape.n), NULL}, {  \
        "k", SIZE, true, PLACE(row, shape.k), NULL                                                 \
    }
#define SAMPLES(row)                                                                               \
    { "samples", NUMBER, false, PLACE(row, n), NULL }

static const struct field check_fields[] = {
    SHAPE(check_row),
    FIELD(check_row, TEXT, true, candidate),
    FIELD(check_row, TEXT, true, kernel),
    WORD(check_row, false, outcome, outcomes),
    FIELD(check_row, TEXT, false, detail),
    FIELD(check_row, NUMBER, false, share_compared),
    FIELD(check_row, NUMBER_OR_INF, false, deviation),
    FIELD(check_row, NUMBER_OR_INF, false, bound),
    FIELD(check_row, NUMBER_OR_INF, false, paper_bound),
    FIELD(check_row, TEXT, false, claimed),
    FIELD(check_row, TEXT, false, seen),
    FIELD(check_row, NUMBER, false, padding_share),
    FIELD(check_row, NUMBER, false, setup_seconds),
    FIELD(check_row, NUMBER, false, first_call_seconds),
    FIELD(check_row, TEXT, false, variant),
    FIELD(check_row, TEXT, false, layout),
    FIELD(check_row, NUMBER, false, code_length),
    FIELD(check_row, NUMBER, false, bm),
    FIELD(check_row, NUMBER, false, bn),
    FIELD(check_row, NUMBER, false, bk),
    FIELD(check_row, NUMBER, false, stages),
    FIELD(check_row, NUMBER, false, swizzle),
    FIELD(check_row, TEXT, false, source),
    FIELD(check_row, TEXT, false, source_hash),
    FIELD(check_row, TEXT, false, device),
    FIELD(check_row, TEXT, false, note),
};

static const struct field time_fields[] = {
    SHAPE(time_row),
    FIELD(time_row, TEXT, true, candidate),
    FIELD(time_row, TEXT, true, kernel),
    FIELD(time_row, TEXT, true, mode),
    FIELD(time_row, TEXT, true, lens),
    FIELD(time_row, TEXT, false, cache),
    SAMPLES(time_row),
    FIELD(time_row, NUMBER, false, rounds),
    FIELD(time_row, NUMBER, false, mean),
    FIELD(time_row, NUMBER, false, median),
    FIELD(time_row, NUMBER, false, sd),
    FIELD(time_row, NUMBER, false, p05),
    FIELD(time_row, NUMBER, false, p90),
    FIELD(time_row, NUMBER, false, p95),
    FIELD(time_row, NUMBER, false, p99),
    FIELD(time_row, NUMBER, false, tflops),
    FIELD(time_row, NUMBER, false, marked),
    FIELD(time_row, NUMBER, false, upper_mode),
    FIELD(time_row, NUMBER, false, sm_mhz),
    FIELD(time_row, NUMBER, false, cycles),
    FIELD(time_row, NUMBER, false, light_seconds),
    FIELD(time_row, TEXT, false, device),
    FIELD(time_row, TEXT, false, note),
};

static const struct field ratio_fields[] = {
    SHAPE(ratio_row),
    FIELD(ratio_row, TEXT, true, candidate),
    FIELD(ratio_row, TEXT, true, baseline),
    FIELD(ratio_row, TEXT, true, mode),
    FIELD(ratio_row, TEXT, true, lens),
    FIELD(ratio_row, TEXT, false, cache),
    FIELD(ratio_row, NUMBER, false, speedup),
    FIELD(ratio_row, NUMBER, false, ratio),
    FIELD(ratio_row, NUMBER, false, ci_low),
    FIELD(ratio_row, NUMBER, false, ci_high),
    SAMPLES(ratio_row),
    FIELD(ratio_row, NUMBER, false, rounds),
    FIELD(ratio_row, NUMBER, false, lag1),
    {"effective_samples", NUMBER, false, PLACE(ratio_row, effective), NULL},
    FIELD(ratio_row, NUMBER, false, within_sd),
    FIELD(ratio_row, NUMBER, false, between_sd),
    FIELD(ratio_row, NUMBER, false, reward),
    WORD(ratio_row, false, verdict, verdicts),
    FIELD(ratio_row, TEXT, false, device),
    FIELD(ratio_row, TEXT, false, note),
};

static const struct field control_fields[] = {
    SHAPE(control_row),
    FIELD(control_row, TEXT, true, candidate),
    WORD(control_row, true, control, controls),
    FIELD(control_row, TEXT, false, baseline),
    FIELD(control_row, TEXT, true, mode),
    FIELD(control_row, TEXT, true, lens),
    FIELD(control_row, NUMBER, false, ratio),
    FIELD(control_row, NUMBER, false, ci_low),
    FIELD(control_row, NUMBER, false, ci_high),
    SAMPLES(control_row),
    FIELD(control_row, NUMBER, false, rounds),
    FIELD(control_row, NUMBER, false, planted),
    FIELD(control_row, NUMBER, false, found),
    WORD(control_row, false, verdict, control_verdicts),
    FIELD(control_row, TEXT, true, device),
    FIELD(control_row, TEXT, false, note),
};

static const struct field condition_fields[] = {
    SHAPE(condition_row),
    FIELD(condition_row, TEXT, true, candidate),
    FIELD(condition_row, TEXT, true, mode),
    FIELD(condition_row, TEXT, false, device),
    FIELD(condition_row, NUMBER, false, blocks),
    FIELD(condition_row, NUMBER, false, start_seconds),
    FIELD(condition_row, NUMBER, false, check_seconds),
    FIELD(condition_row, NUMBER, false, audit_seconds),
    FIELD(condition_row, NUMBER, false, warmup_seconds),
    FIELD(condition_row, NUMBER, false, wall_seconds),
    FIELD(condition_row, NUMBER, false, timed_seconds),
    FIELD(condition_row, TEXT, false, steady),
    FIELD(condition_row, NUMBER, false, sm_mhz_min),
    FIELD(condition_row, NUMBER, false, sm_mhz_mean),
    FIELD(condition_row, NUMBER, false, sm_mhz_max),
    FIELD(condition_row, NUMBER, false, memory_mhz_mean),
    FIELD(condition_row, NUMBER, false, power_w_mean),
    FIELD(condition_row, NUMBER, false, power_w_max),
    FIELD(condition_row, NUMBER, false, temperature_c_max),
    FIELD(condition_row, TEXT, false, throttle),
    FIELD(condition_row, NUMBER, false, processes),
    FIELD(condition_row, NUMBER, false, disturbed),
    FIELD(condition_row, TEXT, false, note),
};

static const struct field audit_fields[] = {
    SHAPE(audit_row),
    FIELD(audit_row, TEXT, true, candidate),
    FIELD(audit_row, TEXT, true, kernel),
    WORD(audit_row, true, part, audit_parts),
    FIELD(audit_row, TEXT, true, finding),
    FIELD(audit_row, NUMBER, true, number),
    WORD(audit_row, false, level, levels),
    FIELD(audit_row, TEXT, false, text),
};

enum kind { CHECKS, TIMES, RATIOS, CONTROLS, CONDITIONS, AUDITS, KINDS };

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define KIND(member, name)                                                                         \
    {                                                                                              \
        .file = name, .fields = member##_fields, .field_count = COUNT(member##_fields),            \
        .row_size = sizeof(struct member##_row), .array = offsetof(struct rows, member##s),        \
        .count = offsetof(struct rows, member##_count)                                             \
    }

static const struct {
    const char *file;
    const struct field *fields;
    size_t field_count, row_size;
    size_t array, count; /* where struct rows holds them */
} kinds[KINDS] = {KIND(check, "checks.csv"),         KIND(time, "times.csv"),
                  KIND(ratio, "ratios.csv"),         KIND(control, "controls.csv"),
                  KIND(condition, "conditions.csv"), KIND(audit, "audit.csv")};

enum { FIELDS = 32 };
_Static_assert(COUNT(check_fields) <= FIELDS && COUNT(time_fields) <= FIELDS &&
                   COUNT(ratio_fields) <= FIELDS && COUNT(control_fields) <= FIELDS &&
                   COUNT(condition_fields) <= FIELDS,
               "no kind has more fields");

union row {
    struct check_row check;
    struct time_row time;
    struct ratio_row ratio;
    struct control_row control;
    struct condition_row condition;
    struct audit_row audit;
};

int rows_refused(const struct check_row *row) {
    return strcmp(row->outcome, "ok") != 0 && strcmp(row->outcome, "unsupported") != 0;
}

static char *rows_of(const struct rows *rows, enum kind kind, size_t *count) {
    char *array;
    memcpy(&array, (const char *)rows + kinds[kind].array, sizeof array);
    memcpy(count, (const char *)rows + kinds[kind].count, sizeof *count);
    return array;
}

/* The array with room for one more: it holds 16, 32, 64 ... rows and moves when those are used up.
 */
static void *grown(void *array, size_t count, size_t size) {
    if (count != 0 && (count < 16 || (count & (count - 1)) != 0))
        return array;
    void *moved = realloc(array, (count ? 2 * count : 16) * size);
    if (!moved)
        error("no memory for %zu rows", count + 1);
    return moved;
}

static int add_row(struct rows *rows, enum kind kind, const void *row) {
    size_t count, size = kinds[kind].row_size;
    char *array = rows_of(rows, kind, &count);
    array = grown(array, count, size);
    if (!array)
        return -1;
    memcpy(array + count++ * size, row, size);
    memcpy((char *)rows + kinds[kind].array, &array, sizeof array);
    memcpy((char *)rows + kinds[kind].count, &count, sizeof count);
    return 0;
}

int rows_add_check(struct rows *rows, const struct check_row *row) {
    return add_row(rows, CHECKS, row);
}

int rows_add_time(struct rows *rows, const struct time_row *row) {
    return add_row(rows, TIMES, row);
}

int rows_add_ratio(struct rows *rows, const struct ratio_row *row) {
    return add_row(rows, RATIOS, row);
}

int rows_add_control(struct rows *rows, const struct control_row *row) {
    return add_row(rows, CONTROLS, row);
}

int rows_add_condition(struct rows *rows, const struct condition_row *row) {
    return add_row(rows, CONDITIONS, row);
}

int rows_add_audit(struct rows *rows, const struct audit_row *row) {
    return add_row(rows, AUDITS, row);
}

int rows_append(struct rows *rows, const struct rows *more) {
    for (int kind = 0; kind < KINDS; kind++) {
        size_t count;
        const char *array = rows_of(more, (enum kind)kind, &count);
        for (size_t i = 0; i < count; i++)
            if (add_row(rows, (enum kind)kind, array + i * kinds[kind].row_size) < 0)
                return -1;
    }
    return 0;
}

void rows_free(struct rows *rows) {
    for (int kind = 0; kind < KINDS; kind++) {
        size_t count;
        free(rows_of(rows, (enum kind)kind, &count));
    }
    *rows = (struct rows){0};
}

/* A member's value as text, for comparing and telling. */
static void show_member(const struct field *field, const char *row, char text[RUNDIR_TEXT]) {
    int64_t size;
    double number;
    if (field->form == TEXT) {
        snprintf(text, RUNDIR_TEXT, "%s", row + field->offset);
    } else if (field->form == SIZE) {
        memcpy(&size, row + field->offset, sizeof size);
        snprintf(text, RUNDIR_TEXT, "%lld", (long long)size);
    } else {
        memcpy(&number, row + field->offset, sizeof number);
        snprintf(text, RUNDIR_TEXT, "%.9g", number);
    }
}

/* Files hold twelve digits, and a difference of two numbers loses some. */
#define SAME 1e-8

static bool member_equal(const struct field *field, const char *left, const char *right) {
    double a, b;
    if (field->form == TEXT)
        return strcmp(left + field->offset, right + field->offset) == 0;
    if (field->form == SIZE)
        return memcmp(left + field->offset, right + field->offset, field->size) == 0;
    memcpy(&a, left + field->offset, sizeof a);
    memcpy(&b, right + field->offset, sizeof b);
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= SAME * fmax(fabs(a), fabs(b));
}

/* 1 after saying how the row differs, where that is wanted; 0 where it does not. */
static size_t row_differs(const char *where, enum kind kind, size_t at, const char *stored,
                          const char *wanted, bool say) {
    char key[RUNDIR_TEXT], names[4 * RUNDIR_TEXT] = "", was[RUNDIR_TEXT], is[RUNDIR_TEXT];
    for (size_t f = 0; f < kinds[kind].field_count; f++) {
        const struct field *field = &kinds[kind].fields[f];
        if (field->key) {
            show_member(field, wanted, key);
            snprintf(names + strlen(names), sizeof names - strlen(names), " %.100s", key);
        }
        if (member_equal(field, stored, wanted))
            continue;
        if (!say)
            return 1;
        show_member(field, stored, was);
        show_member(field, wanted, is);
        error("%s/%s, row %zu (%.300s): %s is '%.200s' where the samples give '%.200s'", where,
              kinds[kind].file, at + 1, names + 1, field->name, was, is);
        return 1;
    }
    return 0;
}

size_t rows_differ(const char *where, const struct rows *stored, const struct rows *wanted,
                   bool all, size_t most) {
    size_t differences = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        size_t there, should;
        const char *left = rows_of(stored, (enum kind)kind, &there);
        const char *right = rows_of(wanted, (enum kind)kind, &should);
        const size_t size = kinds[kind].row_size;
        if (!all && (kind == CHECKS || kind == CONDITIONS || kind == AUDITS))
            continue;
        if (there != should && differences++ < most)
            error("%s/%s: %zu rows where there should be %zu", where, kinds[kind].file, there,
                  should);
        for (size_t i = 0; i < there && there == should; i++)
            differences += row_differs(where, (enum kind)kind, i, left + i * size, right + i * size,
                                       differences < most);
    }
    return differences;
}

static int put_field(FILE *out, const struct field *field, const char *row) {
    const char *at = row + field->offset;
    int64_t size;
    double number;
    switch (field->form) {
    case SIZE:
        memcpy(&size, at, sizeof size);
        fprintf(out, "%lld", (long long)size);
        break;
    case TEXT:
        csv_put_text(out, at);
        break;
    case NUMBER:
    case NUMBER_OR_INF:
        memcpy(&number, at, sizeof number);
        if (isinf(number) && field->form == NUMBER)
            return error("a row's %s is infinite", field->name);
        csv_put_number(out, number);
        break;
    }
    return 0;
}

static int write_kind(const char *folder, enum kind kind, const struct rows *rows) {
    const struct field *fields = kinds[kind].fields;
    struct file file;
    size_t count;
    const char *row = rows_of(rows, kind, &count);
    if (file_open(&file, folder, kinds[kind].file) < 0)
        return -1;
    for (size_t f = 0; f < kinds[kind].field_count; f++)
        fprintf(file.stream, "%s%s", f ? "," : "", fields[f].name);
    fputc('\n', file.stream);
    for (size_t i = 0; i < count; i++, row += kinds[kind].row_size) {
        for (size_t f = 0; f < kinds[kind].field_count; f++) {
            if (f)
                fputc(',', file.stream);
            if (put_field(file.stream, &fields[f], row) < 0) {
                file_abandon(&file);
                return -1;
            }
        }
        fputc('\n', file.stream);
    }
    return file_commit(&file);
}

int rundir_write_rows(const char *run, const struct rows *rows) {
    for (int kind = 0; kind < KINDS; kind++)
        if (write_kind(run, (enum kind)kind, rows) < 0)
            return -1;
    return 0;
}

static int get_field(const struct csv_table *table, size_t at, int column,
                     const struct field *field, char *row) {
    const char *text = csv_table_text(table, at, column);
    double number = NAN;
    size_t word = 0;
    switch (field->form) {
    case SIZE:
        break;
    case TEXT:
        if (strlen(text) >= field->size)
            return csv_table_error(table, at, column, "is longer than %zu bytes", field->size - 1);
        while (field->words && field->words[word] && strcmp(field->words[word], text) != 0)
            word++;
        if (field->words && !field->words[word])
            return csv_table_error(table, at, column, "'%.60s' is no %s this version knows", text,
                                   field->name);
        strcpy(row + field->offset, text);
        break;
    case NUMBER_OR_INF:
        if (strcmp(text, "inf") == 0) {
            number = INFINITY;
            text = "";
        }
        /* fall through */
    case NUMBER:
        if (*text && csv_table_number(table, at, column, &number) < 0)
            return -1;
        memcpy(row + field->offset, &number, sizeof number);
        break;
    }
    return 0;
}

struct named_row {
    const char *row;
    size_t line;
};

static int compare_keys(const void *left, const void *right, void *context) {
    const struct named_row *a = left, *b = right;
    const enum kind kind = *(const enum kind *)context;
    for (size_t f = 0; f < kinds[kind].field_count; f++) {
        const struct field *field = &kinds[kind].fields[f];
        const char *x = a->row + field->offset, *y = b->row + field->offset;
        int order = !field->key           ? 0
                    : field->form == TEXT ? strcmp(x, y)
                                          : memcmp(x, y, field->size);
        if (order)
            return order;
    }
    return 0;
}

/* The latter of two equal ones once they are sorted, or NULL. */
static const struct named_row *find_duplicate(struct named_row *list, size_t count,
                                              enum kind kind) {
    qsort_r(list, count, sizeof *list, compare_keys, &kind);
    for (size_t i = 1; i < count; i++)
        if (compare_keys(&list[i - 1], &list[i], &kind) == 0)
            return &list[i];
    return NULL;
}

/* The last table->rows rows of the kind came from the table. */
static int refuse_duplicates(const struct csv_table *table, enum kind kind,
                             const struct rows *rows) {
    size_t count, n = table->rows;
    const char *row = rows_of(rows, kind, &count);
    struct named_row *list = malloc(n * sizeof *list + 1);
    int status = 0;
    if (!list)
        return error("no memory for %zu rows", n);
    for (size_t i = 0; i < n; i++)
        list[i] = (struct named_row){row + (count - n + i) * kinds[kind].row_size,
                                     csv_table_line(table, i)};
    const struct named_row *twice = find_duplicate(list, n, kind);
    if (twice)
        status = error("%s:%zu: says again what line %zu says; remove one", table->file,
                       twice->line > twice[-1].line ? twice->line : twice[-1].line,
                       twice->line > twice[-1].line ? twice[-1].line : twice->line);
    free(list);
    return status;
}

static int take_rows(const struct csv_table *table, enum kind kind, struct rows *rows) {
    const struct field *fields = kinds[kind].fields;
    const size_t count = kinds[kind].field_count;
    int columns[FIELDS];
    if (!table->ended)
        return error("%s:%zu: the last line has no end; the file was cut off", table->file,
                     table->lines[table->rows]);
    for (size_t f = 0; f < count; f++)
        if ((columns[f] = csv_table_column(table, fields[f].name)) < 0)
            return -1;
    if (table->columns != count)
        return error("%s:1: %zu columns where this version knows %zu", table->file, table->columns,
                     count);
    for (size_t i = 0; i < table->rows; i++) {
        union row row = {0};
        struct shape shape;
        if (csv_table_shape(table, i, &shape) < 0)
            return -1;
        memcpy((char *)&row + fields[0].offset, &shape, sizeof shape);
        for (size_t f = 0; f < count; f++)
            if (get_field(table, i, columns[f], &fields[f], (char *)&row) < 0)
                return -1;
        if (add_row(rows, kind, &row) < 0)
            return -1;
    }
    return refuse_duplicates(table, kind, rows);
}

/* Appends what the folder's CSV files hold. */
static int read_folder(const char *folder, struct rows *rows) {
    int status = 0;
    for (int kind = 0; kind < KINDS && status == 0; kind++) {
        char path[PATH_MAX];
        struct csv_table table;
        if (files_join(path, folder, kinds[kind].file) < 0 || csv_table_read(path, &table) < 0)
            return -1;
        status = take_rows(&table, (enum kind)kind, rows);
        csv_table_free(&table);
    }
    return status;
}

/* RUN/units/ID, or RUN/units/.ID.part. */
static int unit_path(char path[PATH_MAX], const char *run, const char *id, bool part) {
    if (!*id || *id == '.' || strchr(id, '/') || strlen(id) > 240)
        return error("'%.100s' cannot name a unit's folder", id);
    int length = snprintf(path, PATH_MAX, part ? "%s/units/.%s.part" : "%s/units/%s", run, id);
    return length >= 0 && length < PATH_MAX ? 0 : error("%.200s...: the path is too long", run);
}

int rundir_has_unit(const char *run, const char *id) {
    char path[PATH_MAX];
    struct stat is;
    return unit_path(path, run, id, false) == 0 && stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

int rundir_write_unit(const char *run, const char *id, const struct rows *rows,
                      const struct samples *samples, size_t sample_count) {
    char part[PATH_MAX], whole[PATH_MAX];
    if (unit_path(part, run, id, true) < 0 || unit_path(whole, run, id, false) < 0)
        return -1;
    files_remove_tree(part);
    int status = mkdir(part, 0777) < 0
                     ? error("%s: cannot make the folder: %s", part, strerror(errno))
                     : rundir_write_rows(part, rows);
    if (status == 0 && sample_count > 0)
        status = samples_write(part, samples, sample_count);
    if (status == 0 && rename(part, whole) < 0)
        status = error("%s: cannot rename the finished unit: %s", whole, strerror(errno));
    if (status < 0)
        files_remove_tree(part);
    return status < 0 ? -1 : files_sync_parent(whole);
}

int rundir_read_unit(const char *run, const char *id, struct rows *rows) {
    char path[PATH_MAX];
    if (unit_path(path, run, id, false) == 0 && read_folder(path, rows) == 0)
        return 0;
    rows_free(rows);
    return -1;
}

int rundir_read_samples(const char *run, const char *id, struct samples **list, size_t *count) {
    char path[PATH_MAX];
    *list = NULL;
    *count = 0;
    if (unit_path(path, run, id, false) < 0)
        return -1;
    return rundir_has_unit(run, id) ? samples_read(path, list, count)
                                    : error("%s: is missing; go on with --resume", path);
}

int rundir_write_json(const char *run, const char *name, const json_t *json) {
    struct file file;
    if (file_open(&file, run, name) < 0)
        return -1;
    if (json_dumpf(json, file.stream, JSON_INDENT(1)) < 0) {
        file_abandon(&file);
        return error("%s: cannot be put into JSON", file.path);
    }
    fputc('\n', file.stream);
    return file_commit(&file);
}

json_t *rundir_read_json(const char *run, const char *name) {
    char path[PATH_MAX];
    json_error_t wrong;
    if (files_join(path, run, name) < 0)
        return NULL;
    FILE *in = fopen(path, "r");
    if (!in) {
        error("%s: cannot read: %s; is %s a run directory?", path, strerror(errno), run);
        return NULL;
    }
    json_t *json = json_loadf(in, JSON_REJECT_DUPLICATES, &wrong);
    fclose(in);
    if (!json)
        error("%s:%d: %s", path, wrong.line, wrong.text);
    return json;
}

bool rundir_is(const char *run) {
    char path[PATH_MAX];
    return files_join(path, run, "plan.json") == 0 && access(path, F_OK) == 0;
}

json_t *rundir_entry(const json_t *list, const char *member, const char *text) {
    json_t *entry;
    size_t i;
    json_array_foreach(list, i, entry) {
        const char *value = json_string_value(json_object_get(entry, member));
        if (value && strcmp(value, text) == 0)
            return entry;
    }
    return NULL;
}

int rundir_plan_hash(const json_t *plan, char hex[33]) {
    char *text = json_dumps(plan, JSON_SORT_KEYS | JSON_COMPACT);
    if (!text)
        return error("the plan cannot be put into JSON");
    hash_bytes(text, strlen(text), hex);
    free(text);
    return 0;
}

/* The first place where two JSON values differ: its path, and the two values there (NULL: absent).
 */
struct difference {
    char path[256];
    json_t *old, *new;
};

static bool differs(json_t *old, json_t *new, struct difference *found) {
    size_t end = strlen(found->path), room = sizeof found->path - end;
    const char *key;
    json_t *value;
    if (json_equal(old, new))
        return false;
    if (json_is_object(old) && json_is_object(new)) {
        json_object_foreach(old, key, value) {
            snprintf(found->path + end, room, "%s%s", end ? "." : "", key);
            if (differs(value, json_object_get(new, key), found))
                return true;
        }
        json_object_foreach((json_t *)(uintptr_t) new, key, value) {
            snprintf(found->path + end, room, "%s%s", end ? "." : "", key);
            if (differs(json_object_get(old, key), value, found))
                return true;
        }
    }
    if (json_is_array(old) && json_is_array(new))
        for (size_t i = 0; i < json_array_size(old) || i < json_array_size(new); i++) {
            snprintf(found->path + end, room, "[%zu]", i);
            if (differs(json_array_get(old, i), json_array_get(new, i), found))
                return true;
        }
    found->old = old;
    found->new = new;
    return true;
}

static int refuse_other_plan(const char *run, const json_t *plan) {
    struct difference found = {.path = ""};
    json_t *old = rundir_read_json(run, "plan.json");
    if (!old)
        return -1;
    int status = 0;
    if (differs(old, (json_t *)plan, &found)) {
        char *before = json_dumps(found.old, JSON_ENCODE_ANY | JSON_COMPACT);
        char *now = json_dumps(found.new, JSON_ENCODE_ANY | JSON_COMPACT);
        status =
            error("%s was made by another plan: %s was %.80s and is now %.80s; resume with the "
                  "old options, or start another run",
                  run, found.path, before ? before : "absent", now ? now : "absent");
        free(before);
        free(now);
    }
    json_decref(old);
    return status;
}

static int make_run(const char *part, const json_t *plan) {
    char units[PATH_MAX];
    return files_join(units, part, "units") < 0 || files_make_folder(units) < 0 ||
                   rundir_write_json(part, "plan.json", plan) < 0
               ? -1
               : 0;
}

static int refuse_existing(const char *run) {
    char path[PATH_MAX];
    bool stopped = rundir_is(run);
    if (stopped && files_join(path, run, "manifest.json") == 0 && access(path, F_OK) == 0) {
        json_t *manifest = rundir_read_json(run, "manifest.json");
        stopped = !json_is_true(json_object_get(manifest, "complete"));
        json_decref(manifest);
    }
    return error("%s exists; choose another name%s", run,
                 stopped ? " or, since it is a run that is not complete, go on with it by --resume"
                         : "");
}

/* The folder is filled beside RUN and renamed onto it, which works where there is nothing or an
 * empty folder, and nowhere else. */
int rundir_create(const char *run, const json_t *plan, int resume) {
    char whole[PATH_MAX], part[PATH_MAX];
    int length = snprintf(whole, sizeof whole, "%s", run);
    while (length > 1 && length < PATH_MAX && whole[length - 1] == '/')
        whole[--length] = 0;
    if (length >= PATH_MAX ||
        snprintf(part, sizeof part, "%s.%ld.part", whole, (long)getpid()) >= PATH_MAX)
        return error("%.200s...: the path is too long", run);
    if (make_run(part, plan) < 0) {
        files_remove_tree(part);
        return -1;
    }
    if (rename(part, whole) == 0)
        return files_sync_parent(whole);
    int cause = errno;
    files_remove_tree(part);
    if (cause != EEXIST && cause != ENOTEMPTY && cause != ENOTDIR)
        return error("%s: cannot make the run directory: %s", run, strerror(cause));
    return resume ? refuse_other_plan(run, plan) : refuse_existing(run);
}

/* Two seconds, for those whom one that was killed has left to be gone. */
#define CLAIM_TRIES 20

int rundir_claim(const char *run) {
    const int folder = open(run, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return error("%s: %s", run, strerror(errno));
    for (int tries = CLAIM_TRIES; flock(folder, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;) {
        if (--tries == 0) {
            close(folder);
            return error(
                "%s: another gemmgate is measuring into it: wait until it is done, or stop it",
                run);
        }
        usleep(100000);
    }
    return 0; /* the descriptor stays open: it holds the lock */
}

/* The ids in plan.json, checked. NULL after error(). */
static json_t *plan_units(const json_t *plan, const char *run) {
    json_t *units = json_object_get(plan, "units");
    size_t i;
    json_t *id;
    if (!json_is_array(units)) {
        error("%s/plan.json: \"units\" must be an array of names", run);
        return NULL;
    }
    json_array_foreach(units, i, id) if (!json_is_string(id)) {
        error("%s/plan.json: units[%zu] is no string", run, i);
        return NULL;
    }
    return units;
}

/* A unit that is listed twice, or says what another one says. */
static int refuse_equal_units(const char *run, const struct rows *rows) {
    int status = 0;
    for (int kind = 0; kind < KINDS && status == 0; kind++) {
        size_t count;
        const char *row = rows_of(rows, (enum kind)kind, &count);
        struct named_row *list = malloc(count * sizeof *list + 1);
        if (!list)
            return error("no memory for %zu rows", count);
        for (size_t i = 0; i < count; i++)
            list[i] = (struct named_row){row + i * kinds[kind].row_size, i};
        const struct named_row *twice = find_duplicate(list, count, (enum kind)kind);
        if (twice) {
            char text[SHAPE_TEXT];
            struct shape shape;
            memcpy(&shape, twice->row + kinds[kind].fields[0].offset, sizeof shape);
            status = error("%s/units: two of the units have the same row of %s in %s; remove one",
                           run, shape_format(shape, text), kinds[kind].file);
        }
        free(list);
    }
    return status;
}

/* Appends the units that are there; with `all`, one that is not there is an error. */
static int read_units(const char *run, const json_t *plan, bool all, struct rows *rows) {
    json_t *units = plan_units(plan, run), *id;
    char path[PATH_MAX];
    size_t i;
    if (!units)
        return -1;
    json_array_foreach(units, i, id) {
        const char *name = json_string_value(id);
        if (unit_path(path, run, name, false) < 0)
            return -1;
        if (rundir_has_unit(run, name)) {
            if (read_folder(path, rows) < 0)
                return -1;
        } else if (all)
            return error("%s: is missing; go on with --resume", path);
    }
    return refuse_equal_units(run, rows);
}

int rundir_collect(const char *run) {
    struct rows rows = {0};
    json_t *plan = rundir_read_json(run, "plan.json");
    int status =
        !plan || read_units(run, plan, true, &rows) < 0 ? -1 : rundir_write_rows(run, &rows);
    rows_free(&rows);
    json_decref(plan);
    return status;
}

int rundir_read_rows(const char *run, struct rows *rows) {
    if (read_folder(run, rows) == 0)
        return 0;
    rows_free(rows);
    return -1;
}

/* 1 if the manifest says so, 0 if not or if there is none, -1 after error(). */
static int is_complete(const char *run) {
    char path[PATH_MAX];
    if (files_join(path, run, "manifest.json") < 0)
        return -1;
    if (access(path, F_OK) < 0)
        return 0;
    json_t *manifest = rundir_read_json(run, "manifest.json");
    int complete = manifest ? json_is_true(json_object_get(manifest, "complete")) : -1;
    json_decref(manifest);
    return complete;
}

int rundir_read(const char *run, struct rows *rows) {
    json_t *plan = rundir_read_json(run, "plan.json");
    int complete = plan ? is_complete(run) : -1;
    int status = complete < 0   ? -1
                 : complete > 0 ? read_folder(run, rows)
                                : read_units(run, plan, false, rows);
    json_decref(plan);
    if (status < 0)
        rows_free(rows);
    return status;
}
