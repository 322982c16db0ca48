#include <math.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "reports/gate/rows_making.h"
#include "reports/rows/moderate.h"
#include "timing/stats.h"

int rows_moderate(const struct round_speed *const *speeds, size_t count,
                  struct moderation *spreads) {
    struct moderate_row *rows = malloc((count + 1) * sizeof *rows);
    int status = rows ? 0 : error("no memory for the variances of %zu speeds", count);
    for (size_t i = 0; i < count && rows; i++) {
        const struct round_speed *speed = speeds[i];
        const struct moderation own = {pow(stats_sd(speed->x, speed->rounds), 2),
                                       (double)speed->rounds - 1};
        rows[i] = (struct moderate_row){speed->reference,
                                        speed->lens,
                                        speed->mode,
                                        speed->shape,
                                        i,
                                        {.count = speed->rounds, .own = own, .plain_error = NAN}};
        rows[i].rounds.used = own;
    }
    if (status == 0)
        status = moderate_by_class(rows, count);
    for (size_t i = 0; i < count && status == 0; i++)
        spreads[rows[i].place] = rows[i].rounds.used;
    free(rows);
    return status;
}

int rows_moderate_stored(struct rows_making *making) {
    const struct round_speeds *stored = &making->of->base.speeds;
    const struct round_speed **speeds = malloc((stored->count + 1) * sizeof *speeds);
    making->stored = calloc(stored->count + 1, sizeof *making->stored);
    int status =
        speeds && making->stored ? 0 : error("no memory for %zu stored speeds", stored->count);
    for (size_t i = 0; i < stored->count && status == 0; i++)
        speeds[i] = &stored->list[i];
    if (status == 0)
        status = rows_moderate(speeds, stored->count, making->stored);
    free(speeds);
    return status;
}
