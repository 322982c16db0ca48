#include "reports/page/ratio_figure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/plot.h"

/* More points than these are no list that anybody reads. A list is as wide as page.css takes it for
 * one, and a line of it so high. */
enum { LISTED = 40, WIDTH = 560, LINE = 28, AROUND = 180, FONT = 14 };

/* Letters of a label, of its beginning and its end where it is longer; and by what the font's letters
 * take at most on average, pixels of one of them and of the number at a tick with room around it. */
enum { LONGEST = 40, BEGINNING = 24, END = 15, LETTER = 9, TICK = 50 };

/* What is drawn. */
struct drawing {
    struct plot_range sizes, ratios;
    double margin; /* the largest; NaN: none */
    size_t shown;
    bool of[VERDICT_UNDECIDED + 1], one_lens;
};

static double end_of(double end, double ratio) {
    return isfinite(end) ? end : ratio;
}

/* Ratio, ends of the interval, size, place in the list, verdict, margin. */
static struct drawing put_points(struct plot *plot, const struct ratio_point *points,
                                 size_t count) {
    struct drawing drawing = {{INFINITY, -INFINITY}, {1, 1}, NAN, 0, {false}, true};
    for (size_t i = 0; i < count; i++) {
        const struct ratio_point *p = &points[i];
        const double low = end_of(p->low, p->ratio), high = end_of(p->high, p->ratio);
        const enum verdict verdict =
            p->verdict < VERDICT_UNDECIDED ? p->verdict : VERDICT_UNDECIDED;
        drawing.one_lens = drawing.one_lens && strcmp(p->lens, points->lens) == 0;
        if (!(p->ratio > 0))
            continue;
        plot_widen(&drawing.sizes, p->size);
        plot_widen(&drawing.ratios, p->ratio);
        drawing.margin = fmax(drawing.margin, p->margin);
        if (count <= LISTED) {
            plot_widen(&drawing.ratios, low);
            plot_widen(&drawing.ratios, high);
        }
        plot_row(plot, "%.9g %.9g %.9g %.9g %zu %d %.9g", p->ratio, low, high, p->size,
                 drawing.shown++, (int)verdict, isnan(p->margin) ? 0 : p->margin);
        drawing.of[verdict] = true;
    }
    return drawing;
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

/* What stands above and below goes over the whole width, however narrow the labels leave the axis.
 */
static void put_list(struct plot *plot, const char *title, const struct ratio_point *points,
                     size_t count, const struct drawing *drawing) {
    char quoted[PLOT_QUOTED];
    size_t place = 0;
    plot_size(plot, WIDTH, (unsigned)(AROUND + LINE * drawing->shown), FONT);
    plot_set(plot, "set tmargin 3\nset label 1 %s at screen 0.5, graph 1 center offset 0,1",
             plot_quote(title, quoted));
    plot_ratio_axis(plot, 'x', drawing->ratios, tick_of(points, count, drawing));
    for (size_t i = 0; i < count; i++)
        if (points[i].ratio > 0)
            plot_tick(plot, label_of(&points[i], drawing).text, (double)place++);
    plot_set(plot,
             "set yrange [%.9g:-0.6]\nunset grid\nset bmargin 6\n"
             "set key at screen 0.5, screen 0 bottom center horizontal maxrows 1 samplen 0.5 width "
             "-1\n"
             "set label 2 \"time before / time now; right of 1 is faster\" at screen 0.5, graph 0 "
             "center offset 0,-2.6\n"
             "set arrow from first 1, graph 0 to first 1, graph 1 nohead front dt 2 lw 2 "
             "lc rgb '#404040'",
             (double)drawing->shown - 0.4);
}

static void put_cloud(struct plot *plot, const char *title, const struct drawing *drawing) {
    plot_title(plot, title, "");
    plot_ratio_axis(plot, 'y', drawing->ratios, 0);
    plot_size_axis(plot, drawing->sizes, "");
    plot_set(plot, "set ylabel \"time before / time now; above 1 is faster\"\nset bmargin 6");
    if (drawing->margin > 0)
        plot_set(plot,
                 "set object rectangle from graph 0, first %.9g to graph 1, first %.9g "
                 "fc rgb '#d8d8d8' fs solid noborder behind",
                 1 / (1 + drawing->margin), 1 + drawing->margin);
}

int ratio_figure(const char *folder, const char *name, const char *title,
                 const struct ratio_point *points, size_t count) {
    const bool listed = count <= LISTED;
    struct plot plot;
    char words[256], verdicts[32] = "";
    if (plot_open(&plot, folder, name, listed ? "list" : "cloud") < 0)
        return -1;
    const struct drawing drawing = put_points(&plot, points, count);
    if (drawing.shown == 0) {
        plot_abandon(&plot);
        return 0;
    }
    for (int verdict = 0; verdict <= VERDICT_UNDECIDED; verdict++)
        if (drawing.of[verdict])
            snprintf(verdicts + strlen(verdicts), 8, "%d ", verdict);
    plot_set(&plot, "margin = %.9g; verdicts = '%s'", drawing.margin > 0 ? drawing.margin : 0.0,
             verdicts);
    snprintf(words, sizeof words, "%s%s%s", title, drawing.one_lens ? ", " : "",
             drawing.one_lens ? points->lens : "");
    if (listed)
        put_list(&plot, words, points, count, &drawing);
    else
        put_cloud(&plot, words, &drawing);
    return plot_close(&plot) < 0 ? -1 : plot_draw(folder, name);
}
