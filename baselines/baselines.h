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

/* NULL-ended, in the order of the report's columns. Which are compiled in depends on CUDA. */
extern const struct baseline *const baselines[];

extern const struct baseline baseline_torch_matmul;
extern const struct baseline baseline_cublas_nn;
extern const struct baseline baseline_cublas_tn;
extern const struct baseline baseline_cublaslt_heuristic_nn;
extern const struct baseline baseline_cublaslt_heuristic_tn;
extern const struct baseline baseline_cublaslt_autotune_nn;
extern const struct baseline baseline_cublaslt_autotune_tn;
extern const struct baseline baseline_openblas_nn;
extern const struct baseline baseline_openblas_tn;

#endif
