#include "bench/checks/excuse.h"

#include "bench/jobs/arm_calls.h"
#include "bench/jobs/processes.h"

/* In the process in hand. Returns OUTCOME_OK once all are asked, or what ended that. */
static int ask_all(struct unit_context *context, excuse_ask *ask, void *about,
                   const struct arm_state **excuse) {
    struct unit_checked *checked = &context->checked;
    for (int i = 0; i < checked->arm_count && !*excuse; i++) {
        struct arm_state *library = &checked->arms[i];
        const struct arm_state known = *library;
        bool wrong = false;
        if (library->built || library->outcome != OUTCOME_OK)
            continue;
        int outcome = arm_add(context, library, ARM_BASELINE, library->row.kernel);
        if (outcome == OUTCOME_OK)
            outcome = ask(about, library, &wrong);
        *library = known;
        if (outcome == TROUBLE || !unit_runner_survives((enum outcome)outcome))
            return outcome;
        if (wrong)
            *excuse = library;
    }
    return OUTCOME_OK;
}

int excuse_find(struct unit_context *context, excuse_ask *ask, void *about,
                const struct arm_state **excuse) {
    const struct runner_process kernels = context->process;
    const int units = context->process_units;
    *excuse = NULL;
    if (context->session->side_by_side < 2)
        return OUTCOME_OK;
    context->process = PROCESS_NONE;
    int outcome = own_process_take(context, OWN_PROCESS_LIBRARIES, OWN_PROCESS_CHECKS, false);
    if (outcome == 0)
        outcome = ask_all(context, ask, about, excuse);
    unit_drop_runner(context, &context->process);
    context->process = kernels;
    context->process_units = units;
    return outcome == TROUBLE ? TROUBLE : OUTCOME_OK;
}
