/* The one way in which a fault of ours is told. */
#include "bench/base/error.h"

#include "tests/support/says.h"
#include "tests/support/test.h"

/* A line, and no more. */
TEST(an_error_is_a_line_and_minus_one) {
    stderr_catch();
    const int status = error("%s:%d: no such thing", "a.ini", 3);
    error("%s", "");
    warning("it is %g %%", 2.5);
    stderr_says("gemmgate: a.ini:3: no such thing\ngemmgate: \ngemmgate: warning: it is 2.5 %\n");
    assert_int_equal(status, -1);
}
