/* A gate that is split over runners. Each shard screens and confirms its own units, with its share
 * of the policy's alpha: as much of it as it has of the plan's units. That is known before anything
 * is measured, and adds up to alpha: the chance of a false alarm is that of a whole gate. */
#ifndef REPORTS_GATE_GATE_SHARDS_H
#define REPORTS_GATE_GATE_SHARDS_H

#include "reports/gate/gate_read.h"

/* How many of so many units the shard-th of so many shards has. */
size_t gate_shards_units(size_t units, int shard, int shards);

/* Finds the families of tests of the run, and reads its second stage: RUN/confirm or, where it was
 * merged of shards (RUN/shards.json), RUN/confirm-1, RUN/confirm-2, ... together. 0, or -1 after
 * error(); of->shards is freed with gate_shards_free in any case. */
int gate_shards_read(struct gate_case *of, char why[RUNDIR_TEXT]);
int gate_shards_read_confirm(struct gate_case *of, char why[RUNDIR_TEXT]);
void gate_shards_free(struct gate_shards *shards);

/* Which of the families the unit belongs to. */
size_t gate_shards_find(const struct gate_shards *shards, struct shape shape,
                        const char *candidate);

/* RUN/shards.json of a merged run: the units of each shard. 0, or -1 after error(). */
int gate_shards_write(const char *run, const char *const *folders, size_t count,
                      const json_t *units);

#endif
