#include "bench/checks/last_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/checks/findings.h"
#include "bench/context/unit_runner.h"
#include "correctness/contract/facts.h"
#include "correctness/numbers/input.h"

/* Behind one that may do what first calls do. */
#define LAST_CALLS 3

/* Last calls are seen again where all visits begin again. */
static void forget(struct rows *rows, const char *kernel) {
    size_t kept = 0;
    for (size_t i = 0; i < rows->audit_count; i++)
        if (strcmp(rows->audits[i].part, "last-calls") != 0 ||
            strcmp(rows->audits[i].kernel, kernel) != 0)
            rows->audits[kept++] = rows->audits[i];
    rows->audit_count = kept;
}

/* Of a kernel under test what is refused, for all else is known from its first calls; of a library
 * whether its kernels may begin early. */
static int judge(struct unit_context *context, struct arm_state *arm, const char *refused) {
    static struct facts facts;
    struct finding_list *all = need(2, sizeof *all), *told = all + 1;
    forget(&context->result->rows, arm->row.kernel);
    facts_take(wire_facts(context->process.shared, context->process.shared_bytes), &facts);
    arm->work = facts.last.digest;
    facts_judge(&facts, UINT64_MAX, all);
    if (*refused)
        finding_add(all, FINDING_UNRECORDED, "%s", refused);
    for (size_t i = 0; i < all->count; i++) {
        const struct finding *finding = &all->items[i];
        if (arm->built ? finding_is_refused(finding->kind)
                       : finding->kind == FINDING_DEPENDENT_LAUNCH)
            finding_add(told, finding->kind, "%s", finding->text);
    }
    const int outcome = findings_report(context, arm, "last-calls", told);
    free(all);
    return outcome;
}

/* Its first calls were recorded: that these cannot be is the kernel's own doing. Else failing would
 * be a way around them. */
static int unrecorded(struct unit_context *context, struct arm_state *arm, const char *why) {
    return findings_report_one(context, arm, "last-calls", FINDING_UNRECORDED,
                               "its last calls fail when recorded: %.120s", why);
}

/* *failed: who is responsible. Beside a library nobody but the kernel under test can have done
 * something to it. */
static int watch(struct unit_context *context, struct arm_state *arm, struct arm_state **failed) {
    static struct wire_reply reply;
    struct arm_state harness = {0};
    const struct wire_record request = {.arm = arm->number,
                                        .unkept = 1,
                                        .calls = LAST_CALLS,
                                        .seed = seed_derive(unit_secret_seed(context), SEED_CHECK,
                                                            4 + (uint64_t)context->course.visits)};
    const double limit = unit_call_limit(context) * (LAST_CALLS + 2);
    const int outcome = unit_ask(context, &harness, wire_record_request(request), limit, &reply);
    *failed = arm->built ? arm : unit_suspect(context);
    if (outcome == TROUBLE)
        return TROUBLE;
    if (outcome != OUTCOME_OK)
        return unrecorded(context, *failed, harness.row.detail);
    return judge(context, arm, reply.record.recordable ? "" : reply.text);
}

int last_calls_watch(struct unit_context *context, struct arm_state **failed) {
    int outcome = OUTCOME_OK;
    if (!unit_suspect(context) || plan_on_host(context->plan) || *context->session->no_recorder)
        return OUTCOME_OK;
    for (int i = 0; i < context->checked.arm_count && outcome == OUTCOME_OK; i++) {
        struct arm_state *arm = &context->checked.arms[i];
        if (arm->outcome == OUTCOME_OK)
            outcome = watch(context, arm, failed);
    }
    return outcome;
}
