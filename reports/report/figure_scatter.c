/* Figure 3: the ratio to the reference library by size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/page/gnuplot.h"
#include "reports/report/figure_parts.h"

/* Writes the mode's blocks of data, the shapes and the bins; returns how many shapes. */
static size_t put_mode(FILE *data, const struct figure_source *source, const struct figure *figure,
                       const char *baseline, const char *mode, struct figure_point *points,
                       double *scratch, struct figure_range *x, struct figure_range *y) {
    size_t count = 0;
    struct figure_range intervals = *y;
    fprintf(data, "# %s: log2(M*N*K), ratio and its interval, one shape a line\n", mode);
    for (size_t i = 0; i < source->rows->ratio_count; i++) {
        const struct ratio_row *row = &source->rows->ratios[i];
        if (strcmp(row->lens, figure->lens) != 0 ||
            strcmp(row->candidate, figure->candidate) != 0 ||
            strcmp(row->baseline, baseline) != 0 || strcmp(row->mode, mode) != 0 ||
            isnan(row->speedup))
            continue;
        struct figure_point *point = &points[count++];
        const double ratio = isnan(row->ratio) ? 1 + row->speedup : row->ratio;
        *point = (struct figure_point){log2(shape_flops(row->shape) / 2), ratio};
        figure_widen(x, point->x);
        figure_widen(y, point->y);
        figure_widen(&intervals, row->ci_low);
        figure_widen(&intervals, row->ci_high);
        fprintf(data, "%.9g %.9g %.9g %.9g\n", point->x, point->y, row->ci_low, row->ci_high);
    }
    figure_put_end(data, points, count, scratch);
    if (count < FIGURE_INTERVALS_BELOW) {
        figure_widen(y, intervals.low);
        figure_widen(y, intervals.high);
    }
    return count;
}

static void put_panel(FILE *out, const struct figure *figure, const char *mode, size_t shapes,
                      size_t m) {
    figure_begin_panel(out, figure, mode, shapes);
    fprintf(out,
            ".'.dat' index %zu using 1:2:4 with filledcurves fc rgb '" FIGURE_CANDIDATE
            "' fs transparent solid 0.25 noborder title 'middle half', \\\n",
            2 * m + 1);
    if (shapes < FIGURE_INTERVALS_BELOW)
        fprintf(out,
                "  '' index %zu using 1:3:(0):($4-$3) with vectors nohead lw 1.5 lc rgb "
                "'" FIGURE_GREY "' title '95 %% interval', \\\n",
                2 * m);
    fprintf(out,
            "  '' index %zu using 1:2 with points pt 7 ps %s lc rgb '" FIGURE_CANDIDATE
            "' title 'shape', \\\n"
            "  '' index %zu using 1:3 with lines lw 3 lc rgb '" FIGURE_DARK "' title 'median', \\\n"
            "  1 with lines dt 2 lw 2 lc rgb '" FIGURE_GREY "' title 'equal speed'\n",
            2 * m, figure_point_size(shapes), 2 * m + 1);
}

int figure_scatter(const struct figure_source *source, const struct figure *figure) {
    const char *modes[FIGURE_MODES],
        *baseline = tables_reference(source->table, figure->candidate, figure->lens);
    size_t mode_count = figure_modes(source->table, figure, modes), shapes[FIGURE_MODES];
    const size_t room = source->rows->ratio_count;
    struct figure_range x = {INFINITY, -INFINITY}, y = {1, 1};
    char label[2 * RUNDIR_NAME];
    struct figure_sheets sheets;
    if (figure_sheets_open(&sheets, source->folder, figure->name) < 0)
        return -1;
    struct figure_point *points = need(room, sizeof *points);
    double *scratch = need(room, sizeof *scratch);
    FILE *out = sheets.script.stream;
    for (size_t m = 0; m < mode_count; m++)
        shapes[m] = put_mode(sheets.data.stream, source, figure, baseline, modes[m], points,
                             scratch, &x, &y);
    figure_put_terminals(out, figure->name);
    fprintf(out, "set multiplot layout 1,%zu ", mode_count);
    figure_put_title(out, "title ", figure, source->where);
    snprintf(label, sizeof label, "time of %s / time of candidate", baseline);
    fputs("set ylabel ", out);
    gnuplot_put_string(out, label);
    fputs("\nset bmargin 7\nset key maxrows 2 samplen 2\n", out);
    figure_put_x_axis(out, x);
    figure_put_ratio_axis(out, "y", y, 0);
    for (size_t m = 0; m < mode_count; m++)
        put_panel(out, figure, modes[m], shapes[m], m);
    fputs("unset multiplot\nunset output\n}\n", out);
    free(points);
    free(scratch);
    return figure_sheets_commit(&sheets);
}
