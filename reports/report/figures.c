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
    const struct published *published;
};

/* NUMBER-CANDIDATE with nothing in it that a file name or Markdown link could stumble over, and
 * -PART where that is not call. */
static void name_figure(struct figure *figure, const char *number, const char *part) {
    const bool call = strcmp(part, "call") == 0;
    snprintf(figure->name, sizeof figure->name, "%s-%s%s%s", number, figure->candidate,
             call ? "" : "-", call ? "" : part);
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
        plot_tick(&plot, 'y', names[b], (double)b);
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

/* Room below for a key of two lines, and the axis of sizes with its bins. */
static void put_size_axis(struct plot *plot, struct plot_range x) {
    plot_set(plot, "set bmargin 7\nset key maxrows 2 samplen 2\nset xtics %g",
             ceil((x.high - x.low + 1) / 13));
    plot_size_axis(plot, x, "; bins one wide");
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
    put_size_axis(&plot, x);
    plot_ratio_axis(&plot, 'y', y, 0);
    return plot_close(&plot);
}

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

/* Whether no other row of the shape is of the kernel and faster. */
static bool is_fastest(const struct rows *rows, const struct time_row *mine,
                       const struct figure *figure, const char *kernel) {
    const struct time_row *row = NULL;
    while ((row = rows_next(rows, ROWS_TIMES, mine->shape, row)))
        if (is_lit(row, figure, kernel) &&
            (row->median < mine->median || (row < mine && row->median <= mine->median)))
            return false;
    return true;
}

/* The kernel's shapes and bins; returns how many shapes. */
static size_t put_light(struct plot *plot, const struct rows *rows, const struct figure *figure,
                        const char *kernel, struct plot_range *x, struct plot_range *y) {
    struct plot_point *points = need(rows->time_count, sizeof *points);
    size_t count = 0;
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (!is_lit(row, figure, kernel) || !is_fastest(rows, row, figure, kernel))
            continue;
        struct plot_point *point = &points[count++];
        *point = (struct plot_point){log2(shape_flops(row->shape) / 2),
                                     row->median / row->light_seconds};
        plot_widen(x, point->x);
        plot_widen(y, point->y);
        plot_row(plot, "%.9g %.9g", point->x, point->y);
    }
    plot_bins(plot, points, count);
    free(points);
    return count;
}

/* Figure 4: time over the speed of light. */
static int draw_light(const struct source *source, const struct figure *figure) {
    const char *kernels[] = {tables_reference(source->table, figure->candidate, figure->lens),
                             figure->candidate};
    struct plot_range x = {INFINITY, -INFINITY}, y = {1, 1};
    struct plot plot;
    if (plot_open(&plot, source->folder, figure->name, "light") < 0)
        return -1;
    for (size_t i = 0; i < 2; i++)
        plot_panel(&plot, kernels[i], put_light(&plot, source->rows, figure, kernels[i], &x, &y));
    plot_title(&plot, figure->title, source->where);
    put_size_axis(&plot, x);
    plot_set(&plot,
             "set ylabel \"median time / time at the speed of light\"\n"
             "set logscale y 2\nset yrange [%.9g:%.9g]",
             y.low / 1.15, y.high * 1.15);
    return plot_close(&plot);
}

/* Figure 5: speedup as published and as measured here, shape by shape. */
static int draw_published(const struct source *source, const struct figure *figure,
                          const struct published_line *const *lines, size_t count) {
    struct plot_range both = {1, 1};
    char below[2304];
    struct plot plot;
    if (plot_open(&plot, source->folder, figure->name, "published") < 0)
        return -1;
    for (size_t m = 0; m < count; m++) {
        for (size_t i = 0; i < lines[m]->shapes; i++) {
            const double there = 1 + lines[m]->pairs[i].theirs->speedup,
                         here = 1 + lines[m]->pairs[i].ours->speedup;
            plot_widen(&both, there);
            plot_widen(&both, here);
            plot_row(&plot, "%.9g %.9g", there, here);
        }
        plot_end(&plot);
        add_panel(&plot, lines[m]->of->mode, lines[m]->shapes);
    }
    snprintf(below, sizeof below, "there: %s\nhere: %s", source->published->where, source->where);
    plot_title(&plot, figure->title, below);
    plot_set(&plot, "set xlabel \"ratio there\"\nset ylabel \"ratio here\"\nset size square\n"
                    "set key top left\n"
                    "set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#404040'\n"
                    "set arrow from first 1, graph 0 to first 1, graph 1 nohead lc rgb '#404040'");
    plot_ratio_axis(&plot, 'x', both, PLOT_LABEL);
    plot_ratio_axis(&plot, 'y', both, 0);
    return plot_close(&plot);
}

/* The next figure, of the line's candidate by its lens. */
static struct figure *next_figure(struct figure **next, const struct table_line *line,
                                  const char *number, const char *part) {
    struct figure *figure = (*next)++;
    strcpy(figure->candidate, line->candidate);
    strcpy(figure->lens, line->lens);
    name_figure(figure, number, part);
    return figure;
}

/* Figures 1 and 3 of the candidate and lens of a line of the table, and where something was
 * published over the reference library, Figure 5. */
static int write_lens(const struct source *source, const struct table_line *line,
                      const char *baseline, struct figure **next) {
    const struct published_line *lines[MODES];
    size_t count = 0;
    struct figure *figure = next_figure(next, line, "figure1", line->lens);
    snprintf(figure->title, sizeof figure->title, "%s: ratio to each library, %s lens",
             line->candidate, line->lens);
    if (draw_libraries(source, figure) < 0)
        return -1;
    figure = next_figure(next, line, "figure3", line->lens);
    snprintf(figure->title, sizeof figure->title, "%s: ratio to %s by size, %s lens",
             line->candidate, baseline, line->lens);
    if (draw_sizes(source, figure) < 0)
        return -1;
    for (size_t i = 0; i < source->published->count && count < MODES; i++) {
        const struct ratio_row *of = source->published->lines[i].of;
        if (strcmp(of->candidate, line->candidate) == 0 && strcmp(of->lens, line->lens) == 0 &&
            strcmp(of->baseline, baseline) == 0)
            lines[count++] = &source->published->lines[i];
    }
    if (count == 0)
        return 0;
    figure = next_figure(next, line, "figure5", line->lens);
    snprintf(figure->title, sizeof figure->title,
             "%s: speedup over %s as published, by %s, and as measured here, by %s",
             line->candidate, baseline, lines[0]->there->lens, line->lens);
    return draw_published(source, figure, lines, count);
}

/* Figure 4 of a candidate, where the run can have it. */
static int write_light(const struct source *source, const char *candidate, struct figure **next) {
    static const char *const lenses[] = {"device", "call"};
    for (size_t i = 0; i < sizeof lenses / sizeof *lenses; i++) {
        struct figure *figure = *next;
        bool lit = false;
        strcpy(figure->candidate, candidate);
        strcpy(figure->lens, lenses[i]);
        for (size_t j = 0; j < source->rows->time_count && !lit; j++)
            lit = is_lit(&source->rows->times[j], figure, candidate);
        if (!lit || !tables_reference(source->table, candidate, lenses[i]))
            continue;
        name_figure(figure, "figure4", "call");
        snprintf(figure->title, sizeof figure->title,
                 "%s: time over the speed of light, offline, %s lens", candidate, lenses[i]);
        (*next)++;
        return draw_light(source, figure);
    }
    return 0;
}

int figures_make(const char *folder, const struct rows *rows, const struct table *table,
                 const struct published *published, const char *where, struct figure **figures,
                 size_t *count) {
    const struct source source = {folder, where, rows, table, published};
    struct figure *next = *figures = need(4 * table->count, sizeof **figures);
    int status = 0;
    for (size_t i = 0; i < table->count && status == 0; i++) {
        const struct table_line *line = &table->lines[i];
        const bool first = i == 0 || strcmp(line[-1].candidate, line->candidate) != 0;
        const bool last = i + 1 == table->count || strcmp(line[1].candidate, line->candidate) != 0;
        const char *baseline = tables_reference(table, line->candidate, line->lens);
        if ((first || strcmp(line[-1].lens, line->lens) != 0) && baseline)
            status = write_lens(&source, line, baseline, &next);
        if (last && status == 0)
            status = write_light(&source, line->candidate, &next);
    }
    *count = (size_t)(next - *figures);
    for (size_t i = 0; i < *count && status >= 0; i++) {
        status = plot_draw(folder, (*figures)[i].name);
        (*figures)[i].drawn = status > 0;
    }
    return status < 0 ? -1 : 0;
}
