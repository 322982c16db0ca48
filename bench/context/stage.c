#include "bench/context/stage.h"

#include <string.h>

#include "bench/context/unit_runner.h"

/* A process serves so many units at most, each in one visit. */
#define MOST_VISITS 96

bool stage_serves(struct unit_context *context) {
    const struct arm_state *candidate = unit_candidate(context);
    return plan_is_staged(context->plan) && (!candidate || candidate->outcome == OUTCOME_OK);
}

int stage_own_lenses(const struct unit_context *context) {
    return plan_on_host(context->plan) ? ~0 : ~words_lenses_with(LENS_HELD);
}

static bool lacks_recording(struct unit_context *context) {
    return unit_candidate(context) && !context->recorded[UNIT_CANDIDATE].bytes;
}

int stage_own_every(struct unit_context *context) {
    return lacks_recording(context) ? 1 : plan_anew_every(context->plan);
}

int stage_own_visits(struct unit_context *context) {
    const struct plan *plan = context->plan;
    const int every = stage_own_every(context);
    int lenses = 0;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        lenses |= plan->modes[mode] ? plan_precise_lenses(plan, (enum mode)mode) : 0;
    return lenses & stage_own_lenses(context) || lacks_recording(context)
               ? (plan->visits + every - 1) / every
               : 1;
}

void stage_drop(struct unit_context *context) {
    unit_drop_runner(context, &context->session->stage.process);
    context->session->stage.visits = 0;
}

int stage_take(struct unit_context *context) {
    static struct wire_reply reply;
    struct stage *stage = &context->session->stage;
    const int visit = context->course.visit;
    if (stage->visits >= MOST_VISITS || (stage->visits > 0 && stage->visit != visit))
        stage_drop(context);
    if (stage->visits > 0 && unit_take_shape(context, &stage->process, &reply) == 0) {
        stage->visits++;
        return 0;
    }
    stage_drop(context);
    if (unit_warm_stages(context) < 0)
        return -1;
    const int status = unit_open_stage(context, &stage->process, &reply);
    stage->visits = status == 0;
    stage->visit = visit;
    return status;
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
