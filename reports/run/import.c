#include "reports/run/import.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/words.h"
#include "reports/rows/rows_csv.h"
#include "reports/run/digests.h"
#include "reports/run/rundir.h"
#include "timing/stats.h"

#define CANDIDATE "cuda-l2"

/* The release's name of each baseline, and ours. */
static const struct {
    const char *theirs, *ours;
} libraries[] = {
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
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* One of the two files. */
struct source {
    const char *path, *mode;
    char set[RUNDIR_NAME]; /* that its name says; "": it says none */
    const char *lens;
};

/* The release's scripts have timed these sets by CUDA events, up to its commit 9d193de. Since its
 * commit dbe0177 they read the host's clock, from before a call until the device is idle. */
static const char *const by_events[] = {"a100_F16F16F16F16", "a100_F32F16F16F32",
                                        "3090_F32F16F16F32"};

static enum lens lens_of(const char *set) {
    for (size_t i = 0; i < sizeof by_events / sizeof *by_events; i++)
        if (strcmp(by_events[i], set) == 0)
            return LENS_CALL;
    return LENS_WAIT;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The release calls its files cuda_l2_SET_speedup_MODE.csv. Other names say nothing. */
static int read_name(struct source *source) {
    static const char before[] = "cuda_l2_", behind[] = "_speedup_";
    const char *set = strstr(name_of(source->path), before);
    const char *mode = set ? strstr(set += strlen(before), behind) : NULL;
    if (!mode)
        return 0;
    snprintf(source->set, sizeof source->set, "%.*s", (int)(mode - set), set);
    mode += strlen(behind);
    for (int i = 0; i < MODE_COUNT; i++)
        if (text_begins(mode, words_modes[i]) && strcmp(words_modes[i], source->mode) != 0)
            return error("--%s %s: by its name this file is for --%s", source->mode, source->path,
                         words_modes[i]);
    return 0;
}

/* Both files must be of one set. A file that does not say its set is taken for one of the other's.
 */
static int read_names(struct source *sources, size_t count) {
    const char *set = "";
    for (size_t i = 0; i < count; i++) {
        if (read_name(&sources[i]) < 0)
            return -1;
        if (*set && *sources[i].set && strcmp(set, sources[i].set) != 0)
            return error("%s is of the set %s, and %s of %s: import one set at a time",
                         sources[i - 1].path, set, sources[i].path, sources[i].set);
        set = *sources[i].set ? sources[i].set : set;
    }
    for (size_t i = 0; i < count; i++)
        sources[i].lens = words_lenses[lens_of(set)];
    return 0;
}

/* The shape of the line, which must not stand on another. lines: of each shape its line. */
static int take_shape(const struct csv_table *table, size_t row, json_t *lines,
                      struct shape *shape) {
    char text[SHAPE_TEXT];
    if (csv_table_shape(table, row, shape) < 0)
        return -1;
    const json_int_t line = (json_int_t)csv_table_line(table, row);
    const json_t *before = json_object_get(lines, shape_format(*shape, text));
    if (before)
        return error("%s:%lld: the shape %s stands on line %lld already; remove one", table->file,
                     (long long)line, text, (long long)json_integer_value(before));
    json_object_set_new(lines, text, json_integer(line));
    return 0;
}

#define WANTED "wanted is the time of the library / the time of the kernel, 1.18 for 18 %% more"

/* An empty field is NaN. */
static int read_quotient(const struct csv_table *table, size_t row, int column, double *quotient) {
    *quotient = NAN;
    if (!*csv_table_text(table, row, column))
        return 0;
    if (csv_table_number(table, row, column, quotient) < 0)
        return -1;
    return *quotient > 0 ? 0
                         : csv_table_error(table, row, column,
                                           "%g is no quotient of times, which is above 0; " WANTED,
                                           *quotient);
}

/* What is not known of others' measurements is empty. */
static void add_ratio(const struct source *source, struct shape shape, const char *baseline,
                      double quotient, struct rows *rows) {
    struct ratio_row row;
    rows_clear(ROWS_RATIOS, &row);
    row.shape = shape;
    row.candidate = CANDIDATE;
    row.baseline = baseline;
    row.mode = source->mode;
    row.lens = source->lens;
    row.place = words_places[PLACE_OWN];
    row.note = "published mean only";
    row.speedup = quotient - 1;
    rows_add_ratio(rows, &row);
}

/* A column of per cent, or of quotients less 1, has numbers above 0, too. */
#define LEAST_MEDIAN 0.5
#define MOST_MEDIAN 5

static int refuse_other_scale(const struct source *source, const char *library, double *quotients,
                              size_t count) {
    const double median = count > 0 ? stats_median(quotients, count) : 1;
    return median >= LEAST_MEDIAN && median <= MOST_MEDIAN
               ? 0
               : error("%s: column %s: its median is %.3g, so these seem to be %s; " WANTED,
                       source->path, library, median,
                       median > MOST_MEDIAN ? "per cent" : "quotients less 1");
}

static int read_library(const struct source *source, const struct csv_table *table,
                        const struct shape *shapes, size_t library, struct rows *rows) {
    const int column = csv_table_column(table, libraries[library].theirs);
    double *known = need(table->rows, sizeof *known), quotient;
    size_t count = 0;
    int status = column < 0 ? -1 : 0;
    for (size_t i = 0; i < table->rows && status == 0; i++) {
        status = read_quotient(table, i, column, &quotient);
        if (status < 0 || isnan(quotient))
            continue;
        known[count++] = quotient;
        add_ratio(source, shapes[i], libraries[library].ours, quotient, rows);
    }
    if (status == 0)
        status = refuse_other_scale(source, libraries[library].theirs, known, count);
    free(known);
    return status;
}

static int read_table(const struct source *source, const struct csv_table *table, json_t *all,
                      struct rows *rows) {
    const size_t before = rows->ratio_count;
    struct shape *shapes = need(table->rows, sizeof *shapes);
    json_t *lines = json_object();
    int status = table->rows > 0 ? 0 : error("%s:1: a header and no shapes", table->file);
    for (size_t i = 0; i < table->rows && status == 0; i++)
        status = take_shape(table, i, lines, &shapes[i]);
    for (size_t i = 0; i < LIBRARIES && status == 0; i++)
        status = read_library(source, table, shapes, i, rows);
    if (status == 0 && rows->ratio_count == before)
        status = error("%s: every quotient is empty", table->file);
    json_object_update(all, lines);
    json_decref(lines);
    free(shapes);
    return status;
}

/* Adds the file's rows, and its shapes to those of the other. */
static int read_source(const struct source *source, json_t *shapes, struct rows *rows) {
    struct csv_table table;
    if (csv_table_read(source->path, &table) < 0)
        return -1;
    const int status = read_table(source, &table, shapes, rows);
    csv_table_free(&table);
    return status;
}

static json_t *make_plan(const struct source *sources, size_t count, json_t *all) {
    json_t *modes = json_array(), *shapes = json_array(), *place;
    const char *name;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(modes, json_string(sources[i].mode));
    json_object_foreach(all, name, place) json_array_append_new(shapes, json_string(name));
    return json_pack("{s:i, s:s, s:o, s:o, s:[]}", "format", RUNDIR_FORMAT, "imported", CANDIDATE,
                     "modes", modes, "shapes", shapes, "units");
}

static json_t *make_manifest(const struct source *sources, size_t count) {
    json_t *list = json_array();
    char hex[33];
    for (size_t i = 0; i < count; i++) {
        json_t *source =
            json_pack("{s:s, s:s}", "mode", sources[i].mode, "name", name_of(sources[i].path));
        json_array_append_new(list, source);
        if (hash_file(sources[i].path, hex) < 0) {
            json_decref(list);
            return NULL;
        }
        json_object_set_new(source, "xxh128", json_string(hex));
    }
    return json_pack("{s:s, s:o, s:b}", "imported", "published results of CUDA-L2", "sources", list,
                     "complete", 1);
}

int import_write(const char *run, json_t *plan, json_t *manifest, const struct rows *rows) {
    char part[PATH_MAX];
    int status = -1, claim;
    if (!plan || !manifest)
        error("cannot describe the import: a file name is no UTF-8");
    else if ((claim = rundir_begin(run, plan, part)) >= 0)
        status = rundir_end(run, claim, part,
                            rows_csv_write(part, ROWS_CSV_RUN, rows) == 0 &&
                                digests_write_manifest(part, plan, manifest) == 0);
    json_decref(plan);
    json_decref(manifest);
    if (status == 0)
        text_print_line(stdout, "%s", run);
    return status;
}

int import_cuda_l2(const char *offline_csv, const char *server_csv, const char *run) {
    struct source sources[2] = {{0}};
    struct rows rows = {0};
    json_t *shapes = json_object();
    size_t count = 0;
    if (offline_csv)
        sources[count++] = (struct source){.path = offline_csv, .mode = "offline"};
    if (server_csv)
        sources[count++] = (struct source){.path = server_csv, .mode = "server"};
    int status = count > 0 ? read_names(sources, count)
                           : error("nothing to import: give a file for offline, server or both");
    for (size_t i = 0; i < count && status == 0; i++)
        status = read_source(&sources[i], shapes, &rows);
    if (status == 0)
        status = import_write(run, make_plan(sources, count, shapes), make_manifest(sources, count),
                              &rows);
    json_decref(shapes);
    rows_free(&rows);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
