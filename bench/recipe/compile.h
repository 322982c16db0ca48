/* A recipe as a recording: what it has the device do for one problem, at whatever addresses. */
#ifndef BENCH_RECIPE_COMPILE_H
#define BENCH_RECIPE_COMPILE_H

#include <stddef.h>

#include "candidates/recipe/recipe.h"

/* The bytes of a loose recording of one call, for free(); of work without steps, the recipe's cubin
 * and a call that does nothing. NULL where it does not fit. */
unsigned char *recipe_compile(const struct recipe *recipe, const struct recipe_work *work,
                              size_t *size);

#endif
