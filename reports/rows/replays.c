#include "reports/rows/replays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct replay_row replays_row(struct shape shape, const char *candidate, const char *kernel,
                              int number) {
    struct replay_row row = {.shape = shape, .number = number, .result = "no"};
    row.calls = row.same_calls = row.seconds = NAN;
    snprintf(row.candidate, sizeof row.candidate, "%s", candidate);
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    return row;
}

bool replays_same_work(const struct replay_row *row) {
    return *row->kernels && strcmp(row->kernels, row->native_kernels) == 0;
}

const struct replay_row *replays_last(const struct rows *rows, struct shape shape,
                                      const char *candidate, const char *kernel) {
    const struct replay_row *last = NULL, *row = NULL;
    while ((row = rows_next(rows, ROWS_REPLAYS, shape, row)))
        if (strcmp(row->candidate, candidate) == 0 && strcmp(row->kernel, kernel) == 0)
            last = row;
    return last;
}

bool replays_accuse(const struct rows *rows, struct shape shape, const char *candidate,
                    const char *kernel) {
    const struct replay_row *last = replays_last(rows, shape, candidate, kernel);
    return last && strcmp(last->result, "wrong") == 0;
}
