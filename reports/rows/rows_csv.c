#include "reports/rows/rows.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/beside.h"
#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"

static int put_field(FILE *out, const struct rows_column *field, const char *row) {
    if (field->form == ROWS_TEXT) {
        csv_put_text(out, rows_text(field, row));
        return 0;
    }
    const double number = rows_number(field, row);
    if (isinf(number) && field->form == ROWS_NUMBER)
        return error("a row's %s is infinite", field->name);
    csv_put_number(out, number);
    return 0;
}

static int write_kind(const char *folder, enum rows_kind kind, const struct rows *rows) {
    const struct rows_column *fields = rows_files[kind].columns;
    struct file file;
    size_t count;
    const char *row = rows_of(rows, kind, &count);
    if (file_open(&file, folder, rows_files[kind].name) < 0)
        return -1;
    for (size_t f = 0; f < rows_files[kind].column_count; f++)
        fprintf(file.stream, "%s%s", f ? "," : "", fields[f].name);
    fputc('\n', file.stream);
    for (size_t i = 0; i < count; i++, row += rows_files[kind].row_size) {
        for (size_t f = 0; f < rows_files[kind].column_count; f++) {
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

static bool has_file(enum rows_csv_folder of, int kind) {
    return of == ROWS_CSV_RUN || !rows_is_derived((enum rows_kind)kind);
}

int rows_csv_write(const char *folder, enum rows_csv_folder of, const struct rows *rows) {
    for (int kind = 0; kind < ROWS_KINDS; kind++)
        if (has_file(of, kind) && write_kind(folder, (enum rows_kind)kind, rows) < 0)
            return -1;
    return 0;
}

static int get_field(const struct csv_table *table, size_t at, int column,
                     const struct rows_column *field, char *row) {
    const char *text = csv_table_text(table, at, column);
    double number = NAN;
    int64_t size;
    size_t word = 0;
    switch (field->form) {
    case ROWS_SIZE:
        if (csv_table_size(table, at, column, &size) < 0)
            return -1;
        memcpy(row + field->offset, &size, sizeof size);
        break;
    case ROWS_TEXT:
        if (strlen(text) >= field->room)
            return csv_table_error(table, at, column, "is longer than %zu bytes", field->room - 1);
        while (field->words && field->words[word] && strcmp(field->words[word], text) != 0)
            word++;
        if (field->words && !field->words[word])
            return csv_table_error(table, at, column, "'%.60s' is no %s this version knows", text,
                                   field->name);
        if (field->kept)
            memcpy(row + field->offset, &text, sizeof text);
        else
            strcpy(row + field->offset, text);
        break;
    case ROWS_UNBOUND:
        if (strcmp(text, "inf") == 0) {
            number = INFINITY;
            text = "";
        }
        /* fall through */
    case ROWS_NUMBER:
        if (*text && csv_table_number(table, at, column, &number) < 0)
            return -1;
        memcpy(row + field->offset, &number, sizeof number);
        break;
    }
    return 0;
}

/* Equal keys of rows that were read have equal bytes: behind the end of a text all bytes are 0, and equal
 * kept texts have one address. */
static bool same_key(const struct rows_file *file, const char *a, const char *b) {
    for (size_t c = 0; c < file->column_count; c++)
        if (file->columns[c].key && memcmp(a + file->columns[c].offset, b + file->columns[c].offset,
                                           file->columns[c].size) != 0)
            return false;
    return true;
}

static size_t hash_key(const struct rows_file *file, const char *row) {
    uint64_t hash = 0;
    for (size_t c = 0; c < file->column_count; c++)
        if (file->columns[c].key)
            hash = hash_number(hash, row + file->columns[c].offset, file->columns[c].size);
    return (size_t)hash;
}

/* Refuses the first row that stands twice. The last table->rows rows of the kind came from the table. A hash
 * table with open addressing, at most half full, has of each key the row's number and 1. */
static int refuse_duplicates(const struct csv_table *table, enum rows_kind kind,
                             const struct rows *rows) {
    const struct rows_file *file = &rows_files[kind];
    const size_t size = 2 * table->rows + 1;
    size_t count, *places = need(size, sizeof *places), before = 0, i = 0;
    const char *first = rows_of(rows, kind, &count) + (count - table->rows) * file->row_size;
    for (; i < table->rows; i++) {
        const char *row = first + i * file->row_size;
        size_t at = hash_key(file, row) % size;
        while (places[at] && !same_key(file, first + (places[at] - 1) * file->row_size, row))
            at = (at + 1) % size;
        before = places[at];
        if (before)
            break;
        places[at] = i + 1;
    }
    free(places);
    return before ? error("%s:%zu: says again what line %zu says; remove one", table->file,
                          csv_table_line(table, i), csv_table_line(table, before - 1))
                  : 0;
}

#define ANY_ROW(row, kind, file, COLUMNS) struct row##_row row;
union any_row {
    ROW_KINDS(ANY_ROW)
};

/* A file that is being read. */
struct taking {
    enum rows_kind kind;
    struct rows *rows;
    int columns[ROWS_COLUMNS];
};

static int take_header(const struct csv_table *table, struct taking *taking) {
    const struct rows_file *file = &rows_files[taking->kind];
    for (size_t f = 0; f < file->column_count; f++)
        if ((taking->columns[f] = csv_table_column(table, file->columns[f].name)) < 0)
            return -1;
    return table->columns == file->column_count
               ? 0
               : error("%s:1: %zu columns where this version knows %zu", table->file,
                       table->columns, file->column_count);
}

/* A csv_taker. */
static int take_row(const struct csv_table *table, void *context) {
    struct taking *taking = context;
    const struct rows_file *file = &rows_files[taking->kind];
    const size_t at = table->rows - 1;
    union any_row row;
    if (!table->ended)
        return error("%s:%zu: the last line has no end; the file was cut off", table->file,
                     table->lines[table->rows]);
    if (table->rows == 0)
        return take_header(table, taking);
    memset(&row, 0, file->row_size);
    for (size_t f = 0; f < file->column_count; f++)
        if (get_field(table, at, taking->columns[f], &file->columns[f], (char *)&row) < 0)
            return -1;
    rows_add(taking->rows, taking->kind, &row);
    return 0;
}

static int read_kind(const char *folder, enum rows_kind kind, struct rows *rows) {
    char path[PATH_MAX];
    struct csv_table table;
    struct taking taking = {.kind = kind, .rows = rows};
    if (files_join(path, folder, rows_files[kind].name) < 0 ||
        csv_table_each(path, take_row, &taking, &table) < 0)
        return -1;
    const int status = refuse_duplicates(&table, kind, rows);
    csv_table_free(&table);
    return status;
}

/* Of a run most rows are visits: a thread reads them, and takes as long as all else. */
struct visits_reading {
    const char *folder;
    struct rows *rows;
    int status;
};

static void read_visits(void *context) {
    struct visits_reading *reading = context;
    reading->status = read_kind(reading->folder, ROWS_VISITS, reading->rows);
}

int rows_csv_read(const char *folder, enum rows_csv_folder of, struct rows *rows) {
    struct visits_reading visits = {.folder = folder, .rows = rows};
    struct beside beside = {0};
    int status = 0;
    if (has_file(of, ROWS_VISITS))
        beside_begin(&beside, read_visits, &visits);
    for (int kind = 0; kind < ROWS_KINDS && status == 0; kind++)
        if (kind != ROWS_VISITS && has_file(of, kind))
            status = read_kind(folder, (enum rows_kind)kind, rows);
    beside_end(&beside);
    return status < 0 ? status : visits.status;
}
