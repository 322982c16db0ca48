#include "reports/page/document_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"

static bool same_text(const struct document_text *a, const struct document_text *b) {
    const struct document_span *x = a->first, *y = b->first;
    for (; x && y; x = x->next, y = y->next)
        if (x->kind != y->kind || strcmp(x->text, y->text) != 0)
            return false;
    return !x && !y;
}

static bool has_value(const struct document_cell *cell) {
    switch (cell->kind) {
    case DOCUMENT_CELL_EMPTY:
        return false;
    case DOCUMENT_CELL_NUMBER:
    case DOCUMENT_CELL_RATIO:
        return !isnan(cell->value);
    case DOCUMENT_CELL_INTERVAL:
        return !isnan(cell->low);
    default:
        return true;
    }
}

/* Whether the column tells something. */
static bool tells(const struct document_table *table, size_t column) {
    const enum document_omit omit = table->columns[column].omit;
    const struct document_cell *first = &table->cells[column];
    size_t values = 0, zeros = 0, same = 0;
    if (omit == DOCUMENT_KEEP || table->row_count == 0)
        return true;
    for (size_t row = 0; row < table->row_count; row++) {
        const struct document_cell *cell = &table->cells[row * table->column_count + column];
        values += has_value(cell);
        zeros += cell->kind == DOCUMENT_CELL_COUNT && cell->count == 0;
        same += cell->kind == DOCUMENT_CELL_TEXT && first->kind == DOCUMENT_CELL_TEXT &&
                same_text(&cell->text, &first->text);
    }
    return omit == DOCUMENT_OMIT_SAME    ? same < table->row_count
           : omit == DOCUMENT_OMIT_EMPTY ? values > 0
                                         : values > zeros;
}

bool document_shows(const struct document_table *table, size_t column,
                    enum document_format format) {
    if ((table->columns[column].formats & (unsigned)format) == 0)
        return false;
    return format == DOCUMENT_DATA || tells(table, column);
}

size_t document_rows_shown(const struct document_table *table, enum document_format format) {
    size_t bit = 0;
    while (1U << bit < (unsigned)format)
        bit++;
    const size_t most = table->most[bit];
    return most > 0 && most < table->row_count ? most : table->row_count;
}

const struct document_table *document_find(const struct document *page, const char *id) {
    for (const struct document_block *block = page->first; block; block = block->next)
        if (block->table && strcmp(block->table->id, id) == 0)
            return block->table;
    return NULL;
}

bool document_is_number(const struct document_column *column) {
    return column->type != DOCUMENT_TEXT && column->type != DOCUMENT_CODE &&
           column->type != DOCUMENT_VERDICT;
}

const char *document_key(const struct document_column *column) {
    return column->key ? column->key : column->name;
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
    if (column->digits > 0)
        return column->digits;
    switch (column->type) {
    case DOCUMENT_SHARE:
    case DOCUMENT_SPEEDUP:
        return 1;
    case DOCUMENT_SIGNIFICANT:
    case DOCUMENT_RATIO:
    case DOCUMENT_INTERVAL:
        return 3;
    default:
        return 0;
    }
}

static void put_number(const struct document_column *column, const struct document_cell *cell,
                       char text[DOCUMENT_NUMBER_TEXT]) {
    const int digits = digits_of(column);
    const char *unit = column->unit ? column->unit : "";
    const double value = cell->value * (column->scale != 0 ? column->scale : 1);
    switch (column->type) {
    case DOCUMENT_SHARE:
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%.*f%s", digits, 100 * value, unit);
        break;
    case DOCUMENT_SPEEDUP:
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%+.*f%s", digits, 100 * value, unit);
        break;
    case DOCUMENT_SECONDS:
        put_seconds(value, text);
        break;
    case DOCUMENT_SIGNIFICANT:
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%.*g%s", digits, value, unit);
        break;
    default:
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%.*f%s", digits, value, unit);
    }
}

const char *document_number_text(const struct document_column *column,
                                 const struct document_cell *cell, char text[DOCUMENT_NUMBER_TEXT],
                                 char interval[DOCUMENT_NUMBER_TEXT]) {
    const int digits = digits_of(column);
    const double scale = column->scale != 0 ? column->scale : 1;
    const bool has_ends = cell->kind == DOCUMENT_CELL_RATIO || cell->kind == DOCUMENT_CELL_INTERVAL;
    *interval = 0;
    *text = 0;
    if (has_ends && !isnan(cell->low))
        snprintf(interval, DOCUMENT_NUMBER_TEXT, "%.*f to %.*f", digits, scale * cell->low, digits,
                 scale * cell->high);
    switch (cell->kind) {
    case DOCUMENT_CELL_EMPTY:
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%s",
                 document_is_number(column) ? DOCUMENT_NOTHING : "");
        break;
    case DOCUMENT_CELL_TEXT:
        break;
    case DOCUMENT_CELL_COUNT:
        snprintf(text, DOCUMENT_NUMBER_TEXT, "%zu", cell->count);
        break;
    case DOCUMENT_CELL_INTERVAL:
        strcpy(text, interval);
        *interval = 0;
        break;
    default:
        put_number(column, cell, text);
        if (cell->label)
            text_append(text, DOCUMENT_NUMBER_TEXT, " %s", cell->label);
    }
    return text;
}

/* A number under a key of its own, or the column's with an ending. */
static struct document_datum number_of(const struct document_column *column, const char *key,
                                       const char *ending, double number) {
    struct document_datum datum = {
        .kind = isnan(number) ? DOCUMENT_CELL_EMPTY : DOCUMENT_CELL_NUMBER, .number = number};
    snprintf(datum.key, sizeof datum.key, "%s%s", key ? key : document_key(column),
             key ? "" : ending);
    return datum;
}

size_t document_data(const struct document_column *column, const struct document_cell *cell,
                     struct document_datum data[DOCUMENT_DATUMS]) {
    const enum document_cell_kind kind = cell ? cell->kind : DOCUMENT_CELL_EMPTY;
    const bool number = kind == DOCUMENT_CELL_NUMBER || kind == DOCUMENT_CELL_RATIO;
    const bool ends = kind == DOCUMENT_CELL_INTERVAL || kind == DOCUMENT_CELL_RATIO;
    size_t count = 0;
    if (!(column->formats & DOCUMENT_DATA))
        return 0;
    if (column->type != DOCUMENT_INTERVAL) {
        data[count] = number_of(column, NULL, "", number ? cell->value : NAN);
        if (kind == DOCUMENT_CELL_TEXT || kind == DOCUMENT_CELL_COUNT) {
            data[count].kind = kind;
            data[count].text = &cell->text;
            data[count].count = cell->count;
        }
        count++;
    }
    if (column->type == DOCUMENT_INTERVAL || column->type == DOCUMENT_RATIO) {
        data[count++] = number_of(column, column->low, "_low", ends ? cell->low : NAN);
        data[count++] = number_of(column, column->high, "_high", ends ? cell->high : NAN);
    }
    return count;
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
