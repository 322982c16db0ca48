/* The shards of a run, made one. */
#ifndef REPORTS_IMPORT_MERGE_H
#define REPORTS_IMPORT_MERGE_H

#include <stddef.h>

/* Gathers the units of the shards' run directories into `run`, which must not be there. Every shard
 * must have the same plan and be what its samples give. Whatever the order of the shards, the
 * result is the same. Returns an exit status: EXIT_PASS when all units of the plan are there;
 * EXIT_INCONCLUSIVE when some are missing, which are listed on stdout (run is made, and goes on
 * with --resume or a further merge); EXIT_NOT_COMPARABLE for shards from unlike machines; EXIT_TROUBLE
 * for another plan, a unit that two shards measured differently, a damaged shard, a full disk. */
int merge_runs(const char *const *shards, size_t count, const char *run);

#endif
