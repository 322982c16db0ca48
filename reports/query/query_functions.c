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
};

static void take(sqlite3_context *context, int count, sqlite3_value **arguments) {
    struct group *group = sqlite3_aggregate_context(context, sizeof *group);
    (void)count;
    if (!group)
        sqlite3_result_error_nomem(context);
    if (!group || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    group->values = need_more(group->values, group->count, sizeof *group->values);
    group->values[group->count++] = sqlite3_value_double(arguments[0]);
}

/* Of no values it is NULL. */
static void end(sqlite3_context *context, double (*summary)(double *values, size_t count)) {
    struct group *group = sqlite3_aggregate_context(context, 0);
    if (!group || group->count == 0)
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, summary(group->values, group->count));
    free(group ? group->values : NULL);
}

static double geomean(double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = log(values[i]);
    return exp(stats_mean(values, count));
}

static void end_geomean(sqlite3_context *context) {
    end(context, geomean);
}

static double median(double *values, size_t count) {
    return stats_median(values, count);
}

static void end_median(sqlite3_context *context) {
    end(context, median);
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
        void (*function)(sqlite3_context *, int, sqlite3_value **);
        void (*end)(sqlite3_context *); /* of a group; NULL: a function of one value */
    } functions[] = {
        {"geomean", take, end_geomean}, {"median", take, end_median}, {"log2", take_log2, NULL}};
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && status == SQLITE_OK; i++)
        status = sqlite3_create_function(
            db, functions[i].name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
            functions[i].end ? NULL : functions[i].function,
            functions[i].end ? functions[i].function : NULL, functions[i].end);
    return status;
}
