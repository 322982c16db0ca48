#include "reports/page/writers.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/utf8.h"
#include "reports/page/document_parts.h"

/* Blanks between columns, the least width that a column of text is pressed to, and that of a page. */
enum { GAP = 2, NARROWEST = 12, LEAST = 40 };

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

/* What is left to write of one of several texts that stand beside each other. */
struct piece {
    const char *rest;
    size_t gap, width; /* blanks before it, and its own */
    bool right;
};

/* In as many lines as the longest needs; none ends in blanks. */
static void put_pieces(FILE *out, struct piece *pieces, size_t count) {
    bool more = true;
    while (more) {
        char *text;
        size_t size, blanks = 0;
        FILE *line = need_stream(&text, &size);
        more = false;
        for (size_t i = 0; i < count; i++) {
            struct piece *piece = &pieces[i];
            const size_t bytes = fitting(piece->rest, piece->width);
            const size_t pad = piece->width - width_of(piece->rest, bytes);
            blanks += piece->gap + (piece->right ? pad : 0);
            if (bytes > 0)
                fprintf(line, "%*s%.*s", (int)blanks, "", (int)bytes, piece->rest);
            blanks = (bytes > 0 ? 0 : blanks) + (piece->right ? 0 : pad);
            piece->rest += bytes;
            piece->rest += strspn(piece->rest, " ");
            more |= *piece->rest != 0;
        }
        fclose(line);
        text_print_line(out, "%s", text);
        free(text);
    }
}

static void put_wrapped(FILE *out, const char *text) {
    put_pieces(out, &(struct piece){.rest = text, .width = width_of_page(out)}, 1);
}

static void put_text(FILE *out, const struct document_text *text) {
    char *words = document_words(text);
    put_wrapped(out, words);
    free(words);
}

static void put_item(FILE *out, const struct document_text *text) {
    char *words = document_words(text);
    struct piece pieces[] = {{.rest = "-", .width = 1},
                             {.rest = words, .gap = 1, .width = width_of_page(out) - 2}};
    put_pieces(out, pieces, 2);
    free(words);
}

/* A table as it is laid out. The first row is the names of the columns. */
struct grid {
    const struct document_column **columns;
    char **texts; /* row-major */
    size_t rows, count, *widths;
};

static char *text_of(const struct document_column *column, const struct document_cell *cell) {
    char text[2 * DOCUMENT_NUMBER_TEXT + 4], interval[DOCUMENT_NUMBER_TEXT];
    if (cell->kind == DOCUMENT_CELL_TEXT)
        return document_words(&cell->text);
    document_number_text(column, cell, text, interval);
    if (*interval)
        text_append(text, sizeof text, " (%s)", interval);
    return need_copy(text);
}

static void fill_grid(const struct document_table *table, struct grid *grid) {
    grid->columns = document_columns_shown(table, DOCUMENT_TERMINAL);
    while (grid->columns[grid->count])
        grid->count++;
    grid->rows = 1 + document_rows_shown(table, DOCUMENT_TERMINAL);
    grid->texts = need(grid->rows * grid->count, sizeof *grid->texts);
    grid->widths = need(grid->count, sizeof *grid->widths);
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t i = 0; i < grid->count; i++) {
            const struct document_column *column = grid->columns[i];
            char *text = row == 0 ? need_copy(column->name)
                                  : text_of(column, document_cell_at(table, row - 1, column));
            const size_t width = width_of(text, strlen(text));
            grid->texts[row * grid->count + i] = text;
            grid->widths[i] = width > grid->widths[i] ? width : grid->widths[i];
        }
}

static void free_grid(struct grid *grid) {
    for (size_t i = 0; i < grid->rows * grid->count; i++)
        free(grid->texts[i]);
    free(grid->texts);
    free(grid->widths);
    free(grid->columns);
}

/* Makes columns of text narrower until all fit, or none can give more. */
static void press(struct grid *grid, size_t most) {
    size_t total = 0;
    for (size_t i = 0; i < grid->count; i++)
        total += grid->widths[i] + (i > 0 ? GAP : 0);
    for (; total > most; total--) {
        size_t *widest = NULL;
        for (size_t i = 0; i < grid->count; i++)
            if (!document_is_number(grid->columns[i]) && !grid->columns[i]->unbroken &&
                grid->widths[i] > NARROWEST && (!widest || grid->widths[i] > *widest))
                widest = &grid->widths[i];
        if (!widest)
            return;
        --*widest;
    }
}

/* Of all rows the first column, and those from `from` to `to`. */
static void put_rows(FILE *out, const struct grid *grid, size_t from, size_t to) {
    struct piece *pieces = need(grid->count, sizeof *pieces);
    bool named = false;
    for (size_t i = 0; i < grid->count; i++)
        named |= *grid->texts[i] != 0;
    for (size_t row = !named; row < grid->rows; row++) {
        size_t count = 0;
        for (size_t i = 0; i < to; i = i == 0 ? from : i + 1)
            pieces[count++] = (struct piece){.rest = grid->texts[row * grid->count + i],
                                             .gap = i == 0 ? 0 : GAP,
                                             .width = grid->widths[i],
                                             .right = document_is_number(grid->columns[i])};
        put_pieces(out, pieces, count);
    }
    free(pieces);
}

/* A table that is too wide for the terminal goes on below, beside its first column again. */
static void put_parts(FILE *out, const struct grid *grid) {
    const size_t room = text_columns(out) ? (size_t)text_columns(out) : SIZE_MAX;
    size_t from = 1, to;
    do {
        size_t width = grid->widths[0];
        for (to = from; to < grid->count && (to == from || width + GAP + grid->widths[to] <= room);
             to++)
            width += GAP + grid->widths[to];
        if (from > 1)
            text_print_line(out, "%s", "");
        put_rows(out, grid, from, to);
        from = to;
    } while (from < grid->count);
}

static void put_table(FILE *out, const struct document_table *table) {
    struct grid grid = {0};
    if (table->caption)
        put_wrapped(out, table->caption);
    fill_grid(table, &grid);
    press(&grid, width_of_page(out));
    if (grid.count > 0)
        put_parts(out, &grid);
    const size_t more = table->row_count + 1 - grid.rows;
    if (more > 0) {
        char *where = document_words(&table->where);
        text_print_line(out, "... and %zu more%s%s", more, *where ? "; " : "", where);
        free(where);
    }
    free_grid(&grid);
}

static void put_block(FILE *out, const struct document_block *block) {
    switch (block->kind) {
    case DOCUMENT_KIND_SECTION:
        put_wrapped(out, block->words);
        break;
    case DOCUMENT_KIND_ITEM:
        put_item(out, &block->text);
        break;
    case DOCUMENT_KIND_PARAGRAPH:
    case DOCUMENT_KIND_NOTE:
        put_text(out, &block->text);
        break;
    case DOCUMENT_KIND_PRE:
        text_print_lines(out, block->words);
        break;
    case DOCUMENT_KIND_FACTS:
    case DOCUMENT_KIND_TABLE:
        put_table(out, block->table);
        break;
    case DOCUMENT_KIND_FIGURE: /* a terminal shows none */
        break;
    }
}

/* Blocks of one kind stand close; others have a blank line between them. */
static bool is_close(const struct document_block *before, const struct document_block *block) {
    return before->kind == block->kind && block->kind != DOCUMENT_KIND_TABLE &&
           block->kind != DOCUMENT_KIND_SECTION;
}

int write_text(FILE *out, const struct document *page) {
    const struct document_block *before = NULL, *block;
    if (*page->title) {
        put_wrapped(out, page->title);
        fputc('\n', out);
    }
    for (; (block = document_next(page, before, DOCUMENT_TERMINAL)); before = block) {
        if (before && !is_close(before, block))
            fputc('\n', out);
        put_block(out, block);
    }
    return 0;
}
