/* Figure 1: the ratio to each library, a line a library. */
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

/* The baselines that get a line: the main ones; all of them where fewer than two are there. At most
 * `room`. */
static size_t lines_of(const struct table *table, const struct figure *figure, const char **names,
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

/* Writes what a line of the table says: ratio, place, ends of the interval (the ratio itself where
 * it has none), the number as text. Published results have the paper's means alone. */
static void put_line(FILE *data, const struct table_line *line, double place,
                     struct figure_range *range) {
    const bool known = !isnan(line->geomean);
    const double ratio = known ? line->geomean : 1 + line->mean;
    const bool interval = known && !isnan(line->low);
    const double low = interval ? line->low : ratio, high = interval ? line->high : ratio;
    if (!(ratio > 0))
        return;
    figure_widen(range, low);
    figure_widen(range, high);
    fprintf(data, "%.9g %.9g %.9g %.9g \"%.3f\"\n", ratio, place, low, high, ratio);
}

static void put_plots(FILE *out, const struct figure *figure, const char *const *modes,
                      size_t count) {
    fputs("plot ", out);
    for (size_t m = 0; m < count; m++) {
        fputs(m ? ", \\\n  " : "", out);
        gnuplot_put_string(out, figure->name);
        fprintf(out,
                ".'.dat' index %zu using 3:2:($4-$3):(0) with vectors nohead lw 3 lc rgb "
                "'" FIGURE_DARK "' notitle, \\\n"
                "  '' index %zu using 1:2 with points pt %d ps 1.6 lc rgb '" FIGURE_CANDIDATE
                "' title ",
                m, m, figure_point(m));
        gnuplot_put_string(out, count > 1 ? modes[m] : "");
        fprintf(out, ", \\\n  '' index %zu using 1:2:5 with labels offset 0,-1.1 notitle", m);
    }
    fputs("\nunset output\n}\n", out);
}

int figure_libraries(const struct figure_source *source, const struct figure *figure) {
    const char *names[32], *modes[FIGURE_MODES];
    const size_t count = lines_of(source->table, figure, names, 32);
    const size_t mode_count = figure_modes(source->table, figure, modes);
    struct figure_range range = {1, 1};
    size_t shapes = 0;
    bool ratios = false;
    char below[512];
    struct figure_sheets sheets;
    if (figure_sheets_open(&sheets, source->folder, figure->name) < 0)
        return -1;
    FILE *out = sheets.script.stream, *data = sheets.data.stream;
    for (size_t m = 0; m < mode_count; m++) {
        fprintf(data, "# %s: ratio, place, ends of the 95 %% interval, label\n", modes[m]);
        for (size_t b = 0; b < count; b++) {
            const struct table_line *line = find_line(source->table, figure, modes[m], names[b]);
            const double aside = ((double)m - (double)(mode_count - 1) / 2) * 0.4;
            if (!line || line->shapes == 0)
                continue;
            put_line(data, line, (double)b + aside, &range);
            shapes = line->shapes > shapes ? line->shapes : shapes;
            ratios = ratios || !isnan(line->geomean);
        }
        fputs(FIGURE_OUTSIDE " 0 0 \"\"\n\n\n", data);
    }
    figure_put_terminals(out, figure->name);
    snprintf(below, sizeof below, "%s, %s over %zu shape%s", source->where,
             ratios ? "geometric mean with its 95 % interval" : "mean as the paper counts", shapes,
             shapes == 1 ? "" : "s");
    figure_put_title(out, "set title ", figure, below);
    figure_put_ratio_axis(out, "x", range, FIGURE_LABEL);
    fprintf(out,
            "set xlabel \"time of the library / time of the candidate; right of 1 the candidate is "
            "faster\"\nset yrange [%.9g:-0.7]\nset ytics scale 0 (",
            (double)count - 0.3);
    for (size_t b = 0; b < count; b++) {
        fputs(b ? ", " : "", out);
        gnuplot_put_string(out, names[b]);
        fprintf(out, " %zu", b);
    }
    fputs(")\nset grid x\nset bmargin 6\nset arrow from first 1, graph 0 to first 1, graph 1 "
          "nohead dt 2 lw 2 lc rgb "
          "'" FIGURE_GREY "'\n",
          out);
    put_plots(out, figure, modes, mode_count);
    return figure_sheets_commit(&sheets);
}
