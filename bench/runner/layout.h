/* Where in fixed memory operands and outputs of a shape lie: at the same places in the process that
 * records a kernel and on the stage, which carries it out, whatever else either has taken. */
#ifndef BENCH_RUNNER_LAYOUT_H
#define BENCH_RUNNER_LAYOUT_H

#include <stdint.h>

#include "bench/base/shape.h"

/* Each set of operands has room for padding by so much in each direction. */
#define LAYOUT_PADDING 512

/* The plain operands, and padded ones of the candidate and of its earlier release. */
enum layout_operands { LAYOUT_PLAIN, LAYOUT_CANDIDATE, LAYOUT_PREVIOUS, LAYOUT_OPERANDS };

/* Bytes behind the begin of fixed memory, never 0: of A, B row-major and B column-major ... */
void layout_operands(struct shape shape, enum layout_operands whose, uint64_t places[3]);

/* ... of the C of the i-th call, below CHAIN_CALLS ... */
uint64_t layout_c(struct shape shape, int i);

/* ... and of all that has no place of its own. */
uint64_t layout_rest(struct shape shape);

#endif
