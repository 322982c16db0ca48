/* What a field says, as documents and as a C header. */
#ifndef REPORTS_COMPARE_FIELD_PAGE_H
#define REPORTS_COMPARE_FIELD_PAGE_H

#include <stdio.h>

#include "reports/compare/field.h"
#include "reports/page/document.h"

/* Ranks over all shapes (table "ranks") and on each of them ("shapes": compare.csv). The caller
 * frees; NULL without memory. */
struct document *field_page(const struct field *field, const struct field_run *runs,
                            const struct field_total *totals, size_t total_count);

/* The winner of each shape (table "winners"). */
struct document *field_winners_page(const struct field *field, const struct field_run *runs);

/* The same as a C header with a function that finds the winner of a shape. */
void field_write_header(FILE *out, const struct field *field, const struct field_run *runs);

#endif
