#include "reports/page/ratio_figure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/plot.h"

/* More points than these are no list that anybody reads. */
enum { LISTED = 40 };

/* Letters of a label, of its beginning and its end where it is longer. */
enum { LONGEST = 40, BEGINNING = 24, END = 15, LABEL = 192 };

static bool one_lens(const struct ratio_point *points, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (strcmp(points[i].lens, points->lens) != 0)
            return false;
    return true;
}

/* "SHAPE.KERNEL MARK LENS", the lens where there are several; of a long one the middle is left out. */
static const char *label_of(const struct ratio_point *point, bool lens, char text[LABEL]) {
    char whole[LABEL];
    snprintf(whole, sizeof whole, "%s%s%s", point->label, lens ? " " : "", lens ? point->lens : "");
    const size_t length = strlen(whole);
    size_t begins = BEGINNING, ends = length > END ? length - END : 0;
    while (begins > 0 && (whole[begins] & 0xc0) == 0x80) /* inside of a character */
        begins--;
    while ((whole[ends] & 0xc0) == 0x80)
        ends++;
    if (length > LONGEST)
        snprintf(text, LABEL, "%.*s…%s", (int)begins, whole, whole + ends);
    else
        strcpy(text, whole);
    return text;
}

static double end_of(double end, double ratio) {
    return isfinite(end) ? end : ratio;
}

/* The rows, and what is among them. */
static void put_points(struct plot *plot, const struct ratio_point *points, size_t count) {
    const bool lenses = !one_lens(points, count);
    char label[LABEL], verdicts[32] = "";
    bool of[VERDICT_UNDECIDED + 1] = {false};
    double margin = 0;
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ratio_point *p = &points[i];
        const int verdict = p->verdict < VERDICT_UNDECIDED ? (int)p->verdict : VERDICT_UNDECIDED;
        if (!(p->ratio > 0))
            continue;
        margin = fmax(margin, p->margin);
        of[verdict] = true;
        const double numbers[] = {p->ratio,
                                  end_of(p->low, p->ratio),
                                  end_of(p->high, p->ratio),
                                  p->size,
                                  (double)shown++,
                                  verdict,
                                  isnan(p->margin) ? 0 : p->margin};
        plot_row(plot, numbers, sizeof numbers / sizeof *numbers, label_of(p, lenses, label));
    }
    for (int verdict = 0; verdict <= VERDICT_UNDECIDED; verdict++)
        if (of[verdict])
            snprintf(verdicts + strlen(verdicts), 8, "%d ", verdict);
    plot_text(plot, "verdicts", verdicts);
    plot_number(plot, "margin", margin);
    plot_number(plot, "rows", (double)shown);
}

int ratio_figure(const char *folder, const char *name, const char *title,
                 const struct ratio_point *points, size_t count) {
    char words[256];
    struct plot plot;
    size_t shown = 0;
    for (size_t i = 0; i < count; i++)
        shown += points[i].ratio > 0;
    if (shown == 0)
        return 0;
    if (plot_open(&plot, folder, name, count <= LISTED ? "list" : "cloud") < 0)
        return -1;
    put_points(&plot, points, count);
    snprintf(words, sizeof words, "%s%s%s", title, one_lens(points, count) ? ", " : "",
             one_lens(points, count) ? points->lens : "");
    plot_text(&plot, "title", words);
    return plot_close(&plot) < 0 ? -1 : plot_draw(folder, name);
}
