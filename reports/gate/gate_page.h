/* What a gate says, as a document: summary.md, gate.csv and what the terminal shows are laid out of
 * it. */
#ifndef REPORTS_GATE_GATE_PAGE_H
#define REPORTS_GATE_GATE_PAGE_H

#include "reports/gate/gate_result.h"
#include "reports/page/document.h"

/* Rows that Markdown shows at most (0: all): those that need a look, with a share of that of
 * warnings and totals, and those that are the same or faster. */
struct gate_page_most {
    size_t rows, fine;
};

/* Its table "gate" is gate.csv: every row in the gate's order. The caller frees; NULL without
 * memory. */
struct document *gate_page(const struct gate *gate, struct gate_page_most most);

#endif
