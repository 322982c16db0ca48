#include "reports/store/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
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

/* FOLDER/history.html with its figure. Without gnuplot the page is there, and says so. */
static int write_page(struct document *page, const struct history_series_set *set,
                      const struct history_call *call) {
    if (files_make_folder(call->folder) < 0)
        return -1;
    const int drawn = draw_changes(set, call->folder);
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "figure", "Figure");
    document_figure(
        page, "history", "The ratio of each series in its newest run over that in its first",
        "Right of 1 the newest run is faster; a circle has not changed its level", drawn > 0);
    return write_file(call->folder, "history.html", page, NULL) < 0 || drawn < 0 ? -1 : 0;
}

int history_show(const struct history_call *call) {
    struct history_series_set set;
    if (history_series_read(call->store, call->baseline, &set) < 0)
        return EXIT_TROUBLE;
    struct document *page = store_page_changes(&set);
    int status = call->json ? write_json(stdout, page) : write_text(stdout, page);
    if (status == 0 && call->folder)
        status = write_page(page, &set, call);
    document_free(page);
    history_series_set_free(&set);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
