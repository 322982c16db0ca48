/* A shape in data: its sizes as three columns, where pages show "MxNxK" as one. */
#ifndef REPORTS_PAGE_SHAPE_COLUMNS_H
#define REPORTS_PAGE_SHAPE_COLUMNS_H

#include "bench/base/shape.h"
#include "reports/page/document.h"

/* Three elements of an array of struct document_column. */
#define SHAPE_COLUMN(size)                                                                         \
    { .name = size, .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA }
#define SHAPE_COLUMNS SHAPE_COLUMN("m"), SHAPE_COLUMN("n"), SHAPE_COLUMN("k")

/* Their cells. */
void shape_cells(struct document *page, struct shape shape);

#endif
