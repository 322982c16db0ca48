/* Whether a kernel keeps products: among calls in a row, whose operands differ in a few places, it
 * could then make only what has changed, and copy the rest of C from the last one. */
#ifndef BENCH_UNIT_MEMOISES_H
#define BENCH_UNIT_MEMOISES_H

#include "bench/context/unit_context.h"

/* Times calls in a row on the stage, between which all of A and B change. Compares them with the
 * unit's calls so far, between which a few places changed. The finding is reported of a kernel that
 * this makes MEMOISES_TIMES as slow, less what it costs a library. The look has all arms of a visit,
 * and their products are examined: a kernel learns only at its second call that this is another
 * one. Returns an outcome with *failed set unless OK, or TROUBLE. */
#define MEMOISES_TIMES 1.5
int memoises_look(struct unit_context *staged, struct arm_state **failed);

#endif
