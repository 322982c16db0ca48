#include "bench/context/stage.h"

#include <string.h>

#include "bench/context/unit_runner.h"
#include "bench/runner/layout.h"

/* Visits that a process serves at most. It serves none of a unit's visits in another third of
 * these: a unit is measured in so many processes at least. */
#define MOST_VISITS 24
#define LEAST_PROCESSES 4

/* What has begun there goes on there. */
static bool has_served(const struct unit_context *context) {
    for (int i = 0; i < context->result->series_count; i++)
        if (context->result->series[i].samples.place == PLACE_STAGE)
            return true;
    return false;
}

bool stage_serves(struct unit_context *context) {
    struct arm_state *const kernels[] = {unit_candidate(context), unit_previous(context)};
    if (has_served(context))
        return true;
    if (!plan_is_staged(context->plan) || *context->session->no_replay ||
        unit_is_pinned(context->unit))
        return false;
    for (int i = 0; i < 2; i++)
        if (kernels[i] && kernels[i]->outcome == OUTCOME_OK && !context->recorded[i].bytes)
            return false;
    return true;
}

void stage_drop(struct unit_context *context) {
    unit_drop_runner(context, &context->session->stage.process);
    context->session->stage.visits = 0;
}

static bool is_due(const struct unit_context *context) {
    const struct stage *stage = &context->session->stage;
    const int part = context->course.round * LEAST_PROCESSES / context->course.rounds;
    return stage->visits >= MOST_VISITS || (stage->visits > 0 && stage->part != part);
}

int stage_take(const struct unit_context *context) {
    static struct wire_reply reply;
    struct stage *stage = &context->session->stage;
    struct unit_context *mine = (struct unit_context *)context;
    if (is_due(context))
        stage_drop(mine);
    if (stage->visits > 0 && unit_take_shape(context, &stage->process, &reply) == 0) {
        stage->visits++;
        return 0;
    }
    stage_drop(mine);
    const int status = unit_open_to_replay(context, &stage->process, RUNNER_PLAYER, &reply);
    stage->visits = status == 0;
    stage->part = context->course.round * LEAST_PROCESSES / context->course.rounds;
    return status;
}

struct wire_request stage_load_request(const struct unit_context *context,
                                       const struct recorded *recorded, int whose) {
    memcpy(context->session->stage.process.shared, recorded->bytes, recorded->size);
    return wire_load_request(
        (struct wire_load){.bytes = recorded->size,
                           .padded = recorded->padded,
                           .whose = whose == UNIT_PREVIOUS ? LAYOUT_PREVIOUS : LAYOUT_CANDIDATE,
                           .sandbox = context->plan->sandbox});
}
