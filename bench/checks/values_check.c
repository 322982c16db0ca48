#include "bench/checks/values_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/checks/excuse.h"
#include "bench/jobs/arm_calls.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/values.h"

/* Two right products of the same inputs differ by no more than this many bounds on one of them. */
#define TOLERANCE_BOUNDS 2

struct values {
    struct unit_context *context;
    uint64_t seed;
    double tolerance;
    uint16_t table[INPUT_TABLE_SIZE];
    uint16_t *base;
    enum values_class class; /* in hand */
};

static size_t c_bytes(const struct values *values) {
    const struct shape s = values->context->unit->shape;
    return (size_t)s.m * (size_t)s.n * sizeof(uint16_t);
}

static int call_kind(struct values *values, struct arm_state *arm, enum input_kind kind) {
    return arm_call(values->context, arm, (int32_t)kind, values->seed, WIRE_POISON_NONE);
}

/* One arm's product of the base is kept, to compare its others with. */
static int take_base(struct values *values, struct arm_state *arm) {
    const int outcome = call_kind(values, arm, INPUT_VALUES);
    if (outcome == OUTCOME_OK)
        memcpy(values->base, values->context->process.shared, c_bytes(values));
    return outcome;
}

static int ask_class(struct values *values, struct arm_state *arm, struct values_verdict *verdict) {
    struct unit_context *context = values->context;
    const int outcome = call_kind(values, arm, values_kind(values->class));
    if (outcome == OUTCOME_OK)
        values_judge(context->plan->element, values->class, values->base, context->process.shared,
                     context->unit->shape, values->table, values->seed, values->tolerance, verdict);
    return outcome;
}

/* Twice as many may be coarse beside each other as beside the exact product. */
static bool is_wrong(const struct values *values, const struct arm_state *arm,
                     const struct values_verdict *verdict) {
    const struct unit_checked *checked = &values->context->checked;
    const double share =
        fmax(checked->largest_coarse, isnan(arm->row.coarse) ? 0 : arm->row.coarse);
    return verdict->wrong > 0 ||
           (uint64_t)verdict->coarse > check_coarse_allowed(share, values->context->unit->shape);
}

static int ask_library(void *about, struct arm_state *library, bool *wrong) {
    struct values *values = about;
    struct values_verdict verdict;
    int outcome = take_base(values, library);
    if (outcome == OUTCOME_OK)
        outcome = ask_class(values, library, &verdict);
    if (outcome == OUTCOME_OK)
        *wrong = is_wrong(values, library, &verdict);
    return outcome;
}

static int accuse(struct values *values, struct arm_state *arm,
                  const struct values_verdict *verdict) {
    const char *word = values_word(values->class);
    const struct arm_state *excuse;
    if (excuse_find(values->context, ask_library, values, &excuse) == TROUBLE)
        return TROUBLE;
    if (excuse) {
        snprintf(arm->row.note, sizeof arm->row.note,
                 "values: %s inputs are not asked for, as %.60s gets them wrong, too", word,
                 excuse->row.kernel);
        return take_base(values, arm);
    }
    arm_describe(arm, "",
                 "%s inputs: %" PRId64 " entries are wrong and %" PRId64
                 " coarse, the first C[%" PRId64 "][%" PRId64 "] = %g, it should be %g",
                 word, verdict->wrong, verdict->coarse, verdict->row, verdict->col, verdict->got,
                 verdict->want);
    return arm->outcome = OUTCOME_VALUES;
}

static int check_classes(struct values *values, struct arm_state *arm) {
    const bool all = values->context->plan->accumulate == GEMM_F32;
    struct values_verdict verdict;
    int outcome = take_base(values, arm);
    for (int i = 0; i < VALUES_CLASSES && outcome == OUTCOME_OK; i++) {
        const enum values_class class = values->class = (enum values_class)i;
        if (!all && (class == VALUES_LARGE || class == VALUES_SMALL))
            continue;
        outcome = ask_class(values, arm, &verdict);
        if (outcome != OUTCOME_OK)
            return outcome;
        if (is_wrong(values, arm, &verdict))
            outcome = accuse(values, arm, &verdict);
    }
    return outcome;
}

int values_check(struct unit_context *context, struct arm_state *arm) {
    static struct values values;
    const double bound = isnan(arm->row.bound) ? 2 * arm->row.deviation : arm->row.bound;
    values = (struct values){.context = context,
                             .seed = seed_derive(context->seed, SEED_CHECK, 4),
                             .tolerance = TOLERANCE_BOUNDS * bound};
    values.base = need(c_bytes(&values), 1);
    values_table(context->plan->element, INPUT_VALUES, context->unit->shape.k,
                 input_table_for(context->plan->element, INPUT_NORMAL, 0), values.table);
    const int outcome = check_classes(&values, arm);
    free(values.base);
    return outcome;
}
