#include "bench/jobs/energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/rows/derive_values.h"

static struct sample_buffer *series_of(const struct timing *t) {
    return unit_result_series(t->context->result, t->mode, LENS_DEVICE, t->context->staged,
                              unit_subject(t->context));
}

static int accuse(struct timing *t, struct arm_state *arm, enum outcome outcome) {
    char said[RUNDIR_TEXT];
    memcpy(said, arm->row.detail, sizeof said);
    snprintf(arm->row.detail, sizeof arm->row.detail, "while its energy was measured: %.450s",
             said);
    *t->failed = arm;
    return arm->outcome = outcome;
}

/* A row of the slot. *joules is of one call, or NaN. */
static int measure_row(struct timing *t, int slot, double call, double *joules) {
    static struct wire_reply reply;
    struct unit_context *context = t->context;
    struct arm_state *arm = t->slots[slot];
    const uint64_t calls = (uint64_t)ceil(ENERGY_SECONDS / call);
    const double before = gpu_monitor_joules(context->session->nvml);
    *joules = NAN;
    if (isnan(before))
        return OUTCOME_OK;
    const int outcome = unit_ask_process(
        context, &context->process, arm,
        wire_repeat_request((struct wire_repeat){
            .arm = arm->number, .calls = calls, .seconds = ENERGY_GAPS * ENERGY_SECONDS}),
        10 * ENERGY_SECONDS + unit_call_limit(context), &reply);
    if (outcome == TROUBLE)
        return TROUBLE;
    if (outcome != OUTCOME_OK)
        return accuse(t, arm, (enum outcome)outcome);
    const double made = (double)reply.repeat.calls, ratio = reply.repeat.seconds / (made * call);
    if (!(ratio > ENERGY_SKIPS && ratio < ENERGY_GAPS))
        return OUTCOME_OK;
    const double drawn = gpu_monitor_joules(context->session->nvml) - before;
    *joules = drawn > 0 ? drawn / made : NAN;
    return OUTCOME_OK;
}

/* An arm whose device work is another's has that one's joules. */
static void store(const struct timing *t, int slot, double joules) {
    for (int i = 0; i < t->request.arm_count; i++)
        if (t->timed[i] == slot && derive_is_own(t->slots[i]->row.kernel))
            sample_buffer_note(series_of(t), SAMPLES_JOULES, t->slots[i]->row.kernel, joules);
}

int energy_measure(struct timing *t) {
    const struct sample_buffer *series = series_of(t);
    if (!t->context->plan->energy || !t->context->staged || t->mode != MODE_OFFLINE || !series ||
        t->visit >= ENERGY_VISITS || nvml_value(t->context->session->nvml, NVML_ENERGY_MJ) < 0)
        return OUTCOME_OK;
    for (int slot = 0; slot < t->request.arm_count; slot++) {
        const double call = derive_median(&series->samples, (size_t)slot);
        double joules;
        if (wire_is_left_out(&t->request, slot) || !derive_is_own(t->slots[slot]->row.kernel) ||
            !(call > 0))
            continue;
        const int outcome = measure_row(t, slot, call, &joules);
        if (outcome != OUTCOME_OK)
            return outcome;
        store(t, slot, joules);
    }
    return OUTCOME_OK;
}
