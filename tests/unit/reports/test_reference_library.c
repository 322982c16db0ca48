/* Which library is the reference. */
#include <string.h>

#include "reports/rows/columns.h"
#include "reports/tables/reference.h"
#include "tests/support/test.h"

static const char *best_of(enum reference_use use, const char *const *names) {
    const char *best = NULL;
    for (; *names; names++)
        if (reference_before(use, *names, best))
            best = *names;
    return best ? best : "none";
}

static void assert_best(enum reference_use use, const char *wanted, const char *const *names) {
    const char *back[16] = {NULL};
    size_t count = 0;
    while (names[count])
        count++;
    for (size_t i = 0; i < count; i++)
        back[i] = names[count - 1 - i];
    assert_string_equal(best_of(use, names), wanted);
    assert_string_equal(best_of(use, back), wanted);
}

TEST(an_autotuned_library_is_the_opponent_and_one_that_does_not_choose_is_the_link) {
    const char *const names[] = {RUNDIR_PREVIOUS,          "torch-matmul",          "cublas-max",
                                 "cublaslt-heuristic-max", "cublaslt-autotune-max", NULL};
    assert_best(REFERENCE_OPPONENT, "cublaslt-autotune-max", names);
    assert_best(REFERENCE_LINK, "cublas-max", names);
}

TEST(an_earlier_release_of_the_kernel_is_no_library) {
    assert_best(REFERENCE_OPPONENT, "none", (const char *const[]){RUNDIR_PREVIOUS, NULL});
}
