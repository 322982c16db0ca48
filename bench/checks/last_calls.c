#include "bench/checks/checks.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "bench/checks/audit.h"
#include "bench/context/unit_runner.h"
#include "correctness/audit/behaviour.h"
#include "correctness/numbers/input.h"

/* The first of them may do what first calls do. */
#define LAST_CALLS 4

/* Of a kernel under test what is refused, for all else is known from its first calls; of a library
 * whether its kernels may begin early. */
static int judge_events(struct unit_context *context, struct arm_state *arm,
                        const struct behaviour_event *events, uint64_t count) {
    struct finding_list *all = need(2, sizeof *all), *told = all + 1;
    behaviour_judge(events, count, (struct behaviour_recorded){LAST_CALLS, LAST_CALLS, 0}, all);
    for (size_t i = 0; i < all->count; i++) {
        const struct finding *finding = &all->items[i];
        if (arm->built ? finding_is_refused(finding->kind)
                       : finding->kind == FINDING_DEPENDENT_LAUNCH)
            finding_add(told, finding->kind, "%s", finding->text);
    }
    const int outcome = audit_report(context, arm, "last-calls", told);
    free(all);
    return outcome;
}

/* The n-th arm's events, its calls numbered from 1; they are ordered by call. */
static int judge_arm(struct unit_context *context, struct arm_state *arm, int n,
                     struct behaviour_event *events, uint64_t count) {
    uint64_t first = 0, end;
    while (first < count && events[first].call <= n * LAST_CALLS)
        first++;
    for (end = first; end < count && events[end].call <= (n + 1) * LAST_CALLS; end++)
        events[end].call -= n * LAST_CALLS;
    arm->work = behaviour_work(events + first, end - first, LAST_CALLS);
    return judge_events(context, arm, events + first, end - first);
}

/* Its first calls were recorded: that these cannot be is the kernel's own doing. Else failing would
 * be a way around them. */
static int unrecorded(struct unit_context *context, struct arm_state **failed, const char *why) {
    *failed = unit_suspect(context);
    return audit_one(context, *failed, "last-calls", FINDING_UNRECORDED,
                     "its last calls fail when recorded: %.120s", why);
}

int last_calls_watch(struct unit_context *context, struct arm_state **failed) {
    static struct wire_reply reply;
    struct arm_state harness = {0}, *arms[WIRE_ARMS];
    struct wire_trace last = {.calls = LAST_CALLS};
    if (!unit_suspect(context) || plan_on_host(context->plan) || *context->session->no_recorder)
        return OUTCOME_OK;
    for (int i = 0; i < context->checked.arm_count; i++) {
        struct arm_state *arm = &context->checked.arms[i];
        if (arm->outcome != OUTCOME_OK)
            continue;
        arms[last.arm_count] = arm;
        last.arms[last.arm_count++] = arm->number;
    }
    last.seed = seed_derive(context->seed, SEED_CHECK, 4 + (uint64_t)context->course.rounds);
    const double limit = unit_call_limit(context) * (last.arm_count * LAST_CALLS + 1);
    int outcome = unit_ask(context, &harness, wire_trace_request(last), limit, &reply);
    const uint64_t room = context->process.shared_bytes / sizeof(struct behaviour_event);
    if (outcome == TROUBLE)
        return TROUBLE;
    if (outcome != OUTCOME_OK || !reply.trace.recorded)
        return unrecorded(context, failed, outcome != OUTCOME_OK ? harness.row.detail : reply.text);
    if (reply.trace.events > room || reply.trace.dropped > 0)
        return unrecorded(context, failed, "they ask more of CUDA than there is room for");
    struct behaviour_event *events = behaviour_copy(context->process.shared, reply.trace.events);
    for (int i = 0; i < last.arm_count && outcome == OUTCOME_OK; i++) {
        *failed = arms[i];
        outcome = judge_arm(context, arms[i], i, events, reply.trace.events);
    }
    free(events);
    return outcome;
}
