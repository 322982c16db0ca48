#include "bench/jobs/processes.h"

#include <string.h>

#include "bench/jobs/unit_runner.h"

_Static_assert(sizeof((struct device_session *)0)->own / sizeof(struct shared_process) ==
                   OWN_PROCESS_LIBRARIES + 1,
               "one a set");

static void drop(struct unit_context *context, struct shared_process *shared) {
    if (shared->units > 0)
        unit_drop_runner(context, &shared->process);
    *shared = (struct shared_process){.process = PROCESS_NONE};
}

/* Whether it serves this unit, too; else it is gone. */
static bool goes_on(struct unit_context *context, struct shared_process *shared, int most,
                    int visit) {
    if (shared->units > 0 && shared->units < most && shared->visit == visit &&
        unit_take_shape(context, &shared->process) == 0) {
        shared->units++;
        return true;
    }
    drop(context, shared);
    return false;
}

int own_process_take(struct unit_context *context, int set, int visit, bool alone) {
    struct shared_process *waiting = &context->session->own[set];
    if (waiting->units > 0)
        process_go_on(&waiting->process);
    if (alone)
        drop(context, waiting);
    if (!goes_on(context, waiting, OWN_PROCESS_UNITS, visit)) {
        context->process_units = 1;
        return unit_open_runner(context);
    }
    context->process = waiting->process;
    context->process_units = waiting->units;
    *waiting = (struct shared_process){.process = PROCESS_NONE};
    return 0;
}

void own_process_leave(struct unit_context *context, int set, int visit) {
    if (context->session->side_by_side < OWN_PROCESS_BESIDE) {
        unit_drop_runner(context, &context->process);
        return;
    }
    process_stop(&context->process);
    context->session->own[set] = (struct shared_process){
        .process = context->process, .units = context->process_units, .visit = visit};
    context->process = PROCESS_NONE;
}

void stage_drop(struct unit_context *context) {
    drop(context, &context->session->stage);
}

int stage_take(struct unit_context *context) {
    struct shared_process *stage = &context->session->stage;
    if (goes_on(context, stage, STAGE_UNITS, context->visit))
        return 0;
    if (unit_warm(context, RUNNER_PLAYER) < 0 ||
        unit_open(context, RUNNER_PLAYER, &stage->process) < 0)
        return -1;
    stage->units = 1;
    stage->visit = context->visit;
    return 0;
}

struct wire_request stage_load_request(const struct unit_context *context,
                                       const struct recorded *recorded) {
    memcpy(context->session->stage.process.shared, recorded->bytes, recorded->size);
    return wire_add_request((struct wire_add){.kind = ARM_RECORDING,
                                              .bytes = recorded->size,
                                              .padded = recorded->padded,
                                              .operands = recorded->operands,
                                              .sandbox = context->plan->sandbox});
}

int processes_waiting(const struct device_session *session) {
    int waiting = (int)session->warm.count + (session->stage.units > 0);
    for (int i = 0; i <= OWN_PROCESS_LIBRARIES; i++)
        waiting += session->own[i].units > 0;
    return waiting;
}

static void end(struct shared_process *shared) {
    if (shared->units > 0)
        process_end(&shared->process);
    shared->units = 0;
}

void processes_end(struct device_session *session) {
    warm_runners_end(&session->warm);
    end(&session->stage);
    for (int i = 0; i <= OWN_PROCESS_LIBRARIES; i++)
        end(&session->own[i]);
    process_end(&session->leaving);
}
