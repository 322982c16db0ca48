/* A run as a database: what is loaded is found again, and every query of the program fits the schema. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bench/base/error.h"
#include "bench/base/need.h"

#include "bench/base/words.h"
#include "reports/gate/gate_rows.h"
#include "reports/gate/output.h"
#include "reports/gate/winners.h"
#include "reports/page/writers.h"
#include "reports/query/query.h"
#include "reports/sections/sections.h"
#include "reports/store/history.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* What its columns say of themselves is known, too: else the program ends. */
TEST(every_query_fits_the_schema) {
    struct document *page = document_new("");
    sqlite3 *db = query_open();
    sections_load(db, "run", &(struct rundir){.folder = "run"}, &(struct runs_asked){0},
                  &(struct claims){0});
    query_next(query_ask(db, query_agree_counts, "1", NULL));
    query_next(query_ask(db, query_published_lines, "run", SECTIONS_PUBLISHED, NULL));
    query_next(query_ask(db, query_common, NULL));
    query_add_pairs(db, "", &(struct pairs){0});
    gate_load_policy(db, &(struct gate_policy){.classes = {{.largest = INFINITY}}});
    winners_choose(db, "", "");
    struct gate gate = {
        .call = {.policy = &(struct gate_policy){.classes = {{.largest = INFINITY}}}}, .db = db};
    query_run(db, query_gate_schema);
    gate_rows_make(&gate);
    query_run(db, query_gate_summed);
    output_tell(&gate, "", 0, false);
    history_choose(db, NULL);
    for (size_t i = 0; i < QUERY_TEXTS; i++) {
        sqlite3_stmt *statement = NULL;
        if (!strstr(query_texts[i].sql, "\nCREATE ") && !strstr(query_texts[i].sql, "\nINSERT ") &&
            sqlite3_prepare_v2(db, query_texts[i].sql, -1, &statement, NULL) != SQLITE_OK)
            fail_msg("%s.sql: %s", query_texts[i].name, sqlite3_errmsg(db));
        bool shown = false;
        for (int column = 0; column < sqlite3_column_count(statement); column++)
            shown |= strchr(sqlite3_column_name(statement, column), '|') != NULL;
        if (shown)
            query_table(page, query_texts[i].name, NULL, statement);
        else
            sqlite3_finalize(statement);
    }
    document_free(page);
    sqlite3_close(db);
}

/* What stands in a condition that does not hold is left out, with the conditions within it. */
TEST(a_template_is_filled) {
    static const char template[] =
        "## a A heading\n"
        "{if SELECT 1 WHERE 0}\nno\n{if SELECT 1}\nno\n{end}\n###+ b no\n{end}\n"
        "{if SELECT 1 WHERE ?1 = 'run'}\n*One*\n line.\n\n{end}\n"
        "{say SELECT 'more' AS kind, ' And' AS text UNION ALL SELECT '###+ c', 'C'\n"
        "  UNION ALL SELECT 'facts', 'said' UNION ALL SELECT 'x', '' UNION ALL SELECT 'y', '`z`'\n"
        "  UNION ALL SELECT 'code', 'd *e*'}\n"
        "{facts SELECT 'told' AS caption, '*f*' AS g}\n"
        "{only html}\nno\n{only markdown}\n"
        "{table energy | Caption}\n- last\n";
    sqlite3 *db = query_open();
    struct document *page = document_new("");
    char *text;
    size_t size;
    query_fill(page, db, "run", template);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(write_markdown(out, page), 0);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        text, "## A heading\n\n*One* line. And\n\n### C\n\n<details><summary>Show</summary>\n\n"
              "| said | |\n| --- | --- |\n| y | `z` |\n\n```\nd *e*\n```\n\n"
              "| told | |\n| --- | --- |\n| g | \\*f\\* |\n\n- last\n\n</details>\n\n");
    free(text);
    document_free(page);
    sqlite3_close(db);
}

/* A table of a template has an id of its own, and a query says how much of it is shown. */
TEST(a_template_cuts_its_tables) {
    static const char template[] =
        "{table gate_lines as totals | Both}\n"
        "{shown SELECT 1 AS markdown, 0 AS terminal, 'all are in `x`' AS text}\n"
        "{folded SELECT 'Two lines' AS text}\n{explain}\n";
    sqlite3 *db = query_open();
    struct document *page = document_new("");
    char *text;
    size_t size;
    query_run(db, "INSERT INTO lines (candidate) VALUES ('first'), ('second')");
    query_fill(page, db, "run", template);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(write_markdown(out, page), 0);
    fflush(out);
    assert_non_null(strstr(text, "<summary>Two lines</summary>"));
    assert_non_null(strstr(text, "first"));
    assert_null(strstr(text, "second"));
    assert_non_null(strstr(text, "1 more; all are in `x`"));
    assert_int_equal(write_csv(out, page, "totals"), 0);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "second"));
    free(text);
    document_free(page);
    sqlite3_close(db);
}

/* One number of a query with one row and one column x. */
static double ask(sqlite3 *db, const char *sql) {
    sqlite3_stmt *answer = query_ask(db, sql, NULL);
    assert_true(query_next(answer));
    const double x = query_number(answer, "x");
    assert_false(query_next(answer));
    return x;
}

static struct rows two_shapes(void) {
    struct rows rows = {0};
    const struct check_row checks[] = {{.shape = {64, 32, 16},
                                        .candidate = "mine",
                                        .kernel = "mine",
                                        .outcome = "ok",
                                        .detail = "a \"quoted\" text; ' too",
                                        .deviation = INFINITY,
                                        .bound = NAN},
                                       {.shape = {8, 32, 16},
                                        .candidate = "mine",
                                        .kernel = "openblas-nn",
                                        .outcome = "inexact",
                                        .deviation = 0.5}};
    const struct ratio_row ratios[] = {
        {.shape = {64, 32, 16}, .candidate = "mine", .baseline = "openblas-nn", .ratio = 2},
        {.shape = {8, 32, 16}, .candidate = "mine", .baseline = "openblas-nn", .ratio = 8},
        {.shape = {9, 32, 16}, .candidate = "mine", .baseline = "openblas-nn", .ratio = NAN}};
    for (size_t i = 0; i < 2; i++)
        rows_add_check(&rows, &checks[i]);
    for (size_t i = 0; i < 3; i++)
        rows_add_ratio(&rows, &ratios[i]);
    return rows;
}

/* Two runs of the same rows. */
static sqlite3 *two_runs(void) {
    struct rows rows = two_shapes();
    sqlite3 *db = query_open();
    query_load(db, "a", &rows);
    query_load(db, "b", &rows);
    rows_free(&rows);
    return db;
}

TEST(a_run_s_rows_are_tables_with_their_run_and_shape) {
    sqlite3 *db = two_runs();
    sqlite3_stmt *answer =
        query_ask(db, "SELECT * FROM checks WHERE run = ?1 AND shape = ?2", "b", "64x32x16", NULL);
    assert_true(query_next(answer));
    assert_string_equal(query_text(answer, "run"), "b");
    assert_string_equal(query_text(answer, "detail"), "a \"quoted\" text; ' too");
    assert_int_equal(query_count(answer, "m"), 64);
    assert_true(isinf(query_number(answer, "deviation")));
    assert_true(isnan(query_number(answer, "bound")));
    assert_string_equal(query_text(answer, "bound"), "");
    assert_false(query_next(answer));
    assert_double_near(ask(db, "SELECT count(*) AS x FROM ratios"), 6, 0);
    assert_double_near(ask(db, "SELECT count(*) AS x FROM ratios WHERE ratio IS NULL"), 2, 0);
    sqlite3_close(db);
}

TEST(rows_come_out_as_they_were_loaded) {
    struct rows rows = two_shapes(), again = {0};
    sqlite3 *db = query_open();
    query_load(db, "a", &rows);
    query_rows(db, &again);
    assert_int_equal(rows_differ("a", &again, &rows, 9), 0);
    sqlite3_close(db);
    rows_free(&rows);
    rows_free(&again);
}

/* With two degrees of freedom P(|T| > t) is 1 - t / sqrt(2 + t^2). At least one of two: 1 - 0.9 * 0.8. */
TEST(functions_of_imports_and_controls) {
    sqlite3 *db = query_open();
    assert_double_near(ask(db, "SELECT number('1.5e2') AS x"), 150, 0);
    assert_true(isnan(ask(db, "SELECT number('1.5 ') AS x")) &&
                isnan(ask(db, "SELECT number('nan') AS x")) &&
                isnan(ask(db, "SELECT number(NULL) AS x")));
    assert_true(ask(db, "SELECT clean('ab' || char(7) || 'de', 4) = 'ab d' AS x") == 1);
    assert_double_near(ask(db, "SELECT student(2, 2) AS x"), 1 - 2 / sqrt(6), 1e-12);
    assert_double_near(ask(db, "SELECT mean_low(column1) AS x FROM (VALUES (1), (2), (4), (NULL))"),
                       -25.5344133580, 1e-8);
    assert_double_near(ask(db, "SELECT mean_high(column1) AS x FROM (VALUES (1), (2), (4))"),
                       30.2010800247, 1e-8);
    assert_true(isnan(ask(db, "SELECT mean_low(1) AS x")));
    assert_double_near(ask(db, "SELECT at_least(column1, column2) AS x FROM "
                               "(VALUES (0.1, 1), (0.2, 0), (NULL, 1))"),
                       0.28, 1e-12);
    sqlite3_close(db);
}

TEST(functions_pass_over_what_is_missing) {
    sqlite3 *db = two_runs();
    assert_double_near(ask(db, "SELECT geomean(ratio) AS x FROM ratios WHERE run = 'a'"), 4, 1e-12);
    assert_double_near(ask(db, "SELECT median(ratio) AS x FROM ratios WHERE run = 'a'"), 5, 1e-12);
    assert_double_near(ask(db, "SELECT quantile(ratio, 0.25) AS x FROM ratios WHERE run = 'a'"),
                       3.5, 1e-12);
    assert_double_near(ask(db, "SELECT log2(ratio) AS x FROM ratios WHERE m = 8 AND run = 'a'"), 3,
                       1e-12);
    assert_double_near(ask(db, "SELECT rank_correlation(column1, column2) AS x FROM "
                               "(VALUES (1, 9), (2, 4), (3, 8), (NULL, 0), (4, NULL))"),
                       -0.5, 1e-12);
    assert_true(isnan(ask(db, "SELECT rank_correlation(m, NULL) AS x FROM ratios")));
    assert_true(isnan(ask(db, "SELECT geomean(ratio) AS x FROM ratios WHERE m = 9")));
    assert_true(isnan(ask(db, "SELECT median(ratio) AS x FROM ratios WHERE m = 1")));
    assert_true(isnan(ask(db, "SELECT log2(NULL) AS x")));
    sqlite3_close(db);
}

TEST(outcomes_have_their_fate_and_words_their_order) {
    sqlite3 *db = two_runs();
    assert_double_near(
        ask(db, "SELECT count(*) AS x FROM fates WHERE fate = 'refused' AND NOT tested"), 2, 0);
    assert_double_near(ask(db, "SELECT count(*) AS x FROM fates WHERE fate = 'passed' AND tested"),
                       2, 0);
    assert_double_near(ask(db, "SELECT count(*) AS x FROM outcomes WHERE fate = 'unrecorded'"), 1,
                       0);
    assert_double_near(ask(db, "SELECT position AS x FROM lenses WHERE lens = 'stream'"),
                       LENS_STREAM, 0);
    assert_double_near(ask(db, "SELECT position AS x FROM modes WHERE mode = 'server'"),
                       MODE_SERVER, 0);
    assert_double_near(ask(db, "SELECT position AS x FROM baselines WHERE baseline = 'previous'"),
                       0, 0);
    sqlite3_close(db);
}

TEST(a_table_is_a_query_and_its_columns) {
    static const char sql[] =
        "SELECT shape AS \"shape||\", m AS \"rows|m|count\", deviation AS \"off "
        "by|deviation|number 2\", "
        "1.5 AS \"ratio||ratio\", 1.25 AS ratio_low, 2 AS ratio_high, m = 64 AS ratio_unrecorded, "
        "'of ' || m AS ratio_heading, NULL AS \"range|range,ratio_low,ratio_high|interval\", "
        "'faster' AS \"verdict||verdict faster\", NULL AS \"count||count|nobody counted\", "
        "NULL AS \"none||absent\", run FROM checks WHERE run = 'a' ORDER BY m";
    sqlite3 *db = two_runs();
    char *text;
    size_t size;
    struct document *page = document_new("title");
    query_table(page, "t", NULL, query_ask(db, sql, NULL));
    FILE *out = need_stream(&text, &size);
    assert_int_equal(write_csv(out, page, "t"), 0);
    fclose(out);
    assert_string_equal(
        text, "shape,m,deviation,ratio,ratio_low,ratio_high,ratio_low,ratio_high,verdict,count\n"
              "8x32x16,8,0.5,1.5,1.25,2,1.25,2,faster,\n"
              "64x32x16,64,inf,1.5,1.25,2,1.25,2,faster,\n");
    free(text);
    out = need_stream(&text, &size);
    assert_int_equal(write_markdown(out, page), 0);
    fclose(out);
    assert_non_null(strstr(text, "| shape | rows | off by | of 8 | range | verdict | count |\n"));
    assert_non_null(strstr(text, "| 64x32x16 | 64 | inf | 1.500 unrecorded (1.250 to 2.000) |"));
    assert_non_null(strstr(text, "| 8x32x16 | 8 | 0.50 | 1.500 (1.250 to 2.000) |"));
    free(text);
    out = need_stream(&text, &size);
    assert_int_equal(write_html(out, page, scratch), 0);
    fclose(out);
    assert_non_null(strstr(text, "nobody counted"));
    free(text);
    document_free(page);
    sqlite3_close(db);
}

/* One text of a query, as it is asked with another. */
static void assert_answer(sqlite3 *db, const char *sql, const char *asked, const char *expected) {
    sqlite3_stmt *answer = query_ask(db, sql, asked, NULL);
    assert_true(query_next(answer));
    assert_string_equal(query_text(answer, "x"), expected);
    sqlite3_finalize(answer);
}

TEST(texts_for_ci_are_clean_and_say_nothing_of_their_own) {
    static const char xml[] = "SELECT xml(?1) AS x", percent[] = "SELECT percent(?1, ':,') AS x",
                      brief[] = "SELECT brief(?1, 9) AS x";
    static const char *const cleaned[][2] = {
        {"plain \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
         "plain \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"\x01", "\xef\xbf\xbd"},
        {"a\x80z\xc3", "a\xef\xbf\xbdz\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xff", "\xef\xbf\xbd"}};
    sqlite3 *db = query_open();
    for (size_t i = 0; i < sizeof cleaned / sizeof *cleaned; i++) {
        assert_answer(db, xml, cleaned[i][0], cleaned[i][1]);
        assert_answer(db, percent, cleaned[i][0], cleaned[i][1]);
    }
    assert_answer(db, xml, "a]]>\"b\"\t<c>&\r\n'",
                  "a]]&#62;&#34;b&#34;&#9;&#60;c&#62;&#38;&#13;&#10;'");
    assert_answer(db, percent, "100%\r\n::error a,b\t", "100%25%0D%0A%3A%3Aerror a%2Cb\t");
    assert_answer(db, brief, "one two three\nfour", "one two …");
    assert_answer(db, brief, "one two\nthree", "one two");
    assert_answer(db, "SELECT xml(NULL) || percent(NULL, '') || brief(NULL, 9) || ?1 AS x", "", "");
    sqlite3_close(db);
}

TEST(a_database_is_written_for_others) {
    const char *path = scratch_path("run.sqlite");
    sqlite3 *db = two_runs(), *read;
    for (int again = 0; again < 2; again++)
        assert_int_equal(query_write(db, path), 0);
    assert_int_equal(sqlite3_open(path, &read), SQLITE_OK);
    assert_double_near(ask(read, "SELECT count(*) AS x FROM ratios"), 6, 0);
    assert_double_near(ask(read, "SELECT count(*) AS x FROM fates WHERE tested"), 2, 0);
    sqlite3_close(read);
    assert_says(query_write(db, scratch_path("no/folder")), -1, "no/folder");
    sqlite3_close(db);
}

TEST(sentences_have_marks_and_text_from_outside_has_none) {
    static const char sql[] =
        "SELECT 'note' AS kind, '**a** 5 % ' || plain('*b* [c](d)') AS text UNION ALL "
        "SELECT 'more', ', `e`' UNION ALL SELECT 'paragraph', '' UNION ALL "
        "SELECT 'item', plain(NULL) UNION ALL SELECT 'a fact', '[f](#' || plain('g)') || ')' UNION "
        "ALL "
        "SELECT 'item', 'h' UNION ALL SELECT 'paragraph', 'i'";
    sqlite3 *db = query_open();
    char *text;
    size_t size;
    struct document *page = document_new("");
    query_say(page, query_ask(db, sql, NULL));
    FILE *out = need_stream(&text, &size);
    assert_int_equal(write_markdown(out, page), 0);
    fclose(out);
    assert_string_equal(text,
                        "**a** 5 % \\*b\\* \\[c\\](d), `e`\n\n|  | |\n| --- | --- |\n| a fact | "
                        "[f](#g%29) |\n\n- h\n\ni\n");
    free(text);
    document_free(page);
    sqlite3_close(db);
}

/* The exit status of a child that fills a table of the query, or a page by the template. */
static int child_status(sqlite3 *db, const char *sql) {
    static struct document *page; /* the child ends without freeing it */
    const pid_t child = fork();
    int status;
    assert_true(child >= 0);
    if (child == 0) {
        page = document_new("");
        if (*sql == '{')
            query_fill(page, db, "run", sql);
        else
            query_table(page, "t", NULL, query_ask(db, sql, NULL));
        _exit(EXIT_PASS);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(a_fault_in_a_query_ends_the_program) {
    static sqlite3 *db;
    db = two_runs();
    assert_says(child_status(db, "SELECT weight FROM ratios"), EXIT_TROUBLE,
                "internal: no such column: weight: SELECT weight FROM ratios");
    assert_says(child_status(db, "SELECT ratio AS \"ratio||ratio\", 1 AS ratio_low FROM ratios"),
                EXIT_TROUBLE, "internal: the query has no ends of ratio:");
    assert_says(child_status(db, "SELECT ratio AS \"ratio||ration\" FROM ratios"), EXIT_TROUBLE,
                "internal: a column has the word ration: ratio||ration");
    assert_int_equal(child_status(db, "SELECT ratio AS \"ratio||ratio\", 1 AS ratio_low, "
                                      "2 AS ratio_high FROM ratios"),
                     EXIT_PASS);
    assert_says(child_status(db, "{shout conflicts}\n"), EXIT_TROUBLE,
                "internal: a template has no command shout");
    assert_says(child_status(db, "{say nothing at all}\n"), EXIT_TROUBLE,
                "internal: a template has no query nothing");
    sqlite3_close(db);
}

TEST(want_of_memory_ends_the_program_and_says_so) {
    static sqlite3 *db;
    db = two_runs();
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + 20000);
    assert_says(child_status(db, "SELECT group_concat(hex(zeroblob(100000))) AS shape, 1 AS ratio, "
                                 "1 AS ratio_low, 1 AS ratio_high FROM ratios"),
                EXIT_TROUBLE, "no memory for the run's database");
    sqlite3_hard_heap_limit64(0);
    sqlite3_close(db);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
