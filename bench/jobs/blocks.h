/* The blocks of a visit: how many there are, and what comes before the first. Under its power cap a
 * card slows down from block to block, and not all kernels alike. So each visit of a shape has as
 * many blocks, in every run of a plan, and begins with a card that is as hot. */
#ifndef BENCH_JOBS_BLOCKS_H
#define BENCH_JOBS_BLOCKS_H

#include "bench/jobs/batch.h"

/* Whether that is so: in runs with a stage. In the paper's way time is up, and without a stage a
 * visit ends when its ratios are known. */
bool blocks_are_counted(const struct plan *plan);

/* Blocks a visit of the lenses that need not be precise: enough to show a kernel that cheats one of
 * them. */
#define BLOCKS_FEW 5

/* How many blocks by these lenses (bits) a visit of so many seconds has, by the unit's shape and
 * the plan alone: what they take on a card of 300 TFLOPS. BLOCKS_LEAST at least. */
enum { BLOCKS_LEAST = 2 };
size_t blocks_count(const struct plan *plan, const struct unit *unit, enum mode mode, int lenses,
                    double seconds);

/* In how many of these blocks the lens is timed. A row of calls takes longer than a call and varies
 * less. So one block in five has rows, and BLOCKS_LEAST at least. */
enum { BLOCKS_ROWS = 1, BLOCKS_CALLS = 5 };
size_t blocks_of_lens(enum lens lens, size_t blocks);

/* A row has fewer calls where they would take longer than this. */
#define BLOCKS_ROW_SECONDS 5e-4

/* A kernel that takes far longer than was reckoned with has fewer: a visit ends when it has taken
 * so many times its seconds. */
#define BLOCKS_SHARES 4

/* From a product of so many operations on: two for each multiply-add. */
#define BLOCKS_HEATED 0x1p33

/* Heats the card with blocks that are not kept, until two in a row agree to 1 %, for 0.3 s at most,
 * where blocks are counted and the shape is that large. The last batch, of the same lens, is the
 * first of these. Adds to *spent. Returns as batch_run. */
int blocks_heat(struct timing *t, double *spent);

#endif
