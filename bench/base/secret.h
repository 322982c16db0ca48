/* Random numbers that nobody can foresee. */
#ifndef BENCH_BASE_SECRET_H
#define BENCH_BASE_SECRET_H

#include <stdint.h>

/* Draws from the system's generator. 0, or -1 after error(). */
int secret_draw(uint64_t *secret);

#endif
