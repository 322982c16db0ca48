/* Which kernels of a run are not confirmed by a replay. */
#ifndef REPORTS_GATE_GATE_REPLAYS_H
#define REPORTS_GATE_GATE_REPLAYS_H

#include "reports/gate/gate_read.h"

struct gate_replays {
    size_t kernels;
    char first[RUNDIR_TEXT]; /* of them, and why; "" without any */
};

/* Of the candidates that passed their checks. One is confirmed where its recorded work gave a right
 * product, and where the process whose calls were timed launched the same kernels. */
void gate_replays_find(const struct rundir *run, struct gate_replays *lacking);

#endif
