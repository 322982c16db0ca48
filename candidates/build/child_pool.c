#include "candidates/build/child_pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/need.h"

/* One who runs. */
struct slot {
    struct child *child;
    size_t job;
    double bytes;
};

/* A pool at work. */
struct running {
    const struct child_pool *pool;
    struct slot *slots; /* as many as may run at once */
    size_t count;       /* of them are taken: the first */
    double promised;    /* bytes to who runs */
    size_t next;        /* job that was not started yet */
    size_t *again;      /* jobs that start once more, each alone */
    size_t again_count;
    bool alone; /* who runs is to be alone */
};

static bool is_stopped(const struct child_pool *pool) {
    return pool->stop && *pool->stop;
}

/* Whether a job is to be started now. */
static bool may_start(const struct running *all, size_t *job, double *bytes) {
    const struct child_pool *pool = all->pool;
    if (all->alone || (all->count > 0 && all->count >= pool->most))
        return false;
    if (all->again_count > 0) {
        *job = all->again[all->again_count - 1];
        *bytes = 0;
        return all->count == 0;
    }
    if (all->next == pool->count)
        return false;
    *job = all->next;
    *bytes = pool->needs ? pool->needs(pool->context, all->next) : 0;
    return all->count == 0 || all->promised + *bytes <= pool->memory;
}

static int start_job(struct running *all, size_t job, double bytes) {
    struct child *child = NULL;
    if (all->again_count > 0) {
        all->again_count--;
        all->alone = true;
    } else {
        all->next++;
    }
    const int status = all->pool->start(all->pool->context, job, &child);
    if (status == 0 && child) {
        all->slots[all->count++] = (struct slot){child, job, bytes};
        all->promised += bytes;
    } else {
        all->alone = false;
    }
    return status;
}

/* Ends who is in a slot, and gives the slot back. */
static int end_slot(struct running *all, size_t at, enum child_fate killed) {
    const struct slot slot = all->slots[at];
    const int waited = child_end(slot.child, killed);
    const int status = all->pool->end(all->pool->context, slot.job);
    all->slots[at] = all->slots[--all->count];
    all->promised = all->count > 0 ? all->promised - slot.bytes : 0;
    all->alone = false;
    if (status == CHILD_AGAIN)
        all->again[all->again_count++] = slot.job;
    return waited < 0 || status < 0 ? -1 : 0;
}

/* Starts and ends what is to be. Returns what it did, or -1. */
static int step(struct running *all) {
    const struct child_pool *pool = all->pool;
    size_t job = 0;
    double bytes = 0;
    if (may_start(all, &job, &bytes))
        return start_job(all, job, bytes) < 0 ? -1 : 1;
    for (size_t i = 0; i < all->count; i++) {
        const struct child *child = all->slots[i].child;
        if (child->fate != CHILD_RUNS || child_has_ended(child->pid) ||
            clock_seconds() - child->started > pool->limit_seconds)
            return end_slot(all, i, CHILD_TOO_LONG) < 0 ? -1 : 1;
    }
    return 0;
}

int child_pool_run(const struct child_pool *pool) {
    struct running all = {.pool = pool,
                          .slots = need(pool->most + 1, sizeof *all.slots),
                          .again = need(pool->count, sizeof *all.again)};
    int status = 0;
    while (status == 0 && !is_stopped(pool) &&
           (all.next < pool->count || all.again_count > 0 || all.count > 0)) {
        const int did = step(&all);
        status = did < 0 ? -1 : 0;
        if (did == 0)
            usleep(10000);
    }
    if (status == 0 && (all.next < pool->count || all.again_count > 0 || all.count > 0))
        status = 1;
    while (all.count > 0)
        if (end_slot(&all, all.count - 1, CHILD_STOPPED) < 0)
            status = -1;
    free(all.slots);
    free(all.again);
    return status;
}
