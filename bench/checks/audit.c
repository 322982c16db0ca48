#include "bench/checks/audit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/context/arm_calls.h"
#include "bench/context/unit_runner.h"
#include "correctness/accumulator/probe.h"
#include "correctness/numbers/input.h"

/* A function with a signature of its own is told of no workspace. */
static bool knows_no_workspace(struct unit_context *context, const struct arm_state *arm) {
    const struct unit *unit = context->unit;
    const struct candidate *candidate =
        arm == unit_previous(context) ? unit->previous : unit->candidate;
    return candidate->call && !candidate->call->workspace.line;
}

int audit_report(struct unit_context *context, struct arm_state *arm, const char *part,
                 const struct finding_list *list) {
    int number[FINDING_COUNT] = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct finding *finding = &list->items[i];
        struct audit_row row = {.shape = context->unit->shape, .number = ++number[finding->kind]};
        snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(context->unit));
        snprintf(row.kernel, sizeof row.kernel, "%s", arm->row.kernel);
        snprintf(row.part, sizeof row.part, "%s", part);
        snprintf(row.finding, sizeof row.finding, "%s", finding_word(finding->kind));
        snprintf(row.level, sizeof row.level, "%s", finding_level(finding->kind));
        snprintf(row.text, sizeof row.text, "%s", finding->text);
        rows_add_audit(&context->result->rows, &row);
        if (!finding_is_refused(finding->kind) || arm->outcome != OUTCOME_OK ||
            (finding->kind == FINDING_WORKSPACE && knows_no_workspace(context, arm)))
            continue;
        arm->outcome = OUTCOME_UNRECORDED;
        arm_describe(arm, "", "%s: the kernel %s: %s (%s)", part, finding_sentence(finding->kind),
                     finding->text, finding_word(finding->kind));
    }
    return arm->outcome;
}

int audit_one(struct unit_context *context, struct arm_state *arm, const char *part,
              enum finding_kind kind, const char *format, ...) {
    struct finding_list *list = need(1, sizeof *list);
    char text[sizeof list->items->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    finding_add(list, kind, "%s", text);
    const int outcome = audit_report(context, arm, part, list);
    free(list);
    return outcome;
}

int audit_facts(struct unit_context *context, struct arm_state *arm, const struct facts *facts) {
    struct finding_list *list = need(1, sizeof *list);
    facts_judge(facts, context->plan->workspace_bytes, list);
    facts_summary(facts, arm->row.variant, sizeof arm->row.variant);
    const int outcome = audit_report(context, arm, "calls", list);
    free(list);
    return outcome;
}

int audit_memory(struct unit_context *context, struct arm_state *arm) {
    const uint64_t most = context->plan->workspace_bytes;
    return arm->held_bytes <= most
               ? OUTCOME_OK
               : audit_one(context, arm, "calls", FINDING_WORKSPACE,
                           "%llu bytes; its workspace is %llu bytes",
                           (unsigned long long)arm->held_bytes, (unsigned long long)most);
}

/* Fills the row's column and *verdict; its word is PROBE_UNKNOWN where nothing can be told. */
static int probe(struct unit_context *context, struct arm_state *arm,
                 struct probe_verdict *verdict) {
    const struct shape shape = context->unit->shape;
    const uint64_t seed = seed_derive(context->seed, SEED_CHECK, 2);
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

int audit_accumulator(struct unit_context *context, struct arm_state *arm) {
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

int audit_deviating(struct unit_context *context, struct arm_state *arm) {
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
