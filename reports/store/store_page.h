/* What a store holds, as documents for `gemmgate baseline` and `gemmgate history`. The caller frees
 * them. */
#ifndef REPORTS_STORE_STORE_PAGE_H
#define REPORTS_STORE_STORE_PAGE_H

#include "reports/page/document.h"
#include "reports/store/history_series.h"

/* A line an entry. */
struct document *store_page_list(const struct store_entry *entries, size_t count);

/* All shapes on one page: how each size class has changed, every change of a level, and how the
 * newest run of each series stands beside the one before. */
struct document *store_page_changes(const struct history_series_set *set);

#endif
