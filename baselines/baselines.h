/* The libraries to beat: one table, one line a baseline. Adding one is one file and one line. */
#ifndef BASELINES_BASELINES_H
#define BASELINES_BASELINES_H

#include "candidates/gemmgate.h"

/* A baseline is a kernel like any other (candidates/gemmgate.h). If a library offers several
 * algorithms, the baseline lists them as variants. The harness chooses among them, because it owns
 * the clock and the inputs. */
struct baseline {
    struct kernel_ops ops;

    /* All three NULL where there is nothing to choose. Valid after setup.
     * variants: how many there are, 1 or more. select: later launches use variant i, 0 <= i <
     * count. Returns 0, or a status that ops.explain knows. describe: a short text that names the
     * variant i (algorithm id, tile, stages ...), valid until the next call or teardown. */
    int (*variants)(void *state);
    int (*select)(void *state, int variant);
    const char *(*describe)(void *state, int variant);

    /* Overwrites what the last launch has left of a product outside C, where another kernel could
     * find it; on the device behind that launch. NULL if there is nothing. 0, or a status. */
    int (*forget)(void *state);
};

/* The table, in the order of the report's columns. X(NAME) stands for a struct baseline_NAME. Its
 * file is in baselines/cuda/ if the library comes with CUDA, else in baselines/. */
#define BASELINES_OF_CUDA(X)                                                                       \
    X(torch_matmul)                                                                                \
    X(cublas_nn)                                                                                   \
    X(cublas_tn)                                                                                   \
    X(cublas_gemv_nn)                                                                              \
    X(cublas_gemv_tn)                                                                              \
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
