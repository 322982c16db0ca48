/* What a kernel may write into a log, and what becomes of it. */

#include <stdio.h>

#include "bench/base/text.h"
#include "tests/support/test.h"

TEST(nothing_steers_a_terminal_or_a_ci) {
    static const struct {
        const char *said, *told;
    } cases[] = {
        {"", ""},
        {"off by 3 % at C[1][2]; # 4 \"x\"", "off by 3 % at C[1][2]; # 4 \"x\""},
        {"one\ntwo\r\tthree", "one two  three"},
        {"\x1b[31mred\x7f", " [31mred "},
        {"##[error]x ##vso[task]", " #[error]x  #vso[task]"},
        {"###", "  #"},
        {"a\x01z", "a z"},
        {"\xc2\x9b[2J", "  [2J"},                 /* a control character past ASCII */
        {"\xc2\x80\xc2\x9f", "    "},             /* the first and the last of them */
        {"\xc2\xa0\xc3\x9f", "\xc2\xa0\xc3\x9f"}, /* a space and a letter are none */
        {"\xc2", " "},                            /* cut short */
        {"a\x9b[2J", "a [2J"},                    /* a terminal of eight bits obeys it */
        {"\xe2\x80\xae"
         "c",
         "   c"}, /* what follows would be shown backwards */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", cases[i].said);
        clean_text(text);
        assert_string_equal(text, cases[i].told);
    }
}

TEST(lines_stay_lines) {
    char text[] = "a.c:1:\terror\r\n##[x]\n";
    clean_lines(text);
    assert_string_equal(text, "a.c:1: error \n #[x]\n");
}
