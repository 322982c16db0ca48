/* The picture of a history: a panel a series. */
#ifndef REPORTS_STORE_HISTORY_FIGURE_H
#define REPORTS_STORE_HISTORY_FIGURE_H

#include "reports/store/history_series.h"

enum history_kind { HISTORY_NO_FIGURE, HISTORY_PNG, HISTORY_SVG };

/* By the file's ending; HISTORY_NO_FIGURE after error(). */
enum history_kind history_figure_kind(const char *file);

/* Draws the series into the file, which appears whole or not at all. 0, or -1 after error(). */
int history_figure(const struct history_series_set *set, const char *file);

#endif
