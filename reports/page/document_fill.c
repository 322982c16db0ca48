#include "reports/page/document.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/page/document_parts.h"

static void *allocate(size_t size) {
    return need(1, size);
}

#define obstack_chunk_alloc allocate
#define obstack_chunk_free free

struct document *document_new(const char *title) {
    struct document *page = need(1, sizeof *page);
    obstack_init(&page->memory);
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
    obstack_free(&page->memory, NULL);
    free(page);
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
    struct document_block *block = obstack_alloc(&page->memory, sizeof *block);
    *block = (struct document_block){.kind = kind, .formats = page->formats};
    if (page->last)
        page->last->next = block;
    else
        page->first = block;
    page->last = block;
    page->open = NULL;
    return block;
}

void document_section(struct document *page, int level, const char *id, const char *heading,
                      bool folded) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_SECTION);
    block->level = level;
    block->id = document_copy(page, id);
    block->words = document_copy(page, heading);
    block->folded = folded;
}

/* A block of running text, to which document_add adds. */
static void add_text(struct document *page, enum document_kind kind, const char *marked) {
    struct document_block *block = add_block(page, kind);
    page->open = &block->text;
    document_put_marked(page, page->open, marked);
}

void document_paragraph(struct document *page, const char *marked) {
    add_text(page, DOCUMENT_KIND_PARAGRAPH, marked);
}

void document_item(struct document *page, const char *marked) {
    add_text(page, DOCUMENT_KIND_ITEM, marked);
}

void document_note(struct document *page, enum document_mood mood, const char *marked) {
    add_text(page, DOCUMENT_KIND_NOTE, marked);
    page->last->mood = mood;
}

void document_add(struct document *page, const char *marked) {
    if (!page->open)
        refuse_order("there is no text to add to");
    document_put_marked(page, page->open, marked);
}

void document_prose(struct document *page, const char *text) {
    while (*text) {
        const bool item = strncmp(text, "- ", 2) == 0;
        char *joined = need(strlen(text) + 1, 1), *to = joined;
        text += item ? 2 : 0;
        for (; *text && (*text != '\n' || text[1] == ' '); text++)
            if (*text == '\n')
                text += strspn(text + 1, " ") - 1; /* its last blank parts the lines */
            else
                *to++ = *text;
        text += *text == '\n';
        add_text(page, item ? DOCUMENT_KIND_ITEM : DOCUMENT_KIND_PARAGRAPH, joined);
        free(joined);
    }
}

void document_code(struct document *page, const char *text) {
    add_block(page, DOCUMENT_KIND_PRE)->words = document_copy(page, text);
}

void document_figure(struct document *page, const char *name, const char *alt, const char *caption,
                     bool drawn) {
    struct document_block *block = add_block(page, DOCUMENT_KIND_FIGURE);
    block->id = document_copy(page, name);
    block->alt = document_copy(page, alt);
    block->words = document_copy(page, caption);
    block->drawn = drawn;
}

/* The table or the facts that are being filled. */
static struct document_table *open_table(struct document *page) {
    if (!page->last || !page->last->table)
        refuse_order("there is no table");
    return page->last->table;
}

static void add_table(struct document *page, enum document_kind kind, const char *id,
                      const char *caption) {
    struct document_table *table = obstack_alloc(&page->memory, sizeof *table);
    *table = (struct document_table){.id = document_copy(page, id),
                                     .caption = document_copy(page, caption)};
    add_block(page, kind)->table = table;
}

void document_table(struct document *page, const char *id, const char *caption) {
    add_table(page, DOCUMENT_KIND_TABLE, id, caption);
}

/* A word of how a column is shown. */
static bool take_word(const char *word, struct document_column *column) {
    static const char *const types[] = {"text",        "code",     "count",   "number",
                                        "significant", "share",    "speedup", "seconds",
                                        "ratio",       "interval", "verdict", NULL},
                             *const omits[] = {"", "same", "empty", "zero", "absent", NULL},
                             *const formats[] = {"data", "files",    "pages",
                                                 "wide", "terminal", NULL};
    static const unsigned bits[] = {DOCUMENT_DATA, DOCUMENT_ALL & ~DOCUMENT_TERMINAL,
                                    DOCUMENT_PAGES, DOCUMENT_MARKDOWN | DOCUMENT_HTML,
                                    DOCUMENT_TERMINAL};
    static const char *const measures[] = {"percent", "micro", "GiB", "%", NULL};
    static const double scales[] = {100, 1e6, 1.0 / (1 << 30), 0};
    static const char *const units[] = {NULL, NULL, " GiB", " %"};
    const int type = words_find(types, word), omit = words_find(omits, word),
              format = words_find(formats, word), measure = words_find(measures, word);
    if (type >= 0) {
        column->type = (enum document_type)type;
    } else if (omit >= 0) {
        column->omit = (enum document_omit)omit;
    } else if (format >= 0) {
        column->formats = bits[format];
    } else if (measure >= 0) {
        column->scale = scales[measure];
        column->unit = units[measure];
    } else if (isdigit((unsigned char)*word)) {
        column->digits = *word - '0';
    } else {
        column->unbroken |= strcmp(word, "unbroken") == 0;
        column->marked |= strcmp(word, "marked") == 0;
        column->faster |= strcmp(word, "faster") == 0;
        return column->unbroken || column->marked || column->faster;
    }
    return true;
}

const struct document_column *document_column(struct document *page, const char *told) {
    struct document_table *table = open_table(page);
    struct document_column column = {.formats = DOCUMENT_ALL};
    char *copy = need_copy(told), *rest = copy, *words, *keys, *word;
    if (table->row_count > 0)
        refuse_order("a column comes after rows");
    column.name = document_copy(page, strsep(&rest, "|"));
    keys = strsep(&rest, "|");
    column.key = document_copy(page, strsep(&keys, ","));
    column.low = document_copy(page, strsep(&keys, ","));
    column.high = document_copy(page, keys);
    words = strsep(&rest, "|");
    column.unknown = document_copy(page, rest);
    if (!column.key || !*column.key)
        column.key = column.name;
    while ((word = strsep(&words, " ")))
        if (!take_word(word, &column)) {
            error("internal: a column has the word %s: %s", word, told);
            exit(EXIT_TROUBLE);
        }
    free(copy);
    table->columns = need_more(table->columns, table->column_count, sizeof *table->columns);
    table->columns[table->column_count] = column;
    return &table->columns[table->column_count++];
}

void document_columns(struct document *page, ...) {
    va_list args;
    va_start(args, page);
    for (const char *told; (told = va_arg(args, const char *));)
        document_column(page, told);
    va_end(args);
}

void document_heading(struct document *page, const char *name) {
    struct document_table *table = open_table(page);
    table->columns[table->column_count - 1].name = document_copy(page, name);
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
    page->open = NULL;
}

enum document_mood document_faster(const char *verdict) {
    static const char *const good[] = {"faster", "good", NULL}, *const bad[] = {"slower", "refused",
                                                                                "bad", NULL};
    return words_find(good, verdict) >= 0  ? DOCUMENT_GOOD
           : words_find(bad, verdict) >= 0 ? DOCUMENT_BAD
                                           : DOCUMENT_PLAIN;
}

void document_most(struct document *page, unsigned formats, size_t rows) {
    struct document_table *table = open_table(page);
    for (size_t i = 0; i < sizeof table->most / sizeof *table->most; i++)
        if (formats & 1U << i)
            table->most[i] = rows;
}

void document_where(struct document *page, const char *marked) {
    document_put_marked(page, &open_table(page)->where, marked);
}

void document_fold(struct document *page, bool everywhere, const char *text) {
    struct document_table *table = open_table(page);
    table->fold_everywhere = everywhere;
    document_put(page, &table->fold, text);
}

/* The next cell of the last row. */
static struct document_cell *next_cell(struct document *page, enum document_cell_kind kind) {
    struct document_table *table = open_table(page);
    if (table->row_count == 0 || table->filled == table->column_count)
        refuse_order("a cell has no column");
    struct document_cell *cell =
        table->cells + (table->row_count - 1) * table->column_count + table->filled++;
    cell->kind = kind;
    page->open = NULL;
    return cell;
}

void document_cell(struct document *page, const char *text) {
    struct document_cell *cell = next_cell(page, *text ? DOCUMENT_CELL_TEXT : DOCUMENT_CELL_EMPTY);
    document_put(page, &cell->text, text);
    page->open = &cell->text;
}

void document_cell_marked(struct document *page, const char *marked) {
    struct document_cell *cell = next_cell(page, DOCUMENT_CELL_TEXT);
    document_put_marked(page, &cell->text, marked);
    page->open = &cell->text;
}

void document_empty(struct document *page, const char *why) {
    document_put(page, &next_cell(page, DOCUMENT_CELL_EMPTY)->text, why ? why : "");
}

/* An end that is not finite is no end: then there is no interval. */
void document_ratio(struct document *page, double ratio, double low, double high) {
    const bool ends = isfinite(low) && isfinite(high);
    struct document_cell *cell =
        next_cell(page, isnan(ratio) && !ends ? DOCUMENT_CELL_EMPTY : DOCUMENT_CELL_NUMBER);
    cell->value = ratio;
    cell->low = ends ? low : NAN;
    cell->high = ends ? high : NAN;
}

void document_number(struct document *page, double value) {
    document_ratio(page, value, NAN, NAN);
}

void document_facts(struct document *page, const char *caption) {
    add_table(page, DOCUMENT_KIND_FACTS, NULL, caption);
    document_columns(page, "", "", NULL);
}

/* A row of facts with its name. */
static void add_fact(struct document *page, const char *name) {
    if (!page->last || page->last->kind != DOCUMENT_KIND_FACTS)
        document_facts(page, NULL);
    document_row(page);
    document_cell(page, name);
}

void document_fact(struct document *page, const char *name, const char *value) {
    if (!*value)
        return;
    add_fact(page, name);
    document_cell(page, value);
}

void document_fact_marked(struct document *page, const char *name, const char *marked) {
    add_fact(page, name);
    document_cell_marked(page, marked);
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

void unrecorded_label(struct document *page, bool unrecorded) {
    last_cell(page)->unrecorded = unrecorded;
}

void unrecorded_explain(struct document *page) {
    const struct document_table *table = page->last ? page->last->table : NULL;
    for (size_t i = 0; table && i < table->row_count * table->column_count; i++)
        if (table->cells[i].unrecorded) {
            document_paragraph(page,
                               "*unrecorded*: the kernel's work could not be recorded. It was "
                               "timed in its own process alone, and no device work bounds "
                               "the number.");
            return;
        }
}
