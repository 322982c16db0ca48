#include "bench/jobs/set_up.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/jobs/arm_calls.h"
#include "bench/jobs/processes.h"
#include "correctness/numbers/input.h"
#include "reports/rows/derive.h"
#include "timing/schedule.h"

/* A library that has been set up in this process can be once more: where it cannot, or takes the
 * runner down, a kernel beside it has taken what there was or broken it. Without one there is no
 * control. Returns as set_up_controls. */
static int blame_for(struct unit_context *context, const struct arm_state *control,
                     enum outcome outcome, struct arm_state **failed) {
    const char *name = control->row.kernel, *said = control->row.detail;
    *failed = unit_suspect(context);
    if (*failed) {
        arm_describe(*failed, "", "after its checks, as a library is set up beside it: %.400s",
                     said);
        return (int)((*failed)->outcome = outcome);
    }
    if (!unit_runner_survives(outcome))
        return error("a second library, %s, takes the runner down: %s", name, said);
    warning("the control %s is missing, since the library cannot be set up twice: %s", name, said);
    return OUTCOME_OK;
}

/* The i-th control of the library: its doubles, and last the empty call, which no process of a
 * kernel's has. */
static struct wire_request begin_control(struct arm_state *control, int i,
                                         const struct arm_state *library) {
    static const char *const prefixes[] = {DERIVE_AA, DERIVE_DELAY, DERIVE_LONG_DELAY};
    static const int delays[] = {0, 1, DERIVE_LONG_TIMES};
    struct wire_add add = {.kind = ARM_BASELINE, .name = WIRE_EMPTY};
    memset(control, 0, sizeof *control);
    snprintf(control->row.kernel, sizeof control->row.kernel, SAMPLES_EMPTY);
    if (i < UNIT_CONTROLS - 1) {
        add = (struct wire_add){.kind = ARM_TWIN, .twin_of = library->number, .delayed = delays[i]};
        snprintf(control->row.kernel, sizeof control->row.kernel, "%s%.80s", prefixes[i],
                 library->row.kernel);
    }
    return wire_add_request(add);
}

int set_up_controls(struct unit_context *context, struct arm_state **failed) {
    static struct wire_reply reply;
    const struct arm_state *library = unit_library(context);
    const double start = clock_seconds();
    const int count = context->staged ? UNIT_CONTROLS : UNIT_CONTROLS - 1;
    context->control_count = 0;
    for (int i = 0; i < count && library; i++) {
        struct arm_state *control = &context->controls[context->control_count];
        const struct wire_request request = begin_control(control, i, library);
        int outcome =
            unit_ask(context, control, request, arm_setup_limit(context->plan, false), &reply);
        if (outcome == OUTCOME_OK) {
            control->number = reply.add.arm;
            context->control_count++;
            continue;
        }
        if (outcome != TROUBLE)
            outcome = blame_for(context, control, (enum outcome)outcome, failed);
        if (outcome != OUTCOME_OK)
            return outcome;
    }
    context->start_seconds += clock_seconds() - start;
    return OUTCOME_OK;
}

/* The kernel's recording as an arm of the stage. Returns an outcome or TROUBLE. */
static int load_recording(struct unit_context *context, struct arm_state *arm) {
    static struct wire_reply reply;
    const struct recorded *recorded = &context->recorded[unit_which(context, arm)];
    const struct wire_request request = stage_load_request(context, recorded);
    const double start = clock_seconds();
    const int outcome = unit_ask(context, arm, request, unit_call_limit(context), &reply);
    context->start_seconds += clock_seconds() - start;
    if (outcome != OUTCOME_OK)
        return outcome;
    arm->number = reply.add.arm;
    if (arm->number >= 0)
        return OUTCOME_OK;
    return error("%s, %s: its recording cannot be carried out any more: %.400s; remove the unit's "
                 ".visits folder in the run, and --resume measures it from its first visit",
                 unit_label(context->unit), arm->row.kernel, reply.text);
}

static int set_up_arm(struct unit_context *context, struct arm_state *arm) {
    return !arm->built       ? arm_add(context, arm, ARM_BASELINE, arm->row.kernel)
           : context->staged ? load_recording(context, arm)
                             : arm_add(context, arm, ARM_CANDIDATE, arm->built->so);
}

int set_up_arms(struct unit_context *context, struct arm_state **failed, bool *lost) {
    struct unit_checked *checked = &context->checked;
    int drawn[WIRE_ARMS];
    schedule_shuffle(seed_derive(context->seed, SEED_VISIT, (uint64_t)context->visit),
                     checked->arm_count, drawn);
    for (int under_test = 0; under_test < 2; under_test++)
        for (int i = 0; i < checked->arm_count; i++) {
            struct arm_state *arm = &checked->arms[drawn[i]];
            const enum outcome before = arm->outcome;
            if ((arm->built != NULL) != under_test || !unit_takes_part(context, arm) ||
                unit_timed_as(context, arm) != arm)
                continue;
            *failed = arm;
            const int outcome = set_up_arm(context, arm);
            *lost = outcome != OUTCOME_OK && !arm->built;
            if (outcome != OUTCOME_OK)
                return outcome;
            arm->outcome = before;
        }
    for (int i = 0; i < checked->arm_count; i++)
        checked->arms[i].number = unit_timed_as(context, &checked->arms[i])->number;
    return set_up_controls(context, failed);
}
