#include "bench/base/csv.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/base/text.h"

#define ROW_NOT_BEGUN 0 /* as libcsv calls the state of its parser between rows */

struct reading {
    struct csv_table *table;
    size_t line;                              /* being parsed */
    size_t fields;                            /* of the row being parsed */
    size_t field_count, text_used, text_room; /* of the table */
    bool failed;                              /* and said so */
    csv_taker *take;                          /* NULL: all rows stay */
    void *context;
    size_t header; /* bytes of its text */
};

/* Behind the field is a NUL. */
static void take_field(void *field, size_t length, void *data) {
    struct reading *r = data;
    struct csv_table *t = r->table;
    if (r->failed)
        return;
    t->fields = need_more(t->fields, r->field_count, sizeof *t->fields);
    t->fields[r->field_count++] = r->text_used;
    t->text = need_room(t->text, r->text_used + length + 1, &r->text_room);
    memcpy(t->text + r->text_used, field, length + 1);
    r->text_used += length + 1;
    r->fields++;
}

static int check_header(const struct csv_table *t, size_t line) {
    for (size_t i = 0; i < t->columns; i++)
        for (size_t j = 0; j < i; j++)
            if (strcasecmp(t->text + t->fields[i], t->text + t->fields[j]) == 0)
                return error("%s:%zu: two columns are called '%s'; remove or rename one", t->file,
                             line, t->text + t->fields[i]);
    return 0;
}

/* Each row stands where the one before stood. */
static void hand_over(struct reading *r) {
    struct csv_table *t = r->table;
    t->first = t->rows ? t->rows - 1 : 0;
    r->failed = r->take(t, r->context) < 0;
    if (t->rows == 0)
        r->header = r->text_used;
    r->text_used = r->header;
    r->field_count = t->columns;
}

static void take_row(int terminator, void *data) {
    struct reading *r = data;
    struct csv_table *t = r->table;
    (void)terminator;
    if (r->failed)
        return;
    bool header = t->columns == 0;
    if (header)
        t->columns = r->fields;
    size_t row = header ? 0 : ++t->rows;
    t->lines = need_more(t->lines, row, sizeof *t->lines);
    t->lines[row] = r->line;
    if (r->fields != t->columns)
        r->failed = error("%s:%zu: %zu fields where the header has %zu; is the line cut off or a "
                          "comma missing?",
                          t->file, r->line, r->fields, t->columns) < 0;
    if (header)
        r->failed |= check_header(t, r->line) < 0;
    r->fields = 0;
    if (r->take && !r->failed)
        hand_over(r);
}

static int parse_line(struct csv_parser *parser, const char *text, size_t length,
                      struct reading *r) {
    if (r->line++ == 0 && length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (*text == '#' && parser->pstate == ROW_NOT_BEGUN)
        return 0;
    r->table->ended = length > 0 && text[length - 1] == '\n';
    if (memchr(text, 0, length))
        return error("%s:%zu: a NUL byte; this is no CSV text", r->table->file, r->line);
    if (csv_parse(parser, text, length, take_field, take_row, r) != length)
        return error("%s:%zu: %s; quote whole fields and double the quotes inside", r->table->file,
                     r->line, csv_strerror(csv_error(parser)));
    return r->failed ? -1 : 0;
}

/* Line by line, so that every message can name the line. */
static int parse_lines(FILE *in, struct csv_parser *parser, struct reading *r) {
    const char *file = r->table->file;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int status = 0;
    errno = 0;
    while (status == 0 && (length = getline(&line, &room, in)) >= 0)
        status = parse_line(parser, line, (size_t)length, r);
    free(line);
    if (status == 0 && ferror(in))
        return error("%s: cannot read: %s", file, strerror(errno));
    if (status == 0 && csv_fini(parser, take_field, take_row, r) != 0)
        return error("%s:%zu: the file ends inside a quoted field; add the closing quote", file,
                     r->line);
    if (status == 0 && !r->failed && r->table->columns == 0)
        return error("%s:1: the file is empty; a header line is wanted", file);
    return r->failed ? -1 : status;
}

int csv_table_each(const char *file, csv_taker *take, void *context, struct csv_table *table) {
    struct csv_parser parser;
    char buffer[1 << 16]; /* a stream's own takes sixteen times the calls */
    FILE *in = files_open(file, FILES_MOST_TEXT);
    *table = (struct csv_table){0};
    if (!in)
        return error("%s: cannot read: %s", file, files_explain(errno));
    *table = (struct csv_table){.file = need_copy(file)};
    setvbuf(in, buffer, _IOFBF, sizeof buffer);
    struct reading reading = {.table = table, .take = take, .context = context};
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
    const int status = parse_lines(in, &parser, &reading);
    csv_free(&parser);
    fclose(in);
    if (status < 0)
        csv_table_free(table);
    return status;
}

int csv_table_read(const char *file, struct csv_table *table) {
    return csv_table_each(file, NULL, NULL, table);
}

void csv_table_free(struct csv_table *table) {
    free(table->file);
    free(table->text);
    free(table->fields);
    free(table->lines);
    *table = (struct csv_table){0};
}

int csv_table_find(const struct csv_table *table, const char *name) {
    for (size_t i = 0; i < table->columns; i++)
        if (strcasecmp(table->text + table->fields[i], name) == 0)
            return (int)i;
    return -1;
}

int csv_table_column(const struct csv_table *table, const char *name) {
    int column = csv_table_find(table, name);
    return column >= 0 ? column
                       : error("%s:%zu: no column '%s'; the header must name it", table->file,
                               table->lines[0], name);
}

const char *csv_table_text(const struct csv_table *table, size_t row, int column) {
    return table->text + table->fields[(row - table->first + 1) * table->columns + (size_t)column];
}

size_t csv_table_line(const struct csv_table *table, size_t row) {
    return table->lines[row + 1];
}

int csv_table_error(const struct csv_table *table, size_t row, int column, const char *format,
                    ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return error("%s:%zu: column %s: %s", table->file, csv_table_line(table, row),
                 table->text + table->fields[column], message);
}

int csv_table_number(const struct csv_table *table, size_t row, int column, double *value) {
    const char *text = csv_table_text(table, row, column), *end = text_number(text, value);
    if (*text == 0)
        return csv_table_error(table, row, column, "is empty; a number is wanted");
    return end && !*end
               ? 0
               : csv_table_error(table, row, column, "'%.60s' is no finite decimal number", text);
}

int csv_table_size(const struct csv_table *table, size_t row, int column, int64_t *size) {
    const char *text = csv_table_text(table, row, column);
    size_t digits = 0;
    for (*size = 0; digits < 7 && text[digits] >= '0' && text[digits] <= '9'; digits++)
        *size = 10 * *size + (text[digits] - '0');
    if (text[digits] || *size < 1 || *size > SHAPE_MAX_SIZE)
        return csv_table_error(table, row, column, "'%.60s' is no size from 1 to %d", text,
                               SHAPE_MAX_SIZE);
    return 0;
}

static int read_size(const struct csv_table *table, size_t row, const char *name, int64_t *size) {
    const int column = csv_table_column(table, name);
    return column < 0 ? -1 : csv_table_size(table, row, column, size);
}

int csv_table_shape(const struct csv_table *table, size_t row, struct shape *shape) {
    int column = csv_table_find(table, "mnk");
    if (csv_table_find(table, "m") >= 0)
        return read_size(table, row, "m", &shape->m) < 0 ||
                       read_size(table, row, "n", &shape->n) < 0 ||
                       read_size(table, row, "k", &shape->k) < 0
                   ? -1
                   : 0;
    if (column < 0)
        return error("%s:%zu: no shapes: the header must name the columns m, n and k, or mnk",
                     table->file, table->lines[0]);
    const char *text = csv_table_text(table, row, column);
    const char *wrong = shape_parse(text, shape);
    return wrong ? csv_table_error(table, row, column, "'%.60s': %s", text, wrong) : 0;
}

void csv_put_text(FILE *out, const char *text) {
    size_t length = strlen(text);
    bool plain = !strpbrk(text, ",\"\r\n");
    if (length > 0 && (strchr(" \t#", text[0]) || strchr(" \t", text[length - 1])))
        plain = false;
    if (plain)
        fputs(text, out);
    else
        csv_fwrite(out, text, length);
}

void csv_put_number(FILE *out, double value) {
    if (!isnan(value))
        fprintf(out, "%.12g", value);
}

double csv_rounded(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.12g", value);
    return strtod(text, NULL);
}
