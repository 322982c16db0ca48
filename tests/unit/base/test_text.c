#include "bench/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/draws.h"
#include "tests/support/test.h"

TEST(a_text_grows_until_it_is_full) {
    char text[16] = "abc";
    memset(text + 10, 'x', 6);
    text_append(text, 10, "%d", 42);
    assert_string_equal(text, "abc42");
    text_append(text, 10, "%s", "");
    assert_string_equal(text, "abc42");
    text_append(text, 10, "-%s-", "defghi");
    assert_string_equal(text, "abc42-def");
    text_append(text, 10, "more");
    assert_string_equal(text, "abc42-def");
    assert_memory_equal(text + 10, "xxxxxx", 6);
}

TEST(a_number_is_decimal_and_finite) {
    static const struct {
        const char *text, *rest; /* NULL: it is none */
        double number;
    } cases[] = {{"2 %", " %", 2}, {"-2.5e1", "", -25}, {"+.5", "", 0.5}, {"1,", ",", 1},
                 {"0x1", NULL, 0}, {"1e999", NULL, 0},  {"nan", NULL, 0}, {"inf", NULL, 0},
                 {"1e", NULL, 0},  {"1-2", NULL, 0},    {"", NULL, 0},    {"-", NULL, 0},
                 {" 1", NULL, 0},  {"1.5.2", NULL, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double number;
        const char *rest = text_number(cases[i].text, &number);
        assert_int_equal(!rest, !cases[i].rest);
        if (rest) {
            assert_string_equal(rest, cases[i].rest);
            assert_true(number == cases[i].number);
        }
    }
}

TEST(a_number_is_the_nearest_to_its_digits) {
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        char text[40];
        double number;
        const double value = draw_normal(&seed) * pow(10, 20 * draw_uniform(&seed) - 10);
        snprintf(text, sizeof text, i % 2 ? "%.*g" : "%.*f", 1 + i % 18, value);
        assert_non_null(text_number(text, &number));
        assert_true(number == strtod(text, NULL));
    }
}

TEST(what_is_said_is_cut_between_words) {
    static const char *const cases[][2] = {{"it is 17.25", "<it is 17.25"},
                                           {"it is 17.255", "<it is …"},
                                           {"first\nsecond line", "<first"},
                                           {"", "<"},
                                           {"onelongwordofmany", "< …"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32] = "<";
        text_append_brief(text, sizeof text, cases[i][0], 11);
        assert_string_equal(text, cases[i][1]);
    }
}
