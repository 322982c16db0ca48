#include "reports/query/query.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
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

static void run_sql(sqlite3 *db, const char *sql) {
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
    run_sql(db, sql);
    free(sql);
}

static sqlite3_stmt *prepare_insert(sqlite3 *db, const struct rows_file *file) {
    char sql[256];
    int used =
        snprintf(sql, sizeof sql, "INSERT INTO %.*s VALUES (?", name_length(file), file->name);
    for (size_t i = 0; i < file->column_count; i++)
        used += snprintf(sql + used, sizeof sql - (size_t)used, ",?");
    snprintf(sql + used, sizeof sql - (size_t)used, ")");
    return prepare(db, sql);
}

/* SQLite makes NULL of NaN. */
static void bind(sqlite3_stmt *statement, int at, const struct rows_column *column,
                 const void *row) {
    int64_t size;
    double number;
    const char *member = (const char *)row + column->offset;
    if (column->form == ROWS_TEXT) {
        sqlite3_bind_text(statement, at, rows_text(column, row), -1, SQLITE_STATIC);
    } else if (column->form == ROWS_SIZE) {
        memcpy(&size, member, sizeof size);
        sqlite3_bind_int64(statement, at, size);
    } else {
        memcpy(&number, member, sizeof number);
        sqlite3_bind_double(statement, at, number);
    }
}

void query_add(sqlite3 *db, const struct rows_file *file, const char *run, const void *rows,
               size_t count) {
    make_table(db, file);
    sqlite3_stmt *statement = prepare_insert(db, file);
    run_sql(db, "BEGIN");
    sqlite3_bind_text(statement, 1, run, -1, SQLITE_STATIC);
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < file->column_count; c++)
            bind(statement, (int)c + 2, &file->columns[c], (const char *)rows + i * file->row_size);
        insert(statement);
    }
    sqlite3_finalize(statement);
    run_sql(db, "COMMIT");
}

void query_load(sqlite3 *db, const char *run, const struct rows *rows) {
    for (int kind = 0; kind < ROWS_KINDS; kind++) {
        size_t count;
        const void *array = rows_of(rows, (enum rows_kind)kind, &count);
        query_add(db, &rows_files[kind], run, array, count);
    }
}

void query_order(sqlite3 *db, const char *table, const char *const *words) {
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

sqlite3 *query_open(void) {
    static const struct rows none = {0};
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK || query_functions(db) != SQLITE_OK)
        query_fail(db, "sqlite3_open");
    run_sql(
        db,
        "CREATE TABLE outcomes (outcome TEXT PRIMARY KEY, severity INTEGER, deed TEXT, fate TEXT);"
        "CREATE TABLE lenses (lens TEXT PRIMARY KEY, position INTEGER);"
        "CREATE TABLE modes (mode TEXT PRIMARY KEY, position INTEGER);"
        "CREATE TABLE baselines (baseline TEXT PRIMARY KEY, position INTEGER);");
    add_outcomes(db);
    query_order(db, "lenses", words_lenses);
    query_order(db, "modes", words_modes);
    query_load(db, "", &none);
    run_sql(db, query_views);
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

bool query_next(sqlite3_stmt *answer) {
    const int step = sqlite3_step(answer);
    if (step == SQLITE_ROW)
        return true;
    if (step != SQLITE_DONE)
        query_fail(sqlite3_db_handle(answer), sqlite3_sql(answer));
    sqlite3_finalize(answer);
    return false;
}

/* The answer's column of that name, or -1. */
static int find_column(sqlite3_stmt *answer, const char *name) {
    for (int i = 0; i < sqlite3_column_count(answer); i++)
        if (strcmp(sqlite3_column_name(answer, i), name) == 0)
            return i;
    return -1;
}

static int column_of(sqlite3_stmt *answer, const char *name) {
    const int column = find_column(answer, name);
    if (column >= 0)
        return column;
    error("internal: the query has no column %s: %s", name, sqlite3_sql(answer));
    exit(EXIT_TROUBLE);
}

static double number_at(sqlite3_stmt *answer, int column) {
    return sqlite3_column_type(answer, column) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(answer, column);
}

static const char *text_at(sqlite3_stmt *answer, int column) {
    const char *text = (const char *)sqlite3_column_text(answer, column);
    return text ? text : "";
}

double query_number(sqlite3_stmt *answer, const char *column) {
    return number_at(answer, column_of(answer, column));
}

size_t query_count(sqlite3_stmt *answer, const char *column) {
    return (size_t)sqlite3_column_int64(answer, column_of(answer, column));
}

const char *query_text(sqlite3_stmt *answer, const char *column) {
    return text_at(answer, column_of(answer, column));
}

/* Where in the answer a column of the document is. */
struct cell_place {
    int key, low, high, unrecorded, verdict;
};

/* A key of its own, or the column's with an ending. */
static int find_ending(sqlite3_stmt *answer, const char *key, const char *own, const char *ending) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", key, ending);
    return find_column(answer, own ? own : name);
}

static struct cell_place place_of(sqlite3_stmt *answer, const struct document_column *column) {
    const char *key = column->key ? column->key : column->name;
    const bool ends = column->type == DOCUMENT_RATIO || column->type == DOCUMENT_INTERVAL;
    const struct cell_place place = {
        find_column(answer, key), find_ending(answer, key, column->low, "_low"),
        find_ending(answer, key, column->high, "_high"),
        find_ending(answer, key, NULL, "_unrecorded"), find_ending(answer, key, NULL, "_verdict")};
    if ((place.key < 0 && column->type != DOCUMENT_INTERVAL) || (ends && place.low < 0) ||
        (ends && place.high < 0)) {
        error("internal: the query has no column %s: %s", key, sqlite3_sql(answer));
        exit(EXIT_TROUBLE);
    }
    return place;
}

static void put_cell(struct document *page, const struct document_column *column,
                     sqlite3_stmt *answer, struct cell_place at) {
    const bool null = at.key >= 0 && sqlite3_column_type(answer, at.key) == SQLITE_NULL;
    if (column->type == DOCUMENT_INTERVAL)
        document_interval(page, number_at(answer, at.low), number_at(answer, at.high));
    else if (null)
        document_empty(page, column->unknown);
    else if (column->type == DOCUMENT_RATIO)
        document_ratio(page, number_at(answer, at.key), number_at(answer, at.low),
                       number_at(answer, at.high));
    else if (column->type == DOCUMENT_COUNT)
        document_count(page, (size_t)sqlite3_column_int64(answer, at.key));
    else if (column->type == DOCUMENT_TEXT || column->type == DOCUMENT_CODE ||
             column->type == DOCUMENT_VERDICT) {
        document_cell(page, text_at(answer, at.key));
        document_mood(page, column->mood ? column->mood(text_at(answer, at.key)) : DOCUMENT_PLAIN);
    } else
        document_number(page, column->convert ? column->convert(number_at(answer, at.key))
                                              : number_at(answer, at.key));
    if (at.verdict >= 0)
        document_mood(page, document_faster(text_at(answer, at.verdict)));
    if (at.unrecorded >= 0 && !null)
        unrecorded_label(page, sqlite3_column_int(answer, at.unrecorded) != 0);
}

void query_table(struct document *page, const char *id, const char *caption,
                 const struct document_column *columns, size_t count, sqlite3_stmt *answer) {
    struct cell_place *places = need(count, sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[i] = place_of(answer, &columns[i]);
    document_table(page, id, caption);
    document_columns(page, columns, count);
    while (query_next(answer)) {
        document_row(page);
        for (size_t i = 0; i < count; i++)
            put_cell(page, &columns[i], answer, places[i]);
    }
    free(places);
}

void query_facts(struct document *page, const char *caption, sqlite3_stmt *answer, int first) {
    document_facts(page, caption);
    for (int i = first; i < sqlite3_column_count(answer); i++)
        document_fact(page, sqlite3_column_name(answer, i), text_at(answer, i));
}
