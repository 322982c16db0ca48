#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"
#include "reports/gate/rows_making.h"

/* The i-th baseline that must be beaten, or NULL where an earlier line names it, too. */
static const char *new_baseline(const struct gate_policy *policy, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (strcmp(policy->must[j].baseline, policy->must[i].baseline) == 0)
            return NULL;
    return policy->must[i].baseline;
}

void rows_add_must(struct rows_making *making, const struct pair *like) {
    const struct gate_policy *policy = making->policy;
    const char *size_class = making->gate->rows[making->gate->count - 1].size_class;
    for (size_t i = 0; i < policy->must_count; i++) {
        const char *baseline = new_baseline(policy, i);
        if (!baseline || !gate_policy_must(policy, baseline, size_class))
            continue;
        const struct pair *screening = pairs_find(&making->of->run.speeds, like, baseline);
        if (screening) /* a margin of nothing, in one family of tests with the regressions */
            rows_add_trial(making, screening, true, 0, NULL);
        else if (making->unmeasured++ == 0)
            gate_warn(making->gate,
                      "%s must be beaten and was not measured beside every row: add it to "
                      "--baselines",
                      baseline);
    }
}

/* A row keeps what is worse. */
static void judge_must(const struct rows_making *making, size_t trial, struct gate_row *row) {
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
    row->detectable = NAN;
    rows_put_decision(making, trial, row);
    snprintf(row->reference, sizeof row->reference, "%s", library);
    snprintf(row->text, sizeof row->text,
             status == GATE_BEHIND ? "must beat %s and is slower" : "must beat %s, not shown to",
             library);
}

/* "2 of 2 rows beat cublas-max, by 1.04 at least; ..."; "" where one does not. */
static void tell_beaten(const struct rows_making *making, const char *baseline,
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

void rows_judge_must(struct rows_making *making, char beaten[RUNDIR_TEXT]) {
    const struct gate_policy *policy = making->policy;
    bool all = making->unmeasured == 0;
    for (size_t i = 0; i < making->trial_count; i++)
        if (making->trials[i].must) {
            all &= making->decisions[i].status > GATE_UNDECIDED;
            judge_must(making, i, &making->gate->rows[making->trials[i].row]);
        }
    for (size_t i = 0; i < policy->must_count && all; i++)
        if (new_baseline(policy, i))
            tell_beaten(making, policy->must[i].baseline, beaten);
}
