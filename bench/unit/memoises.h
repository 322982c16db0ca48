/* Whether a kernel keeps products: among calls in a row, whose operands differ in a few places, it
 * could then make only what has changed, and copy the rest of C from the last one. */
#ifndef BENCH_UNIT_MEMOISES_H
#define BENCH_UNIT_MEMOISES_H

#include "bench/context/unit_context.h"

/* Times calls in a row on the stage with a few places changed between them, and with all of A and B
 * changed, of the kernel and of a library. Where that costs the kernel MEMOISES_TIMES as much more
 * as the library the finding is reported. Returns an outcome of the arm, or TROUBLE. */
#define MEMOISES_TIMES 1.5
int memoises_look(struct unit_context *staged, struct arm_state *arm);

#endif
