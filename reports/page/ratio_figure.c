#include "reports/page/ratio_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/figure_axes.h"
#include "reports/page/gnuplot.h"

/* More points than these are no list that anybody reads. */
enum { LISTED = 40 };

/* Ratio, ends of the interval, size, place in the list, 1 where it needs a look. */
static size_t put_points(FILE *data, const struct ratio_point *points, size_t count,
                         struct figure_range *x, struct figure_range *ratios) {
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ratio_point *p = &points[i];
        const double low = isfinite(p->low) ? p->low : p->ratio,
                     high = isfinite(p->high) ? p->high : p->ratio;
        if (!(p->ratio > 0))
            continue;
        figure_widen(x, p->size);
        figure_widen(ratios, p->ratio);
        if (count <= LISTED) {
            figure_widen(ratios, low);
            figure_widen(ratios, high);
        }
        fprintf(data, "%.9g %.9g %.9g %.9g %zu %d\n", p->ratio, low, high, p->size, shown++,
                p->loud);
    }
    return shown;
}

/* What follows the last space in all labels: the title says it once. NULL where they differ. */
static const char *common_tail(const struct ratio_point *points, size_t count) {
    const char *tail = count > 0 ? strrchr(points[0].label, ' ') : NULL;
    for (size_t i = 1; tail && i < count; i++) {
        const char *other = strrchr(points[i].label, ' ');
        if (!other || strcmp(other, tail) != 0)
            return NULL;
    }
    return tail;
}

static void put_list(FILE *out, const char *name, const struct ratio_point *points, size_t count,
                     size_t shown) {
    const char *tail = common_tail(points, count);
    const char *comma = "";
    size_t place = 0;
    fputs("set ytics scale 0 (", out);
    for (size_t i = 0; i < count; i++) {
        if (!(points[i].ratio > 0))
            continue;
        fputs(comma, out);
        comma = ", ";
        char label[sizeof points[i].label];
        snprintf(label, sizeof label, "%.*s",
                 (int)(strlen(points[i].label) - (tail ? strlen(tail) : 0)), points[i].label);
        gnuplot_put_string(out, label);
        fprintf(out, " %zu", place++);
    }
    fprintf(out,
            ")\nset yrange [%.9g:-0.6]\nset grid x\n"
            "set xlabel \"time before / time now; right of 1 is faster\"\n"
            "set arrow from first 1, graph 0 to first 1, graph 1 nohead dt 2 lw 2 lc rgb "
            "'" FIGURE_GREY "'\nplot ",
            (double)shown - 0.4);
    gnuplot_put_string(out, name);
    fputs(".'.dat' using 2:5:($3-$2):(0) with vectors nohead lw 2.5 lc rgb '" FIGURE_DARK
          "' notitle, \\\n  '' using ($6==0 ? $1 : 1/0):5 with points pt 7 ps 1.2 lc rgb "
          "'" FIGURE_CANDIDATE "' notitle, \\\n  '' using ($6==1 ? $1 : 1/0):5 with points pt 6 ps "
          "1.6 lw 3 lc rgb '" FIGURE_CANDIDATE "' notitle\n",
          out);
}

static void put_cloud(FILE *out, const char *name, struct figure_range x) {
    fprintf(out,
            "set ylabel \"time before / time now; above 1 is faster\"\n"
            "set xlabel \"size of the product, log2(M·N·K)\"\nset xrange [%.9g:%.9g]\n"
            "set bmargin 6\nplot ",
            floor(x.low) - 0.5, ceil(x.high) + 0.5);
    gnuplot_put_string(out, name);
    fputs(".'.dat' using ($6==0 ? $4 : 1/0):1 with points pt 7 ps 0.6 lc rgb '" FIGURE_CANDIDATE
          "' title 'kernel', \\\n  '' using ($6==1 ? $4 : 1/0):1 with points pt 6 ps 1.6 lw 3 lc "
          "rgb '" FIGURE_CANDIDATE "' title 'needs a look', \\\n  1 with lines dt 2 lw 2 lc rgb "
          "'" FIGURE_GREY "' title 'as before'\n",
          out);
}

int ratio_figure(const char *folder, const char *name, const char *title,
                 const struct ratio_point *points, size_t count) {
    struct figure_sheets sheets;
    struct figure_range x = {INFINITY, -INFINITY}, ratios = {1, 1};
    if (figure_sheets_open(&sheets, folder, name) < 0)
        return -1;
    const size_t shown = put_points(sheets.data.stream, points, count, &x, &ratios);
    if (shown == 0) {
        figure_sheets_abandon(&sheets);
        return 0;
    }
    FILE *out = sheets.script.stream;
    figure_put_terminals(out, name);
    const char *tail = count <= LISTED ? common_tail(points, count) : NULL;
    char words[256];
    snprintf(words, sizeof words, "%s%s%s", title, tail ? "," : "", tail ? tail : "");
    fputs("set title ", out);
    gnuplot_put_string(out, words);
    fputc('\n', out);
    figure_put_ratio_axis(out, count <= LISTED ? "x" : "y", ratios);
    if (count <= LISTED)
        put_list(out, name, points, count, shown);
    else
        put_cloud(out, name, x);
    fputs("unset output\n}\n", out);
    return figure_sheets_commit(&sheets) < 0 || figure_draw_both(folder, name) < 0 ? -1 : 1;
}
