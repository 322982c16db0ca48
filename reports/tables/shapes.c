#include "reports/tables/shapes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/tables/tables.h"

/* A row of the run, by the line of shapes.csv that it is of. */
struct entry {
    struct shape shape;
    const char *candidate, *mode, *lens; /* of a check no mode and no lens */
    const struct check_row *check;       /* one of the three */
    const struct time_row *time;
    const struct ratio_row *ratio;
};

static int compare_units(const struct entry *a, const struct entry *b) {
    const int order = shape_compare(a->shape, b->shape);
    return order ? order : strcmp(a->candidate, b->candidate);
}

static int compare_entries(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    int order = compare_units(a, b);
    if (order == 0)
        order = tables_mode_compare(a->mode, b->mode);
    return order ? order : tables_lens_compare(a->lens, b->lens);
}

/* What is of no candidate and no main baseline is passed over. Returns how many there are. */
static size_t list_entries(const struct rows *rows, struct entry *list) {
    size_t count = 0;
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (strcmp(row->kernel, row->candidate) == 0)
            list[count++] = (struct entry){row->shape, row->candidate, "", "", .check = row};
    }
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (strcmp(row->kernel, row->candidate) == 0)
            list[count++] =
                (struct entry){row->shape, row->candidate, row->mode, row->lens, .time = row};
    }
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (tables_main_index(row->baseline) < TABLES_MAIN)
            list[count++] =
                (struct entry){row->shape, row->candidate, row->mode, row->lens, .ratio = row};
    }
    qsort(list, count, sizeof *list, compare_entries);
    return count;
}

/* Five digits are more than a measurement has, and keep a release of 1,000 kernels below 1 MB. */
static void put_number(FILE *out, double value) {
    fprintf(out, isnan(value) ? "," : ",%.5g", value);
}

/* The entries of a shape with a candidate in a mode by a lens. */
static void put_line(FILE *out, const struct entry *entries, size_t count, const bool *has,
                     const char *outcome) {
    const char *texts[] = {entries->candidate, entries->mode, entries->lens};
    const struct ratio_row *ratios[TABLES_MAIN] = {0};
    double seconds = NAN;
    for (size_t i = 0; i < count; i++)
        if (entries[i].time)
            seconds = entries[i].time->median;
        else if (entries[i].ratio)
            ratios[tables_main_index(entries[i].ratio->baseline)] = entries[i].ratio;
    csv_put_shape(out, entries->shape);
    csv_put_texts(out, texts, 3);
    put_number(out, seconds);
    for (size_t b = 0; b < TABLES_MAIN; b++)
        if (has[b]) {
            put_number(out, ratios[b] ? ratios[b]->speedup : NAN);
            put_number(out, ratios[b] ? ratios[b]->ci_low : NAN);
            put_number(out, ratios[b] ? ratios[b]->ci_high : NAN);
        }
    csv_put_texts(out, &outcome, 1);
    fputc('\n', out);
}

/* The entries of a shape with a candidate. */
static void put_unit(FILE *out, const struct entry *entries, size_t count, const bool *has) {
    const char *outcome = "";
    for (size_t i = 0; i < count; i++)
        if (entries[i].check)
            outcome = entries[i].check->outcome;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_entries(entries + first, entries + end) == 0;)
            end++;
        if (!entries[first].check || end - first == count)
            put_line(out, entries + first, end - first, has, outcome);
    }
}

static void put_header(FILE *out, const bool *has) {
    fputs("m,n,k,candidate,mode,lens,seconds", out);
    for (size_t b = 0; b < TABLES_MAIN; b++)
        if (has[b])
            fprintf(out, ",%s_speedup,%s_ratio_low,%s_ratio_high", tables_main[b], tables_main[b],
                    tables_main[b]);
    fputs(",outcome\n", out);
}

int shapes_write(const char *folder, const struct rows *rows) {
    const size_t most = rows->check_count + rows->time_count + rows->ratio_count;
    struct entry *list = malloc((most + 1) * sizeof *list);
    bool has[TABLES_MAIN] = {0};
    struct file file;
    if (!list)
        return error("no memory to sort %zu rows by shape", most);
    if (file_open(&file, folder, "shapes.csv") < 0) {
        free(list);
        return -1;
    }
    const size_t count = list_entries(rows, list);
    for (size_t i = 0; i < count; i++)
        if (list[i].ratio)
            has[tables_main_index(list[i].ratio->baseline)] = true;
    put_header(file.stream, has);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_units(list + first, list + end) == 0;)
            end++;
        put_unit(file.stream, list + first, end - first, has);
    }
    free(list);
    return file_commit(&file);
}
