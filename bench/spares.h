/* Runners that have started and opened no device yet, so that a unit need not wait for them. */
#ifndef BENCH_SPARES_H
#define BENCH_SPARES_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/leash.h"

#define SPARES_MOST 16

/* All zero: none. */
struct spares {
    struct leash list[SPARES_MOST];
    size_t count;
};

/* Starts as many as are missing, each with so much shared memory, and does not wait for them: they
 * start side by side, at most one a core that this process may use. 0, or -1 after error(). */
int spares_fill(struct spares *spares, size_t wanted, size_t shared_bytes);

/* Hands one over, if there is one with that much shared memory. */
bool spares_take(struct spares *spares, size_t shared_bytes, struct leash *leash);

/* Waits until all have started, so that nothing of that falls into timed calls. */
void spares_settle(struct spares *spares);

void spares_end(struct spares *spares);

#endif
