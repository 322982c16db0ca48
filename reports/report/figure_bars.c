/* Figure 1: how much more time the main baselines take, as bars. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/gnuplot.h"
#include "reports/report/figure_parts.h"

static int compare_names(const void *left, const void *right) {
    return tables_baseline_compare(*(const char *const *)left, *(const char *const *)right);
}

/* The baselines that get bars: the main ones; all of them where fewer than two are there. At most
 * `room`. */
static size_t bars_of(const struct table *table, const struct figure *figure, const char **names,
                      size_t room) {
    for (int all = 0; all < 2; all++) {
        size_t count = 0;
        for (size_t i = 0; i < table->count; i++) {
            const struct table_line *line = &table->lines[i];
            bool wanted = figure_has_line(line, figure) && line->shapes > 0 &&
                          (all || tables_main_index(line->baseline) < TABLES_MAIN);
            for (size_t j = 0; j < count; j++)
                wanted = wanted && strcmp(names[j], line->baseline) != 0;
            if (wanted && count < room)
                names[count++] = line->baseline;
        }
        qsort(names, count, sizeof *names, compare_names);
        if (count > 1 || all)
            return count;
    }
    return 0;
}

static const struct table_line *find_line(const struct table *table, const struct figure *figure,
                                          const char *mode, const char *baseline) {
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (figure_has_line(line, figure) && strcmp(line->mode, mode) == 0 &&
            strcmp(line->baseline, baseline) == 0)
            return line;
    }
    return NULL;
}

/* Whether the lines have ratios; published ones have the paper's means alone. */
static bool has_ratios(const struct table *table, const struct figure *figure) {
    for (size_t i = 0; i < table->count; i++)
        if (figure_has_line(&table->lines[i], figure) && !isnan(table->lines[i].geomean))
            return true;
    return false;
}

/* The heights of the bars, and how far the figure reaches. */
struct reach {
    double low, high;
    size_t shapes;
};

/* A bar in per cent, with its interval where there is one. */
static void put_bar(FILE *data, const struct table_line *line, bool ratios, double place,
                    struct reach *reach) {
    const double percent = 100 * (ratios ? line->geomean - 1 : line->mean);
    const double low = 100 * (line->low - 1), high = 100 * (line->high - 1);
    const bool known = ratios && !isnan(low);
    if (isnan(percent))
        return;
    reach->low = fmin(reach->low, known ? low : percent);
    reach->high = fmax(reach->high, known ? high : percent);
    reach->shapes = line->shapes > reach->shapes ? line->shapes : reach->shapes;
    fprintf(data, "%.9g %.9g \"%+.1f %%\" %.9g %.9g\n", place, percent, percent,
            known ? low : percent, known ? high : percent);
}

static void put_plots(FILE *out, const struct figure *figure, const char *const *modes,
                      size_t count) {
    fputs("plot ", out);
    for (size_t m = 0; m < count; m++) {
        fputs(m ? ", \\\n  " : "", out);
        gnuplot_put_string(out, figure->name);
        fprintf(out, ".'.dat' index %zu using 1:2 with boxes lc rgb '%s' title ", m,
                figure_colours[m % FIGURE_COLOURS]);
        gnuplot_put_string(out, modes[m]);
        fprintf(
            out,
            ", \\\n  '' index %zu using 1:4:(0):($5-$4) with vectors nohead lw 3 lc rgb '#202020' "
            "notitle",
            m);
        for (int negative = 0; negative < 2; negative++)
            fprintf(out,
                    ", \\\n  '' index %zu using 1:($2 %s 0 ? $%d : 1/0):3 with labels offset 0,%s "
                    "notitle",
                    m, negative ? "<" : ">=", negative ? 4 : 5, negative ? "-0.8" : "0.8");
    }
    fputs("\nunset output\n}\n", out);
}

int figure_bars(const struct figure_source *source, const struct figure *figure) {
    const char *names[32], *modes[FIGURE_MODES];
    const size_t bars = bars_of(source->table, figure, names, 32);
    const size_t mode_count = figure_modes(source->table, figure, modes);
    const bool ratios = has_ratios(source->table, figure);
    const double width = 0.8 / (double)mode_count;
    struct reach reach = {0};
    char below[512];
    struct figure_sheets sheets;
    if (figure_sheets_open(&sheets, source->folder, figure->name) < 0)
        return -1;
    FILE *out = sheets.script.stream, *data = sheets.data.stream;
    for (size_t m = 0; m < mode_count; m++) {
        fprintf(data, "# %s: place, %% of time, label, ends of the 95 %% interval\n", modes[m]);
        for (size_t b = 0; b < bars; b++) {
            const struct table_line *line = find_line(source->table, figure, modes[m], names[b]);
            const double aside = ((double)m - (double)(mode_count - 1) / 2) * width;
            if (line && line->shapes > 0)
                put_bar(data, line, ratios, (double)b + aside, &reach);
        }
        fputs(FIGURE_OUTSIDE " \"\" 0 0\n\n\n", data);
    }
    if (reach.high - reach.low <= 0)
        reach.high = 1;
    const double room = 0.12 * (reach.high - reach.low);
    figure_put_terminals(out, figure->name);
    snprintf(below, sizeof below, "%s, %s over %zu shape%s", source->where,
             ratios ? "geometric mean" : "mean as the paper counts", reach.shapes,
             reach.shapes == 1 ? "" : "s");
    figure_put_title(out, "set title ", figure, below);
    fprintf(out, "set ylabel \"how much more time the baseline takes, %%\"\n");
    fprintf(out, "set xrange [-0.6:%.9g]\nset yrange [%.9g:%.9g]\n", (double)bars - 0.4,
            reach.low < 0 ? reach.low - room : -room / 4,
            reach.high > 0 ? reach.high + room : room / 4);
    fputs("set xtics scale 0 (", out);
    for (size_t b = 0; b < bars; b++) {
        fputs(b ? ", " : "", out);
        gnuplot_put_string(out, names[b]);
        fprintf(out, " %zu", b);
    }
    fprintf(out,
            ")%s\nset xzeroaxis lt 1 lw 2 lc rgb '#404040'\nset bmargin 5\nset boxwidth %.9g\n",
            bars > 6 ? " rotate by -20" : "", 0.92 * width);
    put_plots(out, figure, modes, mode_count);
    return figure_sheets_commit(&sheets);
}
