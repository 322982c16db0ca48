/* What a field says, as a document and as a C header. */
#ifndef REPORTS_COMPARE_FIELD_PAGE_H
#define REPORTS_COMPARE_FIELD_PAGE_H

#include <stdio.h>

#include "reports/compare/field.h"
#include "reports/page/document.h"

/* The winner of each shape (table "winners"). The caller frees. */
struct document *field_winners_page(const struct field *field, const struct field_run *runs);

/* The same as a C header with a function that finds the winner of a shape. */
void field_write_header(FILE *out, const struct field *field, const struct field_run *runs);

#endif
