#include "reports/report/figure_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/gnuplot.h"
#include "timing/stats.h"

int figure_point(size_t mode) {
    static const int points[] = {7, 9, 5, 13};
    return points[mode % (sizeof points / sizeof *points)];
}

bool figure_has_line(const struct table_line *line, const struct figure *figure) {
    return strcmp(line->candidate, figure->candidate) == 0 && strcmp(line->lens, figure->lens) == 0;
}

size_t figure_modes(const struct table *table, const struct figure *figure,
                    const char *modes[FIGURE_MODES]) {
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (figure_has_line(line, figure) && count < FIGURE_MODES &&
            (count == 0 || strcmp(modes[count - 1], line->mode) != 0))
            modes[count++] = line->mode;
    }
    return count;
}

void figure_put_title(FILE *out, const char *command, const struct figure *figure,
                      const char *below) {
    enum { LINE = 140 };
    char text[2048];
    int used = snprintf(text, sizeof text, "%s\n", figure->title);
    char *start = text + used;
    snprintf(start, sizeof text - (size_t)used, "%s", below);
    while (strlen(start) > LINE) {
        char *end = memchr(start, '\n', LINE), *space = end ? end : memrchr(start, ' ', LINE);
        if (!space)
            break;
        *space = '\n';
        start = space + 1;
    }
    fputs(command, out);
    gnuplot_put_string(out, text);
    fputc('\n', out);
}

void figure_name(struct figure *figure, const char *number, const char *part) {
    const bool call = strcmp(part, "call") == 0;
    snprintf(figure->name, sizeof figure->name, "%s-%s%s%s", number, figure->candidate,
             call ? "" : "-", call ? "" : part);
    for (char *p = figure->name; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", *p))
            *p = '_';
}

int figure_draw(const char *folder, struct figure *figure) {
    const int status = figure_draw_both(folder, figure->name);
    figure->drawn = status == 0;
    return status;
}

static int compare_points(const void *left, const void *right) {
    const struct figure_point *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

/* The bins are one wide and centred on whole numbers. */
static double bin_of(double x) {
    return floor(x + 0.5);
}

/* Writes centre, quartiles and median of every bin. Sorts the points; scratch holds `count`. */
static void put_bins(FILE *data, struct figure_point *points, size_t count, double *scratch) {
    qsort(points, count, sizeof *points, compare_points);
    for (size_t first = 0, end; first < count; first = end) {
        const double bin = bin_of(points[first].x);
        for (end = first; end < count && bin_of(points[end].x) <= bin; end++)
            scratch[end - first] = points[end].y;
        const size_t n = end - first;
        stats_sort(scratch, n);
        fprintf(data, "%.9g %.9g %.9g %.9g %zu\n", bin, stats_quantile_sorted(scratch, n, 0.25),
                stats_quantile_sorted(scratch, n, 0.5), stats_quantile_sorted(scratch, n, 0.75), n);
    }
}

void figure_put_end(FILE *data, struct figure_point *points, size_t count, double *scratch) {
    fprintf(data, "%s\n\n# middle of the bin, lower quartile, median, upper quartile, shapes\n",
            count ? "" : FIGURE_OUTSIDE "\n");
    put_bins(data, points, count, scratch);
    fputs(count ? "\n\n" : FIGURE_OUTSIDE " 0 0\n\n\n", data);
}

void figure_put_times_axis(FILE *out, struct figure_range y) {
    fprintf(out, "set logscale y 2\nset yrange [%.9g:%.9g]\n", y.low / 1.15, y.high * 1.15);
}

void figure_put_x_axis(FILE *out, struct figure_range x) {
    fprintf(out,
            "set xlabel \"size of the product, log2(M·N·K); bins one wide\"\n"
            "set xrange [%.9g:%.9g]\nset xtics %g\n",
            floor(x.low) - 0.5, ceil(x.high) + 0.5, ceil((x.high - x.low + 1) / 13));
}

const char *figure_point_size(size_t shapes) {
    return shapes < FIGURE_INTERVALS_BELOW ? "0.9" : "0.45";
}

void figure_begin_panel(FILE *out, const struct figure *figure, const char *mode, size_t shapes) {
    char title[2 * RUNDIR_NAME];
    snprintf(title, sizeof title, "%s, %zu shape%s", mode, shapes, shapes == 1 ? "" : "s");
    fputs("set title ", out);
    gnuplot_put_string(out, title);
    fputs("\nplot ", out);
    gnuplot_put_string(out, figure->name);
}
