/* Figure 1: mean speedup over the main baselines, as bars. */
#include <math.h>
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

int figure_bars(const struct figure_source *source, const struct figure *figure) {
    const char *names[32], *modes[FIGURE_MODES];
    size_t bars = bars_of(source->table, figure, names, 32);
    size_t mode_count = figure_modes(source->table, figure, modes), shapes = 0;
    double low = 0, high = 0, width = 0.8 / (double)mode_count;
    char below[512];
    struct figure_sheets sheets;
    if (figure_sheets_open(&sheets, source->folder, figure->name) < 0)
        return -1;
    FILE *out = sheets.script.stream, *data = sheets.data.stream;
    for (size_t m = 0; m < mode_count; m++) {
        fprintf(data, "# %s: place, mean speedup in %%, label\n", modes[m]);
        for (size_t b = 0; b < bars; b++) {
            const struct table_line *line = find_line(source->table, figure, modes[m], names[b]);
            if (!line || line->shapes == 0)
                continue;
            double percent = 100 * line->mean;
            low = fmin(low, percent);
            high = fmax(high, percent);
            shapes = line->shapes > shapes ? line->shapes : shapes;
            fprintf(data, "%.9g %.9g \"%+.1f %%\"\n",
                    (double)b + ((double)m - (double)(mode_count - 1) / 2) * width, percent,
                    percent);
        }
        fputs(FIGURE_OUTSIDE " \"\"\n\n\n", data);
    }
    if (high - low <= 0)
        high = 1;
    const double room = 0.12 * (high - low);
    figure_put_terminals(out, figure->name);
    snprintf(below, sizeof below, "%s, mean over %zu shape%s", source->where, shapes,
             shapes == 1 ? "" : "s");
    figure_put_title(out, "set title ", figure, below);
    fprintf(out, "set ylabel \"mean speedup in %% (0 = as fast as the baseline)\"\n");
    fprintf(out, "set xrange [-0.6:%.9g]\nset yrange [%.9g:%.9g]\n", (double)bars - 0.4,
            low < 0 ? low - room : -room / 4, high > 0 ? high + room : room / 4);
    fputs("set xtics scale 0 (", out);
    for (size_t b = 0; b < bars; b++) {
        fputs(b ? ", " : "", out);
        gnuplot_put_string(out, names[b]);
        fprintf(out, " %zu", b);
    }
    fprintf(out,
            ")%s\nset xzeroaxis lt 1 lw 2 lc rgb '#404040'\nset bmargin 5\nset boxwidth %.9g\n",
            bars > 6 ? " rotate by -20" : "", 0.92 * width);
    fputs("plot ", out);
    for (size_t m = 0; m < mode_count; m++) {
        fputs(m ? ", \\\n  " : "", out);
        gnuplot_put_string(out, figure->name);
        fprintf(out, ".'.dat' index %zu using 1:2 with boxes lc rgb '%s' title ", m,
                figure_colours[m % FIGURE_COLOURS]);
        gnuplot_put_string(out, modes[m]);
        for (int negative = 0; negative < 2; negative++)
            fprintf(out,
                    ", \\\n  '' index %zu using 1:($2 %s 0 ? $2 : 1/0):3 with labels offset 0,%s "
                    "notitle",
                    m, negative ? "<" : ">=", negative ? "-0.8" : "0.8");
    }
    fputs("\nunset output\n}\n", out);
    return figure_sheets_commit(&sheets);
}
