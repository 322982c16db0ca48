#include "bench/checks/accumulator_check.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"
#include "bench/checks/excuse.h"
#include "bench/jobs/arm_calls.h"
#include "correctness/accumulator/probe.h"
#include "correctness/numbers/input.h"

uint64_t accumulator_seed(const struct unit_context *context) {
    return seed_derive(context->seed, SEED_CHECK, 2);
}

static void judge_product(const struct unit_context *context, const uint16_t *c,
                          struct probe_verdict *verdict) {
    probe_judge(context->plan->element, c, context->unit->shape, accumulator_seed(context),
                verdict);
}

/* Fills the row's column and *verdict; its word is PROBE_UNKNOWN where nothing can be told. */
static int probe(struct unit_context *context, struct arm_state *arm,
                 struct probe_verdict *verdict) {
    verdict->word = PROBE_UNKNOWN;
    verdict->foreign = 0;
    if (context->unit->shape.k < PROBE_LEAST_K)
        return OUTCOME_OK;
    int outcome = arm_call(context, arm, INPUT_PROBE, accumulator_seed(context), WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    judge_product(context, context->process.shared, verdict);
    snprintf(arm->row.seen, sizeof arm->row.seen, "%s",
             probe_word_name(context->plan->element, verdict->word));
    if (verdict->word == PROBE_UNKNOWN)
        snprintf(arm->row.note, sizeof arm->row.note, "accumulator: %.450s", verdict->evidence);
    return OUTCOME_OK;
}

static int ask_library(void *about, struct arm_state *library, bool *wrong) {
    static struct probe_verdict verdict;
    const int outcome = probe(about, library, &verdict);
    *wrong = verdict.foreign > 0;
    return outcome;
}

static bool keeps_less(const struct unit_context *context, const struct probe_verdict *verdict) {
    return context->plan->accumulate == GEMM_F32 &&
           (verdict->word == PROBE_F16 || verdict->word == PROBE_MIXED);
}

/* A product of the probe's inputs that no accumulator explains is wrong, unless a library makes such a
 * one, too: then the inputs are not as exact here as they should be. One of an accumulator that keeps
 * less than is claimed is not precise. when: "", or how it was made. */
static int judge(struct unit_context *context, struct arm_state *arm,
                 const struct probe_verdict *verdict, const char *when) {
    const struct arm_state *excuse = NULL;
    const bool foreign = verdict->foreign > 0;
    if (!foreign && !keeps_less(context, verdict))
        return OUTCOME_OK;
    if (foreign && excuse_find(context, ask_library, context, &excuse) == TROUBLE)
        return TROUBLE;
    if (excuse)
        return OUTCOME_OK;
    arm_describe(arm, "", "%s%s%.450s", foreign ? "" : "it claims f32; ", when, verdict->evidence);
    return arm->outcome = foreign ? OUTCOME_INEXACT : OUTCOME_PRECISION;
}

int accumulator_check(struct unit_context *context, struct arm_state *arm) {
    static struct probe_verdict verdict;
    const int outcome = probe(context, arm, &verdict);
    return outcome != OUTCOME_OK || !arm->built ? outcome : judge(context, arm, &verdict, "");
}

int accumulator_recorded(struct unit_context *context, struct arm_state *arm, const uint16_t *c) {
    static struct probe_verdict verdict;
    const char *unknown = probe_word_name(context->plan->element, PROBE_UNKNOWN);
    if (!*arm->row.seen || strcmp(arm->row.seen, unknown) == 0) /* nothing to compare with */
        return OUTCOME_OK;
    judge_product(context, c, &verdict);
    return judge(context, arm, &verdict, "as it was recorded: ");
}

int accumulator_explain(struct unit_context *context, struct arm_state *arm) {
    static struct probe_verdict verdict;
    const int outcome = probe(context, arm, &verdict);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (keeps_less(context, &verdict)) {
        const char *end = strstr(verdict.evidence, ")."); /* of the entry that shows it */
        text_append(arm->row.detail, sizeof arm->row.detail, "; it claims f32 and keeps %s%s: %.*s",
                    probe_word_name(context->plan->element, PROBE_F16),
                    verdict.word == PROBE_F16 ? "" : " in part",
                    end ? (int)(end - verdict.evidence) + 1 : 0, verdict.evidence);
    }
    return arm->outcome = OUTCOME_DEVIATES;
}
