#include "reports/page/writers.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "reports/page/document_parts.h"

/* The words of all spans. */
static json_t *text_of(const struct document_text *text) {
    char *words;
    size_t size;
    FILE *out = need_stream(&words, &size);
    for (const struct document_span *span = text->first; span; span = span->next)
        fputs(span->text, out);
    fclose(out);
    json_t *json = jsonfile_string(words);
    free(words);
    return json;
}

static void put_cell(json_t *row, const struct document_column *column,
                     const struct document_cell *cell) {
    struct document_datum data[DOCUMENT_DATUMS];
    const size_t count = document_data(column, cell, data);
    for (size_t i = 0; i < count; i++)
        json_object_set_new(row, data[i].key,
                            data[i].kind == DOCUMENT_CELL_TEXT ? text_of(data[i].text)
                            : data[i].kind == DOCUMENT_CELL_COUNT
                                ? json_integer((json_int_t)data[i].count)
                                : jsonfile_number(data[i].number));
}

static json_t *rows_of(const struct document_table *table) {
    json_t *rows = json_array();
    for (size_t i = 0; i < table->row_count; i++) {
        json_t *row = json_object();
        for (size_t j = 0; j < table->column_count; j++)
            put_cell(row, &table->columns[j], &table->cells[i * table->column_count + j]);
        json_array_append_new(rows, row);
    }
    return rows;
}

json_t *write_json_table(const struct document *page, const char *id) {
    const struct document_table *table = document_find(page, id);
    if (!table)
        error("internal: no table is called %s", id);
    return table && !document_failed(page) ? rows_of(table) : NULL;
}

/* The tables of one id are parts of one table: their columns say which. */
static void put_table(json_t *tables, const struct document_table *table) {
    json_t *rows = rows_of(table), *before = json_object_get(tables, table->id);
    if (before)
        json_array_extend(before, rows);
    else
        json_object_set(tables, table->id, rows);
    json_decref(rows);
}

int write_json(FILE *out, const struct document *page) {
    json_t *facts = json_object(), *tables = json_object();
    for (const struct document_block *block = page->first; block; block = block->next) {
        if (!(block->formats & DOCUMENT_DATA))
            continue;
        for (const struct document_fact *fact = block->facts; fact; fact = fact->next)
            json_object_set_new(facts, fact->name, text_of(&fact->value));
        if (block->table)
            put_table(tables, block->table);
    }
    json_t *json = json_pack("{s:o, s:o, s:o}", "title", jsonfile_string(page->title), "facts",
                             facts, "tables", tables);
    const int status = jsonfile_print(out, json, 12, JSON_INDENT(1), "a page");
    return document_failed(page) ? -1 : status;
}
