/* Where in fixed memory operands and outputs of a shape lie: at the same addresses in the process that
 * records a kernel and on the stage, which carries it out, whatever else either has taken. */
#ifndef BENCH_RUNNER_LAYOUT_H
#define BENCH_RUNNER_LAYOUT_H

#include <stdint.h>

#include "bench/base/shape.h"

/* Each set of operands has room for padding by so much in each direction. */
#define LAYOUT_PADDING 512

/* Calls in a row, at most. Each has operands and a C of its own. */
#define LAYOUT_CALLS 8

/* A, both copies of B and C of all calls in a row take no more than this, but for two calls. */
#define LAYOUT_ROW_BYTES (UINT64_C(4) << 30)

/* The plain operands, and padded ones of the candidate and of its earlier release. On the stage both
 * releases read operands in the same pass, which are written once for all arms. So two paddings need
 * two ranges. */
enum layout_operands { LAYOUT_PLAIN, LAYOUT_CANDIDATE, LAYOUT_PREVIOUS, LAYOUT_OPERANDS };

/* Bytes of A, both copies of B and C of one call, with guards and room for padding. */
uint64_t layout_call_bytes(struct shape shape);

/* Calls in a row that there is room for: 2 to LAYOUT_CALLS. */
int layout_calls(struct shape shape);

/* Bytes behind the begin of fixed memory, never 0: of the call's A, B row-major and B column-major
 * ... */
void layout_operands(struct shape shape, enum layout_operands whose, int call, uint64_t offsets[3]);

/* ... of its C ... */
uint64_t layout_c(struct shape shape, int call);

/* ... and of all that has no offset of its own. */
uint64_t layout_rest(struct shape shape);

#endif
