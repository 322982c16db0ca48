#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"
#include "reports/gate/making.h"

/* A shape that is allowed to be slower has the status GATE_KNOWN where it is. */
static void judge_known(const struct making *making, struct gate_row *row) {
    const struct gate_policy *policy = making->policy;
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
static bool is_lost_again(const struct making *making, const struct gate_decision *decision,
                          const struct gate_row *row) {
    const struct check_row *again =
        rows_check(&making->of->confirm.rows, row->shape, row->candidate, row->candidate);
    return decision->suspect && !decision->confirmed && again && rows_timed(rows_fate(again));
}

static void put_decision(const struct making *making, size_t trial, struct gate_row *row) {
    const struct gate_decision *decision = &making->decisions[trial];
    const struct pair *speed = making_deciding(making, trial);
    const bool stored = making->of->base.stored;
    row->status = decision->status;
    making_put_decision(making, trial, row);
    snprintf(row->reference, sizeof row->reference, stored ? "stored, by %.80s" : "%.80s",
             speed->reference);
    if (estimate_disturbed(speed)) {
        row->status = GATE_ENVIRONMENT;
        snprintf(row->text, sizeof row->text, "%.0f %% of its blocks were disturbed%s",
                 100 * speed->disturbed,
                 decision->status == GATE_SLOWER ? "; its times would show a slowdown" : "");
    } else if (is_lost_again(making, decision, row)) {
        making_leave_untimed(row, "was not timed in the confirmation");
    } else if (decision->suspect && !decision->confirmed) {
        snprintf(row->text, sizeof row->text, "%s", unsure_text);
    }
    judge_known(making, row);
}

void making_decide(struct making *making) {
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
    gate->confirm_visits = (size_t)policy->confirm_visits;
}

/* Adds what a run's rows say of the seconds that the row took. */
static void add_seconds(const struct rows *rows, struct gate_row *row) {
    enum { OF_VISITS = 3 };
    for (size_t i = 0; i < rows->condition_count; i++) {
        const struct condition_row *at = &rows->conditions[i];
        const double parts[] = {at->start_seconds, at->warmup_seconds, at->wall_seconds,
                                at->check_seconds, at->audit_seconds};
        if (shape_compare(at->shape, row->shape) != 0 ||
            strcmp(at->candidate, row->candidate) != 0 || strcmp(at->mode, row->mode) != 0)
            continue;
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
            if (!isfinite(parts[j]))
                continue;
            row->wall_seconds = (isnan(row->wall_seconds) ? 0 : row->wall_seconds) + parts[j];
            row->visits_seconds += j < OF_VISITS ? parts[j] : 0;
        }
    }
}

void making_put_wall_seconds(const struct making *making) {
    for (size_t i = 0; i < making->gate->count; i++) {
        struct gate_row *row = &making->gate->rows[i];
        add_seconds(&making->of->run.rows, row);
        add_seconds(&making->of->confirm.rows, row);
    }
}

/* The i-th baseline that must be beaten, or NULL where an earlier line names it, too. */
static const char *new_baseline(const struct gate_policy *policy, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (strcmp(policy->must[j].baseline, policy->must[i].baseline) == 0)
            return NULL;
    return policy->must[i].baseline;
}

void making_add_must(struct making *making, const struct pair *like) {
    const struct gate_policy *policy = making->policy;
    const char *size_class = making->gate->rows[making->gate->count - 1].size_class;
    for (size_t i = 0; i < policy->must_count; i++) {
        const char *baseline = new_baseline(policy, i);
        if (!baseline || !gate_policy_must(policy, baseline, size_class))
            continue;
        const struct pair *screening = pairs_find(&making->of->run.speeds, like, baseline);
        if (screening) /* a margin of nothing, in one family of tests with the regressions */
            making_add_trial(making, screening, true, 0, NULL);
        else if (making->about->unmeasured++ == 0)
            gate_warn(making->gate,
                      "%s must be beaten and was not measured beside every row: add it to "
                      "--baselines",
                      baseline);
    }
}

/* A row keeps what is worse. */
static void judge_must(const struct making *making, size_t trial, struct gate_row *row) {
    const char *library = making->evidence[trial].screening->reference;
    const enum gate_status decided = making->decisions[trial].status;
    const enum gate_status status = decided == GATE_SLOWER      ? GATE_BEHIND
                                    : decided == GATE_UNDECIDED ? GATE_UNDECIDED
                                                                : GATE_STATUS_COUNT;
    if (row->status == GATE_ENVIRONMENT)
        return;
    if (status == GATE_STATUS_COUNT)
        text_append(row->text, sizeof row->text, "%sbeats %s by %.3g", *row->text ? "; " : "",
                    library, making->decisions[trial].is.ratio);
    if (status >= row->status)
        return;
    row->status = status;
    row->margin = 0;
    making_put_decision(making, trial, row);
    snprintf(row->reference, sizeof row->reference, "%s", library);
    snprintf(row->text, sizeof row->text,
             status == GATE_BEHIND ? "must beat %s and is slower" : "must beat %s, not shown to",
             library);
}

/* "2 of 2 rows beat cublas-max, by 1.04 at least; ..."; "" where one does not. */
static void tell_beaten(const struct making *making, const char *baseline,
                        char beaten[RUNDIR_TEXT]) {
    size_t rows = 0;
    double least = INFINITY;
    for (size_t i = 0; i < making->trial_count; i++) {
        if (!making->trials[i].must ||
            strcmp(making->evidence[i].screening->reference, baseline) != 0)
            continue;
        rows++;
        least = fmin(least, making->decisions[i].is.ratio);
    }
    if (rows == 0)
        gate_warn(making->gate, "%s must be beaten by no row of this gate", baseline);
    else
        text_append(beaten, RUNDIR_TEXT, "%s%zu row%s %s, by %.3g%s", *beaten ? "; " : "", rows,
                    rows == 1 ? " beats" : "s beat", baseline, least, rows == 1 ? "" : " at least");
}

void making_judge_must(struct making *making) {
    const struct gate_policy *policy = making->policy;
    bool all = making->about->unmeasured == 0;
    for (size_t i = 0; i < making->trial_count; i++)
        if (making->trials[i].must) {
            all &= making->decisions[i].status > GATE_UNDECIDED;
            judge_must(making, i, &making->gate->rows[making->trials[i].row]);
        }
    for (size_t i = 0; i < policy->must_count && all; i++)
        if (new_baseline(policy, i))
            tell_beaten(making, policy->must[i].baseline, making->about->beaten);
}

/* Whether the entry covers a row that is, or may be, slower than the ordinary margin allows. */
static bool is_needed(const struct making *making, const struct gate_known *known) {
    for (size_t i = 0; i < making->gate->count; i++) {
        const struct gate_row *row = &making->gate->rows[i];
        const double ordinary = gate_policy_class(making->policy, row->shape)->margin;
        const bool cleared = row->status >= GATE_SAME && row->ci_low > 1 / (1 + ordinary);
        if (!cleared && gate_policy_known(making->policy, row->shape, row->candidate) == known)
            return true;
    }
    return false;
}

void making_examine_known(const struct making *making) {
    const struct gate_policy *policy = making->policy;
    const struct rows *rows = &making->of->run.rows;
    for (size_t i = 0; i < policy->known_count; i++) {
        const struct gate_known *known = &policy->known[i];
        bool matches = false;
        for (size_t j = 0; j < rows->check_count && !matches; j++)
            matches = *rows->checks[j].candidate &&
                      gate_known_matches(known, rows->checks[j].shape, rows->checks[j].candidate);
        if (!is_needed(making, known))
            gate_warn(making->gate, "line %d of the policy: %s covers %s: remove it", known->line,
                      known->pattern, matches ? "nothing that is slower" : "no kernel of this run");
    }
}
