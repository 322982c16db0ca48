/* Documents, and what the writers of Markdown, text, CSV and JSON make of them. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "reports/page/document.h"
#include "reports/page/writers.h"
#include "tests/support/test.h"

typedef int writer(FILE *out, const struct document *page);

static int write_list(FILE *out, const struct document *page) {
    return write_csv(out, page, "list");
}

static void expect(const struct document *page, writer *write, const char *want) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(write(out, page), 0);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, want);
    free(text);
}

/* One table of all types, with text that means something to every format. */
static struct document *make_page(void) {
    struct document *page = document_new("A *page*");
    document_fact(page, "device", "a|b");
    document_fact(page, "nothing", "");
    document_section(page, 2, "two-parts", "Two <parts>", false);
    document_paragraph(page, "3 of *all* `*x*`, see [the `list`](a b) \\*.");
    document_item(page, "one \\*\\*1\\*\\*");
    document_item(page, "two");
    document_table(page, "list", NULL);
    document_columns(page, "kernel||code", NULL);
    document_columns(page, "n||count", NULL);
    document_columns(page, "mean %||speedup", NULL);
    document_columns(page, "ratio||ratio", NULL);
    document_columns(page, "time|seconds|seconds", "verdict||verdict pages", NULL);
    document_row(page);
    document_cell(page, "a,`b`");
    document_number(page, 7);
    document_number(page, 0.2214);
    document_ratio(page, 1.25, 1.1254, 1.5);
    document_number(page, 12.5e-6);
    document_cell(page, "faster");
    document_mood(page, DOCUMENT_GOOD);
    document_row(page);
    document_cell(page, "c");
    document_empty(page, "why");
    document_number(page, NAN);
    document_ratio(page, 0.5, NAN, NAN);
    return page;
}

TEST(test_markdown) {
    struct document *page = make_page();
    expect(page, write_markdown,
           "# A \\*page\\*\n\n"
           "|  | |\n| --- | --- |\n| device | a\\|b |\n\n"
           "## Two \\<parts\\>\n\n"
           "3 of *all* `*x*`, see [the \\`list\\`](a%20b) \\*.\n\n"
           "- one \\*\\*1\\*\\*\n- two\n\n"
           "| kernel | n | mean % | ratio | time | verdict |\n"
           "| --- | ---: | ---: | ---: | ---: | --- |\n"
           "| <code>a,\\`b\\`</code> | 7 | +22.1 | 1.250 (1.125 to 1.500) | 12.50 µs | faster |\n"
           "| `c` | – | – | 0.500 | – | – |\n");
    document_free(page);
}

TEST(test_csv) {
    struct document *page = make_page();
    expect(page, write_list,
           "kernel,n,mean %,ratio,ratio_low,ratio_high,seconds\n"
           "\"a,`b`\",7,0.2214,1.25,1.1254,1.5,1.25e-05\n"
           "c,,,0.5,,,\n");
    document_free(page);
}

/* Of tables of one id, such as the series of a history, the rows follow one another. */
TEST(parts_of_a_table_are_one_in_json) {
    struct document *page = document_new("parts");
    char *text = NULL;
    size_t size;
    for (size_t part = 0; part < 3; part++) {
        document_table(page, "part", NULL);
        document_columns(page, "n||count", NULL);
        document_row(page);
        document_number(page, part);
    }
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(write_json(out, page), 0);
    fclose(out);
    json_t *json = json_loads(text, 0, NULL);
    const json_t *rows = json_object_get(json_object_get(json, "tables"), "part");
    assert_int_equal(json_array_size(rows), 3);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(rows, 2), "n")), 2);
    json_decref(json);
    free(text);
    document_free(page);
}

TEST(test_json) {
    struct document *page = make_page();
    json_t *rows = write_json_table(page, "list"), *row = json_array_get(rows, 0);
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(json_string_value(json_object_get(row, "kernel")), "a,`b`");
    assert_int_equal(json_integer_value(json_object_get(row, "n")), 7);
    assert_true(json_real_value(json_object_get(row, "ratio_high")) == 1.5);
    assert_true(json_real_value(json_object_get(row, "seconds")) == 12.5e-6);
    assert_null(json_object_get(row, "verdict"));
    assert_true(json_is_null(json_object_get(json_array_get(rows, 1), "n")));
    json_decref(rows);
    document_free(page);
}

TEST(test_text) {
    struct document *page = make_page();
    expect(page, write_text,
           "A *page*\n\n"
           "device  a|b\n\n"
           "Two <parts>\n\n"
           "3 of all *x*, see the `list` *.\n\n"
           "- one **1**\n- two\n\n"
           "kernel  n  mean %                   ratio      time  verdict\n"
           "a,`b`   7   +22.1  1.250 (1.125 to 1.500)  12.50 µs  faster\n"
           "c       –       –                   0.500         –\n");
    document_free(page);
}

/* A long cell goes on below, no line is wider than 100, and none begins with a command of a CI
 * server. */
TEST(test_text_wraps) {
    struct document *page = document_new("");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    document_paragraph(page, "::error::planted");
    document_table(page, "list", NULL);
    document_columns(page, "why||text", NULL);
    document_columns(page, "n||count", NULL);
    document_row(page);
    document_cell(page,
                  "word word word word word word word word word word word word word word word "
                  "word word word word word word word word ::error:: word\x1b[31m");
    document_number(page, 1);
    assert_int_equal(write_text(out, page), 0);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "\\::error::planted"));
    assert_non_null(strstr(text, "word\xef\xbf\xbd[31m"));
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest));) {
        assert_true(strlen(line) <= WRITE_TEXT_WIDTH);
        assert_int_not_equal(strncmp(line + strspn(line, " "), "::", 2), 0);
    }
    free(text);
    document_free(page);
}

/* What has a backslash before it is no mark, nor is one that nothing ends; a link without words is none. */
TEST(test_marks) {
    struct document *page = document_new("");
    document_paragraph(page, "\\[a](b) \\*\\*c\\*\\* **\\*e\\*** [f\\](g](h\\)\\)i) [](j)");
    document_add(page, " and 5 % *of `it");
    document_paragraph(page, "a * b \\\\ [c](d");
    expect(page, write_markdown,
           "\\[a\\](b) \\*\\*c\\*\\* **\\*e\\*** [f\\](g](h%29%29i)  and 5 % \\*of \\`it\n\n"
           "a \\* b \\\\ [c](d)\n");
    document_free(page);
}

TEST(prose_is_paragraphs_and_items) {
    struct document *page = document_new("");
    document_prose(page, "One *line\n  and* 5 % more.\n- an item\n- `b`\n  c\nd");
    expect(page, write_markdown, "One *line and* 5 % more.\n\n- an item\n- `b` c\n\nd\n");
    document_free(page);
}

/* Pages show some rows and say how many more there are; data has all. */
TEST(test_most) {
    struct document *page = document_new("");
    document_table(page, "list", "Caption");
    document_columns(page, "n||count", NULL);
    for (size_t i = 0; i < 3; i++) {
        document_row(page);
        document_number(page, i);
    }
    document_most(page, DOCUMENT_MARKDOWN | DOCUMENT_TERMINAL, 1);
    document_where(page, "all are in [list.csv](list.csv)");
    expect(page, write_markdown,
           "**Caption**\n\n| n |\n| ---: |\n| 0 |\n\n… and 2 more; all are in "
           "[list.csv](list.csv).\n");
    expect(page, write_list, "n\n0\n1\n2\n");
    expect(page, write_text, "Caption\nn\n0\n... and 2 more; all are in list.csv\n");
    document_free(page);
}

/* What is for one format is in no other, and leaves no blank lines there. */
TEST(test_only) {
    struct document *page = document_new("");
    document_paragraph(page, "a");
    document_only(page, DOCUMENT_HTML);
    document_paragraph(page, "b");
    document_only(page, DOCUMENT_ALL);
    document_paragraph(page, "c");
    expect(page, write_markdown, "a\n\nc\n");
    expect(page, write_text, "a\nc\n");
    document_free(page);
}

/* Pages leave out columns that tell nothing; data has them all. */
TEST(test_omitted_columns) {
    for (size_t last = 0; last < 2; last++) {
        struct document *page = document_new("");
        document_table(page, "list", NULL);
        document_columns(page, "mode||same", "sd||number empty", "lost||count zero", "none||same",
                         NULL);
        document_columns(page, "n||count", NULL);
        for (size_t row = 0; row < 2; row++) {
            document_row(page);
            document_cell(page, row + last == 2 ? "server" : "offline");
            document_number(page, row + last == 2 ? 0 : NAN);
            document_number(page, row + last == 2);
            document_cell(page, "");
            document_number(page, 7);
        }
        expect(page, write_markdown,
               last ? "| mode | sd | lost | n |\n| --- | ---: | ---: | ---: |\n"
                      "| offline | – | 0 | 7 |\n| server | 0 | 1 | 7 |\n"
                    : "| n |\n| ---: |\n| 7 |\n| 7 |\n");
        expect(page, write_list,
               last ? "mode,sd,lost,none,n\noffline,,0,,7\nserver,0,1,,7\n"
                    : "mode,sd,lost,none,n\noffline,,0,,7\noffline,,0,,7\n");
        document_free(page);
    }
}

static void put_a_cell_too_many(struct document *page) {
    document_number(page, 2);
}

static void put_a_late_column(struct document *page) {
    document_columns(page, "m||count", NULL);
}

static void put_a_row_outside(struct document *page) {
    document_paragraph(page, "between");
    document_row(page);
}

static void add_to_nothing(struct document *page) {
    document_section(page, 2, "a", "heading", false);
    document_add(page, "more");
}

static void add_to_a_row(struct document *page) {
    document_row(page);
    document_cell(page, "1");
    document_row(page);
    document_add(page, "more");
}

/* A heading stays in sight, so that links lead to it. */
TEST(sections_fold) {
    struct document *page = document_new("");
    document_section(page, 2, "a", "A", true);
    document_paragraph(page, "in a");
    document_section(page, 2, "b", "B", true);
    document_paragraph(page, "in b");
    expect(page, write_markdown,
           "## A\n\n<details><summary>Show</summary>\n\nin a\n\n</details>\n\n"
           "## B\n\n<details><summary>Show</summary>\n\nin b\n\n</details>\n\n");
    document_free(page);
}

/* What is filled in no order is a fault of ours, and ends the program. */
TEST(test_order) {
    void (*const faults[])(struct document *) = {put_a_cell_too_many, put_a_late_column,
                                                 put_a_row_outside, add_to_nothing, add_to_a_row};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        int status = 0;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            struct document *page = document_new("");
            close(STDERR_FILENO);
            document_table(page, "list", NULL);
            document_columns(page, "n||count", NULL);
            document_row(page);
            document_number(page, 1);
            faults[i](page);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(WEXITSTATUS(status), EXIT_TROUBLE);
    }
}
