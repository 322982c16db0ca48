/* The file of claims. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/utf8.h"
#include "bench/base/words.h"
#include "reports/pairs/pairs.h"
#include "reports/tables/claims.h"

static const char *const accumulates[] = {"f16", "f32", NULL};
static const char *const quantities[] = {"speedup", "best", "wins", NULL};

#define TEXT(member)                                                                               \
    .name = #member, .at = offsetof(struct claim, member),                                         \
    .size = sizeof(((struct claim *)0)->member)
static const struct text_column {
    const char *name;
    size_t at, size;
    const char *const *words; /* NULL: any text */
    bool optional;
} texts[] = {{TEXT(set)},
             {TEXT(gpu)},
             {TEXT(accumulate), .words = accumulates},
             {TEXT(lens), .words = words_lenses},
             {TEXT(suite), .optional = true},
             {TEXT(quantity), .words = quantities},
             {TEXT(mode), .words = words_modes},
             {TEXT(baseline), .words = pairs_baselines},
             {TEXT(text)},
             {TEXT(source)}};

/* A line of a table. */
struct cell_row {
    const struct csv_table *table;
    size_t row;
};

static bool is_shown(const char *text) {
    size_t length;
    while ((length = *text ? utf8_shown(text) : 0))
        text += length;
    return !*text;
}

static int read_text(struct cell_row line, const struct text_column *as, struct claim *claim) {
    const int column = csv_table_column(line.table, as->name);
    char list[512];
    if (column < 0)
        return -1;
    const char *text = csv_table_text(line.table, line.row, column);
    if (!*text && !as->optional)
        return csv_table_error(line.table, line.row, column, "is empty");
    if (strlen(text) >= as->size)
        return csv_table_error(line.table, line.row, column, "is longer than %zu bytes",
                               as->size - 1);
    if (!is_shown(text))
        return csv_table_error(line.table, line.row, column, "holds bytes that are no UTF-8 text");
    if (as->words && words_find(as->words, text) < 0)
        return csv_table_error(line.table, line.row, column, "'%.60s' is not %s", text,
                               words_list(as->words, list, sizeof list));
    strcpy((char *)claim + as->at, text);
    return 0;
}

static const struct number_column {
    const char *name;
    size_t at;
    double unit, least, most;
    bool whole;
} numbers[] = {{"percent", offsetof(struct claim, value), 100, -100, 1e6, false},
               {"tolerance", offsetof(struct claim, tolerance), 100, 0, 100, false},
               {"shapes", offsetof(struct claim, shapes), 1, 1, 1e6, true}};

static int read_number(struct cell_row line, const struct number_column *as, struct claim *claim) {
    const int column = csv_table_column(line.table, as->name);
    double value;
    if (column < 0 || csv_table_number(line.table, line.row, column, &value) < 0)
        return -1;
    if (!(value >= as->least && value <= as->most))
        return csv_table_error(line.table, line.row, column, "%g is not from %g to %g", value,
                               as->least, as->most);
    if (as->whole && value != floor(value))
        return csv_table_error(line.table, line.row, column, "%g is no whole number", value);
    *(double *)((char *)claim + as->at) = value / as->unit;
    return 0;
}

static int read_claim(struct cell_row line, struct claim *claim) {
    int status =
        csv_table_column(line.table, "quantity") < 0 ? -1 : 0; /* it is no list of claims */
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == 0; i++)
        status = read_text(line, &texts[i], claim);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == 0; i++)
        status = read_number(line, &numbers[i], claim);
    return status;
}

int claims_read(const char *path, struct claims *claims) {
    struct csv_table table;
    int status = 0;
    *claims = (struct claims){0};
    if (csv_table_read(path, &table) < 0)
        return -1;
    claims->list = need(table.rows, sizeof *claims->list);
    for (size_t i = 0; i < table.rows && status == 0; i++)
        status = read_claim((struct cell_row){&table, i}, &claims->list[claims->count++]);
    if (status == 0 && claims->count == 0)
        status = error("%s: holds no claim; a claim is a line", path);
    if (status < 0)
        claims_free(claims);
    csv_table_free(&table);
    return status;
}

void claims_free(struct claims *claims) {
    free(claims->list);
    *claims = (struct claims){0};
}
