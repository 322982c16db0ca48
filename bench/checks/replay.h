/* A candidate's device work, recorded in a runner that has loaded it and carried out in one that
 * has not. What comes of it are rows of replays.csv, a row a try. A kernel that cannot be replayed,
 * and whatever fails on our side, is a row with its reason, and never an accusation. */
#ifndef BENCH_CHECKS_REPLAY_H
#define BENCH_CHECKS_REPLAY_H

#include "bench/checks/replay_play.h"

/* Calls in a sequence: few of large shapes. */
int replay_calls(struct shape shape);

/* Once a candidate has passed its checks: records, carries out, holds C against the native bits and
 * the reference product, and times it. Other bits than a deterministic kernel's, or a wrong C, in
 * REPLAYED_TRIES processes is DISHONEST. The source is the first try's where it is ready. Returns
 * the outcome or TROUBLE. */
int replay_products(struct unit_context *context, struct arm_state *arm,
                    struct replay_source *source);

/* Once all rounds are timed: holds the native times of the `device` lens against the replayed ones,
 * in the rows. A difference accuses nobody. */
void replay_times(struct unit_context *context, struct arm_state *arm);

#endif
