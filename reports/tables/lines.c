#include "reports/tables/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/need.h"

/* Where the function suite() finds the pairs of rows. */
struct source {
    const struct pairs *now, *before;
};

/* The pairs of a group of rows. */
struct suite {
    const struct pair **now, **before;
    size_t count;
};

/* suite(m, n, k, kernel, baseline, mode, lens) of a group: takes the row's pair, if it has one. */
static void take(sqlite3_context *context, int count, sqlite3_value **arguments) {
    const struct source *source = sqlite3_user_data(context);
    struct suite *suite = sqlite3_aggregate_context(context, sizeof *suite);
    const char *texts[4];
    (void)count;
    if (!suite) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (int i = 0; i < 4; i++)
        texts[i] = (const char *)sqlite3_value_text(arguments[3 + i]);
    const struct shape shape = {sqlite3_value_int64(arguments[0]),
                                sqlite3_value_int64(arguments[1]),
                                sqlite3_value_int64(arguments[2])};
    const struct pair key = pairs_key(shape, texts[0], texts[1], texts[2], texts[3]);
    const struct pair *now = pairs_find(source->now, &key, key.reference);
    const struct pair *before =
        source->before ? pairs_find(source->before, &key, key.reference) : NULL;
    if (!now || (source->before && !before))
        return;
    suite->now = need_more(suite->now, suite->count, sizeof *suite->now);
    suite->before = need_more(suite->before, suite->count, sizeof *suite->before);
    suite->now[suite->count] = now;
    suite->before[suite->count++] = before;
}

/* A member of a JSON array: null where the number is no end of an interval. */
static const char *member(double end, char text[32]) {
    snprintf(text, 32, isfinite(end) ? "%.17g" : "null", exp(end));
    return text;
}

/* The intervals of the mean over the pairs: [low, high, shapes_low, shapes_high]. */
static void end(sqlite3_context *context) {
    const struct source *source = sqlite3_user_data(context);
    struct suite *suite = sqlite3_aggregate_context(context, 0);
    char low[32], high[32], shapes_low[32], shapes_high[32], text[160];
    if (!suite || suite->count == 0)
        return;
    const struct suite_mean mean =
        estimate_mean_over(suite->now, source->before ? suite->before : NULL, suite->count);
    snprintf(text, sizeof text, "[%s,%s,%s,%s]", member(mean.low, low), member(mean.high, high),
             member(mean.shapes_low, shapes_low), member(mean.shapes_high, shapes_high));
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    free(suite->now);
    free(suite->before);
}

void lines_add(sqlite3 *db, const char *run, const struct pairs *now, const struct pairs *before) {
    struct source source = {now, before};
    if (sqlite3_create_function(db, "suite", 7, SQLITE_UTF8, &source, NULL, take, end) != SQLITE_OK)
        query_fail(db, "suite");
    query_next(query_ask(db, query_add_lines, run, NULL));
}

int lines_make(sqlite3 *db, const char *run, const struct rows *rows) {
    struct pairs pairs;
    if (pairs_take("the run", rows, &pairs) < 0)
        return -1;
    lines_add(db, run, &pairs, NULL);
    pairs_free(&pairs);
    return 0;
}
