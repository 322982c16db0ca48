/* One call of a kernel under compute-sanitizer's memcheck. */
#ifndef BENCH_CHECKS_MEMCHECK_H
#define BENCH_CHECKS_MEMCHECK_H

#include "bench/context/unit_context.h"

/* In a runner of its own, which is some hundred times slower. Not in the sandbox: the tool's own
 * libraries live in the process and talk to the tool outside, and that they can from within has not
 * been shown. So only kernels that have passed everything else come here, and whoever asks for it
 * is told. An error that is found becomes the arm's outcome. 0, or -1 after error(). */
int memcheck_call(struct unit_context *context, struct arm_state *arm);

#endif
