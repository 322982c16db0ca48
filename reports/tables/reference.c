#include "reports/tables/reference.h"

#include <string.h>

#include "bench/base/words.h"
#include "reports/pairs/pairs.h"

const char *const reference_baselines[] = {RUNDIR_PREVIOUS,
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

static const char *const opponents[] = {"cublaslt-autotune-max", NULL};

static size_t rank_of(enum reference_use use, const char *name) {
    const char *const *list = use == REFERENCE_LINK ? pairs_preferred : opponents;
    size_t rank = 0;
    while (list[rank] && strcmp(list[rank], name) != 0)
        rank++;
    return rank;
}

bool reference_before(enum reference_use use, const char *name, const char *other) {
    if (strcmp(name, RUNDIR_PREVIOUS) == 0)
        return false;
    if (!other)
        return true;
    const size_t mine = rank_of(use, name), its = rank_of(use, other);
    return mine != its ? mine < its : reference_compare(name, other) > 0;
}
