/* What became of each row: by its visits, by the baselines that it must beat, and by the known
 * regressions. */
#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"

/* The visits that decide. */
static const struct pair *deciding(const struct gate_case *of, size_t i) {
    return of->decisions[i].confirmed ? of->evidence[i].confirming : of->evidence[i].screening;
}

/* What the same visits say by another lens, against the same reference. */
static double ratio_by(const struct gate_case *of, size_t i, const char *lens) {
    const bool stored = of->evidence[i].stored != NULL;
    const struct pair *by = deciding(of, i);
    const struct pair like = pairs_key(by->shape, by->candidate, by->reference, by->mode, lens);
    const struct pair *now = pairs_find(
        of->decisions[i].confirmed ? &of->confirm.speeds : &of->run.speeds, &like, like.reference);
    const struct pair *before =
        stored ? pairs_find(&of->base.run.speeds, &like, like.reference) : NULL;
    return !now || (stored && !before) ? NAN : estimate_over(now, before).ratio;
}

static void put_numbers(const struct gate_case *of, size_t i, struct gate_row *row) {
    const struct gate_decision *decision = &of->decisions[i];
    const struct pair *speed = deciding(of, i);
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
    row->device_ratio = ratio_by(of, i, "device");
    row->call_ratio = ratio_by(of, i, "call");
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
static bool is_lost_again(const struct gate_case *of, const struct gate_row *row) {
    const struct check_row *again =
        rows_check(&of->confirm.rows, row->shape, row->candidate, row->candidate);
    return again && rows_timed(rows_fate(again));
}

/* Against the earlier kernel. */
static void judge_row(const struct gate_case *of, size_t i, struct gate_row *row) {
    const struct gate_decision *decision = &of->decisions[i];
    const struct pair *speed = deciding(of, i), *before = of->evidence[i].stored;
    row->status = decision->status;
    put_numbers(of, i, row);
    snprintf(row->reference, sizeof row->reference, "%s%.80s",
             of->base.stored && of->compares ? "old, by "
             : of->base.stored               ? "stored, by "
                                             : "",
             speed->reference);
    if (estimate_disturbed(speed) || decision->status == GATE_ENVIRONMENT) {
        row->status = GATE_ENVIRONMENT;
        snprintf(row->text, sizeof row->text, "%.0f %% of its blocks were disturbed%s",
                 100 * (estimate_disturbed(speed) ? speed : before)->disturbed,
                 decision->status == GATE_SLOWER ? "; its times would show a slowdown" : "");
    } else if (decision->suspect && !decision->confirmed && is_lost_again(of, row)) {
        row->why = GATE_UNTIMED;
        snprintf(row->text, sizeof row->text, "was not timed in the confirmation");
    } else if (decision->suspect && !decision->confirmed) {
        snprintf(row->text, sizeof row->text, "%s", unsure_text);
    }
    judge_known(of->policy, row);
}

void gate_add_must(struct gate_case *of, const struct pair *like, struct gate *gate) {
    const struct gate_policy *policy = of->policy;
    const char *size_class = gate->rows[gate->count - 1].size_class;
    for (size_t i = 0; i < policy->must_count; i++) {
        const char *baseline = policy->must[i].baseline;
        if (!gate_policy_must(policy, baseline, size_class))
            continue;
        const struct pair *screening = pairs_find(&of->run.speeds, like, baseline);
        if (screening) /* a margin of nothing, in one family of tests with the regressions */
            gate_add_evidence(of, screening, true, 0, NULL, gate);
        else if (of->unmeasured++ == 0)
            gate_warn(gate,
                      "%s must be beaten and was not measured beside every row: add it to "
                      "--baselines",
                      baseline);
    }
}

/* Against a library that it must beat. A row keeps what is worse. */
static void judge_must(const struct gate_case *of, size_t i, struct gate_row *row) {
    const char *library = of->evidence[i].screening->reference;
    const enum gate_status decided = of->decisions[i].status;
    const enum gate_status status = decided == GATE_SLOWER ? GATE_BEHIND : decided;
    if (row->status == GATE_ENVIRONMENT)
        return;
    if (status > GATE_UNDECIDED)
        text_append(row->text, sizeof row->text, "%sbeats %s by %.3g", *row->text ? "; " : "",
                    library, of->decisions[i].is.ratio);
    if (status > GATE_UNDECIDED || status >= row->status)
        return;
    row->status = status;
    row->margin = 0;
    put_numbers(of, i, row);
    snprintf(row->reference, sizeof row->reference, "%s", library);
    snprintf(row->text, sizeof row->text,
             status == GATE_BEHIND ? "must beat %s and is slower" : "must beat %s, not shown to",
             library);
}

/* "2 of 2 rows beat cublas-max, by 1.04 at least; ...". */
static void tell_beaten(struct gate_case *of, const char *baseline, struct gate *gate) {
    size_t rows = 0;
    double least = INFINITY;
    for (size_t i = 0; i < of->evidence_count; i++) {
        if (!of->evidence[i].must || strcmp(of->evidence[i].screening->reference, baseline) != 0)
            continue;
        rows++;
        least = fmin(least, of->decisions[i].is.ratio);
    }
    if (rows == 0)
        gate_warn(gate, "%s must be beaten by no row of this gate", baseline);
    else
        text_append(of->beaten, sizeof of->beaten, "%s%zu row%s %s, by %.3g%s",
                    *of->beaten ? "; " : "", rows, rows == 1 ? " beats" : "s beat", baseline, least,
                    rows == 1 ? "" : " at least");
}

/* Whether the entry covers a row that is, or may be, slower than the ordinary margin allows. */
static bool is_needed(const struct gate_case *of, const struct gate_known *known,
                      const struct gate *gate) {
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        const double ordinary = gate_policy_class(of->policy, row->shape)->margin;
        const bool cleared = row->status >= GATE_SAME && row->ci_low > 1 / (1 + ordinary);
        if (!cleared && gate_policy_known(of->policy, row->shape, row->candidate) == known)
            return true;
    }
    return false;
}

/* Warns of known regressions that cover nothing. */
static void examine_known(const struct gate_case *of, struct gate *gate) {
    const struct rows *rows = &of->run.rows;
    for (size_t i = 0; i < of->policy->known_count; i++) {
        const struct gate_known *known = &of->policy->known[i];
        bool matches = false;
        for (size_t j = 0; j < rows->check_count && !matches; j++)
            matches = *rows->checks[j].candidate &&
                      gate_known_matches(known, rows->checks[j].shape, rows->checks[j].candidate);
        if (!is_needed(of, known, gate))
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

void gate_decide_rows(struct gate_case *of, struct gate *gate) {
    const struct gate_policy *policy = of->policy;
    bool beaten = of->unmeasured == 0;
    of->decisions = need(of->evidence_count, sizeof *of->decisions);
    if (!of->compares)
        gate_decide(of->evidence, of->evidence_count, policy->alpha, of->decisions);
    for (size_t i = 0; i < of->evidence_count; i++) {
        struct gate_row *row = &gate->rows[of->evidence[i].row];
        if (of->compares)
            show(&of->evidence[i], &of->decisions[i]);
        row->suspect |= of->decisions[i].suspect;
        gate->suspects += of->decisions[i].suspect;
        beaten &= !of->evidence[i].must || of->decisions[i].status > GATE_UNDECIDED;
        /* A row stands against the earlier kernel first. */
        (of->evidence[i].must ? judge_must : judge_row)(of, i, row);
    }
    gate->confirm_visits = (size_t)policy->confirm_visits;
    for (size_t i = 0; i < policy->must_count && beaten; i++)
        tell_beaten(of, policy->must[i].baseline, gate);
    examine_known(of, gate);
}
