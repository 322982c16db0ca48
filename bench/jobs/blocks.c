#include "bench/jobs/blocks.h"

#include <math.h>

/* Of one arm by one lens: what comes around its calls behind a hold, and around one that is not
 * held; and the device's work, and calls in a row as long as BLOCKS_ROW_SECONDS. */
#define HELD_SECONDS 120e-6
#define CALL_SECONDS 45e-6
#define FLOPS 3e14

/* Calls in a row, or one. */
static double calls_of(enum lens lens, double call) {
    return words_lens_is(lens, LENS_MANY) ? fmin(LAYOUT_CALLS, floor(BLOCKS_ROW_SECONDS / call))
                                          : 1;
}

bool blocks_are_counted(const struct plan *plan) {
    return plan->protocol == PROTOCOL_FAST && plan_is_staged(plan);
}

size_t blocks_of_lens(enum lens lens, size_t blocks) {
    const size_t rows = (BLOCKS_ROWS * blocks + BLOCKS_CALLS - 1) / BLOCKS_CALLS;
    return !words_lens_is(lens, LENS_MANY) ? blocks : rows > BLOCKS_LEAST ? rows : BLOCKS_LEAST;
}

/* Seconds of an arm's interval by the lens; 0: there is none. */
static double interval_seconds(enum lens lens, double call) {
    const double calls = calls_of(lens, call);
    const bool held = words_lens_is(lens, LENS_HELD);
    return calls > 0 ? calls * call + (held ? HELD_SECONDS : CALL_SECONDS) : 0;
}

size_t blocks_count(const struct plan *plan, const struct unit *unit, enum mode mode, int lenses,
                    double seconds) {
    const double call = shape_flops(unit->shape) / FLOPS;
    const int arms = /* and the empty call */
        plan->baseline_count + 1 + (unit->candidate != NULL) + (unit->previous != NULL);
    const double gap = mode == MODE_SERVER ? 1 / plan->qps : 0;
    double block = 0;
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        const double one = interval_seconds((enum lens)lens, call);
        const bool many = words_lens_is((enum lens)lens, LENS_MANY);
        if (lenses & 1 << lens && one > 0)
            block += arms * (gap + one) * (many ? (double)BLOCKS_ROWS / BLOCKS_CALLS : 1);
    }
    return (size_t)fmax(BLOCKS_LEAST, seconds / block);
}

#define HEATING_SECONDS 0.3
#define HEATED 0.01

/* By the first lens of the last batch, which is one block. */
static double block_seconds(const struct timing *t) {
    double sum = 0;
    for (int i = 0; i < t->request.arm_count; i++)
        sum += wire_is_left_out(&t->request, i) ? 0 : batch_least(t, i);
    return sum;
}

int blocks_heat(struct timing *t, double *spent) {
    const struct shape s = t->context->unit->shape;
    double before = INFINITY, now = block_seconds(t), heated = 0;
    const bool heats = blocks_are_counted(t->context->plan) && shape_flops(s) >= BLOCKS_HEATED;
    t->request.most_blocks = 1;
    while (heats && !(fabs(before - now) <= HEATED * now) && heated < HEATING_SECONDS) {
        const int outcome = batch_run(t);
        if (outcome != OUTCOME_OK)
            return outcome;
        before = now;
        now = block_seconds(t);
        t->request.first_block += t->reply.blocks;
        heated += t->wall;
    }
    *spent += heated;
    return OUTCOME_OK;
}
