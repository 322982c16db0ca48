/* Which core OpenBLAS is told to take, and when nobody is to be told. */
#include "bench/run/openblas_core.h"

#include "tests/support/test.h"

TEST(a_core_that_is_no_fallback_stays) {
    static const char *const good[] = {"SkylakeX", "Cooperlake", "Zen", "Haswell", "Sandybridge"};
    for (int i = 0; i < 5; i++)
        assert_null(openblas_core_for(good[i], OPENBLAS_AVX512));
    assert_null(openblas_core_for("Prescott", OPENBLAS_SSE));
}

TEST(a_fallback_gives_way_to_what_the_processor_can_do) {
    assert_string_equal(openblas_core_for("Prescott", OPENBLAS_AVX512), "SkylakeX");
    assert_string_equal(openblas_core_for("Prescott", OPENBLAS_AVX2), "Haswell");
    assert_string_equal(openblas_core_for("Prescott", OPENBLAS_AVX), "Sandybridge");
    assert_string_equal(openblas_core_for("Nehalem", OPENBLAS_AVX2), "Haswell");
}

TEST(what_a_core_does_without_is_named) {
    assert_string_equal(openblas_core_lacks("Haswell", OPENBLAS_AVX512), "AVX-512");
    assert_string_equal(openblas_core_lacks("Zen", OPENBLAS_AVX512), "AVX-512");
    assert_string_equal(openblas_core_lacks("Sandybridge", OPENBLAS_AVX2), "AVX2");
    assert_string_equal(openblas_core_lacks("Prescott", OPENBLAS_AVX), "AVX");
    assert_string_equal(openblas_core_lacks("Zen", OPENBLAS_AVX2), "");
    assert_string_equal(openblas_core_lacks("SkylakeX", OPENBLAS_AVX512), "");
    assert_string_equal(openblas_core_lacks("SapphireRapids", OPENBLAS_AVX512), "");
    assert_string_equal(openblas_core_lacks("ARMV8", OPENBLAS_SSE), "");
}
