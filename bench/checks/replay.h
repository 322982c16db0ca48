/* A kernel's device work, recorded in a runner that has loaded it and carried out on the stage,
 * which has not. What comes of it are rows of replays.csv, a row a try, and a recording that is
 * right. A kernel that cannot be recorded, and whatever fails on our side, is a row with its
 * reason, and never an accusation. */
#ifndef BENCH_CHECKS_REPLAY_H
#define BENCH_CHECKS_REPLAY_H

#include "bench/context/unit_context.h"

/* What memory that a kernel allocates holds in a recorder until it is written, where that is not to
 * be zeros: words that are NaN as one f32, two f16 or two bf16, and that nobody else fills memory
 * with. */
#define REPLAY_UNWRITTEN UINT32_C(0xffc5ffb7)

/* Calls in a sequence: few of large shapes. */
int replay_calls(const struct unit_context *context);

/* Once a kernel has passed its checks: records, carries out, and holds C against the native bits
 * and the reference product. What is right with the native bits needs one try. A kernel is
 * DISHONEST whose bits differ although they are the same each time natively, or whose C is wrong,
 * in REPLAYS_TRIES processes. A kernel is UNSTABLE whose C is wrong natively, too, in the second or
 * third of them, or that fails in the others than the second, where new memory holds zeros. One
 * that fails in all is UNRECORDED. The facts of its calls become rows of audits, and may refuse it. So does
 * whatever keeps it from being recorded; that there is no recorder is a note. What was right is in the context's `recorded` then. Returns the outcome or TROUBLE. */
int replay_products(struct unit_context *context, struct arm_state *arm);

/* A kernel that tunes itself chooses in each process anew. In each later visit that sees kernels
 * anew (plan_anew_every) it is recorded again, and the visits until the next are of that
 * recording. Returns the outcome with *failed set unless OK, or TROUBLE. */
int replay_again(struct unit_context *context, struct arm_state **failed);

/* Once the calls of a native process are known: notes in the rows which kernels they launched. */
void replay_note_work(struct unit_context *context);

#endif
