#include "bench/checks/last_calls.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/checks/audit.h"
#include "bench/context/unit_runner.h"
#include "correctness/audit/behaviour.h"
#include "correctness/numbers/input.h"

/* The first of them may do what first calls do. */
#define LAST_CALLS 4

static int ask(struct unit_context *context, struct arm_state *arm, struct wire_last *last,
               struct wire_reply *reply) {
    last->calls = LAST_CALLS;
    last->seed = seed_derive(context->seed, SEED_CHECK, 4 + (uint64_t)context->course.rounds);
    const double limit = unit_call_limit(context) * (last->arm_count * LAST_CALLS + 1);
    return unit_ask(context, arm, wire_last_request(*last), limit, reply);
}

/* A kernel that has passed until now crashes without the libraries' code: it has used it. */
static int watch_on_host(struct unit_context *context, struct arm_state *arm) {
    static struct wire_reply reply;
    struct wire_last last = {.arms = {arm->number}, .arm_count = 1};
    const int outcome = ask(context, arm, &last, &reply);
    if (outcome == OUTCOME_OK || outcome == TROUBLE)
        return outcome;
    struct finding_list *list = calloc(1, sizeof *list);
    if (!list)
        return error("no memory for an audit");
    finding_add(list, FINDING_LIBRARY_GEMM, "without the code of OpenBLAS its calls fail: %.120s",
                arm->row.detail);
    *arm->row.detail = 0;
    arm->outcome = OUTCOME_OK;
    const int judged = audit_report(context, arm, "last-calls", list);
    free(list);
    return judged;
}

/* Of a kernel under test what is rejected, for all else is known from its first calls; of a library
 * whether its kernels may begin early. */
static int judge(struct unit_context *context, struct arm_state *arm,
                 const struct behaviour_event *events, uint64_t count) {
    const struct audit_policy *policy = &context->plan->policy;
    struct finding_list *all = calloc(2, sizeof *all), *told = all + 1;
    if (!all)
        return error("no memory for an audit");
    behaviour_judge(events, count, (struct behaviour_recorded){LAST_CALLS, LAST_CALLS, 0}, all);
    for (size_t i = 0; i < all->count; i++) {
        const struct finding *finding = &all->items[i];
        if (arm->built ? policy->level[finding->kind] == LEVEL_REJECT
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
    return judge(context, arm, events + first, end - first);
}

static int note(struct unit_context *context, const char *why) {
    struct arm_state *arm = unit_suspect(context);
    if (!*arm->row.note)
        snprintf(arm->row.note, sizeof arm->row.note, "last calls not recorded: %.400s", why);
    return OUTCOME_OK;
}

/* Where they cannot be recorded nobody is accused: recording begins late here, and calls of a
 * process of their own have been recorded. */
static int watch_on_gpu(struct unit_context *context, struct arm_state **failed) {
    static struct wire_reply reply;
    struct arm_state harness = {0}, *arms[WIRE_ARMS];
    struct wire_last last = {0};
    for (int i = 0; i < context->checked.arm_count; i++) {
        struct arm_state *arm = &context->checked.arms[i];
        if (arm->outcome != OUTCOME_OK ||
            (arm->built && !unit_records_calls(context->plan, arm == unit_previous(context))))
            continue;
        arms[last.arm_count] = arm;
        last.arms[last.arm_count++] = arm->number;
    }
    int outcome = ask(context, &harness, &last, &reply);
    const uint64_t room = context->process.shared_bytes / sizeof(struct behaviour_event);
    if (outcome == TROUBLE)
        return TROUBLE;
    if (outcome != OUTCOME_OK || !reply.last.watched)
        return note(context, outcome != OUTCOME_OK ? harness.row.detail : reply.text);
    if (reply.last.events > room)
        return note(context, "they ask more of CUDA than there is room for");
    struct behaviour_event *events = behaviour_copy(context->process.shared, reply.last.events);
    if (!events)
        return error("no memory for an audit");
    for (int i = 0; i < last.arm_count && outcome == OUTCOME_OK; i++) {
        *failed = arms[i];
        outcome = judge_arm(context, arms[i], i, events, reply.last.events);
    }
    free(events);
    return outcome;
}

int last_calls_watch(struct unit_context *context, struct arm_state **failed) {
    struct arm_state *const suspects[] = {unit_previous(context), unit_candidate(context)};
    int outcome = OUTCOME_OK;
    if (!context->plan->audit || !unit_suspect(context))
        return OUTCOME_OK;
    if (!plan_on_host(context->plan))
        return watch_on_gpu(context, failed);
    for (int i = 0; i < 2 && outcome == OUTCOME_OK; i++)
        if (suspects[i] && suspects[i]->outcome == OUTCOME_OK) {
            *failed = suspects[i];
            outcome = watch_on_host(context, suspects[i]);
        }
    return outcome;
}
