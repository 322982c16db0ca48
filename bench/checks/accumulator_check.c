#include "bench/checks/accumulator_check.h"

#include <stdio.h>
#include <string.h>

#include "bench/jobs/arm_calls.h"
#include "bench/jobs/processes.h"
#include "correctness/accumulator/probe.h"
#include "correctness/numbers/input.h"

uint64_t accumulator_seed(const struct unit_context *context) {
    return seed_derive(context->seed, SEED_CHECK, 2);
}

/* Fills the row's column and *verdict; its word is PROBE_UNKNOWN where nothing can be told. */
static int probe(struct unit_context *context, struct arm_state *arm,
                 struct probe_verdict *verdict) {
    const struct shape shape = context->unit->shape;
    const uint64_t seed = accumulator_seed(context);
    verdict->word = PROBE_UNKNOWN;
    verdict->foreign = 0;
    if (shape.k < PROBE_LEAST_K)
        return OUTCOME_OK;
    int outcome = arm_call(context, arm, INPUT_PROBE, seed, WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    probe_judge(context->plan->element, context->process.shared, shape, seed, verdict);
    snprintf(arm->row.seen, sizeof arm->row.seen, "%s",
             probe_word_name(context->plan->element, verdict->word));
    if (verdict->word == PROBE_UNKNOWN)
        snprintf(arm->row.note, sizeof arm->row.note, "accumulator: %.450s", verdict->evidence);
    context->checked.probe_unfit |= !arm->built && verdict->foreign > 0;
    return OUTCOME_OK;
}

/* A product of the probe's inputs that no accumulator explains is wrong, unless a library of this
 * run makes such a one, too: then the inputs are not as exact here as they should be. Libraries of
 * large products are asked only now. */
static int judge_foreign(struct unit_context *context, struct arm_state *arm,
                         const struct probe_verdict *verdict) {
    static struct probe_verdict of_library;
    for (int i = 0; i < context->checked.arm_count; i++) {
        struct arm_state *library = &context->checked.arms[i];
        if (library->built || library->outcome != OUTCOME_OK || *library->row.seen)
            continue;
        const int outcome = probe(context, library, &of_library);
        if (outcome == TROUBLE)
            return TROUBLE;
        if (!unit_runner_survives((enum outcome)outcome))
            break; /* beside such a kernel */
    }
    if (context->checked.probe_unfit)
        return OUTCOME_OK;
    arm_describe(arm, "", "%.500s", verdict->evidence);
    return arm->outcome = OUTCOME_INEXACT;
}

static bool keeps_less(const struct unit_context *context, const struct probe_verdict *verdict) {
    return context->plan->accumulate == GEMM_F32 &&
           (verdict->word == PROBE_F16 || verdict->word == PROBE_MIXED);
}

int accumulator_check(struct unit_context *context, struct arm_state *arm) {
    static struct probe_verdict verdict;
    int outcome = probe(context, arm, &verdict);
    if (outcome != OUTCOME_OK || !arm->built)
        return outcome;
    if (verdict.foreign > 0)
        return judge_foreign(context, arm, &verdict);
    if (!keeps_less(context, &verdict))
        return outcome;
    arm_describe(arm, "", "it claims f32; %.450s", verdict.evidence);
    return arm->outcome = OUTCOME_PRECISION;
}

int accumulator_recorded(struct unit_context *context, struct arm_state *arm, const uint16_t *c) {
    static struct probe_verdict verdict;
    const char *unknown = probe_word_name(context->plan->element, PROBE_UNKNOWN);
    if (!*arm->row.seen || strcmp(arm->row.seen, unknown) == 0) /* nothing to compare with */
        return OUTCOME_OK;
    probe_judge(context->plan->element, c, context->unit->shape, accumulator_seed(context),
                &verdict);
    const bool foreign = verdict.foreign > 0;
    if (foreign ? context->checked.probe_unfit : !keeps_less(context, &verdict))
        return OUTCOME_OK;
    arm_describe(arm, "", "%sas it was recorded: %.450s", foreign ? "" : "it claims f32; ",
                 verdict.evidence);
    return arm->outcome = foreign ? OUTCOME_INEXACT : OUTCOME_PRECISION;
}

int accumulator_explain(struct unit_context *context, struct arm_state *arm) {
    static struct probe_verdict verdict;
    char *detail = arm->row.detail;
    int outcome = probe(context, arm, &verdict);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (keeps_less(context, &verdict)) {
        const size_t used = strlen(detail);
        const char *end = strstr(verdict.evidence, ")."); /* of the entry that shows it */
        snprintf(detail + used, sizeof arm->row.detail - used,
                 "; it claims f32 and keeps %s%s: %.*s",
                 probe_word_name(context->plan->element, PROBE_F16),
                 verdict.word == PROBE_F16 ? "" : " in part",
                 end ? (int)(end - verdict.evidence) + 1 : 0, verdict.evidence);
    }
    return arm->outcome = OUTCOME_DEVIATES;
}
