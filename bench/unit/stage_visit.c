#include "bench/unit/stage_visit.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/context/arm_calls.h"
#include "bench/context/stage.h"
#include "bench/unit/arrange.h"
#include "bench/unit/control_arms.h"
#include "bench/unit/measure.h"
#include "correctness/numbers/input.h"

/* The kernel's recording as an arm. Returns an outcome or TROUBLE. */
static int load_recording(struct unit_context *staged, struct arm_state *arm) {
    static struct wire_reply reply;
    const struct recorded *recorded = &staged->recorded[unit_which(staged, arm)];
    const struct wire_request request = stage_load_request(staged, recorded);
    const double start = clock_seconds();
    const int outcome = unit_ask(staged, arm, request, unit_call_limit(staged), &reply);
    staged->start_seconds += clock_seconds() - start;
    if (outcome != OUTCOME_OK)
        return outcome;
    arm->number = reply.add.arm;
    if (arm->number >= 0)
        return OUTCOME_OK;
    return error("%s, %s: its recording cannot be carried out any more: %.400s; remove the unit's "
                 ".visits folder in the run, and --resume measures it from its first visit",
                 unit_label(staged->unit), arm->row.kernel, reply.text);
}

/* Returns as stage_visit. */
static int set_up(struct unit_context *staged, struct arm_state **failed, bool *lost) {
    int order[WIRE_ARMS], outcome = OUTCOME_OK;
    const int count = arrange_arms(staged, order);
    for (int i = 0; i < count && outcome == OUTCOME_OK; i++) {
        struct arm_state *arm = *failed = &staged->checked.arms[order[i]];
        if (arm->outcome != OUTCOME_OK)
            continue;
        outcome = arm->built ? load_recording(staged, arm)
                             : arm_add(staged, arm, ARM_BASELINE, arm->row.kernel);
        *lost = outcome != OUTCOME_OK && !arm->built;
    }
    return outcome == OUTCOME_OK ? control_arms_add(staged, failed) : outcome;
}

/* The unit's own arm or control that is this one on the stage. */
static struct arm_state *own_arm(struct unit_context *context, const struct unit_context *staged,
                                 const struct arm_state *arm) {
    for (int i = 0; i < staged->control_count; i++)
        if (arm == &staged->controls[i]) {
            context->controls[i] = *arm;
            return &context->controls[i];
        }
    return &context->checked.arms[arm - staged->checked.arms];
}

/* What became of the arm on the stage, as the unit's own arm has it. */
static struct arm_state *take_back(struct unit_context *context, const struct unit_context *staged,
                                   const struct arm_state *failed) {
    struct arm_state *arm = own_arm(context, staged, failed);
    arm->outcome = failed->outcome;
    snprintf(arm->row.detail, sizeof arm->row.detail, "on the stage: %.480s", failed->row.detail);
    return arm;
}

int stage_visit(struct unit_context *context, struct arm_state **failed, bool *lost) {
    static struct unit_context staged;
    struct device_session *session = context->session;
    struct arm_state *arm = NULL;
    const int lenses =
        words_lenses_with(LENS_HELD) & context->plan->lenses & ~measure_known(context);
    *lost = false;
    if (!lenses)
        return OUTCOME_OK;
    const double start = clock_seconds();
    const int status = stage_take(context);
    context->start_seconds += clock_seconds() - start;
    if (status < 0)
        return TROUBLE;
    staged = *context;
    staged.process = session->stage.process;
    int outcome = set_up(&staged, &arm, lost);
    if (outcome == OUTCOME_OK)
        outcome = measure_visit(&staged, context->course.visit, lenses, true, &arm);
    session->stage.process = staged.process;
    context->start_seconds = staged.start_seconds;
    if (outcome == OUTCOME_OK)
        return outcome;
    stage_drop(context);
    if (outcome != TROUBLE)
        *failed = take_back(context, &staged, arm);
    return outcome;
}
