#include "reports/page/write_json.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "reports/page/document_parts.h"

/* The words of all spans. */
static json_t *text_of(const struct document_text *text) {
    size_t length = 0, used = 0;
    for (const struct document_span *span = text->first; span; span = span->next)
        length += strlen(span->text);
    char *words = malloc(length + 1);
    if (!words)
        return NULL;
    for (const struct document_span *span = text->first; span; span = span->next) {
        memcpy(words + used, span->text, strlen(span->text));
        used += strlen(span->text);
    }
    words[used] = 0;
    json_t *json = jsonfile_string(words);
    free(words);
    return json;
}

/* Puts value under KEY, or KEY with an ending where no key is given. */
static int put(json_t *row, const struct document_column *column, const char *key,
               const char *ending, json_t *value) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", document_key(column), ending);
    return json_object_set_new(row, key ? key : name, value);
}

static int put_cell(json_t *row, const struct document_column *column,
                    const struct document_cell *cell) {
    const bool has_ends = cell->kind == DOCUMENT_CELL_RATIO || cell->kind == DOCUMENT_CELL_INTERVAL;
    int status = 0;
    if (column->type != DOCUMENT_INTERVAL)
        status |= put(row, column, NULL, "",
                      cell->kind == DOCUMENT_CELL_TEXT    ? text_of(&cell->text)
                      : cell->kind == DOCUMENT_CELL_COUNT ? json_integer((json_int_t)cell->count)
                      : cell->kind == DOCUMENT_CELL_EMPTY ? json_null()
                                                          : jsonfile_number(cell->value));
    if (column->type == DOCUMENT_RATIO || column->type == DOCUMENT_INTERVAL) {
        status |= put(row, column, column->low, "_low",
                      has_ends ? jsonfile_number(cell->low) : json_null());
        status |= put(row, column, column->high, "_high",
                      has_ends ? jsonfile_number(cell->high) : json_null());
    }
    return status;
}

/* NULL without memory. */
static json_t *rows_of(const struct document_table *table) {
    json_t *rows = json_array();
    int status = rows ? 0 : -1;
    for (size_t i = 0; i < table->row_count && status == 0; i++) {
        json_t *row = json_object();
        for (size_t j = 0; j < table->column_count && row && status == 0; j++)
            if (document_shows(table, j, DOCUMENT_DATA))
                status =
                    put_cell(row, &table->columns[j], &table->cells[i * table->column_count + j]);
        status |= json_array_append_new(rows, row);
    }
    if (status == 0)
        return rows;
    json_decref(rows);
    return NULL;
}

json_t *write_json_table(const struct document *page, const char *id) {
    const struct document_table *table = document_failed(page) ? NULL : document_find(page, id);
    if (!document_failed(page) && !table) {
        error("internal: no table is called %s", id);
        return NULL;
    }
    json_t *rows = table ? rows_of(table) : NULL;
    if (!rows)
        error("no memory for table %s", id);
    return rows;
}

/* The tables of one id are parts of one table: their columns say which. */
static int put_table(json_t *tables, const struct document_table *table) {
    json_t *rows = rows_of(table), *before = json_object_get(tables, table->id);
    if (!before)
        return json_object_set_new(tables, table->id, rows);
    const int status = rows ? json_array_extend(before, rows) : -1;
    json_decref(rows);
    return status;
}

int write_json(FILE *out, const struct document *page) {
    json_t *facts = json_object(), *tables = json_object();
    int status = document_failed(page) ? -1 : 0;
    for (const struct document_block *block = status == 0 ? page->first : NULL; block;
         block = block->next) {
        if (!(block->formats & DOCUMENT_DATA))
            continue;
        for (const struct document_fact *fact = block->facts; fact; fact = fact->next)
            status |= json_object_set_new(facts, fact->name, text_of(&fact->value));
        if (block->table)
            status |= put_table(tables, block->table);
    }
    json_t *json = status == 0
                       ? json_pack("{s:o, s:o, s:o}", "title", jsonfile_string(page->title),
                                   "facts", json_incref(facts), "tables", json_incref(tables))
                       : NULL;
    json_decref(facts);
    json_decref(tables);
    return jsonfile_print(out, json, 12, JSON_INDENT(1), "a page");
}
