/* What became of each row: by its visits, by the baselines that it must beat, and by the known
 * regressions. */
#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"

/* The visits that decide. */
static const struct pair *deciding(const struct gate *gate, size_t i) {
    return gate->decisions[i].confirmed ? gate->evidence[i].confirming
                                        : gate->evidence[i].screening;
}

/* What the same visits say by another lens, against the same reference. */
static double ratio_by(const struct gate *gate, size_t i, const char *lens) {
    const bool stored = gate->evidence[i].stored != NULL;
    const struct pair *by = deciding(gate, i);
    const struct pair like = pairs_key(by->shape, by->candidate, by->reference, by->mode, lens);
    const struct pair *now =
        pairs_find(gate->decisions[i].confirmed ? &gate->confirm.speeds : &gate->run.speeds, &like,
                   like.reference);
    const struct pair *before =
        stored ? pairs_find(&gate->base.run.speeds, &like, like.reference) : NULL;
    return !now || (stored && !before) ? NAN : estimate_over(now, before).ratio;
}

static void put_numbers(const struct gate *gate, size_t i, struct gate_row *row) {
    const struct gate_decision *decision = &gate->decisions[i];
    const struct pair *speed = deciding(gate, i);
    row->ratio = decision->is.ratio;
    row->ci_low = decision->is.low;
    row->ci_high = decision->is.high;
    row->seconds = speed->seconds;
    row->reference_seconds = speed->seconds * row->ratio;
    row->p = decision->p;
    row->visits = (double)speed->visits;
    row->left_out = speed->left_out;
    row->timed_visits = speed->timed_visits;
    row->confirmed = decision->confirmed;
    row->device_ratio = ratio_by(gate, i, "device");
    row->call_ratio = ratio_by(gate, i, "call");
}

/* A shape that is allowed to be slower has the status GATE_KNOWN where it is. */
static void judge_known(const struct gate_policy *policy, struct gate_row *row) {
    const double ordinary = gate_policy_class(policy, row->shape)->margin;
    const struct gate_known *known = gate_policy_known(policy, row->shape, row->candidate);
    if (!known || row->status != GATE_SAME || row->ci_high >= 1 / (1 + ordinary))
        return;
    row->status = GATE_KNOWN;
    snprintf(row->text, sizeof row->text, "line %d of the policy lets it be %g %% slower",
             known->line, 100 * known->limit);
}

static const char unsure_text[] = "the confirmation did not measure it again: run the gate with "
                                  "--candidates, or measure the suspects into RUN/confirm";

/* The confirmation has measured the suspect again, found nothing wrong, and has no time of it. */
static bool is_lost_again(const struct gate *gate, const struct gate_row *row) {
    const struct check_row *again =
        rows_check(&gate->confirm.rows, row->shape, row->candidate, row->candidate);
    return again && rows_timed(rows_fate(again));
}

/* Against the earlier kernel. */
static void judge_row(const struct gate *gate, size_t i, struct gate_row *row) {
    const struct gate_decision *decision = &gate->decisions[i];
    const struct pair *speed = deciding(gate, i), *before = gate->evidence[i].stored;
    row->status = decision->status;
    put_numbers(gate, i, row);
    snprintf(row->reference, sizeof row->reference, "%s%.80s",
             gate->base.stored && gate->compares ? "old, by "
             : gate->base.stored                 ? "stored, by "
                                                 : "",
             speed->reference);
    if (estimate_disturbed(speed) || decision->status == GATE_ENVIRONMENT) {
        row->status = GATE_ENVIRONMENT;
        snprintf(row->text, sizeof row->text, "%.0f %% of its blocks were disturbed%s",
                 100 * (estimate_disturbed(speed) ? speed : before)->disturbed,
                 decision->status == GATE_SLOWER ? "; its times would show a slowdown" : "");
    } else if (decision->suspect && !decision->confirmed && is_lost_again(gate, row)) {
        row->why = GATE_UNTIMED;
        snprintf(row->text, sizeof row->text, "was not timed in the confirmation");
    } else if (decision->suspect && !decision->confirmed) {
        snprintf(row->text, sizeof row->text, "%s", unsure_text);
    }
    judge_known(gate->call.policy, row);
}

void gate_add_must(struct gate *gate, const struct pair *like) {
    const struct gate_policy *policy = gate->call.policy;
    const char *size_class = gate->rows[gate->count - 1].size_class;
    for (size_t i = 0; i < policy->must_count; i++) {
        const char *baseline = policy->must[i].baseline;
        if (!gate_policy_must(policy, baseline, size_class))
            continue;
        const struct pair *screening = pairs_find(&gate->run.speeds, like, baseline);
        if (screening) /* a margin of nothing, in one family of tests with the regressions */
            gate_add_evidence(gate, screening, true, 0, NULL);
        else if (gate->unmeasured++ == 0)
            gate_warn(gate,
                      "%s must be beaten and was not measured beside every row: add it to "
                      "--baselines",
                      baseline);
    }
}

/* Against a library that it must beat. A row keeps what is worse. */
static void judge_must(const struct gate *gate, size_t i, struct gate_row *row) {
    const char *library = gate->evidence[i].screening->reference;
    const enum gate_status decided = gate->decisions[i].status;
    const enum gate_status status = decided == GATE_SLOWER ? GATE_BEHIND : decided;
    if (row->status == GATE_ENVIRONMENT)
        return;
    if (status > GATE_UNDECIDED)
        text_append(row->text, sizeof row->text, "%sbeats %s by %.3g", *row->text ? "; " : "",
                    library, gate->decisions[i].is.ratio);
    if (status > GATE_UNDECIDED || status >= row->status)
        return;
    row->status = status;
    row->margin = 0;
    put_numbers(gate, i, row);
    snprintf(row->reference, sizeof row->reference, "%s", library);
    snprintf(row->text, sizeof row->text,
             status == GATE_BEHIND ? "must beat %s and is slower" : "must beat %s, not shown to",
             library);
}

/* "2 of 2 rows beat cublas-max, by 1.04 at least; ...". */
static void tell_beaten(struct gate *gate, const char *baseline) {
    size_t rows = 0;
    double least = INFINITY;
    for (size_t i = 0; i < gate->evidence_count; i++) {
        if (!gate->evidence[i].must ||
            strcmp(gate->evidence[i].screening->reference, baseline) != 0)
            continue;
        rows++;
        least = fmin(least, gate->decisions[i].is.ratio);
    }
    if (rows == 0)
        gate_warn(gate, "%s must be beaten by no row of this gate", baseline);
    else
        text_append(gate->beaten, sizeof gate->beaten, "%s%zu row%s %s, by %.3g%s",
                    *gate->beaten ? "; " : "", rows, rows == 1 ? " beats" : "s beat", baseline,
                    least, rows == 1 ? "" : " at least");
}

/* Whether the entry covers a row that is, or may be, slower than the ordinary margin allows. */
static bool is_needed(const struct gate *gate, const struct gate_known *known) {
    const struct gate_policy *policy = gate->call.policy;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        const double ordinary = gate_policy_class(policy, row->shape)->margin;
        const bool cleared = row->status >= GATE_SAME && row->ci_low > 1 / (1 + ordinary);
        if (!cleared && gate_policy_known(policy, row->shape, row->candidate) == known)
            return true;
    }
    return false;
}

/* Warns of known regressions that cover nothing. */
static void examine_known(struct gate *gate) {
    const struct rows *rows = &gate->run.rows;
    for (size_t i = 0; i < gate->call.policy->known_count; i++) {
        const struct gate_known *known = &gate->call.policy->known[i];
        bool matches = false;
        for (size_t j = 0; j < rows->check_count && !matches; j++)
            matches = *rows->checks[j].candidate &&
                      gate_known_matches(known, rows->checks[j].shape, rows->checks[j].candidate);
        if (!is_needed(gate, known))
            gate_warn(gate, "line %d of the policy: %s covers %s: remove it", known->line,
                      known->pattern, matches ? "nothing that is slower" : "no kernel of this run");
    }
}

/* A comparison has no second stage: a row is what its interval shows. */
static void show(const struct gate_evidence *evidence, struct gate_decision *decision) {
    static const enum gate_status shown[VERDICT_COUNT] = {[VERDICT_FASTER] = GATE_FASTER,
                                                          [VERDICT_SLOWER] = GATE_SLOWER,
                                                          [VERDICT_SAME] = GATE_SAME,
                                                          [VERDICT_UNDECIDED] = GATE_UNDECIDED,
                                                          [VERDICT_DISTURBED] = GATE_ENVIRONMENT};
    *decision = (struct gate_decision){.is = estimate_over(evidence->screening, evidence->stored),
                                       .p = NAN};
    decision->status = shown[estimate_verdict(&decision->is, evidence->screening, evidence->stored,
                                              evidence->margin)];
}

void gate_decide_rows(struct gate *gate) {
    const struct gate_policy *policy = gate->call.policy;
    bool beaten = gate->unmeasured == 0;
    gate->decisions = need(gate->evidence_count, sizeof *gate->decisions);
    if (!gate->compares)
        gate_decide(gate->evidence, gate->evidence_count, policy->alpha, gate->decisions);
    for (size_t i = 0; i < gate->evidence_count; i++) {
        const struct gate_evidence *evidence = &gate->evidence[i];
        struct gate_row *row = &gate->rows[evidence->row];
        if (gate->compares)
            show(evidence, &gate->decisions[i]);
        row->suspect |= gate->decisions[i].suspect;
        gate->suspects += gate->decisions[i].suspect;
        beaten &= !evidence->must || gate->decisions[i].status > GATE_UNDECIDED;
        /* A row stands against the earlier kernel first. */
        (evidence->must ? judge_must : judge_row)(gate, i, row);
    }
    for (size_t i = 0; i < policy->must_count && beaten; i++)
        tell_beaten(gate, policy->must[i].baseline);
    examine_known(gate);
}
