#include "reports/gate/gate_audits.h"

#include <string.h>

static bool is_warning(const struct audit_row *row) {
    return strcmp(row->level, "warn") == 0 && strcmp(row->kernel, row->candidate) == 0;
}

static bool is_like(const struct audit_row *row, const struct audit_row *like) {
    return is_warning(row) && strcmp(row->finding, like->finding) == 0;
}

/* Kernels that have the finding of the row, which is its first; those of a unit follow each other.
 */
static size_t count_kernels(const struct rows *rows, const struct audit_row *first) {
    const struct audit_row *last = NULL, *end = rows->audits + rows->audit_count;
    size_t kernels = 0;
    for (const struct audit_row *row = first; row < end; row++) {
        if (!is_like(row, first))
            continue;
        kernels += !last || shape_compare(last->shape, row->shape) != 0 ||
                   strcmp(last->candidate, row->candidate) != 0;
        last = row;
    }
    return kernels;
}

void gate_audits_warn(const struct rundir *run, struct gate *gate) {
    const struct rows *rows = &run->rows;
    for (size_t i = 0; i < rows->audit_count; i++) {
        const struct audit_row *row = &rows->audits[i];
        bool told = !is_warning(row);
        char shape[SHAPE_TEXT];
        for (size_t j = 0; j < i && !told; j++)
            told = is_like(&rows->audits[j], row);
        if (!told)
            gate_warn(gate,
                      "the audits warn of %s in %zu of %zu kernels; the first: %s %.60s: %.250s",
                      row->finding, count_kernels(rows, row), gate->units,
                      shape_format(row->shape, shape), row->candidate, row->text);
    }
}
