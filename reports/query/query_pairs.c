/* Pairs of a run as a table. */
#include <stdlib.h>

#include "bench/base/need.h"
#include "reports/query/query.h"

#define PAIRS(TEXT, NUMBER, SIZE)                                                                  \
    SIZE(m, pair->shape.m)                                                                         \
    SIZE(n, pair->shape.n)                                                                         \
    SIZE(k, pair->shape.k)                                                                         \
    TEXT(candidate, pair->candidate)                                                               \
    TEXT(baseline, pair->reference)                                                                \
    TEXT(mode, pair->mode)                                                                         \
    TEXT(lens, pair->lens)                                                                         \
    NUMBER(seconds, pair->seconds)                                                                 \
    NUMBER(baseline_seconds, pair->reference_seconds)                                              \
    NUMBER(ratio, estimate_over(pair, NULL).ratio)                                                 \
    NUMBER(error, estimate_error(pair).variance)                                                   \
    NUMBER(freedom, estimate_error(pair).freedom)                                                  \
    NUMBER(left_out, pair->left_out)                                                               \
    NUMBER(timed_visits, pair->timed_visits)                                                       \
    NUMBER(disturbed, estimate_disturbed(pair))                                                    \
    NUMBER(unrecorded, pair->unrecorded)
QUERY_LIST(pair_row, "pairs", PAIRS)

void query_add_pairs(sqlite3 *db, const char *run, const struct pairs *pairs) {
    struct pair_row *rows = need(pairs->count, sizeof *rows);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->list[i];
        rows[i] = (struct pair_row)QUERY_VALUES(PAIRS);
    }
    query_add(db, pair_row_file(), run, rows, pairs->count);
    free(rows);
}
