/* The page of a gate in Markdown. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/files.h"
#include "reports/gate/output.h"
#include "tests/support/made_gates.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* Bars that end a cell in the line at text. */
static size_t bars(const char *text) {
    size_t count = 0;
    for (; *text && *text != '\n'; text++)
        if (*text == '\\' && text[1])
            text++;
        else
            count += *text == '|';
    return count;
}

/* Every table has as many cells in each row as in its head. Returns the rows without heads. */
static size_t check_tables(const char *page) {
    size_t rows = 0, head = 0;
    for (const char *line = page; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line != '|') {
            head = 0;
            continue;
        }
        rows += head != 0;
        if (head == 0)
            head = bars(line);
        else if (bars(line) != head)
            fail_msg("%zu cells instead of %zu: %.200s", bars(line), head, line);
        if (strncmp(line, "| --- |", 7) == 0 || strncmp(line, "| ---: |", 8) == 0)
            rows--;
    }
    return rows;
}

/* What is told of the gate in begin(). */
enum { FACTS = 5 };

/* The number before a text that stands once in the page; 0 where it does not. */
static size_t number_before(const char *page, const char *text) {
    const char *at = strstr(page, text);
    if (!at)
        return 0;
    while (at > page && isdigit((unsigned char)at[-1]))
        at--;
    return strtoul(at, NULL, 10);
}

TEST(test_markdown) {
    struct gate gate = make_regression("RUN");
    char *page = written(output_markdown, &gate);
    assert_memory_equal(page, "<!-- gemmgate -->\n## gemmgate: regression\n", 42);
    assert_non_null(strstr(page, "\n**regression** (exit status 1): 2 of 12 rows are slower\n"));
    /* The verdict's sentence stands before anything else, and a row says why in its fourth cell. */
    assert_memory_equal(page, "<!-- gemmgate -->\n## gemmgate: regression\n\n**regression** ", 58);
    assert_non_null(strstr(page,
                           "| slower | 66x64x128 | `tiled` | `takes 25 % more time than previous, "
                           "confirmed` | 0.800 | 0.810 | `offline.device` |"));
    /* Rows differ in the mode or the lens. */
    assert_non_null(strstr(page, "| mode.lens |\n"));
    /* One page has rows of both stages, and means of one. */
    assert_non_null(strstr(page, "screening, which measures all rows. 2 rows above rest on the "
                                 "confirmation alone"));
    /* Facts, totals, all rows, and those that a reviewer needs. */
    assert_int_equal(check_tables(page), FACTS + 2 + 2 * row_count(&gate) - 1);
    const char *order[] = {"| wrong | 64x",
                           "| unrecorded | 63x",
                           "| slower | 66x",
                           "| slower | 65x",
                           "| behind | 66x",
                           "| missing | 67x",
                           "| environment | 68x",
                           "| undecided | 69x",
                           "| known | 70x",
                           "| added | 71x",
                           "### Largest",
                           "| faster | 74x",
                           "| faster | 73x",
                           "<details>",
                           "| same | 72x",
                           "</details>",
                           "`gemmgate gate RUN --policy merge.ini`"};
    const char *at = page;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *next = strstr(at, order[i]);
        if (!next)
            fail_msg("not in its place: %s", order[i]);
        at = next;
    }
    assert_non_null(
        strstr(page, "| 0.800 (0.795 to 0.805) | 8.000 µs | 10.00 µs | 2 | 0.00025 | 12 |"));
    assert_non_null(strstr(page, "- **warning:** policy.ini:3: is needless\n"));
    /* A row of an unrecorded kernel says so beside each number, and a sentence under all rows what
     * that is. */
    assert_non_null(strstr(page, "less time than previous, unrecorded` | – | 1.110 |"));
    assert_non_null(
        strstr(page, "| 1.100 unrecorded (1.095 to 1.105) | 11.00 µs | 10.00 µs unrecorded |"));
    assert_int_equal(count_all(page, "\n*unrecorded*: the kernel's work could not be recorded"), 1);
    assert_non_null(strstr(page, "| all | 10 | 0.990 (0.985 to 0.995) | 1 | 1 | 8 | 0 |"));
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "inf "));
    free(page);
    end(&gate);

    gate = make_pass("RUN");
    page = written(output_markdown, &gate);
    assert_non_null(strstr(page, "## gemmgate: pass\n"));
    assert_null(strstr(page, "needs a look"));
    assert_null(strstr(page, "| mode.lens |\n"));
    free(page);
    end(&gate);

    gate = begin("RUN", GATE_ERROR, "the run is not complete");
    query_run(gate.db, "DELETE FROM lines");
    page = written(output_markdown, &gate);
    assert_non_null(strstr(page, "\n**error** (exit status 2): the run is not complete\n"));
    assert_int_equal(check_tables(page), FACTS);
    assert_null(strstr(page, "coverage"));
    assert_null(strstr(page, "honest"));
    free(page);
    end(&gate);
}

TEST(test_markdown_nasty) {
    struct gate gate = make_nasty("RUN");
    char *page = written(output_markdown, &gate);
    assert_int_equal(check_tables(page), FACTS + 2 + 2 * row_count(&gate));
    for (const char *c = page; (c = strpbrk(c, "\\<`")); c++)
        if (*c == '\\')
            c++;
        else if (*c == '`')
            assert_non_null(c = strchr(c + 1, '`'));
        else if (strncmp(c, "<code>", 6) != 0 && strncmp(c, "</code>", 7) != 0 &&
                 strncmp(c, "<!-- gemmgate -->", 17) != 0 && strncmp(c, "<details>", 9) != 0 &&
                 strncmp(c, "</details>", 10) != 0 && strncmp(c, "<summary>", 9) != 0 &&
                 strncmp(c, "</summary>", 10) != 0)
            fail_msg("markup from outside: %.40s", c);
    assert_null(strstr(page, "`" NASTY));
    for (const char *c = page; *c; c++)
        assert_true((unsigned char)*c >= ' ' || *c == '\n');
    assert_int_equal(count_all(page, "\n::"), 0);
    free(page);
    end(&gate);
}

TEST(test_markdown_long) {
    for (int longest = 0; longest < 2; longest++) {
        struct gate gate = make_thousand("RUN", longest);
        char *page = written(output_markdown, &gate);
        assert_true(strlen(page) <= OUTPUT_MARKDOWN);
        const size_t rows = check_tables(page) - FACTS;
        size_t left_out = 0;
        for (const char *at = page; (at = strstr(at, "\n… and ")); at++)
            left_out += number_before(at, " more; all are in ");
        /* Faster ones are shown ten at most; all rows are there again with their numbers. */
        const size_t twice =
            (size_t)query_one(gate.db, "SELECT count(*) FROM shown_rows WHERE NOT open") - 10;
        assert_int_equal(rows + left_out,
                         2 * row_count(&gate) - twice + (longest ? MANY_LINES : 2));
        /* However many warnings and totals there are, the worst rows are shown. */
        assert_true(count_all(page, "\n| wrong |") >= (longest ? 16 : 60));
        assert_int_equal(count_all(page, "- **warning:**") + number_before(page, " more warning"),
                         longest ? MANY_WARNINGS : 0);
        assert_non_null(strstr(page, "To judge them again: `gemmgate gate "));
        assert_int_equal(count_all(page, "<details>"), count_all(page, "</details>"));
        free(page);
        end(&gate);
    }
}

/* What a reader wants to know is in the tables: the figure comes after them. */
TEST(test_figure_is_below) {
    if (system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    struct gate gate = make_regression(scratch_path("run"));
    assert_int_equal(files_make_folder(scratch_path("run/gate")), 0);
    char *page = written(output_html, &gate);
    assert_int_equal(count_all(page, "/ library: against a library that it must beat"), 1);
    static const char *const order[] = {">slower</th>", "id=\"totals\"", "<figure",
                                        "id=\"how-to-read\""};
    const char *at = strstr(page, "<main>");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        at = strstr(at, order[i]);
        if (!at)
            fail_msg("not in its place: %s", order[i]);
    }
    free(page);
    end(&gate);
    gate = make_pass(scratch_path("run"));
    page = written(output_html, &gate);
    assert_null(strstr(page, "/ library"));
    free(page);
    end(&gate);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
