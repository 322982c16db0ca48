#include "reports/rows/recording_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct recording_row recording_rows_begin(struct shape shape, const char *candidate,
                                          const char *kernel, int number) {
    struct recording_row row = {.shape = shape, .number = number, .result = "no"};
    row.calls = row.same_calls = row.seconds = NAN;
    snprintf(row.candidate, sizeof row.candidate, "%s", candidate);
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    return row;
}

bool recording_rows_same_work(const struct recording_row *row) {
    return *row->kernels && strcmp(row->kernels, row->own_kernels) == 0;
}

const struct recording_row *recording_rows_last(const struct rows *rows, struct shape shape,
                                                const char *candidate, const char *kernel) {
    const struct recording_row *last = NULL, *row = NULL;
    while ((row = rows_next(rows, ROWS_RECORDINGS, shape, row)))
        if (strcmp(row->candidate, candidate) == 0 && strcmp(row->kernel, kernel) == 0)
            last = row;
    return last;
}

bool recording_rows_accuse(const struct rows *rows, struct shape shape, const char *candidate,
                           const char *kernel) {
    const struct recording_row *last = recording_rows_last(rows, shape, candidate, kernel);
    return last && strcmp(last->result, "wrong") == 0;
}
