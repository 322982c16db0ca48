/* Runner: calls in a row. Nothing can be looked at between them. Each call has a C of its own, full
 * of NaN, but where addresses stay. Its operands differ from those of any other call in a few
 * secret places. So a kernel that skips a call, or gives an earlier product again, leaves a wrong
 * C. The rest of the operands stays in the cache, where the call before has left it. */
#ifndef BENCH_RUNNER_CHAIN_H
#define BENCH_RUNNER_CHAIN_H

#include "bench/runner/runner.h"

/* The calls of one arm. */
struct chain {
    const struct arm *arm;
    uint64_t secret; /* the pass's, from which places and values are drawn for every arm */
    int at;          /* the call whose operands are there; -1: those of runner_refresh */
    bool whole;      /* all of the operands changes, and not a few places */
};

/* Makes so many outputs, at most RUNNER_CHAIN, of exactly so many elements. 0 or -1. */
int chain_reserve(struct runner *runner, int count, int64_t elements);

/* Enqueues NaN for the first `count` of the chain's outputs. 0 or -1, as below. */
int chain_poison(struct runner *runner, int count);

/* The calls of the arm in this pass, none of them made yet. */
struct chain chain_start(const struct runner *runner, const struct arm *arm, bool whole);

/* Enqueues the change from the operands of a call to those of the next one. */
int chain_next(struct runner *runner, struct chain *chain);

/* Enqueues the change back to the operands of runner_refresh. */
int chain_end(struct runner *runner, struct chain *chain);

/* Enqueues a copy of what the arm left in the chain's output `drawn` to runner->outputs[output]. */
int chain_keep(struct runner *runner, const struct arm *arm, int drawn, int output);

#endif
