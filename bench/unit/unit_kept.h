/* What is kept of a unit between its visits, which may be far apart, in other processes and on
 * other devices: everything that the next visit must know and that is not in the plan. */
#ifndef BENCH_UNIT_UNIT_KEPT_H
#define BENCH_UNIT_UNIT_KEPT_H

#include <jansson.h>

#include "bench/context/unit_context.h"

/* What does not follow from the files of the result, as a new reference: the number of visits, the
 * seconds of the checks, what the libraries have chosen, what the first device can do, and how recordings were made. The rows of the
 * arms are put into the result, and name the devices. The unit waits for a later visit then. 0, or -1 after error(). */
int unit_kept_make(struct unit_context *context, json_t **kept);

/* Takes it into a context that has its plan, unit, session and result and nothing else. The rows of
 * the arms leave the result. 0, or -1 after error(). */
int unit_kept_take(struct unit_context *context, const json_t *kept);

#endif
