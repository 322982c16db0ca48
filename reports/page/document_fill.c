#include "reports/page/document.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/document_memory.h"
#include "reports/page/document_parts.h"

struct document *document_new(const char *title) {
    struct document *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->formats = DOCUMENT_ALL;
    page->title = document_copy(page, title);
    return page;
}

void document_free(struct document *page) {
    if (!page)
        return;
    for (struct document_block *block = page->first; block; block = block->next)
        if (block->table) {
            free(block->table->columns);
            free(block->table->cells);
        }
    document_release(page);
    free(page);
}

bool document_failed(const struct document *page) {
    return !page || page->failed;
}

void document_fail(struct document *page) {
    if (page)
        page->failed = true;
}

void document_only(struct document *page, unsigned formats) {
    if (page)
        page->formats = formats;
}

/* A new block at the end, or NULL where the document has failed. */
static struct document_block *add_block(struct document *page, enum document_kind kind) {
    struct document_block *block =
        document_failed(page) ? NULL : document_allocate(page, sizeof *block);
    if (!block)
        return NULL;
    block->kind = kind;
    block->formats = page->formats;
    if (page->last)
        page->last->next = block;
    else
        page->first = block;
    page->last = block;
    page->open = NULL;
    return block;
}

static struct document_block *last_of(struct document *page, enum document_kind kind) {
    struct document_block *last = document_failed(page) ? NULL : page->last;
    return last && last->kind == kind ? last : NULL;
}

/* Small letters and digits of the heading, with - between them. */
static const char *id_of(struct document *page, const char *heading) {
    char id[128];
    size_t length = 0;
    for (; *heading && length + 2 < sizeof id; heading++)
        if (isalnum((unsigned char)*heading))
            id[length++] = (char)tolower((unsigned char)*heading);
        else if (length > 0 && id[length - 1] != '-')
            id[length++] = '-';
    id[length] = 0;
    return document_copy(page, id);
}

void document_section(struct document *page, int level, const char *id, const char *heading) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_SECTION);
    if (!block)
        return;
    block->level = level;
    block->id = id ? document_copy(page, id) : id_of(page, heading);
    block->words = document_copy(page, heading);
}

/* A block of running text, to which document_add adds. */
static struct document_block *add_text(struct document *page, enum document_kind kind,
                                       const char *format, va_list args) {
    struct document_block *block = add_block(page, kind);
    if (block) {
        page->open = &block->text;
        document_mark(page, &block->text, format, args);
    }
    return block;
}

void document_paragraph(struct document *page, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_text(page, DOCUMENT_KIND_PARAGRAPH, format, args);
    va_end(args);
}

void document_item(struct document *page, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_text(page, DOCUMENT_KIND_ITEM, format, args);
    va_end(args);
}

void document_note(struct document *page, enum document_mood mood, const char *format, ...) {
    va_list args;
    va_start(args, format);
    struct document_block *block = add_text(page, DOCUMENT_KIND_NOTE, format, args);
    va_end(args);
    if (block)
        block->mood = mood;
}

void document_add(struct document *page, const char *format, ...) {
    va_list args;
    if (document_failed(page))
        return;
    if (!page->open) {
        page->failed = true;
        return;
    }
    va_start(args, format);
    document_mark(page, page->open, format, args);
    va_end(args);
}

void document_code(struct document *page, const char *text) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_PRE);
    if (block)
        block->words = document_copy(page, text);
}

void document_facts(struct document *page, const char *caption) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_FACTS);
    if (block && caption)
        block->words = document_copy(page, caption);
}

/* A fact without a value yet, or NULL. */
static struct document_fact *add_fact(struct document *page, const char *name) {
    if (!last_of(page, DOCUMENT_KIND_FACTS))
        document_facts(page, NULL);
    struct document_block *block = last_of(page, DOCUMENT_KIND_FACTS);
    struct document_fact *fact = block ? document_allocate(page, sizeof *fact) : NULL;
    if (!fact)
        return NULL;
    fact->name = document_copy(page, name);
    if (block->last_fact)
        block->last_fact->next = fact;
    else
        block->facts = fact;
    block->last_fact = fact;
    page->open = &fact->value;
    return fact;
}

void document_fact(struct document *page, const char *name, const char *value) {
    if (*value)
        document_fact_marked(page, name, "%s", value);
}

void document_fact_marked(struct document *page, const char *name, const char *format, ...) {
    struct document_fact *fact = add_fact(page, name);
    va_list args;
    if (!fact)
        return;
    va_start(args, format);
    document_mark(page, &fact->value, format, args);
    va_end(args);
}

void document_figure(struct document *page, const char *name, const char *alt, const char *caption,
                     bool drawn) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_FIGURE);
    if (!block)
        return;
    block->name = document_copy(page, name);
    block->alt = document_copy(page, alt);
    block->words = document_copy(page, caption);
    block->drawn = drawn;
}

void document_raw(struct document *page, enum document_format format, const char *text) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_RAW);
    if (!block)
        return;
    block->formats = format;
    block->words = document_copy(page, text);
}

/* The table that is being filled; without one the document is in no order. */
static struct document_table *open_table(struct document *page) {
    struct document_block *block = last_of(page, DOCUMENT_KIND_TABLE);
    if (!block && page)
        page->failed = true;
    return block ? block->table : NULL;
}

void document_table(struct document *page, const char *id, const char *caption) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_TABLE);
    struct document_table *table = block ? document_allocate(page, sizeof *table) : NULL;
    if (!table)
        return;
    block->table = table;
    table->id = document_copy(page, id);
    table->caption = caption ? document_copy(page, caption) : NULL;
}

static const char *copy_or_null(struct document *page, const char *text) {
    return text ? document_copy(page, text) : NULL;
}

void document_column(struct document *page, struct document_column column) {
    struct document_table *table = open_table(page);
    if (!table)
        return;
    struct document_column *columns =
        realloc(table->columns, (table->column_count + 1) * sizeof *columns);
    if (!columns || table->row_count > 0) {
        page->failed = true;
        table->columns = columns ? columns : table->columns;
        return;
    }
    table->columns = columns;
    column.name = document_copy(page, column.name);
    column.unit = copy_or_null(page, column.unit);
    column.key = copy_or_null(page, column.key);
    column.low = copy_or_null(page, column.low);
    column.high = copy_or_null(page, column.high);
    column.formats = column.formats ? column.formats : DOCUMENT_ALL;
    columns[table->column_count++] = column;
}

void document_columns(struct document *page, const struct document_column *columns, size_t count) {
    for (size_t i = 0; i < count; i++)
        document_column(page, columns[i]);
}

void document_row(struct document *page) {
    enum { FIRST_ROOM = 16 };
    struct document_table *table = open_table(page);
    if (!table)
        return;
    if (table->row_count == table->row_room) {
        const size_t room = table->row_room ? 2 * table->row_room : FIRST_ROOM;
        struct document_cell *cells =
            table->column_count > 0
                ? realloc(table->cells, room * table->column_count * sizeof *cells)
                : NULL;
        if (!cells) {
            page->failed = true;
            return;
        }
        table->cells = cells;
        table->row_room = room;
    }
    struct document_cell *row = table->cells + table->row_count * table->column_count;
    for (size_t i = 0; i < table->column_count; i++)
        row[i] = (struct document_cell){.digits = -1};
    table->row_count++;
    table->filled = 0;
    page->open = NULL;
}

void document_most(struct document *page, unsigned formats, size_t rows) {
    struct document_table *table = open_table(page);
    for (size_t i = 0; table && i < sizeof table->most / sizeof *table->most; i++)
        if (formats & 1U << i)
            table->most[i] = rows;
}

void document_where(struct document *page, const char *format, ...) {
    struct document_table *table = open_table(page);
    va_list args;
    if (!table)
        return;
    va_start(args, format);
    document_mark(page, &table->where, format, args);
    va_end(args);
}

void document_fold(struct document *page, bool everywhere, const char *format, ...) {
    struct document_table *table = open_table(page);
    va_list args;
    if (!table)
        return;
    table->fold_everywhere = everywhere;
    va_start(args, format);
    document_mark(page, &table->fold, format, args);
    va_end(args);
}

/* The next cell of the last row, or NULL. */
static struct document_cell *next_cell(struct document *page, enum document_cell_kind kind) {
    struct document_table *table = open_table(page);
    if (!table || table->row_count == 0 || table->filled == table->column_count) {
        if (page)
            page->failed = true;
        return NULL;
    }
    struct document_cell *cell =
        table->cells + (table->row_count - 1) * table->column_count + table->filled++;
    cell->kind = kind;
    page->open = NULL;
    return cell;
}

void document_cell(struct document *page, const char *text) {
    if (*text)
        document_cell_marked(page, "%s", text);
    else
        document_empty(page, NULL);
}

void document_cell_marked(struct document *page, const char *format, ...) {
    struct document_cell *cell = next_cell(page, DOCUMENT_CELL_TEXT);
    va_list args;
    if (!cell)
        return;
    va_start(args, format);
    document_mark(page, &cell->text, format, args);
    va_end(args);
    page->open = &cell->text;
}

void document_empty(struct document *page, const char *why) {
    struct document_cell *cell = next_cell(page, DOCUMENT_CELL_EMPTY);
    if (cell && why)
        document_put(page, &cell->text, DOCUMENT_SPAN_TEXT, why, strlen(why), NULL);
}

void document_count(struct document *page, size_t count) {
    struct document_cell *cell = next_cell(page, DOCUMENT_CELL_COUNT);
    if (cell)
        cell->count = count;
}

void document_number(struct document *page, double value) {
    struct document_cell *cell =
        next_cell(page, isnan(value) ? DOCUMENT_CELL_EMPTY : DOCUMENT_CELL_NUMBER);
    if (cell)
        cell->value = value;
}

void document_number_as(struct document *page, double value, int digits, const char *unit) {
    struct document_cell *cell =
        next_cell(page, isnan(value) ? DOCUMENT_CELL_EMPTY : DOCUMENT_CELL_NUMBER);
    if (!cell)
        return;
    cell->value = value;
    cell->digits = digits;
    cell->unit = copy_or_null(page, unit);
}

/* An end that is not finite is no end: then there is no interval. */
static void put_ends(struct document_cell *cell, double low, double high) {
    const bool known = isfinite(low) && isfinite(high);
    cell->low = known ? low : NAN;
    cell->high = known ? high : NAN;
}

void document_ratio(struct document *page, double ratio, double low, double high) {
    struct document_cell *cell =
        next_cell(page, isnan(ratio) ? DOCUMENT_CELL_EMPTY : DOCUMENT_CELL_RATIO);
    if (!cell)
        return;
    cell->value = ratio;
    put_ends(cell, low, high);
}

void document_interval(struct document *page, double low, double high) {
    const bool known = isfinite(low) && isfinite(high);
    struct document_cell *cell =
        next_cell(page, known ? DOCUMENT_CELL_INTERVAL : DOCUMENT_CELL_EMPTY);
    if (cell)
        put_ends(cell, low, high);
}

void document_verdict(struct document *page, const char *word, enum document_mood mood) {
    document_cell(page, word);
    document_mood(page, mood);
}

/* The cell that was added last, or NULL. */
static struct document_cell *last_cell(struct document *page) {
    struct document_table *table = open_table(page);
    return table && table->row_count > 0 && table->filled > 0
               ? &table->cells[(table->row_count - 1) * table->column_count + table->filled - 1]
               : NULL;
}

void document_mood(struct document *page, enum document_mood mood) {
    struct document_cell *cell = last_cell(page);
    if (cell)
        cell->mood = mood;
}

void document_label(struct document *page, const char *label) {
    struct document_cell *cell = last_cell(page);
    if (cell && *label)
        cell->label = document_copy(page, label);
}
