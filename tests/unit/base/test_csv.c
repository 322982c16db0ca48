/* CSV files as people and programs write them, right and wrong. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/csv.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static char path[] = "/tmp/gemmgate-csv-XXXXXX";

static int read_bytes(const char *bytes, size_t length, struct csv_table *table) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return csv_table_read(path, table);
}

static int read_text(const char *text, struct csv_table *table) {
    return read_bytes(text, strlen(text), table);
}

static int set_up(void **state) {
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

TEST(test_plain) {
    struct csv_table t;
    assert_int_equal(read_text("a,b\n1, x y \n\"q\"\"u,o\nte\",\n", &t), 0);
    assert_int_equal(t.rows, 2);
    assert_int_equal(t.columns, 2);
    assert_true(t.ended);
    assert_int_equal(csv_table_find(&t, "b"), 1);
    assert_int_equal(csv_table_find(&t, "c"), -1);
    assert_string_equal(csv_table_text(&t, 0, 1), "x y");
    assert_string_equal(csv_table_text(&t, 1, 0), "q\"u,o\nte");
    assert_string_equal(csv_table_text(&t, 1, 1), "");
    assert_int_equal(csv_table_line(&t, 0), 2);
    assert_int_equal(csv_table_line(&t, 1), 4);
    assert_says(csv_table_column(&t, "c"), -1, ":1: no column 'c'");
    csv_table_free(&t);
}

/* A line without quotes is split by another way than one with them: both take the same fields. */
TEST(test_blanks_around_fields) {
    static const char *const lines[] = {" 1\t, x y , ,4 \n", " 1\t, \"x y\" , ,4 \n",
                                        "1,x y,,4\r\n", "\t\n  1 ,x y,\t,4\n"};
    static const char *const fields[] = {"1", "x y", "", "4"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[64];
        struct csv_table t;
        snprintf(text, sizeof text, "a , b,c,d\n%s", lines[i]);
        assert_int_equal(read_text(text, &t), 0);
        assert_int_equal(t.rows, 1);
        assert_int_equal(csv_table_find(&t, "b"), 1);
        for (int column = 0; column < 4; column++)
            assert_string_equal(csv_table_text(&t, 0, column), fields[column]);
        csv_table_free(&t);
    }
}

TEST(test_bom_crlf_blank_lines_no_last_newline) {
    struct csv_table t;
    assert_int_equal(read_text("\xef\xbb\xbfm,n,k\r\n\r\n1,2,3\r\n4,5,6", &t), 0);
    assert_int_equal(t.rows, 2);
    assert_false(t.ended);
    assert_int_equal(csv_table_find(&t, "m"), 0);
    struct shape shape;
    assert_int_equal(csv_table_shape(&t, 1, &shape), 0);
    assert_int_equal(shape.m * 100 + shape.n * 10 + shape.k, 456);
    assert_int_equal(csv_table_line(&t, 0), 3);
    assert_int_equal(csv_table_line(&t, 1), 4);
    csv_table_free(&t);
    assert_int_equal(read_text("a\n", &t), 0);
    assert_int_equal(t.rows, 0);
    csv_table_free(&t);
}

TEST(test_refused) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", ":1: the file is empty"},
        {"\n\n", ":1: the file is empty"},
        {"a,b\n1,2\n3\n", ":3: 1 fields where the header has 2"},
        {"a,b\n1,2,3\n", ":2: 3 fields where the header has 2"},
        {"a,b,a\n1,2,3\n", ":1: two columns are called 'a'"},
        {"a,b\n1,2\n\"3,4\n5,6\n", ":4: the file ends inside a quoted field"},
        {"a,b\n1,x\"y\"\n", ":2: "},
        {"a,b\n1,\"x\"y\n", ":2: "},
    };
    struct csv_table t;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char words[256];
        snprintf(words, sizeof words, "gemmgate: %s%s", path, wrong[i].message);
        assert_says(read_text(wrong[i].text, &t), -1, words);
        assert_null(t.text);
    }
    assert_says(read_bytes("a,b\n1,\0\n", 8, &t), -1, ":2: a NUL byte");
    assert_says(csv_table_read("/nonexistent/x.csv", &t), -1,
                "/nonexistent/x.csv: cannot read: No such file");
    assert_says(csv_table_read("/tmp", &t), -1, "/tmp: cannot read: Is a directory");
}

TEST(test_numbers) {
    static const char *const wrong[] = {"nan", "NaN", "inf", "-inf",  "0x10", "1.5x", "1e999",
                                        "",    "1 2", "--1", "1,5e0", "e5",   "."};
    struct csv_table t;
    double value;
    assert_int_equal(read_text("x\n-1.5e-3\n+7\n", &t), 0);
    assert_int_equal(csv_table_number(&t, 0, 0, &value), 0);
    assert_true(value == -1.5e-3);
    assert_int_equal(csv_table_number(&t, 1, 0, &value), 0);
    assert_true(value == 7);
    csv_table_free(&t);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64];
        snprintf(text, sizeof text, "y,x\n1,2\n3,\"%s\"\n", wrong[i]);
        assert_int_equal(read_text(text, &t), 0);
        assert_says(csv_table_number(&t, 1, 1, &value), -1, ":3: column x: ");
        csv_table_free(&t);
    }
}

TEST(test_shapes) {
    static const struct {
        const char *text, *message; /* NULL: fine, and 8x16x32 */
    } cases[] = {
        {"m,n,k\n8,16,32\n", NULL},
        {"# of a model\nM,N,K\n# its first layer\n8, 16, 32\n", NULL},
        {"mnk\n8x16x32\n", NULL},
        {"mnk,x\n8_16_32,1\n", NULL},
        {"m,n,k\n0,16,32\n", ":2: column m: '0' is no size"},
        {"m,n,k\n8,-16,32\n", ":2: column n: '-16' is no size"},
        {"m,n,k\n8,16,1048577\n", ":2: column k: '1048577' is no size"},
        {"m,n,k\n8,16,99999999999999999999\n", ":2: column k: "},
        {"m,n,k\n8,16,3.0\n", ":2: column k: '3.0' is no size"},
        {"m,n,k\n8,16,\n", ":2: column k: '' is no size"},
        {"m,n\n8,16\n", ":1: no column 'k'"},
        {"mnk\n8x16\n", ":2: column mnk: '8x16': "},
        {"shape\n8x16x32\n", ":1: no shapes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct csv_table t;
        struct shape shape;
        assert_int_equal(read_text(cases[i].text, &t), 0);
        if (cases[i].message)
            assert_says(csv_table_shape(&t, 0, &shape), -1, cases[i].message);
        else {
            assert_int_equal(csv_table_shape(&t, 0, &shape), 0);
            assert_true(shape.m == 8 && shape.n == 16 && shape.k == 32);
        }
        csv_table_free(&t);
    }
}

/* Whatever is put comes back the same. */
TEST(test_put) {
    static const char *const texts[] = {"plain",      "",   "a,b", "say \"x\"", " blank ",
                                        "two\nlines", "\r", "é|`", "-1.5e3",    "#"};
    enum { COUNT = sizeof texts / sizeof *texts };
    struct csv_table t;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("text,x\n", file);
    for (size_t i = 0; i < COUNT; i++) {
        csv_put_text(file, texts[i]);
        fputc(',', file);
        csv_put_number(file, i == 0 ? NAN : (double)i / 3);
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(csv_table_read(path, &t), 0);
    assert_int_equal(t.rows, COUNT);
    assert_string_equal(csv_table_text(&t, 0, 1), "");
    assert_string_equal(csv_table_text(&t, 1, 1), "0.333333333333");
    for (size_t i = 0; i < COUNT; i++)
        assert_string_equal(csv_table_text(&t, i, 0), texts[i]);
    csv_table_free(&t);
}

/* Beside one another, as a row of a run directory is put together. */
TEST(test_put_a_row) {
    static const double numbers[] = {0.5, NAN, 1.0 / 3};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    csv_put_text(out, "b,c");
    for (int i = 0; i < 3; i++) {
        fputc(',', out);
        csv_put_number(out, numbers[i]);
    }
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "\"b,c\",0.5,,0.333333333333");
    free(text);
    assert_true(csv_rounded(1.0 / 3) == 0.333333333333);
    assert_true(csv_rounded(-0.25) == -0.25);
}

/* More rows and longer fields than the memory that reading begins with. */
TEST(test_long) {
    enum { ROWS = 5000, LONG = 3000 };
    static char text[ROWS * 16 + 2 * LONG], field[LONG + 1], want[16];
    struct csv_table t;
    size_t used = 0;
    memset(field, 'x', LONG);
    used += (size_t)snprintf(text + used, sizeof text - used, "a,b\n");
    for (int i = 0; i < ROWS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "r%d,%d\n", i, i * 7);
    snprintf(text + used, sizeof text - used, "%s,1\n", field);
    assert_int_equal(read_text(text, &t), 0);
    assert_int_equal(t.rows, ROWS + 1);
    for (int i = 0; i < ROWS; i++) {
        snprintf(want, sizeof want, "r%d", i);
        assert_string_equal(csv_table_text(&t, (size_t)i, 0), want);
        assert_int_equal(atoi(csv_table_text(&t, (size_t)i, 1)), i * 7);
        assert_int_equal(csv_table_line(&t, (size_t)i), i + 2);
    }
    assert_string_equal(csv_table_text(&t, ROWS, 0), field);
    csv_table_free(&t);
}

TEST(test_error_of_a_field) {
    struct csv_table t;
    char words[128];
    assert_int_equal(read_text("a,b\n1,2\n", &t), 0);
    snprintf(words, sizeof words, "gemmgate: %s:2: column b: not 3\n", path);
    assert_says(csv_table_error(&t, 0, 1, "not %d", 3), -1, words);
    csv_table_free(&t);
}

TESTS_BETWEEN(set_up, tear_down)
