#include "bench/context/stage.h"

#include <string.h>

#include "bench/context/unit_runner.h"

/* A process serves so many visits at most. The visits to a unit are dealt over so many processes
 * at least: each serves a quarter of them, or less. */
#define MOST_VISITS 96
#define LEAST_PROCESSES 4

/* What has begun there goes on there. */
static bool has_served(const struct unit_context *context) {
    for (int i = 0; i < context->result->series_count; i++)
        if (context->result->series[i].samples.place == PLACE_STAGE)
            return true;
    return false;
}

bool stage_serves(struct unit_context *context) {
    if (has_served(context))
        return true;
    if (!plan_is_staged(context->plan) || *context->session->no_replay ||
        unit_is_pinned(context->unit))
        return false;
    for (int i = 0; i < UNIT_KERNELS; i++) {
        const struct arm_state *kernel = unit_kernel(context, i);
        if (kernel && kernel->outcome == OUTCOME_OK && !context->recorded[i].bytes)
            return false;
    }
    return true;
}

void stage_drop(struct unit_context *context) {
    unit_drop_runner(context, &context->session->stage.process);
    context->session->stage.visits = 0;
}

int stage_take(struct unit_context *context) {
    static struct wire_reply reply;
    struct stage *stage = &context->session->stage;
    const int part = context->course.round * LEAST_PROCESSES / context->course.rounds;
    if (stage->visits >= MOST_VISITS || (stage->visits > 0 && stage->part != part))
        stage_drop(context);
    if (stage->visits > 0 && unit_take_shape(context, &stage->process, &reply) == 0) {
        stage->visits++;
        return 0;
    }
    stage_drop(context);
    const int status = unit_open_to_replay(context, &stage->process, RUNNER_PLAYER, &reply);
    stage->visits = status == 0;
    stage->part = part;
    return status;
}

struct wire_request stage_load_request(const struct unit_context *context,
                                       const struct recorded *recorded) {
    memcpy(context->session->stage.process.shared, recorded->bytes, recorded->size);
    return wire_load_request((struct wire_load){.bytes = recorded->size,
                                                .padded = recorded->padded,
                                                .operands = recorded->operands,
                                                .sandbox = context->plan->sandbox});
}
