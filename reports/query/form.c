/* A file of others in the database. */
#include "reports/query/form.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"

/* A row of the table `file`. */
struct line {
    struct shape shape;
    int64_t line;
    const char *texts[FORM_COLUMNS];
};

/* A CSV file that is being read, and the columns of the table that its rows go to. */
struct loading {
    sqlite3 *db;
    const struct form *form;
    struct rows_column columns[4 + FORM_COLUMNS];
    struct rows_file file;
    sqlite3_stmt *inserter;
    int from[FORM_COLUMNS]; /* columns of the CSV file; -1: absent */
    size_t count;
};

/* 0, or -1 after error(), as of a column that is absent and must not be. */
static int take_header(const struct csv_table *table, struct loading *loading) {
    bool must = true;
    for (size_t i = 0; i < FORM_COLUMNS; i++) {
        const char *name = loading->form->columns[i];
        must &= name != NULL;
        if (!name)
            continue;
        const size_t at = loading->count++;
        loading->from[at] = csv_table_find(table, name);
        loading->columns[4 + at] = (struct rows_column)QUERY_COLUMN(line, name, TEXT, texts[at]);
        if (must && loading->from[at] < 0)
            return error("%s:%zu: no column '%s'%s", table->file, table->lines[0], name,
                         loading->form->lacking);
    }
    loading->file = (struct rows_file){.name = "file",
                                       .columns = loading->columns,
                                       .column_count = 4 + loading->count,
                                       .row_size = sizeof(struct line)};
    loading->inserter = query_inserter(loading->db, &loading->file, "");
    return 0;
}

/* A csv_taker. */
static int take_row(const struct csv_table *table, void *context) {
    struct loading *loading = context;
    if (table->rows == 0)
        return take_header(table, loading);
    const size_t at = table->rows - 1;
    struct line line = {.line = (int64_t)csv_table_line(table, at)};
    for (size_t i = 0; i < loading->count; i++)
        if (loading->from[i] >= 0)
            line.texts[i] = csv_table_text(table, at, loading->from[i]);
    if (!loading->form->shapeless && csv_table_shape(table, at, &line.shape) < 0)
        return -1;
    query_insert(loading->inserter, &loading->file, &line);
    return 0;
}

static void make_cells(const struct loading *loading) {
    char *sql;
    size_t size;
    FILE *out = need_stream(&sql, &size);
    fputs("CREATE TEMP VIEW cells AS", out);
    for (size_t i = 0; i < loading->count; i++) {
        const char *name = loading->columns[4 + i].name;
        fprintf(out, "%s SELECT line, %zu AS place, '%s' AS name, \"%s\" AS text FROM file",
                i ? " UNION ALL" : "", i, name, name);
    }
    fclose(out);
    query_run(loading->db, sql);
    free(sql);
}

static int load_csv(sqlite3 *db, const struct form *form, const char *file) {
    struct csv_table table;
    struct loading loading = {.db = db,
                              .form = form,
                              .columns = {QUERY_COLUMN(line, "m", SIZE, shape.m),
                                          QUERY_COLUMN(line, "n", SIZE, shape.n),
                                          QUERY_COLUMN(line, "k", SIZE, shape.k),
                                          QUERY_COLUMN(line, "line", SIZE, line)}};
    const int status = csv_table_each(file, take_row, &loading, &table);
    sqlite3_finalize(loading.inserter);
    if (status < 0)
        return -1;
    csv_table_free(&table);
    make_cells(&loading);
    return 0;
}

static int load_json(sqlite3 *db, const char *file) {
    json_error_t wrong;
    FILE *in = files_open(file, FILES_MOST_TEXT);
    if (!in)
        return error("%s: cannot read: %s", file, files_explain(errno));
    json_t *json = json_loadf(in, JSON_REJECT_DUPLICATES, &wrong);
    fclose(in);
    if (!json)
        return error("%s:%d: %s", file, wrong.line, wrong.text);
    char *text = json_dumps(json, 0);
    json_decref(json);
    query_next(query_ask(db, "CREATE TABLE file AS SELECT ?1 AS document", text, NULL));
    free(text);
    return 0;
}

int form_load(sqlite3 *db, const struct form *form, const char *file) {
    if ((form->columns[0] ? load_csv(db, form, file) : load_json(db, file)) < 0)
        return -1;
    query_run(db, query_form_numbers);
    query_run(db, form->sql);
    return 0;
}

int form_refuse(sqlite3 *db, const char *file) {
    sqlite3_stmt *fault = query_ask(
        db, "SELECT ?1 || text AS text, 2 AS status FROM faults ORDER BY at, rank, rowid LIMIT 1",
        file, NULL);
    return query_refuse(fault) == EXIT_PASS ? 0 : -1;
}
