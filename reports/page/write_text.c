#include "reports/page/writers.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/utf8.h"
#include "reports/page/document_parts.h"

/* Blanks between columns, the least width that a column of text is pressed to, that of a page, and
 * bytes of a cell. */
enum { GAP = 2, NARROWEST = 12, LEAST = 40, CELL = 8192 };

/* A line that is being written: blanks are kept back until something follows them. */
struct line {
    FILE *out;
    size_t blanks, used;
    char text[2 * CELL];
};

static size_t character(const char *text) {
    uint32_t code;
    const size_t length = utf8_decode(text, &code);
    return length ? length : 1;
}

/* Characters of the first `bytes` of text. */
static size_t width_of(const char *text, size_t bytes) {
    size_t width = 0;
    for (size_t at = 0; at < bytes; at += character(text + at))
        width++;
    return width;
}

/* What does not fit is left out. */
static void put_bytes(struct line *line, const char *text, size_t bytes) {
    if (bytes == 0 || line->used + line->blanks + bytes >= sizeof line->text)
        return;
    memset(line->text + line->used, ' ', line->blanks);
    memcpy(line->text + line->used + line->blanks, text, bytes);
    line->used += line->blanks + bytes;
    line->blanks = 0;
}

static void end_line(struct line *line) {
    text_print_line(line->out, "%.*s", (int)line->used, line->text);
    line->blanks = line->used = 0;
}

/* No wider than a terminal that the stream is. */
static size_t width_of_page(FILE *out) {
    const int columns = text_columns(out);
    return columns == 0 || columns > WRITE_TEXT_WIDTH ? WRITE_TEXT_WIDTH
           : columns < LEAST                          ? LEAST
                                                      : (size_t)columns;
}

/* Bytes of text that stand on one line of the width: whole words, or what fits of one. */
static size_t fitting(const char *text, size_t width) {
    size_t end = 0, word = 0, used = 0;
    while (text[end] && used < width) {
        if (text[end] == ' ' && end > 0)
            word = end;
        end += character(text + end);
        used++;
    }
    if (!text[end] || text[end] == ' ')
        return end;
    return word > 0 ? word : end;
}

/* Text in as many lines as it needs, all but the first with `indent` blanks. */
static void put_wrapped(FILE *out, const char *text, size_t indent) {
    struct line line = {.out = out};
    const size_t most = width_of_page(out);
    size_t width = most;
    do {
        const size_t bytes = fitting(text, width);
        put_bytes(&line, text, bytes);
        end_line(&line);
        text += bytes;
        text += strspn(text, " ");
        line.blanks = indent;
        width = most - indent;
    } while (*text);
}

/* The words of all spans; a link is its words. Returns words. */
static const char *words_of(const struct document_text *text, char words[CELL]) {
    size_t used = 0;
    words[0] = 0;
    for (const struct document_span *span = text->first; span && used < CELL; span = span->next)
        used += (size_t)snprintf(words + used, CELL - used, "%s", span->text);
    return words;
}

static const char *cell_words(const struct document_column *column,
                              const struct document_cell *cell, char words[CELL]) {
    char text[DOCUMENT_NUMBER_TEXT], interval[DOCUMENT_NUMBER_TEXT];
    if (cell->kind == DOCUMENT_CELL_TEXT)
        return words_of(&cell->text, words);
    document_number_text(column, cell, text, interval);
    snprintf(words, CELL, *interval ? "%s (%s)" : "%s%s", text, interval);
    return words;
}

/* The columns' widths, pressed until all fit or no column of text can give more. */
static void find_widths(const struct document_table *table, size_t shown, size_t most,
                        size_t *widths, char words[CELL]) {
    size_t total = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct document_column *column = &table->columns[i];
        widths[i] = 0;
        if (!document_shows(table, i, DOCUMENT_TERMINAL))
            continue;
        widths[i] = width_of(column->name, strlen(column->name));
        for (size_t row = 0; row < shown; row++) {
            cell_words(column, &table->cells[row * table->column_count + i], words);
            const size_t width = width_of(words, strlen(words));
            widths[i] = width > widths[i] ? width : widths[i];
        }
        total += widths[i] + (total > 0 ? GAP : 0);
    }
    while (total > most) {
        size_t widest = table->column_count;
        for (size_t i = 0; i < table->column_count; i++)
            if (!document_is_number(&table->columns[i]) && !table->columns[i].unbroken &&
                widths[i] > NARROWEST &&
                (widest == table->column_count || widths[i] > widths[widest]))
                widest = i;
        if (widest == table->column_count)
            return;
        widths[widest]--;
        total--;
    }
}

/* What is left to write of the cells of a row. */
struct rest {
    char *words; /* CELL bytes a column */
    const char **at;
};

/* Columns that stand beside one another: the first of the table, and some of the others. */
struct part {
    const struct document_table *table;
    const size_t *widths;
    size_t first, from, to;
};

static bool is_in(const struct part *part, size_t i) {
    return document_shows(part->table, i, DOCUMENT_TERMINAL) &&
           (i == part->first || (i >= part->from && i < part->to));
}

static void put_cells(FILE *out, const struct part *part, const struct rest *rest) {
    struct line line = {.out = out};
    bool more = true;
    while (more) {
        size_t wanted = 0; /* blanks before the next column */
        more = false;
        for (size_t i = 0; i < part->table->column_count; i++) {
            if (!is_in(part, i))
                continue;
            const size_t bytes = fitting(rest->at[i], part->widths[i]);
            const size_t pad = part->widths[i] - width_of(rest->at[i], bytes);
            const bool right = document_is_number(&part->table->columns[i]);
            line.blanks += wanted + (right ? pad : 0);
            put_bytes(&line, rest->at[i], bytes);
            line.blanks += right ? 0 : pad;
            rest->at[i] += bytes;
            rest->at[i] += strspn(rest->at[i], " ");
            more |= *rest->at[i] != 0;
            wanted = GAP;
        }
        end_line(&line);
    }
}

static void put_rows(FILE *out, const struct part *part, const struct rest *rest, size_t shown) {
    const struct document_table *table = part->table;
    bool named = false;
    for (size_t i = 0; i < table->column_count; i++) {
        rest->at[i] = table->columns[i].name;
        named |= *rest->at[i] != 0;
    }
    if (named)
        put_cells(out, part, rest);
    for (size_t row = 0; row < shown; row++) {
        for (size_t i = 0; i < table->column_count; i++)
            rest->at[i] = is_in(part, i) ? cell_words(&table->columns[i],
                                                      &table->cells[row * table->column_count + i],
                                                      rest->words + i * CELL)
                                         : "";
        put_cells(out, part, rest);
    }
}

/* Moves the part on to the next columns that fit beside the first; false where none is left. */
static bool next_part(struct part *part, size_t room) {
    size_t width = part->widths[part->first];
    part->from = part->to;
    for (; part->to < part->table->column_count; part->to++) {
        if (part->to == part->first || !document_shows(part->table, part->to, DOCUMENT_TERMINAL))
            continue;
        width += GAP + part->widths[part->to];
        if (width > room && part->to > part->from)
            break;
    }
    return part->to > part->from;
}

/* A table that is too wide for the terminal goes on below, beside its first column again. */
static void put_table(FILE *out, const struct document_table *table) {
    const size_t shown = document_rows_shown(table, DOCUMENT_TERMINAL);
    const size_t room = text_columns(out) ? (size_t)text_columns(out) : SIZE_MAX;
    size_t *widths = need(table->column_count, sizeof *widths);
    struct rest rest = {need(table->column_count + 1, CELL),
                        need(table->column_count, sizeof *rest.at)};
    struct part part = {.table = table, .widths = widths};
    if (table->caption)
        put_wrapped(out, table->caption, 0);
    find_widths(table, shown, width_of_page(out), widths, rest.words);
    while (part.first + 1 < table->column_count &&
           !document_shows(table, part.first, DOCUMENT_TERMINAL))
        part.first++;
    part.to = part.first;
    for (bool begun = false; next_part(&part, room); begun = true) {
        if (begun)
            text_print_line(out, "%s", "");
        put_rows(out, &part, &rest, shown);
    }
    if (table->row_count > shown)
        text_print_line(out, "... and %zu more%s%s", table->row_count - shown,
                        table->where.first ? "; " : "", words_of(&table->where, rest.words));
    free(widths);
    free(rest.words);
    free(rest.at);
}

static void put_facts(FILE *out, const struct document_block *block) {
    char words[CELL];
    size_t width = 0;
    if (block->words)
        put_wrapped(out, block->words, 0);
    for (const struct document_fact *fact = block->facts; fact; fact = fact->next) {
        const size_t own = width_of(fact->name, strlen(fact->name));
        width = own > width ? own : width;
    }
    for (const struct document_fact *fact = block->facts; fact; fact = fact->next) {
        const size_t own = width_of(fact->name, strlen(fact->name));
        char line[CELL];
        snprintf(line, sizeof line, "%s%*s%s", fact->name, (int)(width - own + GAP), "",
                 words_of(&fact->value, words));
        put_wrapped(out, line, width + GAP);
    }
}

static void put_block(FILE *out, const struct document_block *block) {
    char words[CELL], line[CELL + 2];
    switch (block->kind) {
    case DOCUMENT_KIND_SECTION:
        put_wrapped(out, block->words, 0);
        break;
    case DOCUMENT_KIND_ITEM:
        snprintf(line, sizeof line, "- %s", words_of(&block->text, words));
        put_wrapped(out, line, 2);
        break;
    case DOCUMENT_KIND_PARAGRAPH:
    case DOCUMENT_KIND_NOTE:
        put_wrapped(out, words_of(&block->text, words), 0);
        break;
    case DOCUMENT_KIND_PRE:
    case DOCUMENT_KIND_RAW:
        text_print_lines(out, block->words);
        break;
    case DOCUMENT_KIND_FACTS:
        put_facts(out, block);
        break;
    case DOCUMENT_KIND_TABLE:
        put_table(out, block->table);
        break;
    case DOCUMENT_KIND_FIGURE:
        break;
    }
}

static bool is_shown(const struct document_block *block) {
    if (!(block->formats & DOCUMENT_TERMINAL) || block->kind == DOCUMENT_KIND_FIGURE)
        return false;
    return block->kind != DOCUMENT_KIND_TABLE || block->table->row_count > 0;
}

/* Blocks of one kind stand close; others have a blank line between them. */
static bool is_close(const struct document_block *before, const struct document_block *block) {
    return before->kind == block->kind && block->kind != DOCUMENT_KIND_TABLE &&
           block->kind != DOCUMENT_KIND_SECTION;
}

int write_text(FILE *out, const struct document *page) {
    if (document_failed(page))
        return -1;
    const struct document_block *before = NULL;
    if (*page->title) {
        put_wrapped(out, page->title, 0);
        fputc('\n', out);
    }
    for (const struct document_block *block = page->first; block; block = block->next) {
        if (!is_shown(block))
            continue;
        if (before && !is_close(before, block))
            fputc('\n', out);
        put_block(out, block);
        before = block;
    }
    return 0;
}
