/* What a gate says, as a document: summary.md, gate.html, gate.csv and what the terminal shows are
 * laid out of it. */
#ifndef REPORTS_GATE_OUTPUT_GATE_PAGE_H
#define REPORTS_GATE_OUTPUT_GATE_PAGE_H

#include <stdbool.h>

#include "reports/gate/gate_result.h"
#include "reports/page/document.h"

/* Rows that Markdown shows at most (0: all): those that need a look, with a share of that of
 * warnings and totals, and those that are the same or faster. */
struct gate_page_most {
    size_t rows, fine;
};

/* The figure of gate.html, GATE_PAGE_FIGURE.svg in the gate's folder. */
#define GATE_PAGE_FIGURE "ratios"

/* Draws it; what needs a look stands first. Returns 1, 0 where no row has a ratio, or -1 after
 * error(). */
int gate_page_draw(const char *folder, const struct gate *gate);

/* Its table "gate" is gate.csv: every row in the gate's order. The caller frees; NULL without
 * memory. */
struct document *gate_page(const struct gate *gate, struct gate_page_most most);

/* The same as gate.html, with a title and, where `drawn`, the figure. */
struct document *gate_page_html(const struct gate *gate, bool drawn);

#endif
