/* One round of a unit: the arms that have passed, in a runner, timed. */
#ifndef BENCH_UNIT_ROUND_H
#define BENCH_UNIT_ROUND_H

#include "bench/context/unit_context.h"

/* Whether the round in hand has a process of the kernels' own: the first has, and where a lens has
 * to be precise there every so many (plan_anew_every, stage_own_visits). */
bool round_is_own(struct unit_context *context);

/* Puts the arms that have passed into a fresh runner, in another order than in other rounds,
 * unchecked, with the algorithms they had. A
 * library that fails now is lost: the samples of this round would have other columns than those
 * before. A kernel that fails has failed as if while timed. */
enum unit_event round_set_up_again(struct unit_context *context);

/* Times one round of what is in the runner, and the controls beside it. A kernel that fails takes
 * its unit's times with it: a mean over what it did before failing would be a number without a
 * meaning. Where it may have been the earlier release, that is left out (context->left_out). */
enum unit_event round_time(struct unit_context *context);

#endif
