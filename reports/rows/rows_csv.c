#include "reports/rows/rows_csv.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"

static int put_field(FILE *out, const struct rows_column *field, const char *row) {
    const char *at = row + field->offset;
    int64_t size;
    double number;
    switch (field->form) {
    case ROWS_SIZE:
        memcpy(&size, at, sizeof size);
        fprintf(out, "%lld", (long long)size);
        break;
    case ROWS_TEXT:
        csv_put_text(out, rows_text(field, row));
        break;
    case ROWS_NUMBER:
    case ROWS_UNBOUND:
        memcpy(&number, at, sizeof number);
        if (isinf(number) && field->form == ROWS_NUMBER)
            return error("a row's %s is infinite", field->name);
        csv_put_number(out, number);
        break;
    }
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

int rows_csv_write(const char *folder, const struct rows *rows) {
    for (int kind = 0; kind < ROWS_KINDS; kind++)
        if (write_kind(folder, (enum rows_kind)kind, rows) < 0)
            return -1;
    return 0;
}

static int get_field(const struct csv_table *table, size_t at, int column,
                     const struct rows_column *field, char *row) {
    const char *text = csv_table_text(table, at, column);
    double number = NAN;
    size_t word = 0;
    switch (field->form) {
    case ROWS_SIZE:
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

/* The last table->rows rows of the kind came from the table. */
static int refuse_duplicates(const struct csv_table *table, enum rows_kind kind,
                             const struct rows *rows) {
    size_t count, twice[2];
    rows_of(rows, kind, &count);
    const size_t first = count - table->rows;
    return rows_find_twice(rows, kind, first, twice)
               ? error("%s:%zu: says again what line %zu says; remove one", table->file,
                       csv_table_line(table, twice[1] - first),
                       csv_table_line(table, twice[0] - first))
               : 0;
}

#define ANY_ROW(row, kind, file, COLUMNS) struct row##_row row;
union any_row {
    ROW_KINDS(ANY_ROW)
};

static int take_rows(const struct csv_table *table, enum rows_kind kind, struct rows *rows) {
    const struct rows_column *fields = rows_files[kind].columns;
    const size_t count = rows_files[kind].column_count;
    int columns[ROWS_COLUMNS];
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
        union any_row row = {0};
        struct shape shape;
        if (csv_table_shape(table, i, &shape) < 0)
            return -1;
        memcpy((char *)&row + fields[0].offset, &shape, sizeof shape);
        for (size_t f = 0; f < count; f++)
            if (get_field(table, i, columns[f], &fields[f], (char *)&row) < 0)
                return -1;
        rows_add(rows, kind, &row);
    }
    return refuse_duplicates(table, kind, rows);
}

int rows_csv_read(const char *folder, struct rows *rows) {
    int status = 0;
    for (int kind = 0; kind < ROWS_KINDS && status == 0; kind++) {
        char path[PATH_MAX];
        struct csv_table table;
        if (files_join(path, folder, rows_files[kind].name) < 0 || csv_table_read(path, &table) < 0)
            return -1;
        status = take_rows(&table, (enum rows_kind)kind, rows);
        csv_table_free(&table);
    }
    return status;
}
