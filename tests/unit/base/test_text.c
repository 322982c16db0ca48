#include "bench/base/text.h"

#include <string.h>

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
