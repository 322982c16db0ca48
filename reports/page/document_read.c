#include "reports/page/document_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/outcome.h"
#include "bench/base/text.h"

static bool same_text(const struct document_text *a, const struct document_text *b) {
    const struct document_span *x = a->first, *y = b->first;
    for (; x && y; x = x->next, y = y->next)
        if (x->kind != y->kind || strcmp(x->text, y->text) != 0)
            return false;
    return !x && !y;
}

/* Whether the column tells something to the format. */
static bool tells(const struct document_table *table, const struct document_column *column,
                  enum document_format format) {
    const struct document_cell *first = document_cell_at(table, 0, column);
    size_t values = 0, zeros = 0, same = 0;
    const bool absent = column->omit == DOCUMENT_OMIT_ABSENT;
    if (column->omit == DOCUMENT_KEEP || (format == DOCUMENT_DATA && !absent) ||
        table->row_count == 0)
        return !absent;
    for (size_t row = 0; row < table->row_count; row++) {
        const struct document_cell *cell = document_cell_at(table, row, column);
        values += cell->kind != DOCUMENT_CELL_EMPTY;
        zeros += cell->kind == DOCUMENT_CELL_NUMBER && cell->value == 0;
        same += cell->kind == DOCUMENT_CELL_TEXT && first->kind == DOCUMENT_CELL_TEXT &&
                same_text(&cell->text, &first->text);
    }
    return column->omit == DOCUMENT_OMIT_SAME ? values > 0 && same < table->row_count
           : column->omit == DOCUMENT_OMIT_EMPTY || format == DOCUMENT_DATA ? values > 0
                                                                            : values > zeros;
}

const struct document_column **document_columns_shown(const struct document_table *table,
                                                      enum document_format format) {
    const struct document_column **shown = need(table->column_count + 1, sizeof *shown);
    size_t count = 0;
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].formats & (unsigned)format &&
            tells(table, &table->columns[i], format))
            shown[count++] = &table->columns[i];
    return shown;
}

size_t document_rows_shown(const struct document_table *table, enum document_format format) {
    size_t bit = 0;
    while (1U << bit < (unsigned)format)
        bit++;
    const size_t most = table->most[bit];
    return most > 0 && most < table->row_count ? most : table->row_count;
}

const struct document_cell *document_cell_at(const struct document_table *table, size_t row,
                                             const struct document_column *column) {
    return &table->cells[row * table->column_count + (size_t)(column - table->columns)];
}

static bool is_shown(const struct document_block *block, enum document_format format) {
    if (!(block->formats & (unsigned)format))
        return false;
    return block->table                          ? block->table->row_count > 0
           : block->kind == DOCUMENT_KIND_FIGURE ? format != DOCUMENT_TERMINAL
                                                 : true;
}

const struct document_block *document_next(const struct document *page,
                                           const struct document_block *before,
                                           enum document_format format) {
    const struct document_block *block = before ? before->next : page->first;
    while (block && !is_shown(block, format))
        block = block->next;
    return block;
}

const struct document_table *document_find(const struct document *page, const char *id) {
    for (const struct document_block *block = page->first; block; block = block->next)
        if (block->kind == DOCUMENT_KIND_TABLE && strcmp(block->table->id, id) == 0)
            return block->table;
    return NULL;
}

bool document_is_number(const struct document_column *column) {
    return column->type != DOCUMENT_TEXT && column->type != DOCUMENT_CODE &&
           column->type != DOCUMENT_VERDICT;
}

/* Four digits and the unit that suits; a time of 0 was not taken. */
static void put_seconds(double seconds, char text[DOCUMENT_NUMBER_TEXT]) {
    const double one = 0.99995; /* what four digits show as 1 */
    if (!(seconds > 0))
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%s", DOCUMENT_NOTHING);
    else if (seconds >= 1e3 * one)
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%.0f s", seconds);
    else if (seconds >= one)
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%#.4g s", seconds);
    else if (seconds >= 1e-3 * one)
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%#.4g ms", 1e3 * seconds);
    else
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%#.4g µs", 1e6 * seconds);
}

static int digits_of(const struct document_column *column) {
    static const int digits[] = {
        [DOCUMENT_SHARE] = 1, [DOCUMENT_SPEEDUP] = 1,  [DOCUMENT_SIGNIFICANT] = 3,
        [DOCUMENT_RATIO] = 3, [DOCUMENT_INTERVAL] = 3, [DOCUMENT_VERDICT] = 0};
    return column->digits > 0 ? column->digits : digits[column->type];
}

static void put_number(const struct document_column *column, double number,
                       char text[DOCUMENT_NUMBER_TEXT]) {
    static const char *const formats[] = {[DOCUMENT_SHARE] = "%.*f%s",
                                          [DOCUMENT_SPEEDUP] = "%+.*f%s",
                                          [DOCUMENT_SIGNIFICANT] = "%.*g%s",
                                          [DOCUMENT_VERDICT] = NULL};
    const bool share = column->type == DOCUMENT_SHARE || column->type == DOCUMENT_SPEEDUP;
    const char *format = formats[column->type] ? formats[column->type] : "%.*f%s";
    if (column->type == DOCUMENT_SECONDS)
        put_seconds(number, text);
    else
        snprintf(text, DOCUMENT_NUMBER_TEXT, format, digits_of(column), (share ? 100 : 1) * number,
                 column->unit ? column->unit : "");
}

const char *document_number_text(const struct document_column *column,
                                 const struct document_cell *cell, char text[DOCUMENT_NUMBER_TEXT],
                                 char interval[DOCUMENT_NUMBER_TEXT]) {
    const int digits = digits_of(column);
    const double scale = column->scale != 0 ? column->scale : 1;
    const bool no_value = cell->kind == DOCUMENT_CELL_EMPTY;
    *interval = 0;
    snprintf(text, DOCUMENT_NUMBER_TEXT, "%s",
             no_value && document_is_number(column) ? DOCUMENT_NOTHING : "");
    if (no_value)
        return text;
    if (!isnan(cell->low))
        snprintf(interval, DOCUMENT_NUMBER_TEXT, "%.*f to %.*f", digits, scale * cell->low, digits,
                 scale * cell->high);
    if (column->type == DOCUMENT_INTERVAL) {
        strcpy(text, interval);
        *interval = 0;
    } else {
        put_number(column, scale * cell->value, text);
    }
    if (cell->unrecorded)
        text_append(text, DOCUMENT_NUMBER_TEXT, " %s", outcome_word(OUTCOME_UNRECORDED));
    return text;
}

int document_unfold(unsigned *open, const struct document_block *block) {
    const bool section = block && block->kind == DOCUMENT_KIND_SECTION;
    int ended = 0;
    for (int level = !block    ? 0
                     : section ? block->level
                               : DOCUMENT_LEVELS;
         level < DOCUMENT_LEVELS; level++) {
        ended += *open >> level & 1;
        *open &= ~(1u << level);
    }
    if (section && block->folded)
        *open |= 1u << block->level;
    return ended;
}
