/* One visit of a unit on the stage: its libraries and recordings, timed by the lenses behind a
 * hold. */
#ifndef BENCH_UNIT_STAGE_VISIT_H
#define BENCH_UNIT_STAGE_VISIT_H

#include "bench/context/unit_context.h"

/* A job of a visit: sets the arms that have passed up on the stage, in an order of the visit's own, and
 * times them. A
 * recording that fails there fails its kernel. A library that cannot be set up there, or takes the
 * stage down, is *lost; the kernels have failed nothing then. Returns an outcome with *failed set
 * to the arm concerned unless OK, or TROUBLE. */
int stage_visit(struct unit_context *staged, struct arm_state **failed, bool *lost);

#endif
