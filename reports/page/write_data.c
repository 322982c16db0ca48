#include "reports/page/writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "reports/page/document_parts.h"

/* What data has of a cell: a value, and of a ratio or an interval its ends. */
struct datum {
    char key[128];
    const struct document_text *text; /* NULL: a number, NaN where there is none */
    double number;
    bool whole;
};
enum { DATA_MOST = 3 };

/* A number under a key of its own, or the column's with an ending. */
static struct datum number_of(const struct document_column *column, const char *key,
                              const char *ending, double number) {
    struct datum datum = {.number = number};
    snprintf(datum.key, sizeof datum.key, "%s%s", key ? key : column->key, key ? "" : ending);
    return datum;
}

/* Those of a cell in that column; of one that is zeroed the keys. Returns how many there are. */
static size_t data_of(const struct document_column *column, const struct document_cell *cell,
                      struct datum data[DATA_MOST]) {
    const bool number = cell->kind == DOCUMENT_CELL_NUMBER;
    size_t count = 0;
    if (column->type != DOCUMENT_INTERVAL) {
        data[count] = number_of(column, NULL, "", number ? cell->value : NAN);
        data[count].text = cell->kind == DOCUMENT_CELL_TEXT ? &cell->text : NULL;
        data[count++].whole = number && column->type == DOCUMENT_COUNT;
    }
    if (column->type == DOCUMENT_INTERVAL || column->type == DOCUMENT_RATIO) {
        data[count++] = number_of(column, column->low, "_low", number ? cell->low : NAN);
        data[count++] = number_of(column, column->high, "_high", number ? cell->high : NAN);
    }
    return count;
}

/* The words of all spans. */
static json_t *text_of(const struct document_text *text) {
    char *words = document_words(text);
    json_t *json = jsonfile_string(words);
    free(words);
    return json;
}

static json_t *row_of(const struct document_table *table, size_t number,
                      const struct document_column *const *columns) {
    json_t *row = json_object();
    struct datum data[DATA_MOST];
    for (; *columns; columns++) {
        const size_t count = data_of(*columns, document_cell_at(table, number, *columns), data);
        for (const struct datum *datum = data; datum < data + count; datum++)
            json_object_set_new(row, datum->key,
                                datum->text    ? text_of(datum->text)
                                : datum->whole ? json_integer((json_int_t)datum->number)
                                               : jsonfile_number(datum->number));
    }
    return row;
}

static json_t *rows_of(const struct document_table *table) {
    const struct document_column **columns = document_columns_shown(table, DOCUMENT_DATA);
    json_t *rows = json_array();
    for (size_t i = 0; i < table->row_count; i++)
        json_array_append_new(rows, row_of(table, i, columns));
    free(columns);
    return rows;
}

json_t *write_json_table(const struct document *page, const char *id) {
    const struct document_table *table = document_find(page, id);
    if (!table)
        error("internal: no table is called %s", id);
    return table ? rows_of(table) : NULL;
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

static void put_facts(json_t *facts, const struct document_table *table) {
    for (size_t i = 0; i < table->row_count; i++) {
        const struct document_cell *fact = &table->cells[i * table->column_count];
        json_object_set_new(facts, fact[0].text.first->text, text_of(&fact[1].text));
    }
}

int write_json(FILE *out, const struct document *page) {
    json_t *facts = json_object(), *tables = json_object();
    for (const struct document_block *block = page->first; block; block = block->next) {
        const bool data = block->formats & DOCUMENT_DATA;
        if (data && block->kind == DOCUMENT_KIND_TABLE)
            put_table(tables, block->table);
        else if (data && block->kind == DOCUMENT_KIND_FACTS)
            put_facts(facts, block->table);
    }
    json_t *json = json_pack("{s:o, s:o, s:o}", "title", jsonfile_string(page->title), "facts",
                             facts, "tables", tables);
    return jsonfile_print(out, json, 12, JSON_INDENT(1), "a page");
}

/* A datum of a line; its key where the line is the header. */
static void put_datum(FILE *out, const struct datum *datum, bool header) {
    char *words = datum->text ? document_words(datum->text) : NULL;
    if (header || words)
        csv_put_text(out, words ? words : datum->key);
    else
        csv_put_number(out, datum->number);
    free(words);
}

/* The keys of the columns, then the rows. */
static void put_lines(FILE *out, const struct document_table *table,
                      const struct document_column *const *columns) {
    const struct document_cell none = {0};
    struct datum data[DATA_MOST];
    for (size_t line = 0; line <= table->row_count; line++) {
        for (size_t i = 0; columns[i]; i++) {
            const size_t count = data_of(
                columns[i], line ? document_cell_at(table, line - 1, columns[i]) : &none, data);
            for (size_t j = 0; j < count; j++) {
                fputs(i + j > 0 ? "," : "", out);
                put_datum(out, &data[j], line == 0);
            }
        }
        fputc('\n', out);
    }
}

int write_csv(FILE *out, const struct document *page, const char *id) {
    const struct document_table *table = document_find(page, id);
    if (!table)
        return error("internal: no table is called %s", id);
    const struct document_column **columns = document_columns_shown(table, DOCUMENT_DATA);
    put_lines(out, table, columns);
    free(columns);
    return 0;
}
