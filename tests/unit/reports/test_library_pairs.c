

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
