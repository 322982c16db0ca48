/* A kernel's device work, recorded in a runner that has loaded it and carried out on the stage,
 * which has not. What comes of it are rows of replays.csv, a row a try, and a recording that is
 * right. A try is `same` where the stage's products have the bits of the native calls, `right` where
 * these differ from call to call and C is right, `wrong` where a product is wrong natively or on the
 * stage, or only the stage's bits differ, and `no` where there is nothing to be carried out. A kernel
 * that cannot be recorded, and whatever fails on our side, is never an accusation. */
#ifndef BENCH_CHECKS_REPLAY_H
#define BENCH_CHECKS_REPLAY_H

#include "bench/context/unit_context.h"

/* What memory that a kernel allocates holds in a recorder until it is written, where that is not to
 * be zeros: words that are NaN as one f32, two f16 or two bf16, and that nobody else fills memory
 * with. */
#define REPLAY_UNWRITTEN UINT32_C(0xffc5ffb7)

/* Calls in a sequence: few of large shapes. */
int replay_calls(const struct unit_context *context);

/* Once a kernel has passed its checks: records it, calls it there once more, carries the recording
 * out, and holds every C against the reference product. Memory that it allocates holds
 * REPLAY_UNWRITTEN until it is written. A kernel whose native product is wrong is UNSTABLE. Where the
 * kernel failed, or the stage finds a product `wrong`, a second process decides. If it fails there it
 * is UNRECORDED. If a product of the stage is `wrong` again it is DISHONEST, or UNSTABLE where its bits
 * on the stage differ each time: after the first accusation that memory holds zeros, as it does on
 * the stage, so that a kernel that reads it is wrong natively, too. It is PRECISION or INEXACT where
 * the stage's product of the probe's inputs shows what that of its own process did not.
 *
 * The facts of its calls become rows of audits, and may refuse it. So does whatever keeps it from
 * being recorded; that there is no recorder is a note. What was right is in the context's `recorded`
 * then. Returns the outcome or TROUBLE. */
int replay_products(struct unit_context *context, struct arm_state *arm);

/* A kernel that tunes itself chooses in each process anew. In each later visit that sees kernels
 * anew (plan_anew_every) it is recorded again, and the visits until the next are of that
 * recording. Returns the outcome with *failed set unless OK, or TROUBLE. */
int replay_again(struct unit_context *context, struct arm_state **failed);

/* Once the calls of a native process are known: notes in the rows which kernels they launched. */
void replay_note_work(struct unit_context *context);

#endif
