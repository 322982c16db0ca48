/* Whose turn it is: the rounds of the units of a run, handed out to the processes that measure. A
 * round of a unit comes after the one before, whoever has measured that. */
#ifndef BENCH_RUN_TURNS_H
#define BENCH_RUN_TURNS_H

#include <stdbool.h>
#include <stddef.h>

/* One round of one unit. */
struct work_item {
    size_t unit;
    int round;
};

struct turn;
struct turns {
    const struct work_item *items; /* not owned: in the order in which they are handed out */
    size_t count, units;
    struct turn *turns; /* one an item, shared by the processes */
    int *last;          /* shared, too: the worker that had each unit last; -1: none */
    int locks;          /* a file whose bytes are locked by those who live */
    bool moves;         /* a round of a unit prefers another worker than the last; else it must be
                         * the same */
};

/* Nobody has had any. units: more than any item's unit. 0, or -1 after error(). Processes that are
 * forked then share it. */
int turns_open(struct turns *turns, const struct work_item *items, size_t count, size_t units,
               bool moves);

enum turn_taken {
    TURN_TAKEN,
    TURN_LATER, /* not now: others are at work, or another should have what is left */
    TURN_NONE   /* nothing is left, or nothing that this worker will get */
};

/* The next item for this worker. One that has died has lost the unit that it had. impatient: also
 * what another should have. */
enum turn_taken turns_take(struct turns *turns, size_t worker, bool impatient,
                           struct work_item *item);

/* The item is done; ended: and with it all that is left of its unit. */
void turns_give(struct turns *turns, size_t worker, const struct work_item *item, bool ended);

/* Items that nobody has taken yet. */
size_t turns_waiting(struct turns *turns);

/* Whether every item is done. */
bool turns_are_done(const struct turns *turns);

void turns_close(struct turns *turns);

#endif
