#include "reports/page/waterfall_figure.h"

#include <math.h>
#include <stdio.h>

#include "reports/page/figure_axes.h"
#include "reports/page/gnuplot.h"

/* Above a bar. */
#define ROOM_FOR_WORDS 1.1

/* Place, ratio before, ratio now, ends of the interval; 0 first step, 1 up, 2 down. */
static void put_data(FILE *out, const struct waterfall_step *steps, size_t count,
                     struct figure_range *ratios) {
    double before = 1;
    for (size_t i = 0; i < count; i++) {
        const struct waterfall_step *step = &steps[i];
        const double low = isfinite(step->low) ? step->low : step->ratio,
                     high = isfinite(step->high) ? step->high : step->ratio;
        fprintf(out, "%zu %.9g %.9g %.9g %.9g %d\n", i, before, step->ratio, low, high,
                i == 0                 ? 0
                : step->ratio > before ? 1
                                       : 2);
        figure_widen(ratios, step->ratio);
        figure_widen(ratios, low);
        figure_widen(ratios, ROOM_FOR_WORDS * high);
        before = step->ratio;
    }
}

/* The ratio, and what the step has changed, over the bar. */
static void put_words(FILE *out, const struct waterfall_step *steps, size_t count) {
    double before = 1;
    for (size_t i = 0; i < count; i++) {
        const struct waterfall_step *step = &steps[i];
        const double top = fmax(fmax(before, step->ratio), isfinite(step->high) ? step->high : 0);
        char change[64] = "";
        if (i > 0)
            snprintf(change, sizeof change, "%+.1f %%\\n", 100 * (step->ratio / before - 1));
        fprintf(out, "set label %zu \"%s%.3f\" at first %zu,%.9g center offset 0,%s front\n", i + 1,
                change, step->ratio, i, top, i > 0 ? "1.7" : "0.8");
        before = step->ratio;
    }
}

static void put_plot(FILE *out, const char *name, const struct waterfall_step *steps,
                     size_t count) {
    fputs("set xtics scale 0 rotate by 30 right (", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        gnuplot_put_string(out, steps[i].label);
        fprintf(out, " %zu", i);
    }
    fprintf(out,
            ")\nset xrange [-0.6:%.9g]\nset bmargin 9\nset style fill solid 0.75 noborder\n"
            "set ylabel \"time of the library / time of the kernel; above 1 the kernel is "
            "faster\"\nset key below\n",
            (double)count - 0.4);
    static const struct {
        const char *colour, *title;
    } kinds[] = {{FIGURE_GREY, "where it begins"},
                 {FIGURE_CANDIDATE, "the step favours the kernel"},
                 {FIGURE_LIBRARY, "the step favours the library"}};
    fputs("plot ", out);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        if (kind == 0)
            gnuplot_put_string(out, name);
        fprintf(out,
                "%s using ($6==%zu ? $1 : 1/0):2:($1-0.35):($1+0.35):2:3 with boxxyerror lc rgb "
                "'%s' title '%s', \\\n  ",
                kind == 0 ? ".'.dat'" : "''", kind, kinds[kind].colour, kinds[kind].title);
    }
    fputs(
        "'' using ($1+0.35):3:(0.3):(0) with vectors nohead lw 1 lc rgb '" FIGURE_GREY
        "' notitle, \\\n  '' using 1:3:4:5 with yerrorbars pt 7 ps 0.5 lw 2.5 lc rgb '" FIGURE_DARK
        "' title '95 % over rounds', \\\n  1 with lines dt 2 lw 2 lc rgb '" FIGURE_GREY
        "' title 'equal speed'\nunset output\n}\n",
        out);
}

int waterfall_figure(const char *folder, const char *name, const char *title,
                     const struct waterfall_step *steps, size_t count) {
    struct figure_sheets sheets;
    struct figure_range ratios = {1, 1};
    if (figure_sheets_open(&sheets, folder, name) < 0)
        return -1;
    FILE *out = sheets.script.stream;
    put_data(sheets.data.stream, steps, count, &ratios);
    figure_put_terminals(out, name);
    fputs("set title ", out);
    gnuplot_put_string(out, title);
    fputc('\n', out);
    figure_put_ratio_axis(out, "y", ratios, 0);
    put_words(out, steps, count);
    put_plot(out, name, steps, count);
    return figure_sheets_commit(&sheets) < 0 ? -1 : figure_draw_both(folder, name);
}
