/* Made-up ratios of one visit. */
#ifndef TESTS_SUPPORT_ONE_VISIT_H
#define TESTS_SUPPORT_ONE_VISIT_H

#include "reports/rows/rows.h"

/* Adds to rows without visits the one that each ratio is of. */
static inline void one_visit(struct rows *rows) {
    for (size_t i = 0, count = rows->visit_count ? 0 : rows->ratio_count; i < count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (row->ratio > 0)
            rows_add_visit(rows, &(struct visit_row){.shape = row->shape,
                                                     .candidate = row->candidate,
                                                     .baseline = row->baseline,
                                                     .mode = row->mode,
                                                     .lens = row->lens,
                                                     .ratio = row->ratio});
    }
}

#endif
