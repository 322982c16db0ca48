/* One arm in the unit's runner: setting it up, and one checked call. What the runner says of either
 * is examined, since it shares its process with the kernel. */
#ifndef BENCH_JOBS_ARM_CALLS_H
#define BENCH_JOBS_ARM_CALLS_H

#include "bench/jobs/unit_context.h"

/* Seconds that a set-up may take: a kernel under test has a budget of its own. */
double arm_setup_limit(const struct plan *plan, bool candidate);

/* What asks a runner to load and set up the baseline or candidate file called `name`. */
struct wire_add arm_request(struct unit_context *context, const struct arm_state *arm,
                            enum wire_arm kind, const char *name);

/* What is asked of a library that has algorithms: one by its number, or WIRE_CHOOSE or WIRE_RANK,
 * with the seed of that draw. */
struct wire_tune arm_tuning(const struct unit_context *context, int variant, uint64_t draw);

/* Loads and sets up one arm, unchecked: the baseline or candidate file called `name`. An autotuned
 * baseline has the algorithm of arm->variant; where that is WIRE_CHOOSE it chooses one. Returns an
 * outcome or TROUBLE. */
int arm_add(struct unit_context *context, struct arm_state *arm, enum wire_arm kind,
            const char *name);

/* One checked call on inputs of the kind (enum input_kind) and seed; on OUTCOME_OK C lies in the
 * process's shared memory. Returns an outcome or TROUBLE. */
int arm_call(struct unit_context *context, struct arm_state *arm, int32_t kind, uint64_t seed,
             enum wire_poison poison);

#endif
