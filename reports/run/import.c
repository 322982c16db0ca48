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

/* A row of the table. */
struct line {
    struct shape shape;
    double visit; /* from 1 */
    size_t row;
};

/* One of the two files. */
struct source {
    const char *path, *mode;
    char set[RUNDIR_NAME]; /* that its name says; "": it says none */
    const char *lens;
    struct csv_table table;
    struct line *lines;         /* by shape, then by visit */
    double *quotients[COLUMNS]; /* by row of the table; NaN: an empty field */
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
        if (strncmp(mode, words_modes[i], strlen(words_modes[i])) == 0 &&
            strcmp(words_modes[i], source->mode) != 0)
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

static int compare_lines(const void *left, const void *right) {
    const struct line *a = left, *b = right;
    int order = shape_compare(a->shape, b->shape);
    order = order ? order : (a->visit > b->visit) - (a->visit < b->visit);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int read_line(const struct csv_table *table, size_t row, struct line *line) {
    const int column = csv_table_find(table, "visit");
    *line = (struct line){.visit = 1, .row = row};
    if (csv_table_shape(table, row, &line->shape) < 0 ||
        (column >= 0 && csv_table_number(table, row, column, &line->visit) < 0))
        return -1;
    return line->visit >= 1 && line->visit <= INT_MAX && floor(line->visit) == line->visit
               ? 0
               : csv_table_error(table, row, column, "a whole number from 1 is wanted");
}

static int read_lines(struct source *source) {
    const struct csv_table *table = &source->table;
    char text[SHAPE_TEXT];
    if (csv_table_read(source->path, &source->table) < 0)
        return -1;
    if (table->rows == 0)
        return error("%s:1: a header and no shapes", source->path);
    struct line *lines = source->lines = need(table->rows, sizeof *lines);
    for (size_t i = 0; i < table->rows; i++)
        if (read_line(table, i, &lines[i]) < 0)
            return -1;
    qsort(lines, table->rows, sizeof *lines, compare_lines);
    for (size_t i = 1; i < table->rows; i++)
        if (shape_compare(lines[i - 1].shape, lines[i].shape) == 0 &&
            lines[i - 1].visit == lines[i].visit)
            return error("%s:%zu: the shape %s stands on line %zu already; remove one", table->file,
                         csv_table_line(table, lines[i].row), shape_format(lines[i].shape, text),
                         csv_table_line(table, lines[i - 1].row));
    return 0;
}

/* Past the lines of the shape that begins at the line. */
static size_t next_shape(const struct source *source, size_t at) {
    const struct line *first = &source->lines[at];
    while (at < source->table.rows && shape_compare(source->lines[at].shape, first->shape) == 0)
        at++;
    return at;
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

/* A column of per cent, or of quotients less 1, has numbers above 0, too. */
#define LEAST_MEDIAN 0.5
#define MOST_MEDIAN 5

static int refuse_other_scales(const struct source *source, size_t library) {
    const size_t rows = source->table.rows;
    double *known = need(rows, sizeof *known), median = 1;
    size_t count = 0;
    for (size_t i = 0; i < rows; i++)
        if (!isnan(source->quotients[library][i]))
            known[count++] = source->quotients[library][i];
    if (count > 0)
        median = stats_median(known, count);
    free(known);
    return median >= LEAST_MEDIAN && median <= MOST_MEDIAN
               ? 0
               : error("%s: column %s: its median is %.3g, so these seem to be %s; " WANTED,
                       source->path, columns[library].theirs, median,
                       median > MOST_MEDIAN ? "per cent" : "quotients less 1");
}

static int read_column(struct source *source, size_t library) {
    const struct csv_table *table = &source->table;
    const int column = csv_table_column(table, columns[library].theirs);
    double *quotients = source->quotients[library] = need(table->rows, sizeof *quotients);
    if (column < 0)
        return -1;
    for (size_t i = 0; i < table->rows; i++)
        if (read_quotient(table, i, column, &quotients[i]) < 0)
            return -1;
    return refuse_other_scales(source, library);
}

/* What is not known of others' measurements is NaN. */
static struct ratio_row make_row(const struct source *source, struct shape shape,
                                 const char *baseline) {
    struct ratio_row row = {.shape = shape,
                            .candidate = CANDIDATE,
                            .baseline = baseline,
                            .mode = source->mode,
                            .lens = source->lens,
                            .place = words_places[PLACE_OWN],
                            .note = "published mean only",
                            .speedup = NAN,
                            .ratio = NAN,
                            .ci_low = NAN,
                            .ci_high = NAN,
                            .samples = NAN,
                            .visits = NAN,
                            .visit_sd = NAN,
                            .block_error = NAN,
                            .clock_step = NAN,
                            .variance = NAN,
                            .freedom = NAN,
                            .reward = NAN};
    return row;
}

static void add_visit(const struct ratio_row *row, const struct line *line, double quotient,
                      struct rows *rows) {
    const struct visit_row visit = {.shape = row->shape,
                                    .candidate = row->candidate,
                                    .baseline = row->baseline,
                                    .mode = row->mode,
                                    .lens = row->lens,
                                    .visit = (int)line->visit - 1,
                                    .speedup = quotient - 1,
                                    .ratio = NAN};
    rows_add_visit(rows, &visit);
}

/* A shape's lines, by one of the libraries: the mean of its visits, and where the file says of each
 * line which visit it is, these, too. */
static void read_shape(const struct source *source, size_t first, size_t end, size_t library,
                       struct rows *rows) {
    const bool by_visits = csv_table_find(&source->table, "visit") >= 0;
    struct ratio_row row = make_row(source, source->lines[first].shape, columns[library].ours);
    double sum = 0;
    int count = 0;
    for (size_t i = first; i < end; i++) {
        const double quotient = source->quotients[library][source->lines[i].row];
        if (isnan(quotient))
            continue;
        if (by_visits)
            add_visit(&row, &source->lines[i], quotient, rows);
        sum += quotient;
        count++;
    }
    row.speedup = sum / count - 1;
    if (by_visits)
        row.visits = count;
    if (count > 0)
        rows_add_ratio(rows, &row);
}

static int read_source(struct source *source, struct rows *rows) {
    const size_t before = rows->ratio_count;
    if (read_lines(source) < 0)
        return -1;
    for (size_t library = 0; library < COLUMNS; library++)
        if (read_column(source, library) < 0)
            return -1;
    for (size_t first = 0, end; first < source->table.rows; first = end) {
        end = next_shape(source, first);
        for (size_t library = 0; library < COLUMNS; library++)
            read_shape(source, first, end, library, rows);
    }
    return rows->ratio_count > before ? 0 : error("%s: every quotient is empty", source->path);
}

/* The shapes of all files, each once. */
static json_t *make_plan(const struct source *sources, size_t count) {
    json_t *modes = json_array(), *all = json_object(), *shapes = json_array(), *value;
    const char *name;
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(modes, json_string(sources[i].mode));
        for (size_t at = 0; at < sources[i].table.rows; at = next_shape(&sources[i], at))
            json_object_set_new(all, shape_format(sources[i].lines[at].shape, text), json_true());
    }
    json_object_foreach(all, name, value) json_array_append_new(shapes, json_string(name));
    json_decref(all);
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

static int write_run(const char *run, const struct source *sources, size_t count,
                     const struct rows *rows) {
    json_t *plan = make_plan(sources, count), *manifest = make_manifest(sources, count);
    struct rundir_part part;
    int status = -1;
    if (!plan || !manifest)
        error("cannot describe the import: a file name is no UTF-8");
    else if (rundir_part_open(&part, run, plan) == 0)
        status =
            rundir_part_close(&part, rows_csv_write(part.path, rows) == 0 &&
                                         digests_write_manifest(part.path, plan, manifest) == 0);
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
    if (status == 0)
        status = read_names(sources, count);
    for (size_t i = 0; i < count && status == 0; i++)
        status = read_source(&sources[i], &rows);
    if (status == 0)
        status = write_run(run, sources, count, &rows);
    if (status == 0)
        text_print_line(stdout, "%s", run);
    for (size_t i = 0; i < count; i++) {
        csv_table_free(&sources[i].table);
        free(sources[i].lines);
        for (size_t library = 0; library < COLUMNS; library++)
            free(sources[i].quotients[library]);
    }
    rows_free(&rows);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
