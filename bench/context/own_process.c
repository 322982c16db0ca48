#include "bench/context/own_process.h"

#include "bench/context/unit_runner.h"

_Static_assert(sizeof((struct device_session *)0)->own / sizeof(struct own_process) ==
                   OWN_PROCESS_SETS,
               "one a set");

/* Takes the one that waits, if it can serve this unit, too. */
static bool take_waiting(struct unit_context *context, int set, int visit, bool alone) {
    static struct wire_reply reply;
    struct own_process *waiting = &context->session->own[set];
    if (waiting->units == 0)
        return false;
    context->process = waiting->process;
    context->process_units = waiting->units + 1;
    *waiting = (struct own_process){.process = PROCESS_NONE, .visit = waiting->visit};
    process_go_on(&context->process);
    if (!alone && context->process_units <= OWN_PROCESS_UNITS && waiting->visit == visit &&
        unit_take_shape(context, &context->process, &reply) == 0)
        return true;
    unit_drop_runner(context, &context->process);
    return false;
}

int own_process_take(struct unit_context *context, int set, int visit, bool alone) {
    if (take_waiting(context, set, visit, alone))
        return 0;
    context->process_units = 1;
    return unit_open_runner(context);
}

void own_process_leave(struct unit_context *context, int set, int visit) {
    if (context->session->side_by_side < OWN_PROCESS_BESIDE) {
        unit_drop_runner(context, &context->process);
        return;
    }
    process_stop(&context->process);
    context->session->own[set] = (struct own_process){
        .process = context->process, .units = context->process_units, .visit = visit};
    context->process = PROCESS_NONE;
}
