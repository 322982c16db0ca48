#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/visible.h"

static void expect(const char *list, int ordinal, const char *alone) {
    char text[16] = "as it was";
    assert_int_equal(visible_alone(list, ordinal, text, sizeof text), alone != NULL);
    if (alone)
        assert_string_equal(text, alone);
}

static void without_a_list_it_is_the_ordinal(void **state) {
    (void)state;
    expect(NULL, 0, "0");
    expect("", 11, "11");
}

static void with_one_it_is_the_word_at_that_place(void **state) {
    (void)state;
    expect("3", 0, "3");
    expect("3,1,0", 1, "1");
    expect("3,1,0", 2, "0");
    expect("GPU-8932f937,2", 0, "GPU-8932f937");
    expect("GPU-8932f937,2", 1, "2");
}

static void what_is_not_there_or_too_long_is_refused(void **state) {
    (void)state;
    expect("3,1", 2, NULL);
    expect("3,", 1, NULL);
    expect(",3", 0, NULL);
    expect("GPU-8932f937-d72d", 0, NULL);
    expect("0,GPU-8932f937-d72d", 1, NULL);
    expect("GPU-8932f937-d7", 0, "GPU-8932f937-d7");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_list_it_is_the_ordinal),
        cmocka_unit_test(with_one_it_is_the_word_at_that_place),
        cmocka_unit_test(what_is_not_there_or_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
