/* Run directories that are made of others' results, so that every report works on them, or of shards.
 * One of others' results has ratios, and of a tool times, and neither samples, checks nor controls. */
#ifndef REPORTS_IMPORT_IMPORT_H
#define REPORTS_IMPORT_IMPORT_H

#include <stddef.h>

#include "bench/base/element.h"

/* Makes RUN of the times that a tool (import_times.c has them) has put into the file. accumulate: "f32"
 * or "f16". Returns an exit status (bench/base/error.h); on failure there is no RUN. */
int import_times(const char *tool, const char *file, enum element element, const char *accumulate,
                 const char *run);

/* Makes RUN of the results of the CUDA-L2 release (import_cuda_l2.sql), likewise. Either file may be
 * NULL, not both. A name like cuda_l2_SET_speedup_MODE.csv says the set, and so the clock, and must fit
 * the mode and the other file. */
int import_cuda_l2(const char *offline_csv, const char *server_csv, const char *run);

/* Gathers the units of the shards' run directories into `run`, which must not be there. Every shard
 * must have the same plan and be what its samples give. Whatever the order of the shards, the
 * result is the same. Returns an exit status: EXIT_PASS when all units of the plan are there;
 * EXIT_INCONCLUSIVE when some are missing, which are listed on stdout (run is made, and goes on
 * with --resume or a further merge); EXIT_NOT_COMPARABLE for shards from unlike machines; EXIT_TROUBLE
 * for another plan, a unit that two shards measured differently, a damaged shard, a full disk. */
int merge_runs(const char *const *shards, size_t count, const char *run);

#endif
