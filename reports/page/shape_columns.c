#include "reports/page/shape_columns.h"

void shape_cells(struct document *page, struct shape shape) {
    document_count(page, (size_t)shape.m);
    document_count(page, (size_t)shape.n);
    document_count(page, (size_t)shape.k);
}
