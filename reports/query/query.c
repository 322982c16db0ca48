#include "reports/query/query.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/base/outcome.h"
#include "bench/base/words.h"

void query_fail(sqlite3 *db, const char *sql) {
    if (!db || sqlite3_errcode(db) == SQLITE_NOMEM)
        error("no memory for the run's database; close other programs, or use a machine with more");
    else
        error("internal: %s: %s", sqlite3_errmsg(db), sql);
    exit(EXIT_TROUBLE);
}

void query_run(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        query_fail(db, sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        query_fail(db, sql);
    return statement;
}

/* One row more of a statement that inserts. */
static void insert(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE || sqlite3_reset(statement) != SQLITE_OK)
        query_fail(sqlite3_db_handle(statement), sqlite3_sql(statement));
}

/* Its table: the name of the file without ".csv". */
static int name_length(const struct rows_file *file) {
    return (int)strcspn(file->name, ".");
}

static void make_table(sqlite3 *db, const struct rows_file *file) {
    char *sql;
    size_t size;
    FILE *out = need_stream(&sql, &size);
    fprintf(out, "CREATE TABLE IF NOT EXISTS %.*s (run TEXT", name_length(file), file->name);
    for (size_t i = 0; i < file->column_count; i++)
        fprintf(out, ", \"%s\" %s", file->columns[i].name,
                file->columns[i].form == ROWS_TEXT   ? "TEXT"
                : file->columns[i].form == ROWS_SIZE ? "INTEGER"
                                                     : "REAL");
    if (strcmp(file->columns[0].name, "m") == 0)
        fputs(", shape TEXT AS (m || 'x' || n || 'x' || k)", out);
    fputs(")", out);
    fclose(out);
    query_run(db, sql);
    free(sql);
}

sqlite3_stmt *query_inserter(sqlite3 *db, const struct rows_file *file, const char *run) {
    char sql[256];
    make_table(db, file);
    int used =
        snprintf(sql, sizeof sql, "INSERT INTO %.*s VALUES (?", name_length(file), file->name);
    for (size_t i = 0; i < file->column_count; i++)
        used += snprintf(sql + used, sizeof sql - (size_t)used, ",?");
    snprintf(sql + used, sizeof sql - (size_t)used, ")");
    sqlite3_stmt *inserter = prepare(db, sql);
    sqlite3_bind_text(inserter, 1, run, -1, SQLITE_TRANSIENT);
    return inserter;
}

/* SQLite makes NULL of NaN, and an integer of a size, as the table's columns are. */
static void bind(sqlite3_stmt *statement, int at, const struct rows_column *column,
                 const void *row) {
    if (column->form == ROWS_TEXT)
        sqlite3_bind_text(statement, at, rows_text(column, row), -1, SQLITE_STATIC);
    else
        sqlite3_bind_double(statement, at, rows_number(column, row));
}

void query_insert(sqlite3_stmt *inserter, const struct rows_file *file, const void *row) {
    for (size_t c = 0; c < file->column_count; c++)
        bind(inserter, (int)c + 2, &file->columns[c], row);
    insert(inserter);
}

void query_add(sqlite3 *db, const struct rows_file *file, const char *run, const void *rows,
               size_t count) {
    sqlite3_stmt *inserter = query_inserter(db, file, run);
    query_run(db, "BEGIN");
    for (size_t i = 0; i < count; i++)
        query_insert(inserter, file, (const char *)rows + i * file->row_size);
    sqlite3_finalize(inserter);
    query_run(db, "COMMIT");
}

void query_load(sqlite3 *db, const char *run, const struct rows *rows) {
    for (int kind = 0; kind < ROWS_KINDS; kind++) {
        size_t count;
        const void *array = rows_of(rows, (enum rows_kind)kind, &count);
        query_add(db, &rows_files[kind], run, array, count);
    }
}

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

/* A row's member is the value in the column; of NULL nothing is known. */
static void take_value(sqlite3_stmt *row, int at, const struct rows_column *column, char *to) {
    const bool known = sqlite3_column_type(row, at) != SQLITE_NULL;
    const char *text = known ? (const char *)sqlite3_column_text(row, at) : "";
    const int64_t size = sqlite3_column_int64(row, at);
    const double number = known ? sqlite3_column_double(row, at) : NAN;
    if (column->form == ROWS_SIZE)
        memcpy(to + column->offset, &size, sizeof size);
    else if (column->form != ROWS_TEXT)
        memcpy(to + column->offset, &number, sizeof number);
    else if (column->kept)
        memcpy(to + column->offset, &text, sizeof text);
    else
        snprintf(to + column->offset, column->room, "%s", text);
}

void query_take(sqlite3_stmt *answer, const struct rows_file *file, void *row) {
    for (size_t c = 0; c < file->column_count; c++)
        take_value(answer, (int)c + 1, &file->columns[c], row);
}

void query_rows(sqlite3 *db, struct rows *rows) {
    for (int kind = 0; kind < ROWS_KINDS; kind++) {
        const struct rows_file *file = &rows_files[kind];
        char sql[64], *row = need(1, file->row_size);
        snprintf(sql, sizeof sql, "SELECT * FROM %.*s", name_length(file), file->name);
        for (sqlite3_stmt *answer = query_ask(db, sql, NULL); query_next(answer);) {
            query_take(answer, file, row);
            rows_add(rows, (enum rows_kind)kind, row);
        }
        free(row);
    }
}

/* Fills a table of words (its first column) and their positions (its second). */
static void add_order(sqlite3 *db, const char *table, const char *const *words) {
    char sql[128];
    snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?, ?)", table);
    sqlite3_stmt *statement = prepare(db, sql);
    for (int i = 0; words[i]; i++) {
        sqlite3_bind_text(statement, 1, words[i], -1, SQLITE_STATIC);
        sqlite3_bind_int(statement, 2, i);
        insert(statement);
    }
    sqlite3_finalize(statement);
}

static void add_outcomes(sqlite3 *db) {
    sqlite3_stmt *statement = prepare(db, "INSERT INTO outcomes VALUES (?, ?, ?, ?)");
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        struct check_row row = {0};
        strcpy(row.outcome, outcome_words[i]);
        sqlite3_bind_text(statement, 1, row.outcome, -1, SQLITE_STATIC);
        sqlite3_bind_int(statement, 2, i);
        sqlite3_bind_text(statement, 3, rows_deed(&row), -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 4, rows_fate_words[rows_fate(&row)], -1, SQLITE_STATIC);
        insert(statement);
    }
    sqlite3_finalize(statement);
}

sqlite3 *query_open_empty(void) {
    sqlite3 *db;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(":memory:", &db, flags, NULL) != SQLITE_OK ||
        query_functions(db) != SQLITE_OK)
        query_fail(db, "sqlite3_open");
    return db;
}

sqlite3 *query_open(void) {
    static const struct rows none = {0};
    sqlite3 *db = query_open_empty();
    query_run(db, query_words);
    add_outcomes(db);
    add_order(db, "lenses", words_lenses);
    add_order(db, "modes", words_modes);
    query_load(db, "", &none);
    query_run(db, query_views);
    return db;
}

int query_write(sqlite3 *db, const char *path) {
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = ".";
    struct file file;
    sqlite3_int64 size;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (file_open(&file, folder, slash ? slash + 1 : path) < 0)
        return -1;
    unsigned char *bytes = sqlite3_serialize(db, "main", &size, 0);
    if (!bytes)
        query_fail(NULL, "");
    fwrite(bytes, 1, (size_t)size, file.stream);
    sqlite3_free(bytes);
    return file_commit(&file);
}

sqlite3_stmt *query_ask(sqlite3 *db, const char *sql, ...) {
    sqlite3_stmt *answer = prepare(db, sql);
    va_list args;
    va_start(args, sql);
    const char *text;
    for (int i = 1; (text = va_arg(args, const char *)); i++)
        if (sqlite3_bind_text(answer, i, text, -1, SQLITE_TRANSIENT) != SQLITE_OK)
            query_fail(db, sql);
    va_end(args);
    return answer;
}

double query_one(sqlite3 *db, const char *sql) {
    sqlite3_stmt *answer = prepare(db, sql);
    const int step = sqlite3_step(answer);
    if (step != SQLITE_ROW)
        query_fail(db, sql);
    const double number = sqlite3_column_double(answer, 0);
    sqlite3_finalize(answer);
    return number;
}

bool query_any(sqlite3_stmt *answer) {
    const bool any = sqlite3_step(answer) == SQLITE_ROW;
    sqlite3_finalize(answer);
    return any;
}

int query_refuse(sqlite3_stmt *why) {
    if (!query_next(why))
        return EXIT_PASS;
    const int status = (int)query_count(why, "status");
    error("%s", query_text(why, "text"));
    sqlite3_finalize(why);
    return status;
}

bool query_next(sqlite3_stmt *answer) {
    const int step = sqlite3_step(answer);
    if (step == SQLITE_ROW)
        return true;
    if (step != SQLITE_DONE)
        query_fail(sqlite3_db_handle(answer), sqlite3_sql(answer));
    sqlite3_finalize(answer);
    return false;
}

/* Whether a column's name is the key, or has it between bars (query_table). */
static bool is_called(const char *name, const char *key) {
    const char *bar = strchr(name, '|'), *from = bar && bar[1] != '|' ? bar + 1 : name;
    const size_t length = strlen(key);
    return strncmp(from, key, length) == 0 && (!from[length] || strchr("|,", from[length]));
}

int query_find(sqlite3_stmt *answer, const char *key) {
    for (int i = 0; i < sqlite3_column_count(answer); i++)
        if (is_called(sqlite3_column_name(answer, i), key))
            return i;
    return -1;
}

static int column_of(sqlite3_stmt *answer, const char *name) {
    const int column = query_find(answer, name);
    if (column >= 0)
        return column;
    error("internal: the query has no column %s: %s", name, sqlite3_sql(answer));
    exit(EXIT_TROUBLE);
}

double query_number(sqlite3_stmt *answer, const char *column) {
    const int at = column_of(answer, column);
    return sqlite3_column_type(answer, at) == SQLITE_NULL ? NAN : sqlite3_column_double(answer, at);
}

size_t query_count(sqlite3_stmt *answer, const char *column) {
    return (size_t)sqlite3_column_int64(answer, column_of(answer, column));
}

const char *query_text(sqlite3_stmt *answer, const char *column) {
    const char *text = (const char *)sqlite3_column_text(answer, column_of(answer, column));
    return text ? text : "";
}
