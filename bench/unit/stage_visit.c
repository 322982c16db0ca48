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
        outcome = arm->built ? load_recording(staged, arm)
                             : arm_add(staged, arm, ARM_BASELINE, arm->row.kernel);
        *lost = outcome != OUTCOME_OK && !arm->built;
    }
    return outcome == OUTCOME_OK ? control_arms_add(staged, failed) : outcome;
}

/* Of the arm that failed there. */
static void tell_place(struct arm_state *arm) {
    char said[RUNDIR_TEXT];
    memcpy(said, arm->row.detail, sizeof said);
    snprintf(arm->row.detail, sizeof arm->row.detail, "on the stage: %.480s", said);
}

int stage_visit(struct unit_context *staged, struct arm_state **failed, bool *lost) {
    struct device_session *session = staged->session;
    const int lenses = words_lenses_with(LENS_HELD) & staged->plan->lenses & ~measure_known(staged);
    if (!lenses)
        return OUTCOME_OK;
    const double start = clock_seconds();
    const int status = stage_take(staged);
    staged->start_seconds += clock_seconds() - start;
    if (status < 0)
        return TROUBLE;
    staged->staged = true;
    staged->process = session->stage.process;
    int outcome = set_up(staged, failed, lost);
    if (outcome == OUTCOME_OK)
        outcome = measure_visit(staged, staged->course.visit, lenses, failed);
    session->stage.process = staged->process;
    staged->process = PROCESS_NONE;
    if (outcome == OUTCOME_OK)
        return outcome;
    stage_drop(staged);
    if (outcome != TROUBLE)
        tell_place(*failed);
    return outcome;
}
