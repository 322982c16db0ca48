/* Where operands and outputs lie, and that they move while a unit is timed. */
#ifndef BENCH_RUNNER_PLACEMENT_H
#define BENCH_RUNNER_PLACEMENT_H

#include "bench/runner/visit.h"

/* Whether they have lain there as long as the request says. */
bool placement_is_due(const struct runner *runner, const struct wire_time *request);

/* Moves operands and outputs before the block, and makes a visit that does not count: first calls
 * touch new pages, and some kernels keep things by address. Returns an outcome. */
int placement_change(struct runner *runner, const struct wire_time *request, visit_function *visit,
                     uint64_t block, struct wire_reply *reply);

#endif
