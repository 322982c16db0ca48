#include "reports/gate/gate_replays.h"

#include <stdio.h>
#include <string.h>

#include "reports/rows/replays.h"

/* Also the kernels of both are the same: what a kernel launches while it is timed and not while it
 * is recorded has not been replayed. */
static bool is_confirmed(const struct replay_row *row) {
    return row && replays_right(row) && replays_same_work(row);
}

static const char *why_not(const struct replay_row *row) {
    return !row                  ? "nothing was replayed (--replay off)"
           : !replays_right(row) ? row->why
           : *row->native_kernels
               ? "it launches other kernels while its calls are timed than were recorded"
               : "the kernels that it launches while it is timed are not known";
}

void gate_replays_find(const struct rundir *run, struct gate_replays *lacking) {
    *lacking = (struct gate_replays){0};
    for (size_t i = 0; i < run->rows.check_count; i++) {
        const struct check_row *check = &run->rows.checks[i];
        char shape[SHAPE_TEXT];
        if (!*check->candidate || strcmp(check->kernel, check->candidate) != 0 ||
            strcmp(check->outcome, "ok") != 0)
            continue;
        const struct replay_row *row =
            replays_last(&run->rows, check->shape, check->candidate, check->kernel);
        if (is_confirmed(row))
            continue;
        if (lacking->kernels++ == 0)
            snprintf(lacking->first, sizeof lacking->first, "%s %.80s: %.300s",
                     shape_format(check->shape, shape), check->candidate, why_not(row));
    }
}
