#include "bench/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void a_text_grows_until_it_is_full(void **state) {
    char text[16] = "abc";
    (void)state;
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

static void what_is_said_is_cut_between_words(void **state) {
    static const char *const cases[][2] = {{"it is 17.25", "<it is 17.25"},
                                           {"it is 17.255", "<it is …"},
                                           {"first\nsecond line", "<first"},
                                           {"", "<"},
                                           {"onelongwordofmany", "< …"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32] = "<";
        text_append_brief(text, sizeof text, cases[i][0], 11);
        assert_string_equal(text, cases[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_text_grows_until_it_is_full),
                                       cmocka_unit_test(what_is_said_is_cut_between_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
