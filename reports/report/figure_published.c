/* Figure 5: speedup as published and as measured here, shape by shape. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/report/figure_parts.h"

static void put_pairs(FILE *data, const struct published_line *line, struct figure_range *both) {
    fprintf(data, "# %s: speedup there and here, one shape a line\n", line->of->mode);
    for (size_t i = 0; i < line->shapes; i++) {
        const double there = 1 + line->pairs[i].theirs->speedup,
                     here = 1 + line->pairs[i].ours->speedup;
        figure_widen(both, there);
        figure_widen(both, here);
        fprintf(data, "%.9g %.9g\n", there, here);
    }
    fputs("\n\n", data);
}

int figure_published(const struct figure_source *source, const struct figure *figure,
                     const struct published_line *const *lines, size_t count) {
    struct figure_range both = {1, 1};
    char below[2304];
    struct figure_sheets sheets;
    if (figure_sheets_open(&sheets, source->folder, figure->name) < 0)
        return -1;
    FILE *out = sheets.script.stream;
    for (size_t m = 0; m < count; m++)
        put_pairs(sheets.data.stream, lines[m], &both);
    snprintf(below, sizeof below, "there: %s\nhere: %s", source->published->where, source->where);
    figure_put_terminals(out, figure->name);
    fprintf(out, "set multiplot layout 1,%zu ", count);
    figure_put_title(out, "title ", figure, below);
    fprintf(out,
            "set xlabel \"ratio there\"\nset ylabel \"ratio here\"\nset size square\nset key top "
            "left\n"
            "set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb '" FIGURE_GREY "'\n"
            "set arrow from first 1, graph 0 to first 1, graph 1 nohead lc rgb '" FIGURE_GREY
            "'\n");
    figure_put_ratio_axis(out, "x", both, FIGURE_LABEL);
    figure_put_ratio_axis(out, "y", both, 0);
    for (size_t m = 0; m < count; m++) {
        figure_begin_panel(out, figure, lines[m]->of->mode, lines[m]->shapes);
        fprintf(out,
                ".'.dat' index %zu using 1:2 with points pt 7 ps %s lc rgb '" FIGURE_CANDIDATE
                "' title 'shape', \\\n"
                "  x with lines dt 2 lw 2 lc rgb '" FIGURE_GREY "' title 'as published'\n",
                m, figure_point_size(lines[m]->shapes));
    }
    fputs("unset multiplot\nunset output\n}\n", out);
    return figure_sheets_commit(&sheets);
}
