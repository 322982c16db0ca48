/* The functions of OpenBLAS that baselines call, as a table: a process can hold more than one build
 * of it. */
#ifndef BASELINES_OPENBLAS_API_H
#define BASELINES_OPENBLAS_API_H

#include <cblas.h>

#include "baselines/release.h"

/* X(function) */
#define OPENBLAS_FUNCTIONS(X)                                                                      \
    X(cblas_sgemm)                                                                                 \
    X(openblas_set_num_threads)                                                                    \
    X(openblas_get_config)                                                                         \
    X(openblas_get_parallel)

struct openblas_api {
#define X(function) __typeof__(function) *function;
    OPENBLAS_FUNCTIONS(X)
#undef X
};

/* The library that the program is linked with. */
extern const struct openblas_api openblas_linked;

/* Other builds of it: release.h. */
extern const struct release_kind release_openblas;

#endif
