/* Times of Triton's do_bench as a CSV file: m, n, k, provider and ms, and where they differ dtype and
 * layout. do_bench clears the L2 before each call, and its events stand around one call of a queue that
 * never runs empty: the lens device. */
#include <string.h>

#include "bench/base/error.h"
#include "reports/rows/kept_text.h"
#include "reports/run/import_times.h"

struct columns {
    int provider, ms, dtype, layout;
};

struct reading {
    struct import_times *times;
    struct columns columns;
};

static int find_columns(const struct csv_table *table, struct columns *columns) {
    *columns = (struct columns){.ms = csv_table_find(table, "ms"),
                                .dtype = csv_table_find(table, "dtype"),
                                .layout = csv_table_find(table, "layout")};
    if (columns->ms < 0)
        return error(
            "%s:%zu: no column 'ms': wanted are m, n, k, provider and ms, a time in a "
            "row, in milliseconds as do_bench returns it; reports/README.md has a command that "
            "makes such a file of a table by perf_report",
            table->file, table->lines[0]);
    columns->provider = csv_table_column(table, "provider");
    return columns->provider < 0 ? -1 : 0;
}

/* Whether the row is of the run's type; *layout is the one it tells, or "". */
static int check_row(const struct reading *reading, const struct csv_table *table, size_t row,
                     const char **layout) {
    const struct columns *columns = &reading->columns;
    const char *dtype = columns->dtype < 0 ? "" : csv_table_text(table, row, columns->dtype);
    bool same = columns->dtype < 0;
    *layout = columns->layout < 0 ? "" : csv_table_text(table, row, columns->layout);
    if (!same && (!import_type(reading->times, dtype, &same) || !same))
        return csv_table_error(table, row, columns->dtype, "'%.40s': " IMPORT_ELEMENT, dtype,
                               element_words[reading->times->element]);
    if (**layout && strcmp(*layout, "nn") != 0 && strcmp(*layout, "tn") != 0)
        return csv_table_error(table, row, columns->layout,
                               "'%.40s': nn (B row-major) or tn (B column-major) is wanted; leave "
                               "other rows out",
                               *layout);
    return 0;
}

static int take_row(const struct csv_table *table, void *context) {
    struct reading *reading = context;
    struct import_time time = {.lens = LENS_DEVICE, .cache = "cold", .note = ""};
    const char *layout;
    if (table->rows == 0)
        return find_columns(table, &reading->columns);
    const size_t row = table->rows - 1;
    const char *provider = csv_table_text(table, row, reading->columns.provider);
    if (check_row(reading, table, row, &layout) < 0 ||
        csv_table_shape(table, row, &time.shape) < 0 ||
        import_csv_seconds(table, row, reading->columns.ms, 1e-3, &time.seconds) < 0)
        return -1;
    if (!*provider)
        return csv_table_error(table, row, reading->columns.provider, "is empty; a name is wanted");
    snprintf(time.where, sizeof time.where, "%zu", csv_table_line(table, row));
    import_add(reading->times, &time, provider, layout);
    return 0;
}

static int read_file(struct import_times *times) {
    return import_csv(times, take_row, &(struct reading){.times = times});
}

const struct import_tool import_triton = {
    .name = "triton", .unit = "milliseconds", .read = read_file};
