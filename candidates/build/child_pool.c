#include "candidates/build/child_pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/need.h"

/* A child at work. */
struct slot {
    struct child child;
    size_t job;
};

/* A pool at work. */
struct running {
    const struct child_pool *pool;
    struct slot *slots; /* as many as may run at once */
    size_t count;       /* of them are taken: the first */
    size_t next;        /* the first job that was not started yet */
};

static bool is_stopped(const struct child_pool *pool) {
    return pool->stop && *pool->stop;
}

static bool is_done(const struct running *all) {
    return all->next == all->pool->count && all->count == 0;
}

static int start_next(struct running *all) {
    struct slot *slot = &all->slots[all->count];
    *slot = (struct slot){.job = all->next++};
    if (all->pool->start(all->pool->context, slot->job, &slot->child) < 0)
        return -1;
    all->count++;
    return 0;
}

/* Ends the child in a slot, and frees the slot. */
static int end_slot(struct running *all, size_t at, enum child_fate killed) {
    struct slot *slot = &all->slots[at];
    const int waited = child_end(&slot->child, killed);
    const int status = all->pool->end(all->pool->context, slot->job, &slot->child);
    *slot = all->slots[--all->count];
    return waited < 0 || status < 0 ? -1 : 0;
}

/* Starts a job, or ends one. Returns whether there was anything to do, or -1 after error(). */
static int step(struct running *all) {
    const struct child_pool *pool = all->pool;
    if (all->next < pool->count && all->count < pool->most)
        return start_next(all) < 0 ? -1 : 1;
    for (size_t i = 0; i < all->count; i++) {
        const struct child *child = &all->slots[i].child;
        if (child_has_ended(child->pid) || clock_seconds() - child->started > pool->limit_seconds)
            return end_slot(all, i, CHILD_TOO_LONG) < 0 ? -1 : 1;
    }
    return 0;
}

int child_pool_run(const struct child_pool *pool) {
    struct running all = {.pool = pool, .slots = need(pool->most, sizeof *all.slots)};
    int status = 0;
    while (status == 0 && !is_stopped(pool) && !is_done(&all)) {
        const int did = step(&all);
        status = did < 0 ? -1 : 0;
        if (did == 0)
            usleep(10000);
    }
    if (status == 0 && !is_done(&all))
        status = 1;
    while (all.count > 0)
        if (end_slot(&all, all.count - 1, CHILD_STOPPED) < 0)
            status = -1;
    free(all.slots);
    return status;
}
