#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "reports/gate/rows_making.h"
#include "reports/rows/derive.h"
#include "reports/rows/layouts.h"
#include "timing/significance.h"
#include "timing/stats.h"

void rows_put_ratio(struct gate_row *row, double mean, double low, double high) {
    row->ratio = exp(-mean);
    row->ci_low = isinf(high) ? NAN : exp(-high);
    row->ci_high = isinf(low) ? NAN : exp(-low);
}

bool rows_is_disturbed(const struct pair *speed) {
    return speed->disturbed > ROWS_DISTURBED_MOST;
}

/* A shape that is allowed to be slower for a while has the status GATE_KNOWN where it is. */
static void judge_known(const struct rows_making *making, const struct gate_decision *decision,
                        struct gate_row *row) {
    const struct gate_policy *policy = making->policy;
    const double ordinary = gate_policy_class(policy, row->shape)->margin;
    const struct gate_known *known =
        gate_policy_known(policy, row->shape, row->candidate, making->of->call->today);
    if (!known || row->status != GATE_SAME || decision->low <= log1p(ordinary))
        return;
    row->status = GATE_KNOWN;
    snprintf(row->text, sizeof row->text, "%.255s%s%.200s", known->reason, *known->link ? ", " : "",
             known->link);
}

/* What the same rounds say by another lens, against the same reference, and where they were timed.
 */
static double ratio_by(const struct rows_making *making, const struct pair *speed, bool confirmed,
                       const char *lens, const char **place) {
    const struct gate_case *of = making->of;
    struct pair like = *speed;
    snprintf(like.lens, sizeof like.lens, "%s", lens);
    const struct pair *new_ =
        pairs_find(confirmed ? &of->confirm.speeds : &of->run.speeds, &like, speed->reference);
    const struct pair *old =
        of->base.stored ? pairs_find(&of->base.speeds, &like, speed->reference) : NULL;
    if (!new_ || (of->base.stored && !old))
        return NAN;
    *place = pairs_place(new_, old);
    return exp((old ? stats_mean(old->x, old->rounds) : 0) - stats_mean(new_->x, new_->rounds));
}

static const char unsure_text[] = "the second stage did not measure it again: run the gate with "
                                  "--candidates, or measure the suspects into RUN/confirm";

/* Whether the budget left it out of the second stage. */
static bool is_unconfirmed(const struct rows_making *making, const struct gate_row *row) {
    char id[RUNDIR_UNIT];
    return jsonfile_lists(json_object_get(making->of->budget, "unconfirmed"),
                          rundir_unit_id(row->shape, row->candidate, id));
}

static void put_decision(const struct rows_making *making, const struct rows_trial *trial,
                         const struct gate_decision *decision, struct gate_row *row) {
    const struct pair *speed = decision->confirmed ? trial->confirming : trial->screening;
    const bool stored = making->of->base.stored;
    row->status = decision->status;
    snprintf(row->reference, sizeof row->reference, stored ? "stored, by %.80s" : "%.80s",
             speed->reference);
    rows_put_ratio(row, decision->mean, decision->low, decision->high);
    row->seconds = speed->seconds;
    /* The reference's time as it would be here, by the library that both have. */
    row->reference_seconds = stored ? speed->seconds * row->ratio : speed->reference_seconds;
    row->p = decision->p;
    row->rounds = (double)decision->rounds;
    row->confirmed = decision->confirmed;
    const char *unsaid;
    ratio_by(making, speed, decision->confirmed, speed->lens, &row->place);
    row->device_ratio = ratio_by(making, speed, decision->confirmed, "device", &row->device_place);
    row->call_ratio = ratio_by(making, speed, decision->confirmed, "call", &unsaid);
    if (rows_is_disturbed(speed)) {
        row->status = GATE_ENVIRONMENT;
        snprintf(row->text, sizeof row->text, "%.0f %% of its blocks were disturbed%s",
                 100 * speed->disturbed,
                 decision->status == GATE_SLOWER ? "; what they show is a confirmed slowdown" : "");
    } else if (decision->suspect && !decision->confirmed) {
        snprintf(row->text, sizeof row->text, "%s",
                 is_unconfirmed(making, row) ? "the gate's budget did not do for its second stage"
                                             : unsure_text);
    }
    judge_known(making, decision, row);
}

/* What tests of so many rounds, one of this gate's, detect: it is linear in the deviation, and most
 * rows have the same number of rounds. */
static void put_detectable(const struct rows_making *making) {
    const bool stored = making->of->base.stored;
    const struct gate *gate = making->gate;
    const double tests = gate->suspects ? (double)gate->suspects : 1;
    const double stage = GATE_STAGE_SHARE * making->policy->alpha;
    double deviations = NAN, alpha = NAN;
    size_t known = 0;
    for (size_t i = 0; i < making->trial_count; i++) {
        const struct gate_decision *decision = &making->decisions[i];
        const size_t rounds = decision->confirmed ? decision->rounds : gate->confirm_rounds;
        const double level = (stored ? stage / 2 : stage) / tests;
        if (making->trials[i].must)
            continue;
        if (rounds != known || level != alpha)
            deviations = significance_detectable(0, 1, rounds, level);
        known = rounds;
        alpha = level;
        if (isfinite(deviations))
            making->gate->rows[making->trials[i].row].detectable =
                expm1(log1p(making->evidence[i].margin) + deviations * decision->sd +
                      gate_stored_bound(&making->evidence[i].stored, gate->suspects, stage));
    }
}

/* From the margin to a slowdown of twice as much. */
static double beyond_margin(double margin) {
    return log1p(2 * margin) - log1p(margin);
}

/* Whether a suspect is held against the faster of two layouts, which a round more must choose. */
static bool needs_choice(const struct rows_making *making) {
    bool needed = false;
    for (size_t i = 0; i < making->trial_count; i++)
        needed |=
            making->decisions[i].suspect && layouts_is_max(making->trials[i].screening->reference);
    return needed;
}

int rows_decide(struct rows_making *making) {
    const struct gate_policy *policy = making->policy;
    const size_t count = making->trial_count;
    struct gate *gate = making->gate;
    if (gate_decide(making->evidence, count, policy->alpha, making->decisions) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct rows_trial *trial = &making->trials[i];
        struct gate_row *row = &gate->rows[trial->row];
        if (!trial->must)
            put_decision(making, trial, &making->decisions[i], row);
        row->suspect |= making->decisions[i].suspect;
        gate->suspects += making->decisions[i].suspect;
    }
    gate->confirm_rounds =
        gate_confirm_rounds(making->evidence, making->decisions, count, policy->alpha,
                            beyond_margin(policy->margin), policy->confirm_rounds) +
        needs_choice(making);
    put_detectable(making);
    return 0;
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
