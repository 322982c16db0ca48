/* Which of its kernels OpenBLAS takes. On a processor that is younger than it, it may fall back to
 * those of one without AVX, a fifth as fast: a kernel beside it would look as much faster. */
#ifndef BENCH_RUN_OPENBLAS_CORE_H
#define BENCH_RUN_OPENBLAS_CORE_H

#include <stdbool.h>

/* The best core of OpenBLAS that a processor with these instructions can run, for one that `core`
 * wastes; NULL where it wastes none. */
const char *openblas_core_for(const char *core, bool avx512, bool avx2, bool avx);

/* Tells OpenBLAS of processes that are started from now on what to take (OPENBLAS_CORETYPE), where
 * it has fallen back and nobody else has told it; and a warning of any fallback. 0, or -1 after
 * error(). */
int openblas_core_choose(void);

#endif
