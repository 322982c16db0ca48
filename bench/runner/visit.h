/* One visit to every arm by every lens: its number, and what is drawn by that. */
#ifndef BENCH_RUNNER_VISIT_H
#define BENCH_RUNNER_VISIT_H

#include "bench/process/wire.h"
#include "bench/runner/runner.h"

/* A visit is a block, or of the open loop WIRE_ARRIVALS of them. Returns an outcome. */
typedef int visit_function(struct runner *runner, const struct wire_time *request, uint64_t visit,
                           float *samples, struct wire_reply *reply);

/* What a visit leaves. */
#define VISIT_FLOATS (WIRE_ARRIVALS * (WIRE_ARMS + 1))
_Static_assert(VISIT_FLOATS > (LENS_COUNT + 1) * WIRE_ARMS, "a block by every lens fits");

/* The number of the visit that follows a move and precedes the block. No block has it. */
uint64_t visit_after_move(uint64_t block);

/* Which visit it is, for people. Returns text. */
#define VISIT_NAME 64
const char *visit_name(uint64_t visit, char text[VISIT_NAME]);

/* C buffers rotate over the arms, so that no arm owns a luckier address. */
int visit_output(const struct wire_time *request, int slot, uint64_t visit);

/* The seed of the inputs of a visit by one lens, a pass. */
uint64_t visit_inputs(const struct wire_time *request, uint64_t pass);

#endif
