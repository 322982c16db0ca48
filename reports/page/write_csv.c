#include "reports/page/writers.h"

#include <stdbool.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "reports/page/document_parts.h"

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

/* A line: the keys of the columns, or the row's values. */
static void put_line(FILE *out, const struct document_table *table,
                     const struct document_cell *cells) {
    const char *comma = "";
    for (size_t i = 0; i < table->column_count; i++) {
        struct document_datum data[DOCUMENT_DATUMS];
        const size_t count = document_data(&table->columns[i], cells ? &cells[i] : NULL, data);
        for (size_t j = 0; j < count; j++) {
            fputs(comma, out);
            comma = ",";
            if (!cells)
                csv_put_text(out, data[j].key);
            else if (data[j].kind == DOCUMENT_CELL_TEXT)
                put_text(out, data[j].text);
            else if (data[j].kind == DOCUMENT_CELL_COUNT)
                fprintf(out, "%zu", data[j].count);
            else
                csv_put_number(out, data[j].number);
        }
    }
    fputc('\n', out);
}

int write_csv(FILE *out, const struct document *page, const char *id) {
    const struct document_table *table = document_find(page, id);
    if (document_failed(page))
        return -1;
    if (!table)
        return error("internal: no table is called %s", id);
    put_line(out, table, NULL);
    for (size_t row = 0; row < table->row_count; row++)
        put_line(out, table, table->cells + row * table->column_count);
    return 0;
}
