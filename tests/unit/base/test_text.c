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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_text_grows_until_it_is_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
