/* Times of cutlass_profiler, as its --output=FILE has them: a row an operation and problem. Runtime is
 * the mean of many calls in a row, in milliseconds: the lens stream. */
#include <math.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/rows/kept_text.h"
#include "reports/run/import_times.h"

enum {
    PROVIDER,
    KIND,
    OPERATION,
    DISPOSITION,
    STATUS,
    A,
    B,
    C,
    ALPHA,
    BETA,
    BATCH,
    ACCUM,
    FLOPS,
    RUNTIME,
    RATE,
    COLUMNS
};
static const char *const names[COLUMNS] = {
    "Provider", "OperationKind", "Operation",   "Disposition", "Status", "A",       "B",     "C",
    "alpha",    "beta",          "batch_count", "accum",       "Flops",  "Runtime", "GFLOPs"};

struct reading {
    struct import_times *times;
    int columns[COLUMNS], d; /* d: -1 in the files of earlier versions */
};

static int find_columns(const struct csv_table *table, struct reading *reading) {
    for (int i = 0; i < COLUMNS; i++)
        if ((reading->columns[i] = csv_table_find(table, names[i])) < 0)
            return error("%s:%zu: no column '%s': wanted is what cutlass_profiler --output=FILE "
                         "writes of gemm, and not its log",
                         table->file, table->lines[0], names[i]);
    reading->d = csv_table_find(table, "D");
    return 0;
}

static const char *text_of(const struct reading *reading, const struct csv_table *table,
                           int column) {
    return csv_table_text(table, table->rows - 1, reading->columns[column]);
}

static int want(const struct reading *reading, const struct csv_table *table, int column,
                const char *wanted, const char *why) {
    const char *text = text_of(reading, table, column);
    return strcmp(text, wanted) == 0
               ? 0
               : csv_table_error(table, table->rows - 1, reading->columns[column],
                                 "'%.40s' where %s is wanted: %s", text, wanted, why);
}

/* "f16:row": whether an operand of the run's type lies by rows. */
static int read_operand(const struct reading *reading, const struct csv_table *table, int column,
                        bool *row_major) {
    const size_t row = table->rows - 1;
    const char *text = csv_table_text(table, row, column), *colon = strchr(text, ':');
    char type[32];
    bool same;
    snprintf(type, sizeof type, "%.*s", (int)(colon ? colon - text : 0), text);
    if (!colon || !import_type(reading->times, type, &same) || !same)
        return csv_table_error(table, row, column, "'%.40s': " IMPORT_ELEMENT, text,
                               element_words[reading->times->element]);
    *row_major = strcmp(colon + 1, "row") == 0;
    return *row_major || strcmp(colon + 1, "column") == 0
               ? 0
               : csv_table_error(table, row, column,
                                 "'%.40s': row or column is wanted; leave other layouts out", text);
}

/* The layout of B of a product with A and C row-major. C column-major is the same work: the product
 * of the transposes, n x m x k, whose A is B' and whose B is A'. NULL after error(). */
static const char *read_layout(const struct reading *reading, const struct csv_table *table,
                               struct shape *shape) {
    bool a, b, c, d;
    if (read_operand(reading, table, reading->columns[A], &a) < 0 ||
        read_operand(reading, table, reading->columns[B], &b) < 0 ||
        read_operand(reading, table, reading->columns[C], &c) < 0 ||
        (reading->d >= 0 && read_operand(reading, table, reading->d, &d) < 0))
        return NULL;
    if (!c) {
        const bool first = !b;
        b = !a;
        a = first;
        *shape = (struct shape){shape->n, shape->m, shape->k};
    }
    if (a && (reading->d < 0 || c == d))
        return b ? "nn" : "tn";
    csv_table_error(table, table->rows - 1, reading->columns[c ? A : B],
                    "'%.40s' with C '%.40s': a first operand that lies across C has no name here; "
                    "leave the row out",
                    text_of(reading, table, c ? A : B), text_of(reading, table, C));
    return NULL;
}

/* A product alone: alpha 1, beta 0, one of a batch, sums as the run has them. */
static int check_product(const struct reading *reading, const struct csv_table *table) {
    return want(reading, table, KIND, "gemm", "products alone are imported") < 0 ||
                   want(reading, table, ALPHA, "1", "profile with --alpha=1") < 0 ||
                   want(reading, table, BETA, "0", "profile with --beta=0") < 0 ||
                   want(reading, table, BATCH, "1", "profile with --batch_count=1") < 0 ||
                   want(reading, table, ACCUM, reading->times->accumulate,
                        "profile with --accum, or import with --accumulate") < 0
               ? -1
               : 0;
}

/* The rate that the tool prints beside the time shows the unit of the time, and the operations that they
 * are of the shape. The tool counts adding C, too. */
static int check_unit(const struct reading *reading, const struct csv_table *table,
                      struct shape shape, double seconds) {
    const size_t row = table->rows - 1;
    double flops, rate;
    if (csv_table_number(table, row, reading->columns[FLOPS], &flops) < 0 ||
        csv_table_number(table, row, reading->columns[RATE], &rate) < 0)
        return -1;
    const double own = shape_flops(shape), added = 4.0 * (double)shape.m * (double)shape.n;
    if (flops < 0.95 * own || flops > 1.05 * own + added)
        return csv_table_error(table, row, reading->columns[FLOPS],
                               "%.40s operations are not those of this row's m, n and k, some %.0f",
                               text_of(reading, table, FLOPS), own);
    return fabs(1e-9 * flops / seconds - rate) <= 0.05 * rate
               ? 0
               : csv_table_error(table, row, reading->columns[RUNTIME],
                                 "%s ms are not the %s GFLOPs of this row; wanted are milliseconds",
                                 text_of(reading, table, RUNTIME), text_of(reading, table, RATE));
}

/* Whether the tool has run the row and not found it wrong; else it is counted. */
static bool has_passed(const struct reading *reading, const struct csv_table *table) {
    struct import_times *times = reading->times;
    const char *disposition = text_of(reading, table, DISPOSITION),
               *status = text_of(reading, table, STATUS);
    const bool unverified = strcmp(disposition, "not_verified") == 0;
    if (strcmp(status, "success") == 0 && (unverified || strcmp(disposition, "passed") == 0))
        return times->unverified += unverified, true;
    if (times->failed++ == 0)
        snprintf(times->first, sizeof times->first, "line %zu: %.40s, %.40s",
                 csv_table_line(table, table->rows - 1), disposition, status);
    return false;
}

static int take_row(const struct csv_table *table, void *context) {
    struct reading *reading = context;
    struct import_time time = {.lens = LENS_STREAM, .cache = ""};
    const char *layout;
    if (table->rows == 0)
        return find_columns(table, reading);
    const size_t row = table->rows - 1;
    if (!has_passed(reading, table))
        return 0;
    if (check_product(reading, table) < 0 || csv_table_shape(table, row, &time.shape) < 0 ||
        !(layout = read_layout(reading, table, &time.shape)) ||
        import_csv_seconds(table, row, reading->columns[RUNTIME], 1e-3, &time.seconds) < 0 ||
        check_unit(reading, table, time.shape, time.seconds) < 0)
        return -1;
    if (!*text_of(reading, table, PROVIDER))
        return csv_table_error(table, row, reading->columns[PROVIDER],
                               "is empty; a name is wanted");
    time.note = kept_text(text_of(reading, table, OPERATION));
    snprintf(time.where, sizeof time.where, "%zu", csv_table_line(table, row));
    import_add(reading->times, &time, text_of(reading, table, PROVIDER), layout);
    return 0;
}

static int read_file(struct import_times *times) {
    return import_csv(times, take_row, &(struct reading){.times = times});
}

const struct import_tool import_cutlass = {
    .name = "cutlass_profiler", .unit = "milliseconds", .many = true, .read = read_file};
