/* The one way in which a fault of ours is told. */
#include "bench/base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/says.h"

/* A line, and no more. */
static void an_error_is_a_line_and_minus_one(void **state) {
    (void)state;
    stderr_catch();
    const int status = error("%s:%d: no such thing", "a.ini", 3);
    error("%s", "");
    warning("it is %g %%", 2.5);
    stderr_says("gemmgate: a.ini:3: no such thing\ngemmgate: \ngemmgate: warning: it is 2.5 %\n");
    assert_int_equal(status, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_error_is_a_line_and_minus_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
