/* A unit in the run's folder: whole, or what is kept of it for its next visit. */
#ifndef BENCH_RUN_UNIT_STORE_H
#define BENCH_RUN_UNIT_STORE_H

#include <jansson.h>

#include "bench/context/unit_result.h"

/* kept: what unit_run has left for the next visit; NULL: the unit is whole. 0, or -1 after error(). */
int unit_store(const char *run, const char *id, const struct unit_result *result,
               const json_t *kept);

/* Reads what is kept. *kept is NULL where nothing is. Both are the caller's to free, whatever is
 * returned. 0, or -1 after error(). */
int unit_fetch(const char *run, const char *id, struct unit_result *result, json_t **kept);

#endif
