/* What the changes of operands between calls in a row take by themselves. */
#ifndef BENCH_RUNNER_EDGE_H
#define BENCH_RUNNER_EDGE_H

#include "bench/runner/runner.h"

/* Times what how->stream_calls changes of operands take without any call between them, as an
 * interval of LENS_STREAM contains them (where addresses stay with a chain_keep): once, or the
 * first time until runner->edge has the median of RUNNER_EDGES. 0 or -1. */
int edge_time(struct runner *runner, const struct wire_interval *how);

#endif
