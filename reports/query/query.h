/* A run as a database: its rows are loaded once into SQLite, in memory, and who wants to know
 * something of them asks a query. Joins, groups and orders are SQL; statistics are C, and columns.
 *
 *     sqlite3 *db = query_open();
 *     query_load(db, "runs/a", &rows);
 *     sqlite3_stmt *refused = query_ask(db, query_refused_kernels, NULL);
 *     while (query_next(refused))
 *         text_print_line(stdout, "%s: %g", query_text(refused, "kernel"), query_number(refused, "deviation"));
 *     query_table(page, "refused", NULL, query_ask(db, query_refused_kernels, NULL));
 *     sqlite3_close(db);
 *
 * A query is a file NAME.sql beside its user; queries.h, which the build writes, has it as query_NAME.
 * A test prepares each of them against the schema.
 *
 * The schema. Every CSV file of a run (reports/rows/columns.h) is a table of its name: checks, times,
 * ratios, visits, controls, conditions, audit and recordings. Beside the file's columns it has `run`,
 * the run's name, and `shape`, "MxNxK". A number that is missing is NULL; a text that is missing is "".
 * views.sql has what follows from these. `runs` has what is said of a run beside its rows (reports/tables/runs.h).
 *
 *     outcomes(outcome, severity, deed, fate)    every word of checks.outcome
 *     lenses(lens, position), modes(mode, position)    their order on pages
 *     baselines(baseline, position), links(baseline, position)    the same of libraries (words.sql): on pages, and as that
 *                                                                 through which two runs are compared
 *
 * Functions: geomean(x), sd(x), median(x) and quantile(x, share), of groups; rank_correlation(x, y)
 * of a group, as stats_rank_correlation. NULLs do not count. reach(error, freedom, count): the ratio
 * over an end of its interval, where so many intervals hold together with 95 %; error is the variance
 * of ln ratio. verdict(low, high, margin): the word of verdict_of.
 * mean_low(x), mean_high(x): the ends of the 99.9 % interval of a group's mean; at_least(chance, happened): the chance of so
 * many events or more, each with a chance of its own. student(t, freedom): P(|T| > t). control_margin(control):
 * derive_control_margin.
 * size_class(m, n, k): "16 to 20", the class of log2(m n k). digits(x, 5) is the number with five digits,
 * plain(text) a text from outside with a backslash before what could be a mark (document.h), quoted(text) one
 * as a shell reads it. clean(text, bytes) is a text from outside without what cannot be shown, cut to so many bytes; number(text) the finite decimal number
 * that it is, or NULL.
 * brief(text, most) is text_append_brief. xml(text) and percent(text, more) are clean (utf8.h): with references for what XML,
 * or %XX for what a line of GitHub's commands and `more` would read as their own.
 *
 * What goes wrong here is a fault of ours, or want of memory: it ends the program with a message and
 * EXIT_TROUBLE, as need.h does. */
#ifndef REPORTS_QUERY_QUERY_H
#define REPORTS_QUERY_QUERY_H

#include <sqlite3.h>
#include <stdbool.h>

#include "queries.h"
#include "reports/page/document.h"
#include "reports/pairs/pairs.h"
#include "reports/rows/rows.h"

/* An empty database in memory with the schema, or without. The caller ends it with sqlite3_close. */
sqlite3 *query_open(void);
sqlite3 *query_open_empty(void);

/* Adds a run's rows. */
void query_load(sqlite3 *db, const char *run, const struct rows *rows);

/* Appends the rows that the tables of a run's files have. */
void query_rows(sqlite3 *db, struct rows *rows);

/* A row of such a table: an answer to SELECT * of it. Texts that are kept live until the next row. */
void query_take(sqlite3_stmt *answer, const struct rows_file *file, void *row);

/* Carries out statements that have no answer, with semicolons between. */
void query_run(sqlite3 *db, const char *sql);

/* Makes a table of the file's columns, of its name without ".csv", or finds it; adds the rows. */
void query_add(sqlite3 *db, const struct rows_file *file, const char *run, const void *rows,
               size_t count);

/* The same row by row. The caller ends the inserter with sqlite3_finalize. */
sqlite3_stmt *query_inserter(sqlite3 *db, const struct rows_file *file, const char *run);
void query_insert(sqlite3_stmt *inserter, const struct rows_file *file, const void *row);

/* The same for rows of a caller's own. Members are int64_t or size_t (SIZE), const char * (TEXT) or double
 * (NUMBER):
 *
 *     static const struct rows_column columns[] = {QUERY_TEXT(point, lens),
 *                                                  QUERY_COLUMN(point, "error", NUMBER, error.variance)};
 *     static const struct rows_file file = QUERY_ROWS("points", point, columns);
 *     query_add(db, &file, "", points, count); */
#define QUERY_COLUMN(row, title, type, member)                                                     \
    { .name = title, .form = ROWS_##type, .kept = true, .offset = offsetof(struct row, member) }
#define QUERY_TEXT(row, member) QUERY_COLUMN(row, #member, TEXT, member)
#define QUERY_NUMBER(row, member) QUERY_COLUMN(row, #member, NUMBER, member)
#define QUERY_ROWS(title, row, list)                                                               \
    {                                                                                              \
        .name = title, .columns = list, .column_count = sizeof(list) / sizeof *(list),             \
        .row_size = sizeof(struct row)                                                             \
    }

/* The same where one list has the columns with their values:
 *
 *     #define ASKED(TEXT, NUMBER, SIZE) TEXT(library, gate->library) NUMBER(alpha, policy->alpha)
 *     QUERY_LIST(asked, "asked", ASKED)
 *
 *     const struct asked asked = QUERY_VALUES(ASKED);    where `gate` and `policy` are known
 *     query_add(db, asked_file(), "", &asked, 1);
 *
 * A table whose first three columns are the sizes m, n, k has its `shape`. */
#define QUERY_LIST(row, title, LIST)                                                               \
    struct row {                                                                                   \
        LIST(QUERY_TEXT_MEMBER, QUERY_NUMBER_MEMBER, QUERY_SIZE_MEMBER)                            \
    };                                                                                             \
    static const struct rows_file *row##_file(void) {                                              \
        typedef struct row query_row;                                                              \
        static const struct rows_column columns[] = {                                              \
            LIST(QUERY_TEXT_OF, QUERY_NUMBER_OF, QUERY_SIZE_OF)};                                  \
        static const struct rows_file file = QUERY_ROWS(title, row, columns);                      \
        return &file;                                                                              \
    }
#define QUERY_VALUES(LIST)                                                                         \
    { LIST(QUERY_VALUE, QUERY_VALUE, QUERY_VALUE) }
#define QUERY_TEXT_MEMBER(name, value) const char *name;
#define QUERY_NUMBER_MEMBER(name, value) double name;
#define QUERY_SIZE_MEMBER(name, value) int64_t name;
#define QUERY_OF(title, type)                                                                      \
    {.name = #title, .form = ROWS_##type, .kept = true, .offset = offsetof(query_row, title)},
#define QUERY_TEXT_OF(name, value) QUERY_OF(name, TEXT)
#define QUERY_NUMBER_OF(name, value) QUERY_OF(name, NUMBER)
#define QUERY_SIZE_OF(name, value) QUERY_OF(name, SIZE)
#define QUERY_VALUE(name, value) .name = (value),

/* Adds pairs to the table `pairs`: what each is of, the ratio with the variance of its logarithm (`error`)
 * and the `freedom` of that, times, visits, and whether it is disturbed or unrecorded. */
void query_add_pairs(sqlite3 *db, const char *run, const struct pairs *pairs);

/* Writes all to a file that sqlite3 and others read (files.h: whole or not at all). 0, or -1 after
 * error(). */
int query_write(sqlite3 *db, const char *path);

/* The answer to a query, before its first row. Its parameters ?1, ?2 ... are texts, as many as the
 * query has; NULL follows them. query_next finalizes it at its end; who leaves it earlier calls
 * sqlite3_finalize. */
sqlite3_stmt *query_ask(sqlite3 *db, const char *sql, ...);

/* The number that a query of one row and column answers. */
double query_one(sqlite3 *db, const char *sql);

/* Whether the answer has a row. Ends it. */
bool query_any(sqlite3_stmt *answer);

/* Whether the answer says why something is refused: tells the `text` of its first row through error(), and returns the
 * `status`. EXIT_PASS where it has no row. Ends it. */
int query_refuse(sqlite3_stmt *why);

/* Goes on to the next row. At the end, false. */
bool query_next(sqlite3_stmt *answer);

/* A column of the row. A number that is NULL is NaN, a count 0, a text "". A text lives until the next
 * row. */
double query_number(sqlite3_stmt *answer, const char *column);
size_t query_count(sqlite3_stmt *answer, const char *column);
const char *query_text(sqlite3_stmt *answer, const char *column);

/* The number of the answer's column that is called so, or has it as its key; -1: none. */
int query_find(sqlite3_stmt *answer, const char *key);

/* A table of the document with a row for each row of the answer, which this ends. Its columns are those
 * that are called AS "NAME|KEY|WORDS|UNKNOWN" (document_columns), with a bar at least. NULL is an empty cell; `marked` texts have
 * marks (document.h), `faster` ones the mood of a verdict. Other columns of the answer belong to one by its key: KEY_low
 * and KEY_high, or those that it names, are the ends of an interval and of a ratio; in rows where
 * KEY_unrecorded is not 0 the cell is labelled so; KEY_verdict gives it its mood; KEY_heading is to stand
 * for the name. */
void query_table(struct document *page, const char *id, const char *caption, sqlite3_stmt *answer);

/* What the answer says, which this ends: in each row a `text`, in which the marks of document.h mean what
 * they mean there, and % itself; and of what `kind` it is: paragraph, item, note, good (a good note), bad,
 * more (of the text before), or the name of a fact. A text that is empty or NULL is left out. Its marks mean nothing
 * where the kind is "facts" (a new list of facts with that caption), "code", "figure" (the text says what can be seen in
 * the figure `name` with that `caption`, which was `drawn`), or the head of a section, which has the text for its
 * heading: "## ID", or folded "##+ ID". A "fact" has the `name` in a column. */
void query_say(struct document *page, sqlite3_stmt *answer);

/* Fills the page by a template: Markdown with commands. A line ends where the next does not begin with a blank. Prose
 * is document_prose's, "## ID HEADING" begins a section and "##+ ID HEADING" one that is folded. A QUERY is the
 * name of a .sql file with the words that are its parameters from ?2 on, or begins with SELECT; ?1 is the run.
 *
 *     {say QUERY}              query_say
 *     {facts QUERY}            a list of facts for each row: the first column is its caption, the others are facts by their
 *                              names
 *     {table NAME | CAPTION}   query_table of a query that is named; its name is the id, with - for each _, or what stands
 *                              between, as ID
 *     {fold TEXT}, {most TEXT} of the table before: it is folded away; pages show so many rows, and where all are
 *     {folded QUERY}, {shown QUERY} the same by a query: it is folded away under the `text`, in Markdown, too; `markdown` and
 *                              `terminal` show so many rows (0: all), and the `text` says where all are
 *     {explain}                unrecorded_explain of the table before
 *     {only FORMATS}           document_only: markdown, html, terminal, data
 *     {if QUERY} ... {end}     shown where the query has a row */
void query_fill(struct document *page, sqlite3 *db, const char *run, const char *template);

/* Registers these functions. SQLite's word: SQLITE_OK, or what went wrong. */
int query_functions(sqlite3 *db);

/* Ends the program with what SQLite says. */
_Noreturn void query_fail(sqlite3 *db, const char *sql);

#endif
