/* Which units of a plan are to be measured now, and in which order. */
#ifndef BENCH_RUN_WORK_LIST_H
#define BENCH_RUN_WORK_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/plan/plan.h"

struct work_list {
    struct unit *units; /* all of the plan */
    size_t unit_count;
    size_t *items; /* indices of the units to be measured, in the order they are handed out */
    size_t count;
    size_t there; /* units of this shard that the run has already */
};

/* All units of the plan, none of them to be measured yet. 0, or -1 after error(). Either way the
 * caller frees with work_list_free. */
int work_list_open(struct work_list *list, const struct plan *plan);

/* Adds what is to be measured: the units of the shard-th of so many shards (shards 0: all units)
 * that the run folder lacks. Shards are dealt by cost, whatever is there, so that each has its
 * share of every size. by_cost: the longest first, so that several devices end at about the same
 * time; else in the plan's order. 0, or -1 after error(). */
int work_list_add(struct work_list *list, const char *run, int shard, int shards, bool by_cost);

/* Whether the run folder has every unit of the plan: a shard has its own only. */
bool work_list_is_complete(const struct work_list *list, const char *run);

void work_list_free(struct work_list *list);

#endif
