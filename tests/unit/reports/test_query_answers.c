/* What queries answer of rows that tell their parts from each other. tests/queries has scripts, of lines:
 *
 *     # ...             a comment
 *     new               an empty database with the schema of runs
 *     add RUN FOLDER    a run in the table `runs`
 *     ! QUERY           carries out the statements of QUERY.sql
 *     ? QUERY A ''      asks QUERY.sql with its parameters ('' is empty), or a SELECT of the line's own
 *     = a|2|-           an answer's row: numbers have six digits, - is NULL
 *     anything else     SQL, up to a line that ends with a semicolon
 *
 * With a script as argument: prints it with the answers of today. */

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "reports/query/query.h"
#include "reports/tables/runs.h"
#define OWN_MAIN
#include "tests/support/test.h"

static sqlite3 *db;

static const char *text_of(const char *name) {
    for (size_t i = 0; i < QUERY_TEXTS; i++)
        if (strcmp(query_texts[i].name, name) == 0)
            return query_texts[i].sql;
    fail_msg("no query is called %s", name);
    return NULL;
}

/* The query that the words begin with. */
static sqlite3_stmt *ask(char *words) {
    const char *parts[10] = {NULL};
    size_t count = 0;
    if (strncmp(words, "SELECT ", 7) == 0)
        return query_ask(db, words, NULL);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        assert_true(count < 9);
        parts[count++] = strcmp(word, "''") == 0 ? "" : word;
    }
    return query_ask(db, text_of(parts[0]), parts[1], parts[2], parts[3], parts[4], parts[5],
                     parts[6], parts[7], parts[8], NULL);
}

static void print_answer(FILE *out, sqlite3_stmt *answer) {
    while (query_next(answer)) {
        for (int i = 0; i < sqlite3_column_count(answer); i++) {
            const int type = sqlite3_column_type(answer, i);
            fputs(i ? "|" : "= ", out);
            if (type == SQLITE_FLOAT)
                fprintf(out, "%.6g", sqlite3_column_double(answer, i));
            else if (type == SQLITE_NULL)
                fputs("-", out);
            else
                for (const unsigned char *c = sqlite3_column_text(answer, i); *c; c++)
                    fprintf(out, *c == '\n' ? "\n= " : "%c", *c);
        }
        fputs("\n", out);
    }
}

/* Does what the line says. SQL is gathered until it ends. */
static void follow(FILE *out, char *line, char *sql, size_t room) {
    char run[64], folder[64];
    if (strcmp(line, "new") == 0) {
        sqlite3_close(db);
        db = query_open();
    } else if (sscanf(line, "add %63s %63s", run, folder) == 2) {
        runs_add(db, run, &(struct rundir){.folder = folder}, NULL);
    } else if (strncmp(line, "! ", 2) == 0) {
        query_run(db, text_of(line + 2));
    } else if (strncmp(line, "? ", 2) == 0) {
        print_answer(out, ask(line + 2));
    } else if (*line && *line != '#') {
        assert_true(strlen(sql) + strlen(line) + 2 < room);
        strcat(strcat(sql, line), "\n");
        if (line[strlen(line) - 1] == ';') {
            query_run(db, sql);
            *sql = 0;
        }
    }
}

/* The script with the answers of today. The caller frees. */
static char *answered(const char *path) {
    char *text, *line = NULL, sql[16384] = "";
    size_t size, room = 0;
    FILE *in = fopen(path, "r"), *out = open_memstream(&text, &size);
    assert_true(in && out);
    for (ssize_t length; (length = getline(&line, &room, in)) > 0;) {
        if (strncmp(line, "= ", 2) == 0)
            continue;
        fputs(line, out);
        line[strcspn(line, "\n")] = 0;
        follow(out, line, sql, sizeof sql);
    }
    assert_true(!*sql);
    sqlite3_close(db);
    db = NULL;
    free(line);
    fclose(in);
    fclose(out);
    return text;
}

/* Fails with the first line that differs. */
static void compare(const char *path) {
    char *text = answered(path), *is = text, *line = NULL;
    size_t room = 0;
    FILE *in = fopen(path, "r");
    for (int number = 1; getline(&line, &room, in) > 0; number++, is += strlen(line))
        if (strncmp(is, line, strlen(line)) != 0)
            fail_msg("%s:%d: not %.*s but %.*s", path, number, (int)strcspn(line, "\n"), line,
                     (int)strcspn(is, "\n"), is);
    assert_string_equal(is, "");
    free(line);
    free(text);
    fclose(in);
}

TEST(scripts_get_their_answers) {
    glob_t scripts;
    assert_int_equal(glob(SOURCE "/tests/queries/*.txt", 0, NULL, &scripts), 0);
    for (size_t i = 0; i < scripts.gl_pathc; i++)
        compare(scripts.gl_pathv[i]);
    globfree(&scripts);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return tests_run();
    char *text = answered(argv[1]);
    fputs(text, stdout);
    free(text);
    return 0;
}
