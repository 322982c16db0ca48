#include "bench/unit/control_arms.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/context/arm_calls.h"
#include "reports/rows/derive.h"

/* A library that has been set up in this process can be once more: where it cannot, or takes the
 * runner down, a kernel beside it has taken what there was or broken it. Without one there is no
 * control. Returns as control_arms_add. */
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

int control_arms_add(struct unit_context *context, struct arm_state **failed) {
    static const char *const prefixes[UNIT_CONTROLS] = {DERIVE_AA, DERIVE_DELAY, DERIVE_LONG_DELAY};
    static const int delays[UNIT_CONTROLS] = {0, 1, DERIVE_LONG_TIMES};
    static struct wire_reply reply;
    const struct arm_state *library = unit_library(context);
    const double start = clock_seconds();
    context->control_count = 0;
    for (int i = 0; i < UNIT_CONTROLS && library; i++) {
        struct arm_state *control = &context->controls[context->control_count];
        const struct wire_add twin = {
            .kind = ARM_TWIN, .twin_of = library->number, .delayed = delays[i]};
        memset(control, 0, sizeof *control);
        snprintf(control->row.kernel, sizeof control->row.kernel, "%s%.80s", prefixes[i],
                 library->row.kernel);
        int outcome = unit_ask(context, control, wire_add_request(twin),
                               arm_setup_limit(context->plan, false), &reply);
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
