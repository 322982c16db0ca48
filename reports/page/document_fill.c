#include "reports/page/document.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/page/document_parts.h"

struct document *document_new(const char *title) {
    struct document *page = need(1, sizeof *page);
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
    return page->failed;
}

void document_fail(struct document *page) {
    page->failed = true;
}

/* A fault of who fills it: a cell without a column, say. */
static _Noreturn void refuse_order(const char *what) {
    error("internal: a page is filled in no order: %s", what);
    exit(EXIT_TROUBLE);
}

void document_only(struct document *page, unsigned formats) {
    page->formats = formats;
}

/* A new block at the end. */
static struct document_block *add_block(struct document *page, enum document_kind kind) {
    struct document_block *block = document_allocate(page, sizeof *block);
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
    return page->last && page->last->kind == kind ? page->last : NULL;
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
    block->level = level;
    block->id = id ? document_copy(page, id) : id_of(page, heading);
    block->words = document_copy(page, heading);
}

void document_section_folded(struct document *page, int level, const char *id,
                             const char *heading) {
    document_section(page, level, id, heading);
    page->last->folded = true;
}

/* A block of running text, to which document_add adds. */
static struct document_block *add_text(struct document *page, enum document_kind kind,
                                       const char *format, va_list args) {
    struct document_block *block = add_block(page, kind);
    page->open = &block->text;
    document_mark(page, &block->text, format, args);
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
    add_text(page, DOCUMENT_KIND_NOTE, format, args)->mood = mood;
    va_end(args);
}

void document_add(struct document *page, const char *format, ...) {
    va_list args;
    if (!page->open)
        refuse_order("there is no text to add to");
    va_start(args, format);
    document_mark(page, page->open, format, args);
    va_end(args);
}

void document_code(struct document *page, const char *text) {
    add_block(page, DOCUMENT_KIND_PRE)->words = document_copy(page, text);
}

void document_facts(struct document *page, const char *caption) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_FACTS);
    if (caption)
        block->words = document_copy(page, caption);
}

/* A fact without a value yet. */
static struct document_fact *add_fact(struct document *page, const char *name) {
    if (!last_of(page, DOCUMENT_KIND_FACTS))
        document_facts(page, NULL);
    struct document_block *block = page->last;
    struct document_fact *fact = document_allocate(page, sizeof *fact);
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
    va_start(args, format);
    document_mark(page, &fact->value, format, args);
    va_end(args);
}

void document_figure(struct document *page, const char *name, const char *alt, const char *caption,
                     bool drawn) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_FIGURE);
    block->name = document_copy(page, name);
    block->alt = document_copy(page, alt);
    block->words = document_copy(page, caption);
    block->drawn = drawn;
}

void document_raw(struct document *page, enum document_format format, const char *text) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_RAW);
    block->formats = format;
    block->words = document_copy(page, text);
}

/* The table that is being filled. */
static struct document_table *open_table(struct document *page) {
    struct document_block *block = last_of(page, DOCUMENT_KIND_TABLE);
    if (!block)
        refuse_order("there is no table");
    return block->table;
}

void document_table(struct document *page, const char *id, const char *caption) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_TABLE);
    struct document_table *table = block->table = document_allocate(page, sizeof *table);
    table->id = document_copy(page, id);
    table->caption = caption ? document_copy(page, caption) : NULL;
}

static const char *copy_or_null(struct document *page, const char *text) {
    return text ? document_copy(page, text) : NULL;
}

void document_column(struct document *page, struct document_column column) {
    struct document_table *table = open_table(page);
    if (table->row_count > 0)
        refuse_order("a column comes after rows");
    table->columns = need_more(table->columns, table->column_count, sizeof *table->columns);
    column.name = document_copy(page, column.name);
    column.unit = copy_or_null(page, column.unit);
    column.key = copy_or_null(page, column.key);
    column.low = copy_or_null(page, column.low);
    column.high = copy_or_null(page, column.high);
    column.formats = column.formats ? column.formats : DOCUMENT_ALL;
    table->columns[table->column_count++] = column;
}

void document_columns(struct document *page, const struct document_column *columns, size_t count) {
    for (size_t i = 0; i < count; i++)
        document_column(page, columns[i]);
}

void document_row(struct document *page) {
    struct document_table *table = open_table(page);
    if (table->column_count == 0)
        refuse_order("a row has no columns");
    table->cells =
        need_more(table->cells, table->row_count, table->column_count * sizeof *table->cells);
    struct document_cell *row = table->cells + table->row_count * table->column_count;
    memset(row, 0, table->column_count * sizeof *row);
    table->row_count++;
    table->filled = 0;
    table->bound = false;
    page->open = NULL;
}

/* Where the member is; NULL: nowhere. */
static const void *find_member(const struct document_member *member, const void *row) {
    const char *base = row;
    if (member->through)
        memcpy(&base, base + member->by, sizeof base);
    return base ? base + member->at : NULL;
}

enum document_mood document_faster(const char *verdict) {
    return strcmp(verdict, "faster") == 0   ? DOCUMENT_GOOD
           : strcmp(verdict, "slower") == 0 ? DOCUMENT_BAD
                                            : DOCUMENT_PLAIN;
}

static void put_double(struct document *page, const struct document_column *column,
                       const double *x) {
    if (column->type == DOCUMENT_RATIO)
        document_ratio(page, x[0], x[1], x[2]);
    else if (column->type == DOCUMENT_INTERVAL)
        document_interval(page, x[0], x[1]);
    else
        document_number(page, column->convert ? column->convert(x[0]) : x[0]);
}

/* The text of a member that is one; an enum's among the words. */
static const char *text_of(enum document_source from, const void *member, const char *const *words,
                           char shape[SHAPE_TEXT]) {
    switch (from) {
    case DOCUMENT_CHARS:
        return member;
    case DOCUMENT_STRING:
        return *(const char *const *)member;
    case DOCUMENT_SHAPE:
        return shape_format(*(const struct shape *)member, shape);
    case DOCUMENT_ENUM:
        return words[*(const int *)member];
    default:
        return NULL;
    }
}

static void put_bound(struct document *page, const struct document_column *column,
                      const void *row) {
    const void *member = find_member(&column->is, row);
    const void *known = find_member(&column->known, row);
    char shape[SHAPE_TEXT];
    if (column->known.from == DOCUMENT_SIZE && *(const size_t *)known == 0) {
        document_empty(page, column->unknown);
        return;
    }
    const enum document_source from = member ? column->is.from : DOCUMENT_CHARS;
    const char *text = member ? text_of(from, member, column->words, shape) : "";
    if (text) {
        document_verdict(page, text, column->mood ? column->mood(text) : DOCUMENT_PLAIN);
        return;
    }
    if (from == DOCUMENT_SIZE)
        document_count(page, *(const size_t *)member);
    else if (from == DOCUMENT_BOOL)
        document_count(page, *(const bool *)member);
    else if (from == DOCUMENT_EXTENT)
        document_count(page, (size_t) * (const int64_t *)member);
    else
        put_double(page, column, member);
    if (column->unrecorded.from != DOCUMENT_CALLER)
        unrecorded_label(page, *(const bool *)find_member(&column->unrecorded, row));
}

void document_row_of(struct document *page, const void *row) {
    struct document_table *table = open_table(page);
    document_row(page);
    for (size_t i = 0; i < table->column_count; i++) {
        table->filled = i;
        if (table->columns[i].is.from != DOCUMENT_CALLER)
            put_bound(page, &table->columns[i], row);
    }
    table->filled = 0;
    table->bound = true;
}

void document_most(struct document *page, unsigned formats, size_t rows) {
    struct document_table *table = open_table(page);
    for (size_t i = 0; i < sizeof table->most / sizeof *table->most; i++)
        if (formats & 1U << i)
            table->most[i] = rows;
}

void document_where(struct document *page, const char *format, ...) {
    struct document_table *table = open_table(page);
    va_list args;
    va_start(args, format);
    document_mark(page, &table->where, format, args);
    va_end(args);
}

void document_fold(struct document *page, bool everywhere, const char *format, ...) {
    struct document_table *table = open_table(page);
    va_list args;
    table->fold_everywhere = everywhere;
    va_start(args, format);
    document_mark(page, &table->fold, format, args);
    va_end(args);
}

/* The next cell of the last row. */
static struct document_cell *next_cell(struct document *page, enum document_cell_kind kind) {
    struct document_table *table = open_table(page);
    while (table->bound && table->filled < table->column_count &&
           table->columns[table->filled].is.from != DOCUMENT_CALLER)
        table->filled++;
    if (table->row_count == 0 || table->filled == table->column_count)
        refuse_order("a cell has no column");
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
    va_start(args, format);
    document_mark(page, &cell->text, format, args);
    va_end(args);
    page->open = &cell->text;
}

void document_empty(struct document *page, const char *why) {
    struct document_cell *cell = next_cell(page, DOCUMENT_CELL_EMPTY);
    if (why)
        document_put(page, &cell->text, DOCUMENT_SPAN_TEXT, why, NULL);
}

void document_count(struct document *page, size_t count) {
    next_cell(page, DOCUMENT_CELL_COUNT)->count = count;
}

void document_number(struct document *page, double value) {
    next_cell(page, isnan(value) ? DOCUMENT_CELL_EMPTY : DOCUMENT_CELL_NUMBER)->value = value;
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
    cell->value = ratio;
    put_ends(cell, low, high);
}

void document_interval(struct document *page, double low, double high) {
    const bool known = isfinite(low) && isfinite(high);
    put_ends(next_cell(page, known ? DOCUMENT_CELL_INTERVAL : DOCUMENT_CELL_EMPTY), low, high);
}

void document_verdict(struct document *page, const char *word, enum document_mood mood) {
    document_cell(page, word);
    document_mood(page, mood);
}

/* The cell that was added last. */
static struct document_cell *last_cell(struct document *page) {
    struct document_table *table = open_table(page);
    if (table->row_count == 0 || table->filled == 0)
        refuse_order("there is no cell");
    return &table->cells[(table->row_count - 1) * table->column_count + table->filled - 1];
}

void document_mood(struct document *page, enum document_mood mood) {
    last_cell(page)->mood = mood;
}

void document_label(struct document *page, const char *label) {
    if (*label)
        last_cell(page)->label = document_copy(page, label);
}
