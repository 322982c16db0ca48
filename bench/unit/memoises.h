/* Whether a kernel keeps products: among calls in a row, whose operands differ in a few places, it
 * could then make only what has changed, and copy the rest of C from the last one. */
#ifndef BENCH_UNIT_MEMOISES_H
#define BENCH_UNIT_MEMOISES_H

#include "bench/context/unit_context.h"

/* Times calls in a row on the stage with all of A and B changed between them, and compares them with
 * those timed so far, where a few places were. Where that costs a kernel MEMOISES_TIMES as much more
 * as a library the finding is reported. Nothing tells a kernel before its second call that this is no
 * visit like others, and its products are examined as there. Returns an outcome with *failed set
 * unless OK, or TROUBLE. */
#define MEMOISES_TIMES 1.5
int memoises_look(struct unit_context *staged, struct arm_state **failed);

#endif
