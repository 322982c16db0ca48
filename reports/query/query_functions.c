/* Functions that SQLite lacks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/utf8.h"
#include "reports/pairs/estimate.h"
#include "reports/query/query.h"
#include "reports/rows/derive.h"
#include "timing/significance.h"
#include "timing/stats.h"
#include "timing/tails.h"
#include "timing/verdict.h"

/* The values of a group; zeroed before its first. */
struct group {
    double *values;
    size_t count;
    double share; /* of a quantile */
};

struct group_function {
    const char *name;
    int arguments, values; /* the first so many; a share stands behind them */
    double (*summary)(const struct group *group);
};

/* The values, one behind the other, where none is NULL. */
static void take(sqlite3_context *context, int count, sqlite3_value **arguments) {
    const struct group_function *function = sqlite3_user_data(context);
    struct group *group = sqlite3_aggregate_context(context, sizeof *group);
    if (!group) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (int i = 0; i < function->values; i++)
        if (sqlite3_value_type(arguments[i]) == SQLITE_NULL)
            return;
    for (int i = 0; i < function->values; i++) {
        group->values = need_more(group->values, group->count, sizeof *group->values);
        group->values[group->count++] = sqlite3_value_double(arguments[i]);
    }
    group->share = count > function->values ? sqlite3_value_double(arguments[count - 1]) : 0.5;
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

/* Both bounds together: 99.9 %. */
static double bound_of(const struct group *group, bool high) {
    const struct significance_bounds bounds =
        significance_bounds(group->values, group->count, 0.9995);
    return group->count < 2 ? NAN : high ? bounds.high : bounds.low;
}

static double mean_low(const struct group *group) {
    return bound_of(group, false);
}

static double mean_high(const struct group *group) {
    return bound_of(group, true);
}

static double at_least(const struct group *group) {
    const size_t events = group->count / 2;
    double *chances = need(events, sizeof *chances), happened = 0;
    for (size_t i = 0; i < events; i++) {
        chances[i] = group->values[2 * i];
        happened += group->values[2 * i + 1];
    }
    const double chance = poisson_binomial_of(chances, events, (size_t)happened).at_least;
    free(chances);
    return chance;
}

static const struct group_function group_functions[] = {
    {"geomean", 1, 1, geomean},
    {"sd", 1, 1, sd},
    {"median", 1, 1, quantile},
    {"quantile", 2, 1, quantile},
    {"rank_correlation", 2, 2, rank_correlation},
    {"mean_low", 1, 1, mean_low},
    {"mean_high", 1, 1, mean_high},
    {"at_least", 2, 2, at_least}};

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

static const char *text_of(sqlite3_value *value) {
    const char *text = (const char *)sqlite3_value_text(value);
    return text ? text : "";
}

static void take_reach(sqlite3_context *context, sqlite3_value **arguments) {
    const struct spread error = {number_of(arguments[0]), number_of(arguments[1])};
    sqlite3_result_double(context, exp(estimate_half_of(error, number_of(arguments[2]))));
}

static void take_student(sqlite3_context *context, sqlite3_value **arguments) {
    sqlite3_result_double(context, tails_student(number_of(arguments[0]), number_of(arguments[1])));
}

static void take_control_margin(sqlite3_context *context, sqlite3_value **arguments) {
    const struct control_row row = {.control = text_of(arguments[0])};
    sqlite3_result_double(context, derive_control_margin(&row));
}

static void take_verdict(sqlite3_context *context, sqlite3_value **arguments) {
    const enum verdict verdict =
        verdict_of(number_of(arguments[0]), number_of(arguments[1]), number_of(arguments[2]));
    sqlite3_result_text(context, verdict_words[verdict], -1, SQLITE_STATIC);
}

/* Classes of log2(m n k) are so wide, and the last, from so much on, has all that is larger, too. */
enum { CLASS_WIDTH = 4, LAST_CLASS = 60 };

static void take_size_class(sqlite3_context *context, sqlite3_value **arguments) {
    char text[32];
    const double size = sqlite3_value_double(arguments[0]) * sqlite3_value_double(arguments[1]) *
                        sqlite3_value_double(arguments[2]);
    const int from = (int)fmin(LAST_CLASS, CLASS_WIDTH * floor(log2(size) / CLASS_WIDTH));
    snprintf(text, sizeof text, "%d to %d", from, from + CLASS_WIDTH);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void take_digits(sqlite3_context *context, sqlite3_value **arguments) {
    char text[64];
    snprintf(text, sizeof text, "%.*g", sqlite3_value_int(arguments[1]), number_of(arguments[0]));
    sqlite3_result_double(context, strtod(text, NULL));
}

/* Of NULL it is NULL, as all is that gives no result. */
static void take_plain(sqlite3_context *context, sqlite3_value **arguments) {
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    const char *text = text_of(arguments[0]);
    char *plain = need(strlen(text) + 1, 2), *to = plain;
    for (; *text; *to++ = *text++)
        if (strchr("\\*`[]()", *text))
            *to++ = '\\';
    sqlite3_result_text(context, plain, -1, free);
}

static void take_clean(sqlite3_context *context, sqlite3_value **arguments) {
    char *clean = need_copy(text_of(arguments[0]));
    const size_t most = (size_t)sqlite3_value_int(arguments[1]);
    if (strlen(clean) > most)
        clean[most] = 0;
    clean_text(clean);
    sqlite3_result_text(context, clean, -1, free);
}

static void take_number(sqlite3_context *context, sqlite3_value **arguments) {
    double number;
    const char *end = text_number(text_of(arguments[0]), &number);
    if (end && !*end)
        sqlite3_result_double(context, number);
}

static void take_brief(sqlite3_context *context, sqlite3_value **arguments) {
    const char *text = text_of(arguments[0]);
    const size_t size = strlen(text) + sizeof " …";
    char *brief = need(size, 1);
    text_append_brief(brief, size, text, (size_t)sqlite3_value_int(arguments[1]));
    sqlite3_result_text(context, brief, -1, free);
}

/* The text, clean; what stands in `marks` is written as a number by the format. */
static void escape(sqlite3_context *context, sqlite3_value *value, const char *marks,
                   bool percent) {
    const char *text = text_of(value);
    char *clean = need(strlen(text) + 1, 3), *escaped;
    size_t size;
    FILE *out = need_stream(&escaped, &size);
    utf8_clean(text, clean);
    for (const char *c = clean; *c; c++)
        if (!strchr(marks, *c))
            fputc(*c, out);
        else
            fprintf(out, percent ? "%%%02X" : "&#%d;", *c);
    fclose(out);
    free(clean);
    sqlite3_result_text(context, escaped, -1, free);
}

/* ">" always, because "]]>" must not stand in a text. */
static void take_xml(sqlite3_context *context, sqlite3_value **arguments) {
    escape(context, arguments[0], "<>&\"\t\n\r", false);
}

static void take_percent(sqlite3_context *context, sqlite3_value **arguments) {
    char marks[16];
    snprintf(marks, sizeof marks, "%%\r\n%s", text_of(arguments[1]));
    escape(context, arguments[0], marks, true);
}

/* As a shell reads it. */
static void take_quoted(sqlite3_context *context, sqlite3_value **arguments) {
    char *quoted;
    size_t size;
    FILE *out = need_stream(&quoted, &size);
    text_quote(out, text_of(arguments[0]));
    fclose(out);
    sqlite3_result_text(context, quoted, (int)size, free);
}

static const struct function {
    const char *name;
    int arguments;
    void (*take)(sqlite3_context *, sqlite3_value **);
} functions[] = {{"brief", 2, take_brief},
                 {"clean", 2, take_clean},
                 {"control_margin", 1, take_control_margin},
                 {"digits", 2, take_digits},
                 {"number", 1, take_number},
                 {"percent", 2, take_percent},
                 {"plain", 1, take_plain},
                 {"quoted", 1, take_quoted},
                 {"reach", 3, take_reach},
                 {"student", 2, take_student},
                 {"verdict", 3, take_verdict},
                 {"size_class", 3, take_size_class},
                 {"xml", 1, take_xml}};

static void call(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    ((const struct function *)sqlite3_user_data(context))->take(context, arguments);
}

int query_functions(sqlite3 *db) {
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC };
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof group_functions / sizeof *group_functions; i++)
        status |= sqlite3_create_function(db, group_functions[i].name, group_functions[i].arguments,
                                          FLAGS, (void *)&group_functions[i], NULL, take, end);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        status |= sqlite3_create_function(db, functions[i].name, functions[i].arguments, FLAGS,
                                          (void *)&functions[i], call, NULL, NULL);
    return status;
}
