#include "reports/run/import_harness.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "reports/run/import_row.h"

enum { ROUNDS_MOST = 100 };

/* The scripts' name of each library, and ours; of one made of two others, NULL. */
static const struct {
    const char *theirs, *ours;
    size_t of[2];
} libraries[] = {
    {"matmul", "torch-matmul", {0}},
    {"hgemm_cublas_nn", "cublas-nn", {0}},
    {"hgemm_cublas_tn", "cublas-tn", {0}},
    {NULL, "cublas-max", {1, 2}},
    {"hgemm_cublaslt_heuristic_nn", "cublaslt-heuristic-nn", {0}},
    {"hgemm_cublaslt_heuristic_tn", "cublaslt-heuristic-tn", {0}},
    {NULL, "cublaslt-heuristic-max", {4, 5}},
    {"hgemm_cublaslt_auto_tuning_nn", "cublaslt-autotune-nn", {0}},
    {"hgemm_cublaslt_auto_tuning_tn", "cublaslt-autotune-tn", {0}},
    {NULL, "cublaslt-autotune-max", {7, 8}},
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* A shape of one round: where it lies, and its quotients; NaN where there is none. */
struct entry {
    struct shape shape;
    int round; /* from 1 */
    char folder[PATH_MAX];
    double quotients[LIBRARIES];
};

struct entries {
    struct entry *list;
    size_t count;
};

static int compare_entries(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    const int order = shape_compare(a->shape, b->shape);
    return order ? order : (a->round > b->round) - (a->round < b->round);
}

/* A whole number from 1 to most; 0 where the text is none. */
static long whole(const char *text, char **end, long most) {
    errno = 0;
    const long value = isdigit((unsigned char)*text) ? strtol(text, end, 10) : 0;
    return errno == 0 && value >= 1 && value <= most ? value : 0;
}

static bool parse_shape(const char *name, struct shape *shape) {
    int64_t *const sides[] = {&shape->m, &shape->n, &shape->k};
    char *end = NULL;
    for (int i = 0; i < 3; i++) {
        *sides[i] = whole(name, &end, INT_MAX);
        if (*sides[i] == 0 || *end != (i < 2 ? '_' : 0))
            return false;
        name = end + 1;
    }
    return true;
}

/* The mean TFLOPS of one side, which must be above 0; else 0. */
static double side(const json_t *value) {
    return json_is_number(value) && json_number_value(value) > 0 ? json_number_value(value) : 0;
}

/* Their file of one library; *quotient stays where there is none. */
static int read_quotient(const char *folder, const char *function, double *quotient) {
    char name[128], path[PATH_MAX];
    snprintf(name, sizeof name, "benchmark_result_%s.json", function);
    if (files_join(path, folder, name) < 0)
        return -1;
    if (access(path, F_OK) < 0)
        return 0;
    json_t *file = jsonfile_read(folder, name, "a folder of the release's scripts");
    if (!file)
        return -1;
    const json_t *records = json_object_get(file, "records");
    double kernel = 0;
    const double library = side(json_object_get(records, function));
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)records, key, value) {
        if (strncmp(key, "cuda_l2_", 8) == 0)
            kernel = side(value);
    }
    json_decref(file);
    if (library == 0 || kernel == 0)
        return error("%s: no mean TFLOPS above 0 of %s and of a cuda_l2_ function under "
                     "\"records\"",
                     path, function);
    *quotient = kernel / library;
    if (!(*quotient > 0) || !isfinite(*quotient))
        return error("%s: the quotient of %g and %g TFLOPS is out of range", path, kernel, library);
    return 0;
}

static int read_entry(struct entry *entry) {
    for (size_t i = 0; i < LIBRARIES; i++) {
        const size_t *of = libraries[i].of;
        entry->quotients[i] = NAN;
        if (libraries[i].theirs &&
            read_quotient(entry->folder, libraries[i].theirs, &entry->quotients[i]) < 0)
            return -1;
        if (!libraries[i].theirs && !isnan(entry->quotients[of[0]]) &&
            !isnan(entry->quotients[of[1]]))
            entry->quotients[i] = fmin(entry->quotients[of[0]], entry->quotients[of[1]]);
    }
    return 0;
}

static int add_entry(struct entries *entries, const char *folder, const char *name, int round) {
    struct entry *more = realloc(entries->list, (entries->count + 1) * sizeof *more);
    if (!more)
        return error("%s: no memory for another shape", folder);
    entries->list = more;
    struct entry *entry = &more[entries->count];
    entry->round = round;
    if (!parse_shape(name, &entry->shape))
        return error("%s/%s: a folder of a shape is wanted, called M_N_K", folder, name);
    if (files_join(entry->folder, folder, name) < 0)
        return -1;
    entries->count++;
    return read_entry(entry);
}

/* The shapes of one round, or with round 0 the rounds. */
static int walk(struct entries *entries, const char *folder, int round) {
    DIR *open = opendir(folder);
    if (!open)
        return error("%s: cannot be read: %s", folder, strerror(errno));
    int status = 0;
    for (const struct dirent *found; status == 0 && (found = readdir(open));) {
        char inner[PATH_MAX], *end = NULL;
        if (*found->d_name == '.')
            continue;
        if (round > 0) {
            status = add_entry(entries, folder, found->d_name, round);
            continue;
        }
        const long number = whole(found->d_name, &end, ROUNDS_MOST);
        if (number == 0 || *end)
            status = error("%s/%s: a folder of a round is wanted, called 1, 2, ... or %d", folder,
                           found->d_name, ROUNDS_MOST);
        else if ((status = files_join(inner, folder, found->d_name)) == 0)
            status = walk(entries, inner, (int)number);
    }
    closedir(open);
    return status;
}

/* One library over the rounds of a shape. */
static int add_rows(const struct entry *entries, size_t rounds, size_t library, const char *mode,
                    struct rows *rows) {
    struct ratio_row row = import_row(entries->shape, mode, "wait",
                                      "by the release's own scripts: quotient of mean TFLOPS");
    struct round_row round = {.shape = entries->shape, .ratio = NAN};
    double sum = 0;
    row.rounds = 0;
    strcpy(row.baseline, libraries[library].ours);
    strcpy(round.candidate, row.candidate);
    strcpy(round.mode, row.mode);
    strcpy(round.lens, row.lens);
    strcpy(round.baseline, row.baseline);
    for (size_t r = 0; r < rounds; r++) {
        const double quotient = entries[r].quotients[library];
        if (isnan(quotient))
            continue;
        row.rounds++;
        sum += quotient;
        round.round = entries[r].round - 1;
        round.speedup = quotient - 1;
        if (rows_add_round(rows, &round) < 0)
            return -1;
    }
    row.speedup = sum / row.rounds - 1;
    return row.rounds > 0 ? rows_add_ratio(rows, &row) : 0;
}

int import_harness(const char *folder, const char *mode, struct rows *rows, struct shape **shapes,
                   size_t *count) {
    struct entries entries = {0};
    const size_t before = rows->ratio_count;
    int status = walk(&entries, folder, 0);
    *count = 0;
    *shapes = malloc((entries.count + 1) * sizeof **shapes);
    if (!*shapes)
        status = error("%s: no memory for %zu shapes", folder, entries.count);
    if (status == 0)
        qsort(entries.list, entries.count, sizeof *entries.list, compare_entries);
    for (size_t first = 0, end; first < entries.count && status == 0; first = end) {
        (*shapes)[(*count)++] = entries.list[first].shape;
        for (end = first + 1; end < entries.count && shape_compare(entries.list[first].shape,
                                                                   entries.list[end].shape) == 0;)
            end++;
        for (size_t i = 0; i < LIBRARIES && status == 0; i++)
            status = add_rows(&entries.list[first], end - first, i, mode, rows);
    }
    if (status == 0 && rows->ratio_count == before)
        status = error("%s: no benchmark_result_*.json in any ROUND/M_N_K", folder);
    free(entries.list);
    if (status == 0)
        return 0;
    free(*shapes);
    *shapes = NULL;
    return -1;
}
