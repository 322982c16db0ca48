/* The libraries to beat: one table, one line a baseline. Adding one is one file and one line. */
#ifndef BASELINES_BASELINES_H
#define BASELINES_BASELINES_H

#include "candidates/gemmgate.h"

/* A baseline is a kernel like any other (candidates/gemmgate.h). One that can choose among
 * algorithms shows them as variants, and the harness, which owns clock and inputs, chooses. */
struct baseline {
    struct kernel_ops ops;

    /* All three NULL where there is nothing to choose. Valid after setup.
     * variants: how many there are, 1 or more. select: later launches use variant i, 0 <= i <
     * count. Returns 0, or a status that ops.explain knows. describe: a short text that names the
     * variant i (algorithm id, tile, stages ...), valid until the next call or teardown. */
    int (*variants)(void *state);
    int (*select)(void *state, int variant);
    const char *(*describe)(void *state, int variant);

    /* Overwrites what the last launch has left of a product outside C, for another to find. NULL
     * where nothing of it is in the host's memory. */
    void (*forget)(void *state);
};

/* The table, in the order of the report's columns. X(NAME) is `baseline_NAME` of some file: of
 * baselines/ where any machine has the library, of baselines/cuda/ where it comes with CUDA. */
#define BASELINES_OF_CUDA(X)                                                                       \
    X(torch_matmul)                                                                                \
    X(cublas_nn)                                                                                   \
    X(cublas_tn)                                                                                   \
    X(cublaslt_heuristic_nn)                                                                       \
    X(cublaslt_heuristic_tn)                                                                       \
    X(cublaslt_autotune_nn)                                                                        \
    X(cublaslt_autotune_tn)
#define BASELINES_OF_HOST(X)                                                                       \
    X(openblas_nn)                                                                                 \
    X(openblas_tn)

/* Those of this build; ends in NULL. */
extern const struct baseline *const baselines[];

#define BASELINE_DECLARED(name) extern const struct baseline baseline_##name;
BASELINES_OF_CUDA(BASELINE_DECLARED)
BASELINES_OF_HOST(BASELINE_DECLARED)
#undef BASELINE_DECLARED

#define BASELINE_LISTED(name) &baseline_##name, /* for the two tables */

#endif
