/* Everything before timing: setting up the arms of a unit and checking them. */
#ifndef BENCH_UNIT_CHECKS_H
#define BENCH_UNIT_CHECKS_H

#include "bench/unit/work.h"

/* Sets up and checks the baselines. One that takes the runner down is left out of the next attempt:
 * returns 1 for another attempt, 0 when done, -1 on trouble. */
int checks_baselines(struct work *work);

/* The same for the earlier release of the candidate. Returns as checks_baselines. */
int checks_previous(struct work *work);

/* The same for the candidate, whatever becomes of it. 0, or -1 on trouble. */
int checks_candidate(struct work *work);

/* Loads and sets up one arm, unchecked: the baseline or candidate file called `name`. An autotuned
 * baseline also chooses, unless it has. Returns an outcome or TROUBLE. */
int checks_add(struct work *work, struct arm_state *arm, enum wire_arm kind, const char *name);

/* One checked call on inputs of the kind (enum input_kind) and seed; on OUTCOME_OK C lies in the
 * process's shared memory. Returns an outcome or TROUBLE. */
int checks_call(struct work *work, struct arm_state *arm, int32_t kind, uint64_t seed,
                enum wire_poison poison);

/* In a fresh runner: sets up again the arms that have passed, unchecked, with the algorithms they
 * had. 0 when done, also where the candidate fails now and has its outcome changed. A library or an
 * earlier release that fails now is left out of the next attempt: returns 1; -1 on trouble. */
int checks_again(struct work *work);

/* Adds the controls: a twin of the first baseline that passed, and another one to be slowed down.
 * Returns an outcome, with *failed the kernel under test in whose process a library could not be
 * set up again, or TROUBLE. */
int checks_controls(struct work *work, struct arm_state **failed);

#endif
