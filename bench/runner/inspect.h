/* Looking at what timed calls have left: their C, what lies around it, A and B, and work that
 * goes on after an interval. Where looking itself fails, the reply's status says so. */
#ifndef BENCH_RUNNER_INSPECT_H
#define BENCH_RUNNER_INSPECT_H

#include "bench/runner/block.h"
#include "bench/runner/interval.h"

/* Masks the arm's C before the next interval begins. any_cache: that does not find the cache as
 * this one has left it, so that what a library has left elsewhere on a device can be emptied, too.
 * 0 or -1. */
int inspect_hide(const struct runner *runner, const struct wire_time *request, uint64_t pass,
                 const struct arm *arm, int output, bool any_cache, struct wire_reply *reply);

/* Looks at what every suspect has left in a pass of the block: the C of its call of that number. sealed: each C was looked at behind the stop of its interval, too. Returns an
 * outcome. */
int inspect_outputs(struct runner *runner, const struct wire_time *request, uint64_t block,
                    uint64_t pass, int call, bool sealed, struct wire_reply *reply);

/* Whether anything around the operands and outputs was written while calls were timed. Returns an
 * outcome. */
int inspect_guards(struct runner *runner, const struct wire_time *request,
                   struct wire_reply *reply);

#endif
