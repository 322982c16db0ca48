/* Rows of what is found of a kernel under test, and the outcome that a refusal among them makes. */
#ifndef BENCH_CHECKS_FINDINGS_H
#define BENCH_CHECKS_FINDINGS_H

#include "bench/context/unit_context.h"
#include "correctness/contract/facts.h"
#include "correctness/contract/finding.h"

/* Rows of what was found in that part. The outcome becomes UNRECORDED, and its detail the first
 * refusal, where one is among them. Returns the outcome or TROUBLE. */
int findings_report(struct unit_context *context, struct arm_state *arm, const char *part,
                    const struct finding_list *list);

/* The same of one finding. */
int findings_report_one(struct unit_context *context, struct arm_state *arm, const char *part,
                        enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Rows of the facts of the arm's recorded calls. Returns the outcome or TROUBLE. */
int findings_report_facts(struct unit_context *context, struct arm_state *arm,
                          const struct facts *facts);

/* After the checks: whether the arm's set-up and calls have left it with more memory of the host
 * than its workspace. Memory of a GPU is a fact of its recorded calls. Returns the outcome or TROUBLE. */
int findings_report_memory(struct unit_context *context, struct arm_state *arm);

#endif
