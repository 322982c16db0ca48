/* Figure 4: time over the speed of light. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/page/gnuplot.h"
#include "reports/report/figure_parts.h"

/* Whether a row of times is about the kernel: X-max is the faster of X-nn and X-tn. */
static bool is_kernel(const char *in_row, const char *kernel) {
    const size_t stem = strlen(kernel) < 4 ? 0 : strlen(kernel) - 4;
    if (stem == 0 || strcmp(kernel + stem, "-max") != 0)
        return strcmp(in_row, kernel) == 0;
    return strncmp(in_row, kernel, stem) == 0 &&
           (strcmp(in_row + stem, "-nn") == 0 || strcmp(in_row + stem, "-tn") == 0);
}

/* Whether the row is one of Figure 4 for the kernel. */
static bool is_lit(const struct time_row *row, const struct figure *figure, const char *kernel) {
    return strcmp(row->candidate, figure->candidate) == 0 && strcmp(row->mode, "offline") == 0 &&
           strcmp(row->lens, figure->lens) == 0 && is_kernel(row->kernel, kernel) &&
           row->median > 0 && row->light_seconds > 0;
}

/* Whether no other row of the shape is of the kernel and faster. A unit's rows stand together. */
static bool is_fastest(const struct rows *rows, size_t i, const struct figure *figure,
                       const char *kernel) {
    const struct time_row *mine = &rows->times[i];
    size_t j = i;
    while (j > 0 && shape_compare(rows->times[j - 1].shape, mine->shape) == 0)
        j--;
    for (; j < rows->time_count && shape_compare(rows->times[j].shape, mine->shape) == 0; j++)
        if (is_lit(&rows->times[j], figure, kernel) &&
            (rows->times[j].median < mine->median ||
             (j < i && rows->times[j].median <= mine->median)))
            return false;
    return true;
}

/* Writes the kernel's blocks of data, the shapes and the bins; returns how many shapes. */
static size_t put_light(FILE *data, const struct rows *rows, const struct figure *figure,
                        const char *kernel, struct figure_point *points, double *scratch,
                        struct figure_range *x, struct figure_range *y) {
    size_t count = 0;
    fprintf(data, "# %s: log2(M*N*K), time over the speed of light, one shape a line\n", kernel);
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (!is_lit(row, figure, kernel) || !is_fastest(rows, i, figure, kernel))
            continue;
        struct figure_point *point = &points[count++];
        *point = (struct figure_point){log2(shape_flops(row->shape) / 2),
                                       row->median / row->light_seconds};
        figure_widen(x, point->x);
        figure_widen(y, point->y);
        fprintf(data, "%.9g %.9g\n", point->x, point->y);
    }
    figure_put_end(data, points, count, scratch);
    return count;
}

int figure_light(const struct figure_source *source, const struct figure *figure) {
    const char *kernels[] = {tables_reference(source->table, figure->candidate, figure->lens),
                             figure->candidate};
    static const char *const colours[] = {FIGURE_LIBRARY, FIGURE_CANDIDATE};
    const size_t room = source->rows->time_count;
    struct figure_range x = {INFINITY, -INFINITY}, y = {1, 1};
    size_t shapes = 0;
    struct figure_sheets sheets;
    if (figure_sheets_open(&sheets, source->folder, figure->name) < 0)
        return -1;
    struct figure_point *points = need(room, sizeof *points);
    double *scratch = need(room, sizeof *scratch);
    FILE *out = sheets.script.stream;
    for (size_t i = 0; i < 2; i++)
        shapes = put_light(sheets.data.stream, source->rows, figure, kernels[i], points, scratch,
                           &x, &y);
    figure_put_terminals(out, figure->name);
    figure_put_title(out, "set title ", figure, source->where);
    fputs("set ylabel \"median time / time at the speed of light\"\nset key maxrows 2 samplen "
          "2\nset bmargin "
          "7\n",
          out);
    figure_put_x_axis(out, x);
    figure_put_times_axis(out, y);
    fputs("plot ", out);
    for (size_t i = 0; i < 2; i++) {
        fputs(i ? ", \\\n  " : "", out);
        gnuplot_put_string(out, figure->name);
        fprintf(out, ".'.dat' index %zu using 1:2 with points pt 7 ps %s lc rgb '%s' title ", 2 * i,
                figure_point_size(shapes), colours[i]);
        gnuplot_put_string(out, kernels[i]);
        fprintf(out, ", \\\n  '' index %zu using 1:3 with lines lw 3 lc rgb '%s' title 'median'",
                2 * i + 1, colours[i]);
    }
    fputs(", \\\n  1 with lines dt 2 lw 2 lc rgb '" FIGURE_GREY "' title 'speed of light'\n"
          "unset output\n}\n",
          out);
    free(points);
    free(scratch);
    return figure_sheets_commit(&sheets);
}

bool figure_has_light(const struct figure_source *source, const struct figure *figure) {
    if (!tables_reference(source->table, figure->candidate, figure->lens))
        return false;
    for (size_t i = 0; i < source->rows->time_count; i++)
        if (is_lit(&source->rows->times[i], figure, figure->candidate))
            return true;
    return false;
}
