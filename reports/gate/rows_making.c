#include "reports/gate/rows_making.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"

size_t rows_list_length(const struct rows_making *making, const char *key) {
    return json_array_size(json_object_get(making->of->run.plan, key));
}

const char *rows_list_name(const struct rows_making *making, const char *key, size_t i) {
    const char *name =
        json_string_value(json_array_get(json_object_get(making->of->run.plan, key), i));
    return name ? name : "";
}

const struct check_row *rows_find_check(const struct rows *rows, struct shape shape,
                                        const char *candidate, const char *kernel) {
    for (size_t i = 0; i < rows->check_count; i++)
        if (shape_compare(rows->checks[i].shape, shape) == 0 &&
            strcmp(rows->checks[i].candidate, candidate) == 0 &&
            strcmp(rows->checks[i].kernel, kernel) == 0)
            return &rows->checks[i];
    return NULL;
}

struct gate_row *rows_begin(struct rows_making *making, struct shape shape, const char *candidate,
                            enum gate_status status) {
    struct gate *gate = making->gate;
    struct gate_row *rows = realloc(gate->rows, (gate->count + 1) * sizeof *rows);
    if (!rows) {
        error("no memory for %zu rows", gate->count + 1);
        return NULL;
    }
    gate->rows = rows;
    const struct gate_class *size_class = gate_policy_class(making->policy, shape);
    rows[gate->count] = (struct gate_row){.shape = shape,
                                          .size_class = size_class->name,
                                          .status = status,
                                          .ratio = NAN,
                                          .ci_low = NAN,
                                          .ci_high = NAN,
                                          .reference_seconds = NAN,
                                          .seconds = NAN,
                                          .margin = size_class->margin,
                                          .p = NAN,
                                          .detectable = NAN,
                                          .rounds = NAN,
                                          .device_ratio = NAN,
                                          .call_ratio = NAN,
                                          .wall_seconds = NAN,
                                          .place = "",
                                          .device_place = ""};
    snprintf(rows[gate->count].candidate, sizeof rows->candidate, "%s", candidate);
    return &rows[gate->count++];
}

/* Whether the audits saw the kernel, or the earlier one beside it, tune itself. */
static bool tunes_itself(const struct rows *rows, const struct gate_row *of) {
    for (size_t i = 0; i < rows->audit_count; i++) {
        const struct audit_row *row = &rows->audits[i];
        if (shape_compare(row->shape, of->shape) == 0 &&
            strcmp(row->candidate, of->candidate) == 0 &&
            (strcmp(row->kernel, of->candidate) == 0 ||
             strcmp(row->kernel, RUNDIR_PREVIOUS) == 0) &&
            strcmp(row->finding, "self-tuning") == 0)
            return true;
    }
    return false;
}

void rows_add_trial(struct rows_making *making, const struct pair *screening, bool must,
                    double margin, const struct pair *stored) {
    const struct gate_row *row = &making->gate->rows[making->gate->count - 1];
    making->evidence[making->trial_count] = (struct gate_evidence){
        .screening = screening,
        .confirming = pairs_find(&making->of->confirm.speeds, screening, screening->reference),
        .stored = stored,
        .margin = margin,
        .near = GATE_NEAR * gate_policy_class(making->policy, row->shape)->margin,
        .tunes = tunes_itself(&making->of->run.rows, row)};
    making->trials[making->trial_count++] = (struct rows_trial){making->gate->count - 1, must};
}

const struct pair *rows_deciding(const struct rows_making *making, size_t trial) {
    const struct gate_evidence *evidence = &making->evidence[trial];
    return making->decisions[trial].confirmed ? evidence->confirming : evidence->screening;
}

/* What the rounds that decide the trial say by another lens, against the same reference, and where
 * they were timed ("": nowhere). */
static double ratio_by(const struct rows_making *making, size_t trial, const char *lens,
                       const char **place) {
    const struct gate_case *of = making->of;
    const bool stored = making->evidence[trial].stored != NULL;
    struct pair like = *rows_deciding(making, trial);
    snprintf(like.lens, sizeof like.lens, "%s", lens);
    const struct pair *new_ =
        pairs_find(making->decisions[trial].confirmed ? &of->confirm.speeds : &of->run.speeds,
                   &like, like.reference);
    const struct pair *old = stored ? pairs_find(&of->base.speeds, &like, like.reference) : NULL;
    *place = "";
    if (!new_ || (stored && !old))
        return NAN;
    *place = pairs_place(new_, old);
    return estimate_over(new_, old).ratio;
}

void rows_put_decision(const struct rows_making *making, size_t trial, struct gate_row *row) {
    const char *unsaid;
    const struct gate_decision *decision = &making->decisions[trial];
    const struct pair *speed = rows_deciding(making, trial);
    row->ratio = decision->is.ratio;
    row->ci_low = decision->is.low;
    row->ci_high = decision->is.high;
    row->seconds = speed->seconds;
    row->reference_seconds = speed->reference_seconds;
    row->place = pairs_place(speed, making->evidence[trial].stored);
    row->p = decision->p;
    row->rounds = (double)speed->rounds;
    row->confirmed = decision->confirmed;
    row->device_ratio = ratio_by(making, trial, "device", &row->device_place);
    row->call_ratio = ratio_by(making, trial, "call", &unsaid);
}
