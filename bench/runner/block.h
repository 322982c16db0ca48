/* Draws for a block, which times every arm by every lens. */
#ifndef BENCH_RUNNER_BLOCK_H
#define BENCH_RUNNER_BLOCK_H

#include "bench/process/wire.h"
#include "bench/runner/runner.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/philox_words.h"

/* C buffers rotate over the arms, so that no arm owns a luckier address. */
static inline int block_output(const struct wire_time *request, int slot, uint64_t block) {
    return (int)(((uint64_t)slot + block) % (uint64_t)request->arm_count);
}

/* Draws for a pass, which is a block by one lens. Runner and judge derive it, each for itself. The
 * seed of the operands of a call in a row: */
static inline uint64_t block_inputs(const struct wire_time *request, uint64_t pass, int call) {
    return seed_derive(request->seed, SEED_BLOCK, pass * LAYOUT_CALLS + (uint64_t)call);
}

/* The key of its seals. */
static inline uint64_t block_secret(const struct wire_time *request, uint64_t pass) {
    return seed_derive(request->seed, SEED_SEAL, pass);
}

/* Elements of a C that the judge makes itself: a row, and as many columns as one group has. */
struct block_taken {
    int64_t row, column, columns;
};
static inline struct block_taken block_taken(const struct wire_time *request, uint64_t pass,
                                             struct shape shape) {
    const uint64_t draw = seed_derive(request->seed, SEED_TAKEN, pass);
    const int64_t groups = (shape.n + PHILOX_GROUP - 1) / PHILOX_GROUP;
    const int64_t column = (int64_t)(draw >> 32) % groups * PHILOX_GROUP, left = shape.n - column;
    return (struct block_taken){(int64_t)(uint32_t)draw % shape.m, column,
                                left < PHILOX_GROUP ? left : PHILOX_GROUP};
}

#endif
