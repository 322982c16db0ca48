/* OpenBLAS. It is loaded when it is first wanted, and not linked: its constructor may write to stderr
 * of a processor that it does not know, which would stand before the program's own first line. */
#ifndef BENCH_BASE_OPENBLAS_H
#define BENCH_BASE_OPENBLAS_H

#include <cblas.h>

/* The functions that the program calls. */
#define OPENBLAS_FUNCTIONS(X)                                                                      \
    X(cblas_sgemm)                                                                                 \
    X(openblas_set_num_threads)                                                                    \
    X(openblas_get_config)

struct openblas {
#define X(function) __typeof__(function) *function;
    OPENBLAS_FUNCTIONS(X)
#undef X
};

/* Loads the library once, and holds back what it writes to stderr meanwhile. NULL after error(). */
const struct openblas *openblas(void);

#endif
