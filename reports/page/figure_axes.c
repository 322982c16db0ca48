#include "reports/page/figure_axes.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>

#include "reports/page/gnuplot.h"

int figure_sheets_open(struct figure_sheets *sheets, const char *folder, const char *name) {
    char file[NAME_MAX + 1];
    snprintf(file, sizeof file, "%.200s.gp", name);
    if (file_open(&sheets->script, folder, file) < 0)
        return -1;
    snprintf(file, sizeof file, "%.200s.dat", name);
    if (file_open(&sheets->data, folder, file) < 0) {
        file_abandon(&sheets->script);
        return -1;
    }
    return 0;
}

int figure_sheets_commit(struct figure_sheets *sheets) {
    int data = file_commit(&sheets->data), script = file_commit(&sheets->script);
    return data < 0 || script < 0 ? -1 : 0;
}

void figure_sheets_abandon(struct figure_sheets *sheets) {
    file_abandon(&sheets->data);
    file_abandon(&sheets->script);
}

void figure_put_sized(FILE *out, const char *name, unsigned width, unsigned height, unsigned font) {
    fputs(gnuplot_preamble, out);
    fprintf(out,
            "do for [kind in \"png svg\"] {\n"
            "if (kind eq \"png\") { set terminal pngcairo size %u,%u font \"DejaVu Sans,%u\" "
            "noenhanced background rgb 'white' }\n"
            "else { set terminal svg size %u,%u dynamic font \"DejaVu Sans,Arial,sans-serif,%u\" "
            "noenhanced background rgb 'white' }\nset output ",
            width, height, font, width, height, font);
    gnuplot_put_string(out, name);
    fputs(".'.'.kind\n", out);
}

void figure_put_terminals(FILE *out, const char *name) {
    figure_put_sized(out, name, 1200, 700, 12);
}

void figure_widen(struct figure_range *range, double value) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

void figure_put_ratio_axis(FILE *out, const char *axis, struct figure_range range, double label) {
    static const double fine[] = {1.02, 1.05, 1.1, 1.15, 1.2, 1.3}, middle[] = {1.1, 1.25, 1.5, 2},
                        coarse[] = {1.5, 2, 3, 4, 6}, octaves[] = {2, 4, 8, 16, 32, 64, 128, 256};
    static const struct {
        double below;
        const double *ticks;
        size_t count;
    } steps[] = {{1.3, fine, sizeof fine / sizeof *fine},
                 {2.2, middle, sizeof middle / sizeof *middle},
                 {7, coarse, sizeof coarse / sizeof *coarse},
                 {INFINITY, octaves, sizeof octaves / sizeof *octaves}};
    const double most = 1.04 * fmax(1.05, fmax(range.high, range.low > 0 ? 1 / range.low : 1));
    size_t step = 0;
    while (most >= steps[step].below)
        step++;
    const double apart = pow(most, 2 * label);
    double last = 1;
    fprintf(out, "set logscale %s 2\nset %srange [%.9g:%.9g]\nset %stics (\"1\" 1", axis, axis,
            1 / most, most, axis);
    for (size_t i = 0; i < steps[step].count; i++) {
        const double tick = steps[step].ticks[i];
        if (tick < last * apart)
            continue;
        fprintf(out, ", \"%.3g\" %.9g, \"%.3g\" %.9g", tick, tick, 1 / tick, 1 / tick);
        last = tick;
    }
    fputs(")\n", out);
}

int figure_draw_both(const char *folder, const char *name) {
    char script[NAME_MAX + 1], png[NAME_MAX + 1], svg[NAME_MAX + 1];
    snprintf(script, sizeof script, "%.200s.gp", name);
    snprintf(png, sizeof png, "%.200s.png", name);
    snprintf(svg, sizeof svg, "%.200s.svg", name);
    const char *const pictures[] = {png, svg, NULL};
    return gnuplot_draw(folder, script, pictures);
}
