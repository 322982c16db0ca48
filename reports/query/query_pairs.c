/* Pairs of a run as a table. */
#include <stdlib.h>

#include "bench/base/need.h"
#include "reports/pairs/estimate.h"
#include "reports/query/query.h"

struct pair_row {
    struct shape shape;
    const char *candidate, *baseline, *mode, *lens;
    double seconds, baseline_seconds, ratio, left_out, timed_visits, disturbed, unrecorded;
    struct spread error;
};

static const struct rows_column columns[] = {
    QUERY_SHAPE(pair_row),
    QUERY_TEXT(pair_row, candidate),
    QUERY_TEXT(pair_row, baseline),
    QUERY_TEXT(pair_row, mode),
    QUERY_TEXT(pair_row, lens),
    QUERY_NUMBER(pair_row, seconds),
    QUERY_NUMBER(pair_row, baseline_seconds),
    QUERY_NUMBER(pair_row, ratio),
    QUERY_COLUMN(pair_row, "error", NUMBER, error.variance),
    QUERY_COLUMN(pair_row, "freedom", NUMBER, error.freedom),
    QUERY_NUMBER(pair_row, left_out),
    QUERY_NUMBER(pair_row, timed_visits),
    QUERY_NUMBER(pair_row, disturbed),
    QUERY_NUMBER(pair_row, unrecorded)};
static const struct rows_file file = QUERY_ROWS("pairs", pair_row, columns);

void query_add_pairs(sqlite3 *db, const char *run, const struct pairs *pairs) {
    struct pair_row *rows = need(pairs->count, sizeof *rows);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->list[i];
        rows[i] = (struct pair_row){.shape = pair->shape,
                                    .candidate = pair->candidate,
                                    .baseline = pair->reference,
                                    .mode = pair->mode,
                                    .lens = pair->lens,
                                    .seconds = pair->seconds,
                                    .baseline_seconds = pair->reference_seconds,
                                    .ratio = estimate_pair(pair).ratio,
                                    .error = estimate_error(pair),
                                    .left_out = pair->left_out,
                                    .timed_visits = pair->timed_visits,
                                    .disturbed = estimate_disturbed(pair),
                                    .unrecorded = pair->unrecorded};
    }
    query_add(db, &file, run, rows, pairs->count);
    free(rows);
}
