/* Which library is the reference. */
#include <string.h>

#include "reports/rows/columns.h"
#include "reports/tables/reference.h"
#include "tests/support/test.h"

static const char *best_of(const char *const *names) {
    const char *best = NULL;
    for (; *names; names++)
        if (reference_before(*names, best))
            best = *names;
    return best ? best : "none";
}

static void assert_best(const char *wanted, const char *const *names) {
    const char *back[16] = {NULL};
    size_t count = 0;
    while (names[count])
        count++;
    for (size_t i = 0; i < count; i++)
        back[i] = names[count - 1 - i];
    assert_string_equal(best_of(names), wanted);
    assert_string_equal(best_of(back), wanted);
}

TEST(an_autotuned_library_is_the_opponent_else_the_last_in_the_order) {
    const char *const names[] = {RUNDIR_PREVIOUS,          "torch-matmul",          "cublas-max",
                                 "cublaslt-heuristic-max", "cublaslt-autotune-max", NULL};
    assert_best("cublaslt-autotune-max", names);
    const char *const others[] = {"torch-matmul", "cublaslt-heuristic-max", "cublas-max", NULL};
    assert_best("cublaslt-heuristic-max", others);
}

TEST(an_earlier_release_of_the_kernel_is_no_library) {
    assert_best("none", (const char *const[]){RUNDIR_PREVIOUS, NULL});
}
