#include "reports/run/import.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "reports/rows/rows_csv.h"
#include "reports/run/import_harness.h"
#include "reports/run/import_row.h"
#include "reports/run/rundir.h"

/* The release's name of each baseline, and ours. */
static const struct {
    const char *theirs, *ours;
} columns[] = {
    {"torch.matmul", "torch-matmul"},
    {"cuBLAS-nn", "cublas-nn"},
    {"cuBLAS-tn", "cublas-tn"},
    {"cuBLAS-max", "cublas-max"},
    {"cuBLASLt-heuristic-nn", "cublaslt-heuristic-nn"},
    {"cuBLASLt-heuristic-tn", "cublaslt-heuristic-tn"},
    {"cuBLASLt-heuristic-max", "cublaslt-heuristic-max"},
    {"cuBLASLt-auto-tuning-nn", "cublaslt-autotune-nn"},
    {"cuBLASLt-auto-tuning-tn", "cublaslt-autotune-tn"},
    {"cuBLASLt-auto-tuning-max", "cublaslt-autotune-max"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static int read_row(const struct csv_table *table, size_t at, const char *mode, struct rows *rows) {
    struct shape shape;
    if (csv_table_shape(table, at, &shape) < 0)
        return -1;
    struct ratio_row row = import_row(shape, mode, "call", "published mean only");
    for (size_t i = 0; i < COLUMNS; i++) {
        int column = csv_table_column(table, columns[i].theirs);
        double quotient;
        if (column < 0 || csv_table_number(table, at, column, &quotient) < 0)
            return -1;
        if (quotient <= 0)
            return csv_table_error(table, at, column,
                                   "%g is no quotient of times: it must be above 0", quotient);
        snprintf(row.baseline, sizeof row.baseline, "%s", columns[i].ours);
        row.speedup = quotient - 1;
        if (rows_add_ratio(rows, &row) < 0)
            return -1;
    }
    return 0;
}

struct line {
    struct shape shape;
    size_t row;
};

/* One of the two: a CSV file, or a folder of what the release's scripts have written. */
struct source {
    const char *path, *mode;
    bool is_folder;
    struct csv_table table; /* of a file; */
    struct line *lines;     /* its shapes, sorted */
    struct shape *shapes;   /* in the order of the rows */
    size_t count;
};

static int compare_lines(const void *left, const void *right) {
    const struct line *a = left, *b = right;
    int order = shape_compare(a->shape, b->shape);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* The table's shapes, sorted, each once; the caller's to free. NULL after error(). */
static struct line *sorted_shapes(const struct csv_table *table) {
    struct line *lines = malloc((table->rows + 1) * sizeof *lines);
    char text[SHAPE_TEXT];
    int status = lines ? 0 : error("no memory for %zu shapes", table->rows);
    for (size_t i = 0; i < table->rows && status == 0; i++) {
        lines[i].row = i;
        status = csv_table_shape(table, i, &lines[i].shape);
    }
    if (status == 0)
        qsort(lines, table->rows, sizeof *lines, compare_lines);
    for (size_t i = 1; i < table->rows && status == 0; i++)
        if (shape_compare(lines[i - 1].shape, lines[i].shape) == 0)
            status =
                error("%s:%zu: the shape %s stands on line %zu already; remove one", table->file,
                      csv_table_line(table, lines[i].row), shape_format(lines[i].shape, text),
                      csv_table_line(table, lines[i - 1].row));
    if (status == 0)
        return lines;
    free(lines);
    return NULL;
}

/* Both files must speak of the same shapes, or the modes could not be compared. */
static int refuse_other_shapes(const struct source *a, const struct source *b) {
    const size_t in_a = a->table.rows, in_b = b->table.rows;
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < in_a || i < in_b; i++) {
        int order = i >= in_a   ? 1
                    : i >= in_b ? -1
                                : shape_compare(a->lines[i].shape, b->lines[i].shape);
        const struct source *has = order < 0 ? a : b, *lacks = order < 0 ? b : a;
        if (order)
            return error("%s:%zu: the shape %s is not in %s; both files must hold the same shapes",
                         has->path, csv_table_line(&has->table, has->lines[i].row),
                         shape_format(has->lines[i].shape, text), lacks->path);
    }
    return 0;
}

/* The same of folders, whose shapes are sorted. */
static int refuse_other_folders(const struct source *a, const struct source *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = shape_compare(a->shapes[i], b->shapes[i]) == 0;
    return same ? 0
                : error("%s and %s have other shapes; both folders must hold the same", a->path,
                        b->path);
}

static int read_file(struct source *source, struct rows *rows) {
    if (csv_table_read(source->path, &source->table) < 0)
        return -1;
    if (source->table.rows == 0)
        return error("%s:1: a header and no shapes", source->path);
    source->lines = sorted_shapes(&source->table);
    if (!source->lines)
        return -1;
    source->shapes = malloc(source->table.rows * sizeof *source->shapes);
    if (!source->shapes)
        return error("no memory for %zu shapes", source->table.rows);
    for (size_t i = 0; i < source->table.rows; i++)
        if (csv_table_shape(&source->table, i, &source->shapes[source->count++]) < 0 ||
            read_row(&source->table, i, source->mode, rows) < 0)
            return -1;
    return 0;
}

static int read_source(struct source *source, struct rows *rows) {
    struct stat is;
    source->is_folder = stat(source->path, &is) == 0 && S_ISDIR(is.st_mode);
    return source->is_folder
               ? import_harness(source->path, source->mode, rows, &source->shapes, &source->count)
               : read_file(source, rows);
}

static json_t *make_plan(const struct source *sources, size_t count) {
    json_t *modes = json_array(), *shapes = json_array();
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < count; i++)
        json_array_append_new(modes, json_string(sources[i].mode));
    for (size_t i = 0; i < sources[0].count; i++)
        json_array_append_new(shapes, json_string(shape_format(sources[0].shapes[i], text)));
    return json_pack("{s:i, s:s, s:o, s:o, s:[]}", "format", RUNDIR_FORMAT, "imported",
                     IMPORT_CANDIDATE, "modes", modes, "shapes", shapes, "units");
}

static json_t *make_manifest(const struct source *sources, size_t count) {
    json_t *list = json_array();
    char hex[33];
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(sources[i].path, '/');
        json_t *source = json_pack("{s:s, s:s}", "mode", sources[i].mode, "name",
                                   slash ? slash + 1 : sources[i].path);
        json_array_append_new(list, source);
        if (sources[i].is_folder)
            continue;
        if (hash_file(sources[i].path, hex) < 0) {
            json_decref(list);
            return NULL;
        }
        json_object_set_new(source, "xxh128", json_string(hex));
    }
    return json_pack("{s:s, s:o, s:b}", "imported", "published results of CUDA-L2", "sources", list,
                     "complete", 1);
}

/* The manifest, which says that the run is complete, comes last. */
static int write_run(const char *run, const struct source *sources, size_t count,
                     const struct rows *rows) {
    json_t *plan = make_plan(sources, count), *manifest = make_manifest(sources, count);
    int status = -1;
    if (!plan || !manifest)
        error("cannot describe the import; a file name that is no UTF-8, or no memory");
    else if (rundir_create(run, plan, 0) == 0) {
        status =
            rows_csv_write(run, rows) < 0 ? -1 : rundir_write_json(run, "manifest.json", manifest);
        if (status < 0)
            files_remove_tree(run);
    }
    json_decref(plan);
    json_decref(manifest);
    return status;
}

int import_cuda_l2(const char *offline_csv, const char *server_csv, const char *run) {
    struct source sources[2] = {{0}};
    struct rows rows = {0};
    size_t count = 0;
    int status = 0;
    if (offline_csv)
        sources[count++] = (struct source){.path = offline_csv, .mode = "offline"};
    if (server_csv)
        sources[count++] = (struct source){.path = server_csv, .mode = "server"};
    if (count == 0)
        status = error("nothing to import: give a file for offline, server or both");
    for (size_t i = 0; i < count && status == 0; i++)
        status = read_source(&sources[i], &rows);
    if (status == 0 && count == 2 && sources[0].is_folder != sources[1].is_folder)
        status = error("%s and %s: two files are wanted, or two folders", sources[0].path,
                       sources[1].path);
    else if (status == 0 && count == 2)
        status = sources[0].is_folder ? refuse_other_folders(&sources[0], &sources[1])
                                      : refuse_other_shapes(&sources[0], &sources[1]);
    if (status == 0)
        status = write_run(run, sources, count, &rows);
    if (status == 0)
        printf("%s\n", run);
    for (size_t i = 0; i < count; i++) {
        csv_table_free(&sources[i].table);
        free(sources[i].lines);
        free(sources[i].shapes);
    }
    rows_free(&rows);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
