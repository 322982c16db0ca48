/* Which core OpenBLAS is told to take, and when nobody is to be told. */
#include "bench/run/openblas_core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_core_that_wastes_nothing_stays(void **state) {
    (void)state;
    static const char *const good[] = {"SkylakeX", "Cooperlake", "Zen", "Haswell", "Sandybridge"};
    for (int i = 0; i < 5; i++)
        assert_null(openblas_core_for(good[i], true, true, true));
    assert_null(openblas_core_for("Prescott", false, false, false));
}

static void a_fallback_gives_way_to_what_the_processor_can_do(void **state) {
    (void)state;
    assert_string_equal(openblas_core_for("Prescott", true, true, true), "SkylakeX");
    assert_string_equal(openblas_core_for("Prescott", false, true, true), "Haswell");
    assert_string_equal(openblas_core_for("Prescott", false, false, true), "Sandybridge");
    assert_string_equal(openblas_core_for("Nehalem", false, true, true), "Haswell");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_that_wastes_nothing_stays),
        cmocka_unit_test(a_fallback_gives_way_to_what_the_processor_can_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
