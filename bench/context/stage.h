/* The stage: a process of ours that loads no candidate. It carries out recordings beside the
 * libraries, and serves one unit after the other, each in one visit. It is replaced for each visit
 * of visits, after some units, and when a recording has spoiled it. */
#ifndef BENCH_CONTEXT_STAGE_H
#define BENCH_CONTEXT_STAGE_H

#include "bench/context/unit_context.h"

/* Whether the unit has times of the stage: the plan times some there, and its candidate, if it has
 * one, has passed and has a recording. */
bool stage_serves(struct unit_context *context);

/* Bits of the lenses that are timed in a process that has loaded the unit's kernels. */
int stage_own_lenses(const struct unit_context *context);

/* One in so many visits sees kernels anew: all of them, where the candidate has no recording. */
int stage_own_every(struct unit_context *context);

/* How many visits to the unit have a process that has loaded its kernels: the first, for the checks.
 * Where a lens that has to be precise is timed in it, so have all visits that see kernels anew. */
int stage_own_visits(struct unit_context *context);

/* Has the session's stage ready for the unit's shape, with nothing else on it. 0, or -1 after
 * error(). */
int stage_take(struct unit_context *context);

/* Puts a kernel's recording, which must fit, into the memory shared with it: the request makes an
 * arm of it. */
struct wire_request stage_load_request(const struct unit_context *context,
                                       const struct recorded *recorded);

/* Is done with it: the next one is a fresh process. */
void stage_drop(struct unit_context *context);

#endif
