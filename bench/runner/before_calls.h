/* Makes the state that calls find which are timed by a lens behind a hold. It is the same for every
 * arm, whatever else the harness or another arm has done before: a number must not depend on that.
 *
 * The n-th call of an interval is the n-th of a recording. It reads the n-th operands and writes
 * the n-th C. Operands are written once a pass, for all arms. The stage seals them: no kernel can
 * write them.
 *
 * All that a recording can write and find again is as it was before the first of its calls: its
 * memory, to the last mapped byte, and its variables. Recordings have their memory at the same
 * addresses, and that of the arm is restored last. Every C is full of NaN. Guards
 * around these are looked at when the request ends: who has written there is refused.
 *
 * Then twice the last-level cache is read, so that nothing of all this is left there, nor anything
 * that would have to be written back during the call. With a warm cache a kernel of ours then reads
 * B and A of each call, those of the first call last: what fits is there, as weights and
 * activations of a network are that has just run. With a cold one nothing is done.
 *
 * Triton's do_bench and nvbench overwrite a buffer before each call, which leaves lines to be
 * written back; cutlass_profiler rotates over copies of the operands. */
#ifndef BENCH_RUNNER_BEFORE_CALLS_H
#define BENCH_RUNNER_BEFORE_CALLS_H

#include "bench/runner/runner.h"

/* Enqueues that for so many calls of the arm. 0 or -1. */
int before_calls(struct runner *runner, const struct wire_interval *how, struct arm *arm,
                 int calls);

#endif
