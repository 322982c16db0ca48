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

bool replays_none(const struct replay_row *row) {
    return strcmp(row->result, "no") == 0;
}

bool replays_right(const struct replay_row *row) {
    return strcmp(row->result, "same") == 0 || strcmp(row->result, "right") == 0;
}

bool replays_same_work(const struct replay_row *row) {
    return *row->kernels && strcmp(row->kernels, row->native_kernels) == 0;
}

static bool is_faulty(const struct replay_row *row) {
    return strcmp(row->result, "faulty") == 0;
}

static bool is_replay_of(const struct replay_row *row, const char *candidate, const char *kernel) {
    return strcmp(row->candidate, candidate) == 0 && strcmp(row->kernel, kernel) == 0;
}

const struct replay_row *replays_last(const struct rows *rows, struct shape shape,
                                      const char *candidate, const char *kernel) {
    const struct replay_row *last = NULL, *row = NULL;
    while ((row = rows_next(rows, ROWS_REPLAYS, shape, row)))
        if (is_replay_of(row, candidate, kernel) &&
            (!last || replays_right(row) || is_faulty(row) ||
             !(replays_right(last) || is_faulty(last))))
            last = row;
    return last;
}

const char *replays_accuse(const struct rows *rows, struct shape shape, const char *candidate,
                           const char *kernel) {
    size_t bits = 0, wrong = 0, varies = 0, right = 0, faulty = 0;
    const struct replay_row *row = NULL;
    while ((row = rows_next(rows, ROWS_REPLAYS, shape, row))) {
        if (!is_replay_of(row, candidate, kernel))
            continue;
        bits += strcmp(row->result, "bits") == 0;
        wrong += strcmp(row->result, "wrong") == 0;
        varies += strcmp(row->result, "varies") == 0;
        right += replays_right(row);
        faulty += is_faulty(row);
    }
    if (faulty > 0)
        return "faulty";
    if (bits + wrong + varies < REPLAYS_TRIES || right > 0)
        return "";
    return varies > 0 ? "varies" : wrong > 0 ? "wrong" : "bits";
}
