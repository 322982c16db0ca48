/* The audits of a kernel under test, apart from its timed run. */
#ifndef BENCH_CHECKS_AUDIT_H
#define BENCH_CHECKS_AUDIT_H

#include "bench/context/unit_context.h"
#include "correctness/contract/facts.h"
#include "correctness/contract/finding.h"

/* Rows of what was found in that part. The outcome becomes UNRECORDED, and its detail the first
 * refusal, where one is among them. Returns the outcome or TROUBLE. */
int audit_report(struct unit_context *context, struct arm_state *arm, const char *part,
                 const struct finding_list *list);

/* The same of one finding. */
int audit_one(struct unit_context *context, struct arm_state *arm, const char *part,
              enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Rows of the facts of the arm's recorded calls. Returns the outcome or TROUBLE. */
int audit_facts(struct unit_context *context, struct arm_state *arm, const struct facts *facts);

/* After the checks: whether the arm's set-up and calls have left it with more memory of the host
 * than its workspace. Memory of a GPU is a fact of its recorded calls. Returns the outcome or TROUBLE. */
int audit_memory(struct unit_context *context, struct arm_state *arm);

/* Which accumulator the arm really has; a candidate that keeps less than it claims gets the outcome
 * PRECISION, one whose product no accumulator explains INEXACT. Returns the outcome or TROUBLE. */
int audit_accumulator(struct unit_context *context, struct arm_state *arm);

/* The same of a kernel that deviates, to say what it may come of: its outcome stays what it is
 * unless the call fails. Returns the outcome or TROUBLE. */
int audit_deviating(struct unit_context *context, struct arm_state *arm);

#endif
