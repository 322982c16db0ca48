/* CUDA_VISIBLE_DEVICES: which GPUs a process sees, and as which ordinals. */
#ifndef BENCH_VISIBLE_H
#define BENCH_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

/* What the variable must be for a process that is to see one GPU alone: that of this ordinal where
 * the variable is `list` (NULL or "": not set). False if that cannot be told or is too long. */
bool visible_alone(const char *list, int ordinal, char *alone, size_t size);

#endif
