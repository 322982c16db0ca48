

#include "reports/rows/derive_values.h"

#include "tests/support/test.h"

TEST(a_search_stands_beside_other_choices) {
    assert_true(library_is_beside("cublaslt-exhaustive-nn", "cublaslt-heuristic-nn"));
    assert_true(library_is_beside("cublaslt-exhaustive-max", "cublaslt-autotune-max"));
    assert_false(library_is_beside("cublaslt-exhaustive-nn", "cublaslt-heuristic-tn"));
    assert_false(library_is_beside("cublaslt-exhaustive-nn", "cublas-autotune-nn"));
    assert_false(library_is_beside("cublaslt-exhaustive-nn", "cublaslt-exhaustive-nn"));
    assert_false(library_is_beside("cublaslt-heuristic-nn", "cublaslt-autotune-nn"));
}

TEST(a_release_stands_beside_the_programs_own) {
    assert_true(library_is_beside("cublas@12.4.5-nn", "cublas-nn"));
    assert_true(library_is_beside("cublaslt-autotune@12.4.5-max", "cublaslt-autotune-max"));
    assert_true(library_is_beside("openblas@0.3.21-serial-tn", "openblas-tn"));
    assert_true(library_is_beside("torch-matmul@12.4.5", "torch-matmul"));
    assert_false(library_is_beside("cublas@12.4.5-nn", "cublas-tn"));
    assert_false(library_is_beside("cublas@12.4.5-nn", "cublas@12.8.4-nn"));
    assert_false(library_is_beside("cublas-nn", "cublas@12.4.5-nn"));
    assert_false(library_is_beside("cublas-nn", "cublas-nn"));
    assert_false(library_is_beside("@sm_mhz", "sm_mhz"));
    assert_false(library_is_beside("@sm_mhz", ""));
}
