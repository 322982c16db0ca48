#include "reports/store/history.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/store/history_figure.h"
#include "reports/store/history_series.h"

enum { BAR = 32 };

/* Where a value between low and high stands in the bar. */
static int place(double value, double low, double high) {
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    return (int)lround(fmin(fmax(share, 0), 1) * (BAR - 1));
}

/* The interval as dashes and the ratio as an o in it. */
static const char *draw_bar(const struct stats_interval *ratio, double low, double high,
                            char bar[BAR + 1]) {
    memset(bar, ' ', BAR);
    bar[BAR] = 0;
    for (int i = place(ratio->low, low, high); i <= place(ratio->high, low, high); i++)
        bar[i] = '-';
    bar[place(ratio->estimate, low, high)] = 'o';
    return bar;
}

static void print_series(const struct history_series *series) {
    const struct history_series_point *first = series->points, *last = first + series->count - 1;
    char text[SHAPE_TEXT], bar[BAR + 1];
    double low, high;
    int width = 5;
    for (size_t i = 0; i < series->count; i++) {
        const int length = (int)strlen(first[i].entry.name);
        width = length > width ? length : width;
    }
    history_series_range(series, &low, &high);
    printf("%s %s, %s, %s: time of %s / time of %s\n%s, fingerprint %s\n\n",
           shape_format(first->speed.shape, text), first->speed.candidate, first->speed.mode,
           first->speed.lens, first->speed.reference, first->speed.candidate, last->entry.device,
           first->entry.key);
    printf("%-20s  %-*s  %-8s  %7s  %17s  |%-*.4f%*.4f|\n", "promoted", width, "entry", "commit",
           "ratio", "95 % interval", BAR / 2, low, BAR / 2, high);
    for (size_t i = 0; i < series->count; i++) {
        const struct history_series_point *point = &first[i];
        printf("%-20s  %-*s  %-8.8s  %7.4f  %7.4f .. %.4f  |%s|", point->entry.promoted, width,
               point->entry.name, *point->entry.commit ? point->entry.commit : "-",
               point->ratio.estimate, point->ratio.low, point->ratio.high,
               draw_bar(&point->ratio, low, high, bar));
        if (!isnan(point->before))
            printf("  * new level: %.4f -> %.4f (%+.1f %%)", point->before, point->after,
                   100 * (point->after / point->before - 1));
        putchar('\n');
    }
    if (series->count < HISTORY_SERIES_FEWEST)
        printf("fewer than %d promoted runs: no change of level can be told from chance yet\n",
               HISTORY_SERIES_FEWEST);
}

int history_show(const char *store, struct shape shape, const char *baseline, const char *figure) {
    struct history_series_set set;
    if ((figure && history_figure_kind(figure) == HISTORY_NO_FIGURE) ||
        history_series_read(store, shape, baseline, &set) < 0)
        return EXIT_TROUBLE;
    for (size_t i = 0; i < set.count; i++) {
        fputs(i ? "\n\n" : "", stdout);
        print_series(&set.list[i]);
    }
    int status = figure ? history_figure(&set, figure) : 0;
    history_series_set_free(&set);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
