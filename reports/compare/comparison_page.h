/* What a comparison says, as a document: compare.csv, compare.md, compare.html and what the
 * terminal shows are laid out of it. */
#ifndef REPORTS_COMPARE_COMPARISON_PAGE_H
#define REPORTS_COMPARE_COMPARISON_PAGE_H

#include <stdbool.h>

#include "reports/compare/comparison.h"
#include "reports/page/document.h"

/* A table of the totals, "totals"; it stays open for document_most. */
void comparison_put_totals(struct document *page, const struct comparison_total *totals,
                           size_t count);

/* Whether kernels of the new release were refused; then how many, and which is the first. */
#define COMPARISON_REFUSED (ROWS_CHECK_TEXT + 128)
bool comparison_refused(const struct comparison *comparison, char text[COMPARISON_REFUSED]);

/* The figure of compare.html, COMPARISON_FIGURE.svg in its folder: the slowest first. Returns 1, 0
 * where no row has a ratio, or -1 after error(). */
#define COMPARISON_FIGURE "ratios"
int comparison_draw(const char *folder, const struct comparison *comparison);

/* Its table "shapes" is compare.csv: what was refused, then every row in the comparison's order.
 * drawn: the figure is there. The caller frees. */
struct document *comparison_page(const struct comparison *comparison,
                                 const struct comparison_total *totals, size_t total_count,
                                 bool drawn);

#endif
