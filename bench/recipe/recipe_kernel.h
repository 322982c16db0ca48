/* A recipe (candidates/recipe/recipe.h) as a kernel: the harness makes its calls, and no code of
 * its author runs in the process. */
#ifndef BENCH_RECIPE_RECIPE_KERNEL_H
#define BENCH_RECIPE_RECIPE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "candidates/gemmgate.h"

struct recipe_kernel;

/* Reads the recipe and loads its cubin on the current device. 0, or -1 with why. Only after 0 is
 * there something to free. */
int recipe_kernel_load(const char *path, struct recipe_kernel **kernel, char *why, size_t size);
void recipe_kernel_free(struct recipe_kernel *kernel);

/* Its launch, whose state is the kernel, and its explain. The rest of a kernel_ops has no state
 * and is done by the functions below. */
const struct kernel_ops *recipe_kernel_ops(const struct recipe_kernel *kernel);

/* In the place of can_do: works the recipe out for the problem. What cannot be worked out is
 * served, and its setup fails. */
bool recipe_kernel_serves(struct recipe_kernel *kernel, const struct gemm_problem *problem);

/* In the place of setup: takes its memory, at most so many bytes, and makes its launches ready. 0,
 * or a status for explain. */
int recipe_kernel_set_up(struct recipe_kernel *kernel, size_t workspace_bytes);

#endif
