/* All rows of a shape. */
#include <stdio.h>
#include <string.h>

#include "reports/rows/rows.h"
#include "tests/support/test.h"

/* The rows of a shape stand apart, as where a set comes after another. */
static const struct shape order[] = {{64, 64, 64}, {128, 64, 32}, {64, 64, 64},
                                     {1, 2, 3},    {128, 64, 32}, {64, 64, 64}};
enum { ROWS = sizeof order / sizeof *order };

static void add_row(struct rows *rows, size_t i) {
    struct time_row row = {.shape = order[i], .median = (double)i};
    row.lens = i % 2 ? "call" : "device";
    rows_add_time(rows, &row);
}

static struct rows some_rows(void) {
    struct rows rows = {0};
    for (size_t i = 0; i < ROWS; i++)
        add_row(&rows, i);
    return rows;
}

static void assert_rows(const struct rows *rows, struct shape shape, const size_t *wanted,
                        size_t count) {
    const struct time_row *row = NULL;
    size_t found = 0;
    while ((row = rows_next(rows, ROWS_TIMES, shape, row))) {
        assert_true(found < count);
        assert_int_equal(row - rows->times, wanted[found++]);
    }
    assert_int_equal(found, count);
}

static void assert_all(const struct rows *rows) {
    assert_rows(rows, order[0], (const size_t[]){0, 2, 5}, 3);
    assert_rows(rows, order[1], (const size_t[]){1, 4}, 2);
    assert_rows(rows, order[3], (const size_t[]){3}, 1);
    assert_rows(rows, (struct shape){5, 5, 5}, NULL, 0);
    assert_rows(rows, (struct shape){512, 5, 5}, NULL, 0);
}

TEST(rows_of_a_shape_are_found_in_the_order_in_which_they_stand) {
    struct rows rows = some_rows();
    assert_all(&rows);
    rows_free(&rows);
}

TEST(a_row_that_is_added_later_is_found_too) {
    struct rows rows = some_rows();
    assert_all(&rows);
    add_row(&rows, 3);
    assert_rows(&rows, order[3], (const size_t[]){3, ROWS}, 2);
    rows_free(&rows);
}

TEST(of_no_rows_none_is_found) {
    struct rows rows = {0};
    assert_rows(&rows, order[0], NULL, 0);
    rows_free(&rows);
}

TEST(rows_keep_the_texts_that_they_are_added_with) {
    struct rows rows = {0};
    char text[] = "call";
    const struct time_row row = {.shape = order[0], .lens = text};
    rows_add_time(&rows, &row);
    strcpy(text, "wait");
    rows_add_time(&rows, &row);
    for (int i = 0; i < 1000; i++) {
        char note[16];
        snprintf(note, sizeof note, "note %d", i);
        rows_add_time(&rows, &(struct time_row){.shape = order[0], .lens = "call", .note = note});
    }
    assert_string_equal(rows.times[0].lens, "call");
    assert_string_equal(rows.times[1].lens, "wait");
    assert_string_equal(rows.times[1].note, "");
    assert_string_equal(rows.times[2].note, "note 0");
    assert_string_equal(rows.times[1001].note, "note 999");
    assert_ptr_equal(rows.times[1001].lens, rows.times[0].lens);
    rows_free(&rows);
}
