#include "reports/store/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/page/plot.h"
#include "reports/page/ratio_figure.h"
#include "reports/page/writers.h"
#include "reports/store/history_series.h"
#include "reports/store/store_page.h"

/* Of each series its newest run beside its first, in FOLDER/history. As ratio_figure. */
static int draw_changes(const struct history_series_set *set, const char *folder) {
    struct ratio_point *points = need(set->count, sizeof *points);
    for (size_t i = 0; i < set->count; i++) {
        const struct history_series *series = &set->list[i];
        const struct history_series_point *first = series->points,
                                          *last = first + series->count - 1;
        char shape[SHAPE_TEXT];
        snprintf(points[i].label, sizeof points[i].label, "%s.%.40s",
                 shape_format(first->speed.shape, shape), first->speed.candidate);
        snprintf(points[i].lens, sizeof points[i].lens, "%.30s.%.30s", first->speed.mode,
                 first->speed.lens);
        points[i].ratio = last->ratio.ratio / first->ratio.ratio;
        points[i].low = points[i].high = points[i].margin = NAN;
        points[i].size = log2(shape_flops(first->speed.shape) / 2);
        points[i].verdict = history_series_end(series, 0) == series->count ? VERDICT_SAME
                            : points[i].ratio > 1                          ? VERDICT_FASTER
                                                                           : VERDICT_SLOWER;
    }
    const int drawn =
        ratio_figure(folder, "history", "Newest run over the first", points, set->count);
    free(points);
    return drawn;
}

/* What stands at the x axis has room for so many labels. */
enum { LABELS = 24 };

/* The runs stand side by side, as far apart as any two: those of one day do not hide each other.
 * The label is the name of the entry and the commit of its kernels. Below the axis there is room for
 * the longest of them, which stand aslant, and for the key. */
static void put_runs(struct plot *plot, const struct history_series *series) {
    const size_t step = (series->count + LABELS - 1) / LABELS;
    size_t longest = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct history_series_point *point = &series->points[i];
        char label[64] = "", quoted[PLOT_QUOTED];
        if (i % step == 0)
            snprintf(label, sizeof label, "%.40s%s%.7s", point->entry.name,
                     *point->entry.kernels ? "  " : "", point->entry.kernels);
        longest = strlen(label) > longest ? strlen(label) : longest;
        plot_row(plot, "%zu %.9g %.9g %.9g %s", i, point->ratio.ratio, point->ratio.low,
                 point->ratio.high, plot_quote(label, quoted));
    }
    plot_end(plot);
    plot_set(plot, "below%zu = %.1f", plot->panels, 4.5 + 0.3 * (double)longest);
}

/* A line across each level, then between two of them a dashed one with both in words. Words go to
 * the side that has room, and neighbours to different heights. */
static void put_levels(struct plot *plot, const struct history_series *series) {
    for (size_t first = 0, end; first < series->count; first = end) {
        end = history_series_end(series, first);
        plot_row(plot, "%.9g %.9g %zu", (double)first - 0.5,
                 history_series_level(series, first, end), end - first);
    }
    plot_end(plot);
    for (size_t i = 0, number = 0; i < series->count; i++) {
        const struct history_series_point *point = &series->points[i];
        if (!isnan(point->before))
            plot_row(plot, "%.9g %.3f %d \"%.4f → %.4f (%+.1f %%)\"", (double)i - 0.5,
                     0.95 - 0.085 * (double)(number++ % 3), 2 * i > series->count ? -1 : 1,
                     point->before, point->after, 100 * (point->after / point->before - 1));
    }
    plot_end(plot);
}

static void put_panel(struct plot *plot, const struct history_series *series) {
    const struct history_series_point *first = series->points, *last = first + series->count - 1;
    const struct pair *speed = &first->speed;
    char text[3 * RUNDIR_TEXT], shape[SHAPE_TEXT], quoted[PLOT_QUOTED];
    double low, high;
    history_series_range(series, &low, &high);
    const double room = high > low ? high - low : 0.01 * high;
    plot_set(plot, "low%zu = %.9g; high%zu = %.9g", plot->panels, low - 0.1 * room, plot->panels,
             high + 0.35 * room); /* words of the changes */
    snprintf(text, sizeof text, "time of %s /\ntime of %s", speed->reference, speed->candidate);
    plot_set(plot, "label%zu = %s", plot->panels, plot_quote(text, quoted));
    put_runs(plot, series);
    put_levels(plot, series);
    snprintf(text, sizeof text, "%s %s, %s, %s\n%s, fingerprint %s",
             shape_format(speed->shape, shape), speed->candidate, speed->mode, speed->lens,
             last->entry.device, first->entry.key);
    plot_panel(plot, text, series->count);
}

/* Of a shape a panel a series, in FOLDER/history. As ratio_figure. */
static int draw_shape(const struct history_series_set *set, const char *folder) {
    struct plot plot;
    if (plot_open(&plot, folder, "history", "history") < 0)
        return -1;
    plot_size(&plot, 1200, (unsigned)(480 * set->count), 12);
    for (size_t i = 0; i < set->count; i++)
        put_panel(&plot, &set->list[i]);
    return plot_close(&plot) < 0 ? -1 : plot_draw(folder, "history");
}

/* FOLDER/history.html with its figure. Without gnuplot the page is there, and says so. */
static int write_page(struct document *page, const struct history_series_set *set,
                      const struct history_call *call) {
    if (files_make_folder(call->folder) < 0)
        return -1;
    const int drawn = call->shape ? draw_shape(set, call->folder) : draw_changes(set, call->folder);
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "figure", "Figure");
    if (call->shape)
        document_figure(
            page, "history", "The ratio of each promoted run with its interval, and the levels",
            "Each run with its 95 % interval over visits; a change of level is dashed", drawn > 0);
    else
        document_figure(
            page, "history", "The ratio of each series in its newest run over that in its first",
            "Right of 1 the newest run is faster; a circle has not changed its level", drawn > 0);
    return write_file(call->folder, "history.html", page, NULL) < 0 || drawn < 0 ? -1 : 0;
}

int history_show(const struct history_call *call) {
    struct history_series_set set;
    if (history_series_read(call->store, call->shape, call->baseline, &set) < 0)
        return EXIT_TROUBLE;
    struct document *page = call->shape ? store_page_history(&set) : store_page_changes(&set);
    int status = call->json ? write_json(stdout, page) : write_text(stdout, page);
    if (status == 0 && call->folder)
        status = write_page(page, &set, call);
    document_free(page);
    history_series_set_free(&set);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
