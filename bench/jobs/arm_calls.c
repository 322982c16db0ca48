#include "bench/jobs/arm_calls.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "correctness/numbers/input.h"
#include "reports/rows/layouts.h"

#define LIBRARY_SETUP_SECONDS 3600 /* libraries are trusted with an hour */

double arm_setup_limit(const struct plan *plan, bool candidate) {
    return candidate ? plan->setup_timeout_seconds : LIBRARY_SETUP_SECONDS;
}

/* What a runner says shares its process with the kernel, and goes into the arm's row. Returns OK or
 * DISHONEST. */
static int examine_time(struct arm_state *arm, const char *what, double seconds) {
    if (isfinite(seconds) && seconds >= 0)
        return OUTCOME_OK;
    arm_describe(arm, "", "its process claims that %s took %g s", what, seconds);
    return arm->outcome = OUTCOME_DISHONEST;
}

static int examine_added(const struct unit_context *context, struct arm_state *arm,
                         const struct wire_reply *reply) {
    const struct shape s = context->unit->shape, padded = reply->add.padded;
    if (padded.m >= s.m && padded.n >= s.n && padded.k >= s.k)
        return examine_time(arm, "its setup", reply->add.setup_seconds);
    arm_describe(arm, "", "its process claims operands of %" PRId64 "x%" PRId64 "x%" PRId64,
                 padded.m, padded.n, padded.k);
    return arm->outcome = OUTCOME_DISHONEST;
}

struct wire_add arm_request(struct unit_context *context, const struct arm_state *arm,
                            enum wire_arm kind, const char *name) {
    struct wire_add add = {
        .kind = kind, .sandbox = context->plan->sandbox, .operands = unit_operands(context, arm)};
    snprintf(add.name, sizeof add.name, "%s", name);
    if (kind == ARM_BASELINE) /* that of a finalist is the library's, and its number */
        add.name[strcspn(name, LAYOUTS_FINALIST)] = 0;
    return add;
}

struct wire_tune arm_tuning(const struct unit_context *context, int variant, uint64_t draw) {
    const struct plan *plan = context->plan;
    return (struct wire_tune){.variant = variant,
                              .lens = plan->tune_lens,
                              .cache = (int32_t)plan->cache,
                              .stream_calls = unit_row_calls(context),
                              .seed = seed_derive(context->seed, SEED_TUNE, draw),
                              .warmup_rounds = plan->tune_warmup,
                              .timed_rounds = plan->tune_rounds};
}

/* The algorithm that was chosen. It goes by its number in the library's list, so another process
 * must have it under the same number. Returns the outcome. */
static int keep_variant(struct arm_state *arm, const struct wire_reply *reply) {
    if (!*arm->row.variant)
        snprintf(arm->row.variant, sizeof arm->row.variant, "%s", reply->text);
    arm->variant = reply->add.variant;
    if (strncmp(arm->row.variant, reply->text, strlen(reply->text)) == 0)
        return OUTCOME_OK;
    arm_describe(arm, "", "algorithm %d is another one in another process: %.200s; it was %.200s",
                 arm->variant, reply->text, arm->row.variant);
    return arm->outcome = OUTCOME_SETUP_FAILED;
}

int arm_add(struct unit_context *context, struct arm_state *arm, enum wire_arm kind,
            const char *name) {
    static struct wire_reply reply;
    const struct plan *plan = context->plan;
    const double limit = arm_setup_limit(plan, kind == ARM_CANDIDATE), start = clock_seconds();
    struct wire_add add = arm_request(context, arm, kind, name);
    if (kind == ARM_BASELINE) /* the algorithm that it had before, if it has been here */
        add.tune = arm_tuning(context, arm->variant, (uint64_t)(arm - context->checked.arms));
    int outcome = unit_ask(context, arm, wire_add_request(add), limit, &reply);
    if (outcome == OUTCOME_OK)
        outcome = examine_added(context, arm, &reply);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (kind == ARM_CANDIDATE && !*context->session->sandbox)
        snprintf(context->session->sandbox, sizeof context->session->sandbox, "%.480s%s",
                 plan->sandbox ? reply.add.sandbox : "none: --no-sandbox",
                 plan->sandbox && plan->memcheck ? "; none under --memcheck" : "");
    arm->number = reply.add.arm;
    arm->held_bytes = reply.add.held_bytes;
    arm->padded = reply.add.padded;
    arm->row.setup_seconds = reply.add.setup_seconds;
    arm->row.padding_share = 1 - shape_flops(context->unit->shape) / shape_flops(reply.add.padded);
    if (kind == ARM_BASELINE && reply.add.variants > 0)
        outcome = keep_variant(arm, &reply);
    context->start_seconds += clock_seconds() - start;
    return outcome;
}

int arm_call(struct unit_context *context, struct arm_state *arm, int32_t kind, uint64_t seed,
             enum wire_poison poison) {
    static struct wire_reply reply;
    const struct wire_call_reply *told = &reply.call;
    const struct wire_call call = {
        .arm = arm->number, .input_kind = kind, .poison = poison, .seed = seed};
    int outcome = unit_ask(context, arm, wire_call_request(call), unit_call_limit(context), &reply);
    if (outcome == OUTCOME_OK)
        outcome = examine_time(arm, "a call", told->seconds);
    if (outcome != OUTCOME_OK)
        return outcome;
    arm->held_bytes = told->held_bytes;
    snprintf(arm->note, sizeof arm->note, "%.159s", reply.text);
    if (isnan(arm->row.first_call_seconds))
        arm->row.first_call_seconds = told->seconds;
    if (told->changed_guards) {
        arm_describe(arm, "", "%" PRIu64 " elements around A, B or C were written",
                     told->changed_guards);
        return arm->outcome = OUTCOME_WROTE_OUTSIDE;
    }
    if (told->changed_inputs) {
        arm_describe(arm, "", "%" PRIu64 " elements of A or B were changed", told->changed_inputs);
        return arm->outcome = OUTCOME_INPUT_CHANGED;
    }
    return OUTCOME_OK;
}
