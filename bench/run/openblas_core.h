/* Which of its kernels OpenBLAS takes. On a processor that is younger than it, it may fall back to
 * those of one without AVX, a fifth as fast: a kernel beside it would look as much faster. */
#ifndef BENCH_RUN_OPENBLAS_CORE_H
#define BENCH_RUN_OPENBLAS_CORE_H

/* How wide the vectors of a processor are, or of those that a core's kernels use. */
enum openblas_vectors { OPENBLAS_SSE, OPENBLAS_AVX, OPENBLAS_AVX2, OPENBLAS_AVX512 };

/* The best core of OpenBLAS that such a processor can run, where `core` falls back to one without AVX;
 * else NULL. */
const char *openblas_core_for(const char *core, enum openblas_vectors processor);

/* The instructions of such a processor that a core's kernels do without, "AVX-512"; "": none that
 * is known. */
const char *openblas_core_lacks(const char *core, enum openblas_vectors processor);

/* Tells OpenBLAS of processes that are started from now on what to take (OPENBLAS_CORETYPE), where
 * it has fallen back and nobody else has told it. A warning of that, and of a core that somebody has
 * told it and that does without instructions of this processor. 0, or -1 after error(). */
int openblas_core_choose(void);

/* The instructions of this processor that OpenBLAS does without, since OPENBLAS_CORETYPE says so;
 * "": none. */
const char *openblas_core_held_back(void);

#endif
