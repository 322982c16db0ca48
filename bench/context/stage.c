#include "bench/context/stage.h"

#include <string.h>

#include "bench/context/unit_runner.h"

/* A process serves so many units at most, each in one visit. */
#define MOST_VISITS 96

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
    if (!plan_is_staged(context->plan) || *context->session->no_replay)
        return false;
    for (int i = 0; i < UNIT_KERNELS; i++) {
        const struct arm_state *kernel = unit_kernel(context, i);
        if (kernel && kernel->outcome == OUTCOME_OK && !context->recorded[i].bytes)
            return false;
    }
    return true;
}

int stage_own_lenses(struct unit_context *context) {
    return stage_serves(context) ? ~words_lenses_with(LENS_HELD) : ~0;
}

int stage_own_visits(struct unit_context *context) {
    const struct plan *plan = context->plan;
    const int every = plan_native_every(plan);
    int lenses = 0;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        lenses |= plan->modes[mode] ? plan_precise_lenses(plan, (enum mode)mode) : 0;
    return lenses & stage_own_lenses(context) ? (plan->rounds + every - 1) / every : 1;
}

void stage_drop(struct unit_context *context) {
    unit_drop_runner(context, &context->session->stage.process);
    context->session->stage.visits = 0;
}

int stage_take(struct unit_context *context) {
    static struct wire_reply reply;
    struct stage *stage = &context->session->stage;
    const int round = context->course.round;
    if (stage->visits >= MOST_VISITS || (stage->visits > 0 && stage->round != round))
        stage_drop(context);
    if (stage->visits > 0 && unit_take_shape(context, &stage->process, &reply) == 0) {
        stage->visits++;
        return 0;
    }
    stage_drop(context);
    if (unit_warm_stages(context) < 0)
        return -1;
    const int status = unit_open_to_replay(context, &stage->process, RUNNER_PLAYER, &reply);
    stage->visits = status == 0;
    stage->round = round;
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
