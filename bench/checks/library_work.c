#include "bench/checks/library_work.h"

#include <inttypes.h>
#include <stdio.h>

#include "correctness/contract/facts.h"
#include "correctness/numbers/input.h"

/* Its checks have called it before: what only first calls do is done. */
#define CALLS 2

static void tell(struct arm_state *arm, const struct facts *facts) {
    const uint64_t exact = facts_exact(facts);
    if (exact != 0)
        snprintf(arm->row.work, sizeof arm->row.work, "%016" PRIx64, exact);
}

/* One that fails then has no work that is known, and what is beside it is tried no more. */
int library_work_tell(struct unit_context *context) {
    static struct wire_reply reply;
    static struct facts facts;
    int outcome = OUTCOME_OK;
    for (int i = 0; i < context->checked.arm_count && outcome == OUTCOME_OK; i++) {
        struct arm_state *arm = &context->checked.arms[i], harness = *arm;
        const struct wire_record request = {
            .arm = arm->number,
            .calls = CALLS,
            .seed = seed_derive(context->seed, SEED_RECORDING, (uint64_t)i)};
        if (arm->outcome != OUTCOME_OK || arm->number < 0) /* its process is gone */
            continue;
        outcome = unit_ask(context, &harness, wire_record_request(request),
                           unit_call_limit(context) * (CALLS + 1), &reply);
        if (outcome == OUTCOME_OK && reply.record.recordable) {
            facts_take(wire_facts(context->process.shared, context->process.shared_bytes), &facts);
            tell(arm, &facts);
        }
    }
    return outcome == TROUBLE ? TROUBLE : 0;
}
