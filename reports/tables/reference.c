#include "reports/tables/reference.h"

#include <string.h>

#include "bench/base/words.h"
#include "reports/rows/columns.h"

const char *const reference_baselines[] = {RUNDIR_PREVIOUS,
                                           "cublas-gemv-nn",
                                           "cublas-gemv-tn",
                                           "cublas-gemv-max",
                                           "torch-matmul",
                                           "cublas-nn",
                                           "cublas-tn",
                                           "cublas-max",
                                           "cublaslt-heuristic-nn",
                                           "cublaslt-heuristic-tn",
                                           "cublaslt-heuristic-max",
                                           "cublaslt-autotune-nn",
                                           "cublaslt-autotune-tn",
                                           "cublaslt-autotune-max",
                                           "openblas-nn",
                                           "openblas-tn",
                                           "openblas-max",
                                           NULL};

int reference_compare(const char *left, const char *right) {
    return words_compare(reference_baselines, left, right);
}

bool reference_before(const char *name, const char *other) {
    static const char first[] = "cublaslt-autotune-max";
    if (strcmp(name, RUNDIR_PREVIOUS) == 0)
        return false;
    if (!other || strcmp(name, first) == 0 || strcmp(other, first) == 0)
        return !other || strcmp(other, first) != 0;
    return reference_compare(name, other) > 0;
}
