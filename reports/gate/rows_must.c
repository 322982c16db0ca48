#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/gate/rows_making.h"

/* The row against a baseline that it must beat, one of so many: that it is behind is said with
 * Bonferroni's share of the policy's alpha, so that all of them together raise a false alarm no
 * more often than that. */
static void judge_must(const struct round_speed *speed, double alpha, size_t asked,
                       struct gate_row *row) {
    const struct significance_bounds bounds =
        significance_bounds(speed->x, speed->rounds, (1 + COMPARISON_CONFIDENCE) / 2);
    const struct significance_bounds sure =
        significance_bounds(speed->x, speed->rounds, 1 - alpha / (double)asked);
    const enum gate_status status = sure.low > 0      ? GATE_BEHIND
                                    : bounds.high < 0 ? GATE_STATUS_COUNT
                                                      : GATE_UNDECIDED;
    if (status >= row->status)
        return;
    row->status = status;
    row->margin = 0;
    row->detectable = NAN;
    row->rounds = (double)speed->rounds;
    row->seconds = speed->seconds;
    row->reference_seconds = speed->reference_seconds;
    rows_put_ratio(row, bounds.mean, bounds.low, bounds.high);
    snprintf(row->reference, sizeof row->reference, "%s", speed->reference);
    snprintf(row->text, sizeof row->text,
             status == GATE_BEHIND ? "must beat %s and is slower" : "must beat %s, not shown to",
             speed->reference);
}

static bool must_beat(const struct rows_making *making, const struct gate_row *row,
                      const char *baseline) {
    return *row->lens && gate_policy_must(making->policy, baseline, row->size_class);
}

static size_t run_baseline(struct rows_making *making, const char *baseline, size_t all) {
    const struct gate_case *of = making->of;
    size_t asked = 0, unmeasured = 0;
    for (size_t i = 0; i < making->gate->count; i++) {
        struct gate_row *row = &making->gate->rows[i];
        struct round_speed like = {.shape = row->shape};
        if (!must_beat(making, row, baseline))
            continue;
        snprintf(like.candidate, sizeof like.candidate, "%s", row->candidate);
        snprintf(like.mode, sizeof like.mode, "%s", row->mode);
        snprintf(like.lens, sizeof like.lens, "%s", row->lens);
        const struct round_speed *speed = round_speeds_find(
            row->confirmed ? &of->confirm.speeds : &of->run.speeds, &like, baseline);
        asked++;
        if (!speed)
            unmeasured++;
        else if (row->status != GATE_ENVIRONMENT)
            judge_must(speed, making->policy->alpha, all, row);
    }
    if (unmeasured)
        gate_warn(
            making->gate,
            "%s must be beaten and was not measured beside %zu of %zu rows: add it to --baselines",
            baseline, unmeasured, asked);
    return unmeasured;
}

/* The i-th baseline that must be beaten, or NULL where an earlier line names it, too. */
static const char *new_baseline(const struct gate_policy *policy, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (strcmp(policy->must[j].baseline, policy->must[i].baseline) == 0)
            return NULL;
    return policy->must[i].baseline;
}

size_t rows_judge_must(struct rows_making *making) {
    const struct gate_policy *policy = making->policy;
    size_t unmeasured = 0, all = 0;
    for (size_t i = 0; i < policy->must_count; i++)
        for (size_t j = 0; new_baseline(policy, i) && j < making->gate->count; j++)
            all += must_beat(making, &making->gate->rows[j], policy->must[i].baseline);
    for (size_t i = 0; i < policy->must_count; i++)
        if (new_baseline(policy, i))
            unmeasured += run_baseline(making, policy->must[i].baseline, all);
    return unmeasured;
}
