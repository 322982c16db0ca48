#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/gate/rows_making.h"

static bool is_like(const struct round_speed *a, const struct round_speed *b) {
    return strcmp(a->mode, b->mode) == 0 && strcmp(a->lens, b->lens) == 0 &&
           strcmp(a->reference, b->reference) == 0;
}

/* Four rounds say little of how much a kernel scatters; those of the other shapes say more. */
static void moderate(struct rows_making *making, const size_t *members, size_t count,
                     double *room) {
    const struct round_speeds *speeds = &making->of->base.speeds;
    double *variance = room, *freedom = room + count, *own = room + 2 * count;
    for (size_t i = 0; i < count; i++) {
        const struct round_speed *speed = &speeds->list[members[i]];
        const struct significance_bounds bounds = significance_bounds(speed->x, speed->rounds, 0.5);
        variance[i] = bounds.sd * bounds.sd;
        freedom[i] = (double)speed->rounds - 1;
    }
    struct moderation level = moderation_level_robust(variance, freedom, count, own);
    const double pooled = moderation_pooled(variance, freedom, count);
    for (size_t i = 0; i < count; i++) {
        level.freedom = own[i];
        making->stored[members[i]] =
            moderation_squeeze((struct moderation){variance[i], freedom[i]}, level, pooled);
    }
}

int rows_moderate_stored(struct rows_making *making) {
    const struct round_speeds *speeds = &making->of->base.speeds;
    const size_t count = speeds->count;
    size_t *members = malloc((count + 1) * sizeof *members);
    double *room = malloc((3 * count + 1) * sizeof *room);
    bool *done = calloc(count + 1, sizeof *done);
    making->stored = calloc(count + 1, sizeof *making->stored);
    const bool ready = members && room && done && making->stored;
    for (size_t first = 0; ready && first < count; first++) {
        size_t found = 0;
        for (size_t i = first; i < count && !done[first]; i++)
            if (is_like(&speeds->list[first], &speeds->list[i]))
                members[found++] = i;
        for (size_t i = 0; i < found; i++)
            done[members[i]] = true;
        if (found > 0)
            moderate(making, members, found, room);
    }
    free(members);
    free(room);
    free(done);
    return ready ? 0 : error("no memory for %zu stored speeds", count);
}
