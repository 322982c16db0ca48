#include "reports/page/writers.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "reports/page/document_parts.h"

/* A key of its own, or the column's with an ending. */
static void put_key(FILE *out, const struct document_column *column, const char *key,
                    const char *ending) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", document_key(column), ending);
    csv_put_text(out, key ? key : name);
}

static void put_columns(FILE *out, const struct document_table *table) {
    const char *comma = "";
    for (size_t i = 0; i < table->column_count; i++) {
        const struct document_column *column = &table->columns[i];
        if (!document_shows(table, i, DOCUMENT_DATA))
            continue;
        fputs(comma, out);
        comma = ",";
        if (column->type != DOCUMENT_INTERVAL)
            csv_put_text(out, document_key(column));
        if (column->type == DOCUMENT_RATIO)
            fputc(',', out);
        if (column->type == DOCUMENT_RATIO || column->type == DOCUMENT_INTERVAL) {
            put_key(out, column, column->low, "_low");
            fputc(',', out);
            put_key(out, column, column->high, "_high");
        }
    }
    fputc('\n', out);
}

/* The words of all its spans as one field. */
static void put_text(FILE *out, const struct document_text *text) {
    bool quoted = false;
    for (const struct document_span *span = text->first; span; span = span->next)
        quoted |= span != text->first || strpbrk(span->text, ",\"\r\n") != NULL;
    if (!quoted) {
        csv_put_text(out, text->first ? text->first->text : "");
        return;
    }
    fputc('"', out);
    for (const struct document_span *span = text->first; span; span = span->next)
        for (const char *c = span->text; *c; c++)
            fputs(*c == '"' ? "\"\"" : (char[]){*c, 0}, out);
    fputc('"', out);
}

static void put_cell(FILE *out, const struct document_column *column,
                     const struct document_cell *cell) {
    const bool has_value = cell->kind == DOCUMENT_CELL_NUMBER || cell->kind == DOCUMENT_CELL_RATIO;
    const bool has_ends = cell->kind == DOCUMENT_CELL_RATIO || cell->kind == DOCUMENT_CELL_INTERVAL;
    if (cell->kind == DOCUMENT_CELL_TEXT)
        put_text(out, &cell->text);
    else if (cell->kind == DOCUMENT_CELL_COUNT)
        fprintf(out, "%zu", cell->count);
    else if (column->type != DOCUMENT_INTERVAL)
        csv_put_number(out, has_value ? cell->value : NAN);
    if (column->type == DOCUMENT_RATIO)
        fputc(',', out);
    if (column->type == DOCUMENT_RATIO || column->type == DOCUMENT_INTERVAL) {
        csv_put_number(out, has_ends ? cell->low : NAN);
        fputc(',', out);
        csv_put_number(out, has_ends ? cell->high : NAN);
    }
}

int write_csv(FILE *out, const struct document *page, const char *id) {
    const struct document_table *table = document_find(page, id);
    if (document_failed(page))
        return -1;
    if (!table)
        return error("internal: no table is called %s", id);
    put_columns(out, table);
    for (size_t row = 0; row < table->row_count; row++) {
        const char *comma = "";
        for (size_t i = 0; i < table->column_count; i++) {
            if (!document_shows(table, i, DOCUMENT_DATA))
                continue;
            fputs(comma, out);
            comma = ",";
            put_cell(out, &table->columns[i], &table->cells[row * table->column_count + i]);
        }
        fputc('\n', out);
    }
    return 0;
}
