#include "bench/checks/last_calls.h"

#include "bench/jobs/processes.h"
#include "correctness/numbers/input.h"

/* Behind one that may do what first calls do. */
#define LAST_CALLS 3

/* Its first calls were recorded: that these cannot be is the kernel's own doing. Else failing would
 * be a way around them. */
static int unrecorded(struct unit_context *context, struct arm_state *arm, const char *why) {
    return findings_report(context, arm, LAST_CALLS_PART, FINDING_UNRECORDED,
                           "its last calls fail when recorded: %.120s", why);
}

/* refused: why they could not be recorded, or "". */
static int judge(struct unit_context *context, struct arm_state *arm, const char *refused) {
    static struct facts facts;
    facts_take(wire_facts(context->process.shared, context->process.shared_bytes), &facts);
    arm->work = facts.last.digest;
    const int outcome = findings_report_last(context, arm, &facts);
    return outcome == OUTCOME_OK && arm->built && *refused
               ? findings_report(context, arm, LAST_CALLS_PART, FINDING_UNRECORDED, "%s", refused)
               : outcome;
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
                                                            4 + (uint64_t)context->plan->visits)};
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
        if (arm->outcome == OUTCOME_OK && unit_takes_part(context, arm) &&
            (arm->built || context->own == context->checked.kernel[UNIT_CANDIDATE]))
            outcome = watch(context, arm, failed);
    }
    return outcome;
}
