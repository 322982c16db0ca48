/* What was recorded of a unit's kernels, from the check on until its last visit. Between visits it
 * lies in files of the run's folder, for whatever process goes on. */
#ifndef BENCH_CONTEXT_RECORDINGS_H
#define BENCH_CONTEXT_RECORDINGS_H

#include <jansson.h>

#include "bench/context/unit_context.h"

/* Stores those that are not, and describes them: a new reference, or NULL after error(). */
json_t *recordings_store(struct unit_context *context);

/* Reads what was described so. 0, or -1 after error(). */
int recordings_fetch(struct unit_context *context, const json_t *described);

/* Removes their files. */
void recordings_remove(const struct unit_context *context);

/* Forgets one, or all, in memory. */
void recordings_forget(struct recorded *recorded);
void recordings_free(struct unit_context *context);

#endif
