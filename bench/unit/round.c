#include "bench/unit/round.h"

#include <string.h>

#include "bench/checks/audit.h"
#include "bench/checks/last_calls.h"
#include "bench/context/arm_calls.h"
#include "bench/unit/controls.h"
#include "bench/unit/measure.h"
#include "correctness/numbers/input.h"
#include "timing/schedule.h"

/* The earlier release as it is now; or, where another was seen to fail beside it, as that. */
static void leave_out(struct unit_context *context, const struct arm_state *failed,
                      enum outcome outcome) {
    const struct arm_state *previous = unit_previous(context);
    context->left_out = *previous;
    if (failed == previous)
        return;
    context->left_out.outcome = outcome;
    arm_describe(&context->left_out, "", "timed in one process with the candidate: %.400s",
                 failed->row.detail);
}

/* The first round is where checks are: a failure there needs no number. */
static void tell_round(const struct unit_context *context, struct arm_state *failed) {
    const struct unit_course *course = &context->course;
    char said[RUNDIR_TEXT];
    memcpy(said, failed->row.detail, sizeof said);
    if (course->round > 0)
        snprintf(failed->row.detail, sizeof failed->row.detail, "round %d of %d: %.480s",
                 course->round + 1, course->rounds, said);
}

/* An arm that had passed its checks has failed since. */
static enum unit_event fail(struct unit_context *context, struct arm_state *failed,
                            enum outcome outcome) {
    const struct arm_state *previous = unit_previous(context);
    tell_round(context, failed);
    unit_result_drop_times(context->result);
    if (!previous || !unit_blames_previous(failed == previous, previous->outcome, outcome))
        return EVENT_FAILED;
    leave_out(context, failed, outcome);
    return EVENT_PREVIOUS_BLAMED;
}

static enum unit_event lose_library(struct unit_context *context, struct arm_state *arm) {
    for (int i = 0; i < context->plan->baseline_count; i++)
        if (strcmp(context->plan->baselines[i], arm->row.kernel) == 0)
            context->lost_libraries |= UINT64_C(1) << i;
    return unit_add_check(context, arm) < 0 ? EVENT_TROUBLE : EVENT_LIBRARY_LOST;
}

/* The arms in the round's order: libraries before kernels under test, as in the checks, so that no
 * kernel can do anything to a library's set-up; else as drawn. */
static int arrange(const struct unit_context *context, int order[WIRE_ARMS]) {
    const struct unit_checked *checked = &context->checked;
    int drawn[WIRE_ARMS], count = 0;
    schedule_shuffle(seed_derive(context->seed, SEED_ROUND, (uint64_t)context->course.round),
                     checked->arm_count, drawn);
    for (int under_test = 0; under_test < 2; under_test++)
        for (int i = 0; i < checked->arm_count; i++)
            if ((checked->arms[drawn[i]].built != NULL) == under_test)
                order[count++] = drawn[i];
    return count;
}

enum unit_event round_set_up_again(struct unit_context *context) {
    int order[WIRE_ARMS];
    const int count = arrange(context, order);
    for (int i = 0; i < count; i++) {
        struct arm_state *arm = &context->checked.arms[order[i]];
        if (arm->outcome != OUTCOME_OK)
            continue;
        const int outcome = arm->built ? arm_add(context, arm, ARM_CANDIDATE, arm->built->so)
                                       : arm_add(context, arm, ARM_BASELINE, arm->row.kernel);
        if (outcome == TROUBLE)
            return EVENT_TROUBLE;
        if (outcome != OUTCOME_OK)
            return arm->built ? fail(context, arm, (enum outcome)outcome)
                              : lose_library(context, arm);
    }
    return EVENT_OK;
}

/* Whether there is a point in timing: the candidate has passed, or there is none and another arm
 * has. */
static bool is_worth_timing(struct unit_context *context) {
    const struct plan *plan = context->plan;
    const struct arm_state *candidate = unit_candidate(context);
    bool any = false;
    for (int i = 0; i < context->checked.arm_count; i++)
        any |= context->checked.arms[i].outcome == OUTCOME_OK;
    return any && (plan->modes[MODE_OFFLINE] || plan->modes[MODE_SERVER]) &&
           (!candidate || candidate->outcome == OUTCOME_OK);
}

enum unit_event round_time(struct unit_context *context) {
    struct arm_state *failed = NULL;
    if (!is_worth_timing(context))
        return EVENT_NOTHING_TO_TIME;
    int outcome = controls_add(context, &failed);
    if (outcome == OUTCOME_OK)
        outcome = measure_round(context, context->course.round, &failed);
    if (outcome == OUTCOME_OK && unit_suspect(context)) {
        failed = unit_suspect(context);
        outcome = audit_process(context, failed);
    }
    if (outcome == OUTCOME_OK && context->course.round + 1 == context->course.rounds)
        outcome = last_calls_watch(context, &failed);
    if (outcome == OUTCOME_OK)
        return EVENT_OK;
    return outcome == TROUBLE ? EVENT_TROUBLE : fail(context, failed, (enum outcome)outcome);
}
