/* The check of a recording. A runner that has loaded the kernel records its device work, and the
 * stage, which has not loaded it, carries that out. Each try is a row of recordings.csv. A try is
 * `same` where the stage's products have the bits of the kernel's own process. It is `right` where
 * these bits differ from call to call, and C is right. It is `wrong` where a product of either process
 * is wrong, or only the stage's bits differ. It is `no` where there is nothing to be carried out. A
 * kernel that cannot be recorded is never accused, nor is one for a failure on our side. */
#ifndef BENCH_CHECKS_RECORDING_CHECK_H
#define BENCH_CHECKS_RECORDING_CHECK_H

#include "bench/jobs/unit_context.h"

/* What memory that a kernel allocates holds in a recorder until it is written, where that is not to
 * be zeros: words that are NaN as one f32, two f16 or two bf16, and that nobody else fills memory
 * with. */
#define RECORDING_UNWRITTEN UINT32_C(0xffc5ffb7)

/* Calls in a sequence: few of large shapes. */
int recording_check_calls(const struct unit_context *context);

/* Once a kernel has passed its checks: records it, calls it there once more, carries the recording
 * out, and holds every C against the reference product. Memory that it allocates holds
 * RECORDING_UNWRITTEN until it is written. A kernel whose own process makes a wrong product is
 * UNSTABLE. Where the kernel failed, or a product of the stage is `wrong`, a second process decides.
 * If it fails in both it is UNRECORDED. If a product of the stage is `wrong` in both it is DISHONEST, or
 * UNSTABLE where its bits on the stage differ each time; in one of them, while the other fails, it is
 * UNSTABLE. After the first accusation that memory holds
 * zeros, as it does on the stage, so that a kernel that reads it is wrong in its own process, too. The
 * kernel is PRECISION or INEXACT where the stage's product of the probe's inputs shows a fault that
 * its own process did not show.
 *
 * The facts of its calls become rows of audits, and may refuse it. So does whatever keeps it from
 * being recorded; that there is no recorder is a note. A right recording is in the context's `recorded`
 * then. Returns the outcome or TROUBLE. */
int recording_check(struct unit_context *context, struct arm_state *arm);

/* Whether the kernel tunes itself, and so chooses in each process anew. In each later visit that sees
 * kernels anew (plan_anew_every) it is recorded again, and the visits until the next are of that
 * recording. */
bool recording_check_is_due(struct unit_context *context, const struct arm_state *kernel);

/* Once the calls of an own process are known: notes in the rows which kernels they launched. */
void recording_check_note_work(struct unit_context *context);

#endif
