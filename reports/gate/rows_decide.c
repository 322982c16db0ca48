#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/gate/rows_making.h"
#include "reports/rows/derive.h"
#include "reports/rows/layouts.h"

/* A shape that is allowed to be slower for a while has the status GATE_KNOWN where it is. */
static void judge_known(const struct rows_making *making, struct gate_row *row) {
    const struct gate_policy *policy = making->policy;
    const double ordinary = gate_policy_class(policy, row->shape)->margin;
    const struct gate_known *known =
        gate_policy_known(policy, row->shape, row->candidate, making->of->call->today);
    if (!known || row->status != GATE_SAME || row->ci_high >= 1 / (1 + ordinary))
        return;
    row->status = GATE_KNOWN;
    snprintf(row->text, sizeof row->text, "%.255s%s%.200s", known->reason, *known->link ? ", " : "",
             known->link);
}

static const char unsure_text[] = "the second stage did not measure it again: run the gate with "
                                  "--candidates, or measure the suspects into RUN/confirm";

static void put_decision(const struct rows_making *making, size_t trial, struct gate_row *row) {
    const struct gate_decision *decision = &making->decisions[trial];
    const struct pair *speed = rows_deciding(making, trial);
    const bool stored = making->of->base.stored;
    row->status = decision->status;
    rows_put_decision(making, trial, row);
    snprintf(row->reference, sizeof row->reference, stored ? "stored, by %.80s" : "%.80s",
             speed->reference);
    /* The reference's time as it would be here, by the library that both have. */
    if (stored)
        row->reference_seconds = speed->seconds * row->ratio;
    if (estimate_disturbed(speed)) {
        row->status = GATE_ENVIRONMENT;
        snprintf(row->text, sizeof row->text, "%.0f %% of its blocks were disturbed%s",
                 100 * speed->disturbed,
                 decision->status == GATE_SLOWER ? "; its times would show a slowdown" : "");
    } else if (decision->suspect && !decision->confirmed) {
        snprintf(row->text, sizeof row->text, "%s", unsure_text);
    }
    judge_known(making, row);
}

/* Whether a suspect is held against the faster of two layouts, which a round more must choose. */
static bool needs_choice(const struct rows_making *making) {
    bool needed = false;
    for (size_t i = 0; i < making->trial_count; i++)
        needed |= making->decisions[i].suspect &&
                  layouts_is_max(making->evidence[i].screening->reference);
    return needed;
}

/* What the gate's second stage detects, with as many rounds as this gate has or would have. */
static void put_detectable(const struct rows_making *making) {
    const struct gate *gate = making->gate;
    for (size_t i = 0; i < making->trial_count; i++)
        if (!making->trials[i].must)
            gate->rows[making->trials[i].row].detectable = gate_detectable(
                &making->evidence[i], &making->decisions[i], gate->suspects,
                making->decisions[i].confirmed ? making->evidence[i].confirming->rounds
                                               : gate->confirm_rounds,
                making->policy->alpha);
}

void rows_decide(struct rows_making *making) {
    const struct gate_policy *policy = making->policy;
    const size_t count = making->trial_count;
    struct gate *gate = making->gate;
    gate_decide(making->evidence, count, policy->alpha, making->decisions);
    for (size_t i = 0; i < count; i++) {
        struct gate_row *row = &gate->rows[making->trials[i].row];
        if (!making->trials[i].must)
            put_decision(making, i, row);
        row->suspect |= making->decisions[i].suspect;
        gate->suspects += making->decisions[i].suspect;
    }
    gate->confirm_rounds = gate_confirm_rounds(making->evidence, making->decisions, count,
                                               policy->alpha, policy->confirm_rounds) +
                           needs_choice(making);
    put_detectable(making);
}

static double wall_seconds(const struct rows *rows, const struct gate_row *row) {
    double sum = NAN;
    for (size_t i = 0; i < rows->condition_count; i++) {
        const struct condition_row *at = &rows->conditions[i];
        const double parts[] = {at->start_seconds, at->check_seconds, at->audit_seconds,
                                at->warmup_seconds, at->wall_seconds};
        if (shape_compare(at->shape, row->shape) != 0 ||
            strcmp(at->candidate, row->candidate) != 0 || strcmp(at->mode, row->mode) != 0)
            continue;
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++)
            if (isfinite(parts[j]))
                sum = (isnan(sum) ? 0 : sum) + parts[j];
    }
    return sum;
}

void rows_put_wall_seconds(const struct rows_making *making) {
    for (size_t i = 0; i < making->gate->count; i++) {
        struct gate_row *row = &making->gate->rows[i];
        const double again = wall_seconds(&making->of->confirm.rows, row);
        row->wall_seconds = wall_seconds(&making->of->run.rows, row);
        if (isfinite(again))
            row->wall_seconds += again;
    }
}
