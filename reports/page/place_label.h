/* Where a number was taken, for readers of a page: a word beside the number, and a sentence under
 * the table. */
#ifndef REPORTS_PAGE_PLACE_LABEL_H
#define REPORTS_PAGE_PLACE_LABEL_H

#include "reports/page/document.h"

/* Labels the cell that was added last. place: a word of words_places. */
void place_label(struct document *page, const char *place);

/* What the label means, where the table that was filled last has one. */
void place_explain(struct document *page);

#endif
