/* Rows of what is found of a kernel under test. Where a refusal is among them the outcome becomes
 * UNRECORDED, and its detail the first refusal. Each function returns the outcome. */
#ifndef BENCH_CHECKS_FINDINGS_H
#define BENCH_CHECKS_FINDINGS_H

#include "bench/jobs/unit_context.h"
#include "correctness/contract/facts.h"

/* What rows call the calls that were recorded, and the last ones of a process that has timed. */
#define FINDINGS_CALLS "calls"
#define LAST_CALLS_PART "last-calls"

/* One finding in that part. */
int findings_report(struct unit_context *context, struct arm_state *arm, const char *part,
                    enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The facts of the arm's recorded calls. */
int findings_report_facts(struct unit_context *context, struct arm_state *arm,
                          const struct facts *facts);

/* The facts of its last calls. Of a kernel under test what is refused is told, for all else is known
 * from its first calls; of a library whether its kernels may begin early. */
int findings_report_last(struct unit_context *context, struct arm_state *arm,
                         const struct facts *facts);

/* After the checks: whether the arm's set-up and calls have left it with more memory of the host
 * than its workspace. Memory of a GPU is a fact of its recorded calls. */
int findings_report_memory(struct unit_context *context, struct arm_state *arm);

#endif
