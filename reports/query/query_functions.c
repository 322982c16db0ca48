/* Functions that SQLite lacks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/pairs/estimate.h"
#include "reports/query/query.h"
#include "timing/stats.h"
#include "timing/verdict.h"

/* The values of a group; zeroed before its first. */
struct group {
    double *values;
    size_t count;
    double share; /* of a quantile */
};

static void add(struct group *group, double value) {
    group->values = need_more(group->values, group->count, sizeof *group->values);
    group->values[group->count++] = value;
}

static void take(sqlite3_context *context, int count, sqlite3_value **arguments) {
    struct group *group = sqlite3_aggregate_context(context, sizeof *group);
    if (!group)
        sqlite3_result_error_nomem(context);
    else
        group->share = count > 1 ? sqlite3_value_double(arguments[1]) : 0.5;
    if (!group || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    add(group, sqlite3_value_double(arguments[0]));
}

/* One behind the other, where neither is NULL. */
static void take_pair(sqlite3_context *context, int count, sqlite3_value **arguments) {
    struct group *group = sqlite3_aggregate_context(context, sizeof *group);
    if (!group)
        sqlite3_result_error_nomem(context);
    for (int i = 0; i < count; i++)
        if (!group || sqlite3_value_type(arguments[i]) == SQLITE_NULL)
            return;
    for (int i = 0; i < count; i++)
        add(group, sqlite3_value_double(arguments[i]));
}

static double geomean(const struct group *group) {
    for (size_t i = 0; i < group->count; i++)
        group->values[i] = log(group->values[i]);
    return exp(stats_mean(group->values, group->count));
}

static double sd(const struct group *group) {
    return stats_sd(group->values, group->count);
}

static double quantile(const struct group *group) {
    stats_sort(group->values, group->count);
    return stats_quantile_sorted(group->values, group->count, group->share);
}

static double rank_correlation(const struct group *group) {
    const size_t pairs = group->count / 2;
    double *x = need(group->count, sizeof *x), *y = x + pairs;
    for (size_t i = 0; i < pairs; i++) {
        x[i] = group->values[2 * i];
        y[i] = group->values[2 * i + 1];
    }
    const double correlation = stats_rank_correlation(x, y, pairs);
    free(x);
    return correlation;
}

static const struct group_function {
    const char *name;
    int arguments;
    void (*take)(sqlite3_context *, int, sqlite3_value **);
    double (*summary)(const struct group *group);
} group_functions[] = {{"geomean", 1, take, geomean},
                       {"sd", 1, take, sd},
                       {"median", 1, take, quantile},
                       {"quantile", 2, take, quantile},
                       {"rank_correlation", 2, take_pair, rank_correlation}};

/* Of no values it is NULL. */
static void end(sqlite3_context *context) {
    const struct group_function *function = sqlite3_user_data(context);
    struct group *group = sqlite3_aggregate_context(context, 0);
    if (!group || group->count == 0)
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, function->summary(group));
    free(group ? group->values : NULL);
}

static double number_of(sqlite3_value *value) {
    return sqlite3_value_type(value) == SQLITE_NULL ? NAN : sqlite3_value_double(value);
}

static void take_reach(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    const struct spread error = {number_of(arguments[0]), number_of(arguments[1])};
    sqlite3_result_double(context, exp(estimate_half_of(error, number_of(arguments[2]))));
}

static void take_verdict(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    const enum verdict verdict =
        verdict_of(number_of(arguments[0]), number_of(arguments[1]), number_of(arguments[2]));
    sqlite3_result_text(context, verdict_words[verdict], -1, SQLITE_STATIC);
}

/* Classes of log2(m n k) are so wide, and the last, from so much on, has all that is larger, too. */
enum { CLASS_WIDTH = 4, LAST_CLASS = 60 };

static void take_size_class(sqlite3_context *context, int count, sqlite3_value **arguments) {
    char text[32];
    double size = 1;
    for (int i = 0; i < count; i++)
        size *= sqlite3_value_double(arguments[i]);
    const int from = (int)fmin(LAST_CLASS, CLASS_WIDTH * floor(log2(size) / CLASS_WIDTH));
    snprintf(text, sizeof text, "%d to %d", from, from + CLASS_WIDTH);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void take_digits(sqlite3_context *context, int count, sqlite3_value **arguments) {
    char text[64];
    (void)count;
    snprintf(text, sizeof text, "%.*g", sqlite3_value_int(arguments[1]),
             sqlite3_value_double(arguments[0]));
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, strtod(text, NULL));
}

static void take_plain(sqlite3_context *context, int count, sqlite3_value **arguments) {
    const char *text = (const char *)sqlite3_value_text(arguments[0]);
    char *plain = need(text ? strlen(text) + 1 : 1, 2), *to = plain;
    (void)count;
    for (; text && *text; *to++ = *text++)
        if (strchr("\\*`[]()", *text))
            *to++ = '\\';
    if (text)
        sqlite3_result_text(context, plain, -1, free);
    else
        free(plain);
}

/* As a shell reads it. */
static void take_quoted(sqlite3_context *context, int count, sqlite3_value **arguments) {
    const char *text = (const char *)sqlite3_value_text(arguments[0]);
    char *quoted;
    size_t size;
    FILE *out = need_stream(&quoted, &size);
    (void)count;
    text_quote(out, text ? text : "");
    fclose(out);
    sqlite3_result_text(context, quoted, (int)size, free);
}

static const struct {
    const char *name;
    int arguments;
    void (*function)(sqlite3_context *, int, sqlite3_value **);
} functions[] = {{"digits", 2, take_digits},   {"plain", 1, take_plain},
                 {"quoted", 1, take_quoted},   {"reach", 3, take_reach},
                 {"verdict", 3, take_verdict}, {"size_class", 3, take_size_class}};

int query_functions(sqlite3 *db) {
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC };
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof group_functions / sizeof *group_functions; i++)
        status |= sqlite3_create_function(db, group_functions[i].name, group_functions[i].arguments,
                                          FLAGS, (void *)&group_functions[i], NULL,
                                          group_functions[i].take, end);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        status |= sqlite3_create_function(db, functions[i].name, functions[i].arguments, FLAGS,
                                          NULL, functions[i].function, NULL, NULL);
    return status;
}
