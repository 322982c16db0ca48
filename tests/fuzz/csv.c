/* CSV files: every field can be read, by any of the ways to read one, and written again. */
#include "bench/base/csv.h"

#include <math.h>
#include <string.h>

#include "bench/base/error.h"
#include "tests/fuzz/fuzz.h"

static void read_fields(const struct csv_table *table) {
    struct shape shape;
    double number;
    fuzz_promise(table->columns > 0);
    for (size_t row = 0; row < table->rows; row++) {
        fuzz_promise(csv_table_line(table, row) >= (row ? csv_table_line(table, row - 1) : 1));
        for (size_t c = 0; c < table->columns; c++)
            if (csv_table_number(table, row, (int)c, &number) == 0)
                fuzz_promise(isfinite(number));
        if (csv_table_shape(table, row, &shape) == 0)
            fuzz_promise(shape.m >= 1 && shape.m <= SHAPE_MAX_SIZE && shape.n >= 1 &&
                         shape.n <= SHAPE_MAX_SIZE && shape.k >= 1 && shape.k <= SHAPE_MAX_SIZE);
    }
}

static void put_row(FILE *out, const struct csv_table *table, const size_t *fields) {
    for (size_t c = 0; c < table->columns; c++) {
        if (c)
            fputc(',', out);
        csv_put_text(out, table->text + fields[c]);
    }
    fputc('\n', out);
}

/* A line with one empty field is a blank line, and those are skipped; of two byte order marks the
 * first is, and the second would be. */
static void write_again(const struct csv_table *table) {
    struct csv_table again;
    if (table->columns == 1 || strncmp(table->text, "\xef\xbb\xbf", 3) == 0)
        return;
    const char *path = fuzz_path("again.csv");
    FILE *out = fopen(path, "w");
    fuzz_promise(out);
    for (size_t row = 0; row <= table->rows; row++)
        put_row(out, table, table->fields + row * table->columns);
    fuzz_promise(fclose(out) == 0);
    fuzz_promise(csv_table_read(path, &again) == 0);
    fuzz_promise(again.rows == table->rows && again.columns == table->columns);
    for (size_t i = 0; i < (table->rows + 1) * table->columns; i++)
        fuzz_promise(strcmp(table->text + table->fields[i], again.text + again.fields[i]) == 0);
    csv_table_free(&again);
}

void fuzz_csv(const uint8_t *data, size_t size) {
    struct csv_table table;
    if (csv_table_read(fuzz_put("table.csv", data, size), &table) < 0)
        return;
    fuzz_read++;
    read_fields(&table);
    write_again(&table);
    csv_table_free(&table);
}
