/* Functions of groups that SQLite lacks. */
#include <math.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "reports/query/query.h"
#include "timing/stats.h"

/* The values of a group; zeroed before its first. */
struct group {
    double *values;
    size_t count;
    double share; /* of a quantile */
};

static void take(sqlite3_context *context, int count, sqlite3_value **arguments) {
    struct group *group = sqlite3_aggregate_context(context, sizeof *group);
    if (!group)
        sqlite3_result_error_nomem(context);
    else
        group->share = count > 1 ? sqlite3_value_double(arguments[1]) : 0.5;
    if (!group || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    group->values = need_more(group->values, group->count, sizeof *group->values);
    group->values[group->count++] = sqlite3_value_double(arguments[0]);
}

/* Of no values it is NULL. */
static void end(sqlite3_context *context, double (*summary)(const struct group *group)) {
    struct group *group = sqlite3_aggregate_context(context, 0);
    if (!group || group->count == 0)
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, summary(group));
    free(group ? group->values : NULL);
}

static double geomean(const struct group *group) {
    for (size_t i = 0; i < group->count; i++)
        group->values[i] = log(group->values[i]);
    return exp(stats_mean(group->values, group->count));
}

static void end_geomean(sqlite3_context *context) {
    end(context, geomean);
}

static double quantile(const struct group *group) {
    stats_sort(group->values, group->count);
    return stats_quantile_sorted(group->values, group->count, group->share);
}

static void end_quantile(sqlite3_context *context) {
    end(context, quantile);
}

static void take_log2(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, log2(sqlite3_value_double(arguments[0])));
}

int query_functions(sqlite3 *db) {
    static const struct {
        const char *name;
        int arguments;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
        void (*end)(sqlite3_context *); /* of a group; NULL: a function of one value */
    } functions[] = {{"geomean", 1, take, end_geomean},
                     {"median", 1, take, end_quantile},
                     {"quantile", 2, take, end_quantile},
                     {"log2", 1, take_log2, NULL}};
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && status == SQLITE_OK; i++)
        status = sqlite3_create_function(
            db, functions[i].name, functions[i].arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
            functions[i].end ? NULL : functions[i].function,
            functions[i].end ? functions[i].function : NULL, functions[i].end);
    return status;
}
