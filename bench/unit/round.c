#include "bench/unit/round.h"

#include <string.h>

#include "bench/checks/checks.h"
#include "bench/checks/replay.h"
#include "bench/context/arm_calls.h"
#include "bench/context/stage.h"
#include "bench/context/unit_runner.h"
#include "bench/unit/arrange.h"
#include "bench/unit/control_arms.h"
#include "bench/unit/measure.h"
#include "bench/unit/stage_visit.h"

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

/* Its calls are no longer what was recorded of them: it has times of its own process alone. */
static void keep_own_times(struct unit_context *context, struct arm_state *candidate) {
    tell_round(context, candidate);
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (words_lens_is((enum lens)lens, LENS_HELD))
            unit_result_drop_lens(context->result, (enum lens)lens);
}

static enum unit_event lose_library(struct unit_context *context, struct arm_state *arm) {
    for (int i = 0; i < context->plan->baseline_count; i++)
        if (strcmp(context->plan->baselines[i], arm->row.kernel) == 0)
            context->lost_libraries |= UINT64_C(1) << i;
    unit_add_check(context, arm);
    return EVENT_LIBRARY_LOST;
}

/* Whether kernels are seen anew in this round: in an own process, or recorded once more. */
static bool is_new(struct unit_context *context) {
    return context->course.round % stage_own_every(context) == 0;
}

bool round_is_own(struct unit_context *context) {
    const int visit = context->course.round / stage_own_every(context);
    return is_new(context) && visit < stage_own_visits(context);
}

enum unit_event round_set_up_again(struct unit_context *context) {
    int order[WIRE_ARMS];
    const int count = arrange_arms(context, order);
    for (int i = 0; i < count; i++) {
        struct arm_state *arm = &context->checked.arms[order[i]];
        if (!arm_has_passed(arm))
            continue;
        const enum outcome before = arm->outcome;
        const int outcome = arm->built ? arm_add(context, arm, ARM_CANDIDATE, arm->built->so)
                                       : arm_add(context, arm, ARM_BASELINE, arm->row.kernel);
        if (outcome == TROUBLE)
            return EVENT_TROUBLE;
        if (outcome != OUTCOME_OK)
            return arm->built ? fail(context, arm, (enum outcome)outcome)
                              : lose_library(context, arm);
        arm->outcome = before;
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
        any |= arm_has_passed(&context->checked.arms[i]);
    return any && (plan->modes[MODE_OFFLINE] || plan->modes[MODE_SERVER]) &&
           (!candidate || arm_has_passed(candidate));
}

/* In the kernels' own process, which this round has: what only that can show. Returns an outcome or
 * TROUBLE. */
static int time_own(struct unit_context *context, struct arm_state **failed) {
    const int round = context->course.round / stage_own_every(context);
    int outcome = control_arms_add(context, failed);
    if (outcome == OUTCOME_OK)
        outcome = measure_visit(context, round, stage_own_lenses(context), false, failed);
    if (outcome != OUTCOME_OK || round + 1 < stage_own_visits(context))
        return outcome;
    return last_calls_watch(context, failed);
}

enum unit_event round_time(struct unit_context *context) {
    struct arm_state *failed = NULL;
    int outcome = OUTCOME_OK;
    bool lost = false;
    if (!is_worth_timing(context))
        return EVENT_NOTHING_TO_TIME;
    if (round_is_own(context))
        outcome = time_own(context, &failed);
    if (outcome == OUTCOME_OK && is_new(context) && context->course.round > 0)
        outcome = replay_again(context, &failed);
    replay_note_work(context);
    if (outcome == OUTCOME_OK && stage_serves(context)) {
        /* No process with a kernel's code is left beside the stage. */
        unit_drop_runner(context, &context->process);
        outcome = stage_visit(context, &failed, &lost);
    }
    if (outcome == OUTCOME_UNRECORDED && failed == unit_candidate(context)) {
        keep_own_times(context, failed);
        return EVENT_OK;
    }
    if (outcome == OUTCOME_OK)
        return EVENT_OK;
    return outcome == TROUBLE ? EVENT_TROUBLE
           : lost             ? lose_library(context, failed)
                              : fail(context, failed, (enum outcome)outcome);
}
