#include "reports/page/writers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/utf8.h"
#include "reports/page/document_parts.h"

/* Blanks between columns, the least width that a column of text is pressed to, and bytes of a cell.
 */
enum { GAP = 2, NARROWEST = 12, CELL = 8192 };

/* A line that is being written: blanks are kept back until something follows them. */
struct line {
    FILE *out;
    size_t blanks;
    bool begun;
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

static void put_bytes(struct line *line, const char *text, size_t bytes) {
    if (bytes == 0)
        return;
    for (; line->blanks > 0; line->blanks--)
        fputc(' ', line->out);
    if (!line->begun && bytes > 1 && (strncmp(text, "::", 2) == 0 || strncmp(text, "##", 2) == 0))
        fputc('\\', line->out);
    line->begun = true;
    for (size_t i = 0; i < bytes; i++)
        fputc((unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i], line->out);
}

static void end_line(struct line *line) {
    fputc('\n', line->out);
    line->blanks = 0;
    line->begun = false;
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
    size_t width = WRITE_TEXT_WIDTH;
    do {
        const size_t bytes = fitting(text, width);
        put_bytes(&line, text, bytes);
        end_line(&line);
        text += bytes;
        text += strspn(text, " ");
        line.blanks = indent;
        width = WRITE_TEXT_WIDTH - indent;
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
static void find_widths(const struct document_table *table, size_t shown, size_t *widths,
                        char words[CELL]) {
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
    while (total > WRITE_TEXT_WIDTH) {
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

static void put_cells(FILE *out, const struct document_table *table, const size_t *widths,
                      const struct rest *rest) {
    struct line line = {.out = out};
    bool more = true;
    while (more) {
        size_t wanted = 0; /* blanks before the next column */
        more = false;
        for (size_t i = 0; i < table->column_count; i++) {
            const struct document_column *column = &table->columns[i];
            if (!document_shows(table, i, DOCUMENT_TERMINAL))
                continue;
            const size_t bytes = fitting(rest->at[i], widths[i]);
            const size_t width = width_of(rest->at[i], bytes), pad = widths[i] - width;
            const bool right = document_is_number(column);
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

static void put_rows(FILE *out, const struct document_table *table, const size_t *widths,
                     const struct rest *rest, size_t shown) {
    bool named = false;
    for (size_t i = 0; i < table->column_count; i++) {
        rest->at[i] = table->columns[i].name;
        named |= *rest->at[i] != 0;
    }
    if (named)
        put_cells(out, table, widths, rest);
    for (size_t row = 0; row < shown; row++) {
        for (size_t i = 0; i < table->column_count; i++)
            rest->at[i] =
                cell_words(&table->columns[i], &table->cells[row * table->column_count + i],
                           rest->words + i * CELL);
        put_cells(out, table, widths, rest);
    }
}

static void put_table(FILE *out, const struct document_table *table) {
    const size_t shown = document_rows_shown(table, DOCUMENT_TERMINAL);
    size_t *widths = need(table->column_count, sizeof *widths);
    struct rest rest = {need(table->column_count + 1, CELL),
                        need(table->column_count, sizeof *rest.at)};
    if (table->caption)
        put_wrapped(out, table->caption, 0);
    find_widths(table, shown, widths, rest.words);
    put_rows(out, table, widths, &rest, shown);
    if (table->row_count > shown)
        fprintf(out, "... and %zu more%s%s\n", table->row_count - shown,
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
        fprintf(out, "%s\n", block->words);
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
