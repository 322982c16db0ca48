#include "reports/page/ratio_figure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/figure_axes.h"
#include "reports/page/gnuplot.h"

/* More points than these are no list that anybody reads. A list is as wide as page.css takes it for
 * one, and a line of it so high. */
enum { LISTED = 40, WIDTH = 560, LINE = 28, AROUND = 180, FONT = 14 };

/* Letters of a label, of its beginning and its end where it is longer; and by what the font's letters
 * take at most on average, pixels of one of them and of the number at a tick with room around it. */
enum { LONGEST = 40, BEGINNING = 24, END = 15, LETTER = 9, TICK = 50 };

/* By verdict. */
static const struct {
    const char *form, *colour;
} marks[] = {[VERDICT_FASTER] = {"pt 9 ps 1.5", FIGURE_CANDIDATE},
             [VERDICT_SAME] = {"pt 7 ps 1", FIGURE_GREY},
             [VERDICT_SLOWER] = {"pt 11 ps 1.5", FIGURE_LIBRARY},
             [VERDICT_UNDECIDED] = {"pt 6 ps 1.2 lw 2", FIGURE_DARK}};
enum { VERDICTS = sizeof marks / sizeof *marks };

/* What is drawn. */
struct drawing {
    struct figure_range sizes, ratios, margins;
    size_t shown, of[VERDICTS];
    bool one_lens;
};

static double end_of(double end, double ratio) {
    return isfinite(end) ? end : ratio;
}

/* Ratio, ends of the interval, size, place in the list, verdict, margin. */
static struct drawing put_points(FILE *data, const struct ratio_point *points, size_t count) {
    struct drawing drawing = {{INFINITY, -INFINITY}, {1, 1}, {INFINITY, -INFINITY}, 0, {0}, true};
    for (size_t i = 0; i < count; i++) {
        const struct ratio_point *p = &points[i];
        const double low = end_of(p->low, p->ratio), high = end_of(p->high, p->ratio);
        drawing.one_lens = drawing.one_lens && strcmp(p->lens, points->lens) == 0;
        if (!(p->ratio > 0))
            continue;
        figure_widen(&drawing.sizes, p->size);
        figure_widen(&drawing.ratios, p->ratio);
        figure_widen(&drawing.margins, p->margin);
        if (count <= LISTED) {
            figure_widen(&drawing.ratios, low);
            figure_widen(&drawing.ratios, high);
        }
        fprintf(data, "%.9g %.9g %.9g %.9g %zu %d %.9g\n", p->ratio, low, high, p->size,
                drawing.shown++, (int)p->verdict, isnan(p->margin) ? 0 : p->margin);
        drawing.of[p->verdict]++;
    }
    return drawing;
}

/* The points of each verdict that there is; x and y are columns. */
static void put_marks(FILE *out, const struct drawing *drawing, const char *x, const char *y) {
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        if (drawing->of[verdict] > 0)
            fprintf(out,
                    ", \\\n  '' using ($6==%d ? %s : 1/0):%s with points %s lc rgb '%s' title '%s'",
                    verdict, x, y, marks[verdict].form, marks[verdict].colour,
                    verdict_word((enum verdict)verdict));
    fputc('\n', out);
}

/* "SHAPE.KERNEL MARK LENS", the lens where there are several; of a long one the middle is left out. */
struct label {
    char text[192];
};

static struct label label_of(const struct ratio_point *point, const struct drawing *drawing) {
    char whole[sizeof point->label + sizeof point->lens];
    struct label label;
    snprintf(whole, sizeof whole, "%s%s%s", point->label, drawing->one_lens ? "" : " ",
             drawing->one_lens ? "" : point->lens);
    const size_t length = strlen(whole);
    size_t begins = BEGINNING, ends = length > END ? length - END : 0;
    while (begins > 0 && (whole[begins] & 0xc0) == 0x80) /* inside of a character */
        begins--;
    while ((whole[ends] & 0xc0) == 0x80)
        ends++;
    if (length > LONGEST)
        snprintf(label.text, sizeof label.text, "%.*s…%s", (int)begins, whole, whole + ends);
    else
        snprintf(label.text, sizeof label.text, "%s", whole);
    return label;
}

/* The share of a list's axis that the number at a tick takes. */
static double tick_of(const struct ratio_point *points, size_t count,
                      const struct drawing *drawing) {
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        const struct label label = label_of(&points[i], drawing);
        longest = strlen(label.text) > longest ? strlen(label.text) : longest;
    }
    return TICK / (WIDTH - LETTER * (double)longest);
}

static void put_list(FILE *out, const char *name, const struct ratio_point *points, size_t count,
                     const struct drawing *drawing) {
    const char *comma = "";
    size_t place = 0;
    fputs("set ytics scale 0 (", out);
    for (size_t i = 0; i < count; i++) {
        const struct label label = label_of(&points[i], drawing);
        if (!(points[i].ratio > 0))
            continue;
        fputs(comma, out);
        comma = ", ";
        gnuplot_put_string(out, label.text);
        fprintf(out, " %zu", place++);
    }
    /* What stands above and below goes over the whole width, however narrow the labels leave the
     * axis. */
    fprintf(
        out,
        ")\nset yrange [%.9g:-0.6]\nunset grid\nset bmargin 6\n"
        "set key at screen 0.5, screen 0 bottom center horizontal maxrows 1 samplen 0.5 width -1\n"
        "set label 2 \"time before / time now; right of 1 is faster\" at screen 0.5, graph 0 "
        "center offset 0,-2.6\n"
        "set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead front dt 2 lw 2 lc rgb "
        "'" FIGURE_GREY "'\nplot ",
        (double)drawing->shown - 0.4);
    gnuplot_put_string(out, name);
    fprintf(out,
            ".'.dat' using 1:5:(1/(1+$7)):(1+$7):($5-0.5):($5+0.5) with boxxyerror lc rgb "
            "'" FIGURE_PALE "' %s, \\\n  '' using 2:5:($3-$2):(0) with vectors nohead lw 2.5 "
            "lc rgb '" FIGURE_DARK "' notitle",
            drawing->margins.high > 0 ? "title 'margin'" : "notitle");
    put_marks(out, drawing, "$1", "5");
}

static void put_cloud(FILE *out, const char *name, const struct drawing *drawing) {
    fprintf(out,
            "set ylabel \"time before / time now; above 1 is faster\"\n"
            "set xlabel \"size of the product, log2(M·N·K)\"\nset xrange [%.9g:%.9g]\n"
            "set bmargin 6\n",
            floor(drawing->sizes.low) - 0.5, ceil(drawing->sizes.high) + 0.5);
    const double margin = drawing->margins.high;
    if (margin > 0)
        fprintf(out,
                "set object rectangle from graph 0, first %.9g to graph 1, first %.9g fc rgb "
                "'" FIGURE_PALE "' fs solid noborder behind\n",
                1 / (1 + margin), 1 + margin);
    fputs("plot ", out);
    gnuplot_put_string(out, name);
    fprintf(out,
            ".'.dat' using 4:(1) with lines dt 2 lw 2 lc rgb '" FIGURE_GREY "' title 'as before%s'",
            margin > 0 ? ", within the margin" : "");
    put_marks(out, drawing, "$4", "1");
}

int ratio_figure(const char *folder, const char *name, const char *title,
                 const struct ratio_point *points, size_t count) {
    const bool listed = count <= LISTED;
    struct figure_sheets sheets;
    if (figure_sheets_open(&sheets, folder, name) < 0)
        return -1;
    const struct drawing drawing = put_points(sheets.data.stream, points, count);
    if (drawing.shown == 0) {
        figure_sheets_abandon(&sheets);
        return 0;
    }
    FILE *out = sheets.script.stream;
    char words[256];
    if (listed)
        figure_put_sized(out, name, WIDTH, (unsigned)(AROUND + LINE * drawing.shown), FONT);
    else
        figure_put_terminals(out, name);
    snprintf(words, sizeof words, "%s%s%s", title, drawing.one_lens ? ", " : "",
             drawing.one_lens ? points->lens : "");
    fputs(listed ? "set tmargin 3\nset label 1 " : "set title ", out);
    gnuplot_put_string(out, words);
    fputs(listed ? " at screen 0.5, graph 1 center offset 0,1\n" : "\n", out);
    figure_put_ratio_axis(out, listed ? "x" : "y", drawing.ratios,
                          listed ? tick_of(points, count, &drawing) : 0);
    if (listed)
        put_list(out, name, points, count, &drawing);
    else
        put_cloud(out, name, &drawing);
    fputs("unset output\n}\n", out);
    return figure_sheets_commit(&sheets) < 0 || figure_draw_both(folder, name) < 0 ? -1 : 1;
}
