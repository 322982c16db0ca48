/* What a call finds that is timed by a lens behind a hold. It is the same for every arm, whatever
 * else the harness or another arm has done before: a number must not depend on that.
 *
 * New operands: A and the copy of B that the arm reads are written anew, unless they are the pass's
 * and no arm can have changed them (inputs_there), and the C of each call is full of NaN. Then
 * twice the last-level cache is read, so that nothing of all this is left there, nor anything that
 * would have to be written back during the call. With a warm cache a kernel of ours then reads B
 * and A, in this order: what fits is there, as weights and activations of a network are that has
 * just run. With a cold one nothing is done.
 *
 * Triton's do_bench and nvbench overwrite a buffer before each call, which leaves lines to be
 * written back; cutlass_profiler rotates over copies of the operands. */
#ifndef BENCH_RUNNER_BEFORE_CALLS_H
#define BENCH_RUNNER_BEFORE_CALLS_H

#include "bench/runner/runner.h"

/* Enqueues that for calls into runner->chain[first] and the next ones; what the calls before have
 * left in the chain goes, too. 0 or -1. */
int before_calls(struct runner *runner, const struct wire_interval *how, const struct arm *arm,
                 int first, int calls);

/* Where the arm's calls of such an interval begin in runner->chain: those of a recording go on,
 * and begin again, with the memory of then, where it has not so many left. -1 where that fails. */
int before_calls_first(struct runner *runner, struct arm *arm, int calls);

#endif
