#include "reports/report/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/page/plot.h"

/* Modes of a figure, and libraries of Figure 1, at most. */
enum { MODES = 8, LIBRARIES = 32 };

/* What all figures of a run are drawn from. */
struct source {
    const char *folder, *where;
    const struct rows *rows;
    const struct table *table;
};

/* NUMBER-CANDIDATE with nothing in it that a file name or Markdown link could stumble over, and
 * -LENS where that is not call. */
static void name_figure(struct figure *figure, const char *number) {
    const bool call = strcmp(figure->lens, "call") == 0;
    snprintf(figure->name, sizeof figure->name, "%s-%s%s%s", number, figure->candidate,
             call ? "" : "-", call ? "" : figure->lens);
    for (char *p = figure->name; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", *p))
            *p = '_';
}

/* A panel of a mode. */
static void add_panel(struct plot *plot, const char *mode, size_t shapes) {
    char words[2 * RUNDIR_NAME];
    snprintf(words, sizeof words, "%s, %zu shape%s", mode, shapes, shapes == 1 ? "" : "s");
    plot_panel(plot, words, shapes);
}

static bool has_line(const struct table_line *line, const struct figure *figure) {
    return strcmp(line->candidate, figure->candidate) == 0 && strcmp(line->lens, figure->lens) == 0;
}

/* The modes of the figure's lines, in the table's order. */
static size_t list_modes(const struct table *table, const struct figure *figure,
                         const char *modes[MODES]) {
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (has_line(line, figure) && count < MODES &&
            (count == 0 || strcmp(modes[count - 1], line->mode) != 0))
            modes[count++] = line->mode;
    }
    return count;
}

static int compare_names(const void *left, const void *right) {
    return reference_compare(*(const char *const *)left, *(const char *const *)right);
}

/* The baselines that get a line in Figure 1: the main ones; all where fewer than two are there. */
static size_t list_libraries(const struct table *table, const struct figure *figure,
                             const char *names[LIBRARIES]) {
    size_t count = 0;
    for (int all = 0; all < 2 && count < 2; all++) {
        count = 0;
        for (size_t i = 0; i < table->count; i++) {
            const struct table_line *line = &table->lines[i];
            bool wanted = has_line(line, figure) && line->shapes > 0 &&
                          (all || tables_main_index(line->baseline) < TABLES_MAIN);
            for (size_t j = 0; j < count; j++)
                wanted = wanted && strcmp(names[j], line->baseline) != 0;
            if (wanted && count < LIBRARIES)
                names[count++] = line->baseline;
        }
        qsort(names, count, sizeof *names, compare_names);
    }
    return count;
}

/* The ratio and its interval (the ratio itself where it has none). Published results have the
 * paper's means alone. */
static void put_line(struct plot *plot, const struct table_line *line, double place,
                     struct plot_range *range) {
    const bool known = !isnan(line->geomean), interval = known && !isnan(line->low);
    const double ratio = known ? line->geomean : 1 + line->mean;
    const double low = interval ? line->low : ratio, high = interval ? line->high : ratio;
    if (!(ratio > 0))
        return;
    plot_widen(range, low);
    plot_widen(range, high);
    plot_row(plot, "%.9g %.9g %.9g %.9g \"%.3f\"", ratio, place, low, high, ratio);
}

/* Figure 1: the ratio to each library, a line a library. */
static int draw_libraries(const struct source *source, const struct figure *figure) {
    const char *names[LIBRARIES], *modes[MODES];
    const size_t count = list_libraries(source->table, figure, names),
                 mode_count = list_modes(source->table, figure, modes);
    struct plot_range range = {1, 1};
    size_t shapes = 0;
    bool ratios = false;
    char below[1200];
    struct plot plot;
    if (plot_open(&plot, source->folder, figure->name, "libraries") < 0)
        return -1;
    for (size_t m = 0; m < mode_count; m++) {
        const double aside = ((double)m - (double)(mode_count - 1) / 2) * 0.4;
        for (size_t i = 0; i < source->table->count; i++) {
            const struct table_line *line = &source->table->lines[i];
            size_t b = 0;
            while (b < count && strcmp(names[b], line->baseline) != 0)
                b++;
            if (b == count || !has_line(line, figure) || strcmp(line->mode, modes[m]) != 0 ||
                line->shapes == 0)
                continue;
            put_line(&plot, line, (double)b + aside, &range);
            shapes = line->shapes > shapes ? line->shapes : shapes;
            ratios = ratios || !isnan(line->geomean);
        }
        plot_end(&plot);
        plot_panel(&plot, mode_count > 1 ? modes[m] : "", count);
    }
    snprintf(below, sizeof below, "%s, %s over %zu shape%s", source->where,
             ratios ? "geometric mean with its 95 % interval" : "mean as the paper counts", shapes,
             shapes == 1 ? "" : "s");
    plot_title(&plot, figure->title, below);
    plot_ratio_axis(&plot, 'x', range, PLOT_LABEL);
    for (size_t b = 0; b < count; b++)
        plot_tick(&plot, names[b], (double)b);
    plot_set(&plot,
             "set xlabel \"time of the library / time of the candidate; right of 1 the candidate "
             "is faster\"\nset yrange [%.9g:-0.7]\nset grid x\nset bmargin 6\n"
             "set arrow from first 1, graph 0 to first 1, graph 1 nohead dt 2 lw 2 "
             "lc rgb '#404040'",
             (double)count - 0.3);
    return plot_close(&plot);
}

/* The mode's shapes and bins; returns how many shapes. */
static size_t put_sizes(struct plot *plot, const struct source *source, const struct figure *figure,
                        const char *baseline, const char *mode, struct plot_range *x,
                        struct plot_range *y) {
    struct plot_point *points = need(source->rows->ratio_count, sizeof *points);
    struct plot_range intervals = *y;
    size_t count = 0;
    for (size_t i = 0; i < source->rows->ratio_count; i++) {
        const struct ratio_row *row = &source->rows->ratios[i];
        if (strcmp(row->lens, figure->lens) != 0 ||
            strcmp(row->candidate, figure->candidate) != 0 ||
            strcmp(row->baseline, baseline) != 0 || strcmp(row->mode, mode) != 0 ||
            isnan(row->speedup))
            continue;
        struct plot_point *point = &points[count++];
        *point = (struct plot_point){log2(shape_flops(row->shape) / 2),
                                     isnan(row->ratio) ? 1 + row->speedup : row->ratio};
        plot_widen(x, point->x);
        plot_widen(y, point->y);
        plot_widen(&intervals, row->ci_low);
        plot_widen(&intervals, row->ci_high);
        plot_row(plot, "%.9g %.9g %.9g %.9g", point->x, point->y, row->ci_low, row->ci_high);
    }
    plot_bins(plot, points, count);
    free(points);
    if (count < PLOT_FEW) {
        plot_widen(y, intervals.low);
        plot_widen(y, intervals.high);
    }
    return count;
}

/* Figure 3: the ratio to the reference library by size. */
static int draw_sizes(const struct source *source, const struct figure *figure) {
    const char *modes[MODES],
        *baseline = tables_reference(source->table, figure->candidate, figure->lens);
    const size_t mode_count = list_modes(source->table, figure, modes);
    struct plot_range x = {INFINITY, -INFINITY}, y = {1, 1};
    char label[2 * RUNDIR_NAME], quoted[PLOT_QUOTED];
    struct plot plot;
    if (plot_open(&plot, source->folder, figure->name, "sizes") < 0)
        return -1;
    for (size_t m = 0; m < mode_count; m++)
        add_panel(&plot, modes[m], put_sizes(&plot, source, figure, baseline, modes[m], &x, &y));
    plot_title(&plot, figure->title, source->where);
    snprintf(label, sizeof label, "time of %s / time of candidate", baseline);
    plot_set(&plot, "set ylabel %s", plot_quote(label, quoted));
    /* Room below for a key of two lines. */
    plot_set(&plot, "set bmargin 7\nset key maxrows 2 samplen 2\nset xtics %g",
             ceil((x.high - x.low + 1) / 13));
    plot_size_axis(&plot, x, "; bins one wide");
    plot_ratio_axis(&plot, 'y', y, 0);
    return plot_close(&plot);
}

/* The next figure, of the line's candidate by its lens. */
static struct figure *next_figure(struct figure **next, const struct table_line *line,
                                  const char *number) {
    struct figure *figure = (*next)++;
    strcpy(figure->candidate, line->candidate);
    strcpy(figure->lens, line->lens);
    name_figure(figure, number);
    return figure;
}

/* Figures 1 and 3 of the candidate and lens of a line of the table. */
static int write_lens(const struct source *source, const struct table_line *line,
                      const char *baseline, struct figure **next) {
    struct figure *figure = next_figure(next, line, "figure1");
    snprintf(figure->title, sizeof figure->title, "%s: ratio to each library, %s lens",
             line->candidate, line->lens);
    if (draw_libraries(source, figure) < 0)
        return -1;
    figure = next_figure(next, line, "figure3");
    snprintf(figure->title, sizeof figure->title, "%s: ratio to %s by size, %s lens",
             line->candidate, baseline, line->lens);
    return draw_sizes(source, figure);
}

int figures_make(const char *folder, const struct rows *rows, const struct table *table,
                 const char *where, struct figure **figures, size_t *count) {
    const struct source source = {folder, where, rows, table};
    struct figure *next = *figures = need(2 * table->count, sizeof **figures);
    int status = 0;
    for (size_t i = 0; i < table->count && status == 0; i++) {
        const struct table_line *line = &table->lines[i];
        const bool first = i == 0 || strcmp(line[-1].candidate, line->candidate) != 0;
        const char *baseline = tables_reference(table, line->candidate, line->lens);
        if ((first || strcmp(line[-1].lens, line->lens) != 0) && baseline)
            status = write_lens(&source, line, baseline, &next);
    }
    *count = (size_t)(next - *figures);
    for (size_t i = 0; i < *count && status >= 0; i++) {
        status = plot_draw(folder, (*figures)[i].name);
        (*figures)[i].drawn = status > 0;
    }
    return status < 0 ? -1 : 0;
}
