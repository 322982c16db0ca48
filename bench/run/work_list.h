/* Which visits of which units of a plan are to be measured now, and in which order. */
#ifndef BENCH_RUN_WORK_LIST_H
#define BENCH_RUN_WORK_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/plan/plan.h"

/* One visit of one unit, or its checks. */
struct work_item {
    size_t unit;
    int visit; /* from 0 */
};
#define WORK_CHECKS (-1)

struct work_list {
    struct unit *units; /* all of the plan */
    size_t unit_count;
    struct work_item *items; /* what is to be done, in the order in which it is handed out */
    size_t count;
    size_t checks; /* the first items, so many, are checks */
    size_t mine;   /* units of this shard, */
    size_t there;  /* ... those of them that the run has already, */
    size_t visits; /* ... and the visits that it has of others */
};

/* All units of the plan, none of them to be measured yet. 0, or -1 after error(). Either way the
 * caller frees with work_list_free. */
int work_list_open(struct work_list *list, const struct plan *plan);

/* Adds what is to be measured: the units of the shard-th of so many shards (shards 0: all units)
 * that the run folder lacks: the checks of all, the first visit of all, then the second of all, and
 * so on. Shards are dealt by cost, whatever is there, so that each has its share of every size. The
 * checks and the first visit are in the plan's order. Each later one is in an order of its own,
 * drawn by the plan's seed. 0, or -1 after error(). */
int work_list_add(struct work_list *list, const struct plan *plan, const char *run, int shard,
                  int shards);

/* Whether the run folder has every unit of the plan: a shard has its own only. */
bool work_list_is_complete(const struct work_list *list, const char *run);

void work_list_free(struct work_list *list);

#endif
