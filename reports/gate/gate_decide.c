#include "reports/gate/gate_decide.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "timing/significance.h"

/* Against "side times ln(t_candidate / t_reference) is at most the limit". */
static double test(const struct pair *pair, const struct pair *stored, double side, double limit) {
    const struct estimate_log log = estimate_log(pair, stored);
    return significance_above(side * log.mean - limit, log.error);
}

/* A disturbed row shows nothing, and one that tunes itself too few of its choices. */
static double test_screening(const struct gate_evidence *evidence) {
    return evidence->tunes || estimate_disturbed(evidence->screening)
               ? 1
               : test(evidence->screening, evidence->stored, 1,
                      log1p(evidence->margin + evidence->near));
}

static double test_confirming(const struct gate_evidence *evidence, double side, double limit) {
    return evidence->confirming ? test(evidence->confirming, evidence->stored, side, limit) : 1;
}

/* The error that so many visits would have that scatter as those of the pair. */
static struct moderation error_of(const struct pair *pair, const struct pair *stored,
                                  size_t visits) {
    struct pair as = *pair;
    as.visits = pair->visits > 1 ? visits : pair->visits;
    return estimate_log(&as, stored).error;
}

/* How many of the suspects so many visits would find. */
static double found_by(const struct gate_evidence *list, const struct gate_decision *decisions,
                       size_t count, size_t visits, double level) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (decisions[i].suspect)
            sum += significance_power(log1p(list[i].margin + list[i].near) - log1p(list[i].margin),
                                      error_of(list[i].screening, list[i].stored, visits), level);
    return sum;
}

/* Of one test of the second stage. */
static double level_of(size_t suspects, double alpha) {
    return GATE_STAGE_SHARE * alpha / (suspects ? (double)suspects : 1);
}

size_t gate_confirm_visits(const struct gate_evidence *list, const struct gate_decision *decisions,
                           size_t count, double alpha, int least) {
    size_t suspects = 0, low = (size_t)least, high = GATE_VISITS_MOST;
    for (size_t i = 0; i < count; i++)
        suspects += decisions[i].suspect;
    const double level = level_of(suspects, alpha);
    const double enough =
        found_by(list, decisions, count, high, level) - (1 - GATE_FOUND) * (double)suspects;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (found_by(list, decisions, count, middle, level) < enough)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double gate_detectable(const struct gate_evidence *evidence, const struct gate_decision *decision,
                       size_t suspects, size_t visits, double alpha) {
    const struct pair *pair = decision->confirmed ? evidence->confirming : evidence->screening;
    return expm1(log1p(evidence->margin) +
                 significance_detectable(error_of(pair, evidence->stored, visits),
                                         level_of(suspects, alpha)));
}

static bool is_cleared(const struct gate_decision *decision, const struct gate_evidence *evidence) {
    return decision->is.low > 1 / (1 + evidence->margin);
}

/* From the screening visits or, of a suspect that was measured again, the confirming ones alone. */
static void put_visits(const struct gate_evidence *evidence, struct gate_decision *decision) {
    decision->is = estimate_over(evidence->screening, evidence->stored);
    decision->suspect =
        decision->status != GATE_SLOWER &&
        (estimate_disturbed(evidence->screening) || !is_cleared(decision, evidence));
    decision->confirmed = decision->suspect && evidence->confirming;
    if (decision->confirmed)
        decision->is = estimate_over(evidence->confirming, evidence->stored);
    decision->cleared = decision->suspect == decision->confirmed && is_cleared(decision, evidence);
}

static enum gate_status judge(const struct gate_evidence *evidence,
                              const struct gate_decision *decision, size_t suspects, double alpha) {
    const struct estimate *is = &decision->is;
    if (decision->p <= alpha)
        return GATE_SLOWER;
    if (!decision->cleared)
        return GATE_UNDECIDED;
    if (verdict_of(is->low, is->high, evidence->margin) != VERDICT_FASTER)
        return GATE_SAME;
    return decision->confirmed && test_confirming(evidence, -1, 0) <= level_of(suspects, alpha)
               ? GATE_FASTER
               : GATE_MAYBE_FASTER;
}

/* Of one stage's tests to one that is to be held against all of alpha. */
static double whole(double p) {
    return fmin(1, p / GATE_STAGE_SHARE);
}

/* All rows by the screening; p and adjusted have room for them. */
static void decide_screening(const struct gate_evidence *list, size_t count, double alpha,
                             struct gate_decision *decisions, double *p, double *adjusted) {
    for (size_t i = 0; i < count; i++)
        p[i] = test_screening(&list[i]);
    significance_holm(p, count, adjusted);
    for (size_t i = 0; i < count; i++) {
        decisions[i].p = whole(adjusted[i]);
        decisions[i].status = decisions[i].p <= alpha ? GATE_SLOWER : GATE_UNDECIDED;
        put_visits(&list[i], &decisions[i]);
        if (decisions[i].cleared && !decisions[i].suspect)
            decisions[i].p = NAN;
    }
}

void gate_decide(const struct gate_evidence *list, size_t count, double alpha,
                 struct gate_decision *decisions) {
    double *p = need(2 * count, sizeof *p), *adjusted = p + count;
    size_t suspects = 0, at = 0;
    decide_screening(list, count, alpha, decisions, p, adjusted);
    for (size_t i = 0; i < count; i++)
        if (decisions[i].suspect)
            p[suspects++] = test_confirming(&list[i], 1, log1p(list[i].margin));
    significance_holm(p, suspects, adjusted);
    for (size_t i = 0; i < count; i++) {
        if (decisions[i].suspect)
            decisions[i].p = whole(adjusted[at++]);
        decisions[i].status = judge(&list[i], &decisions[i], suspects, alpha);
    }
    free(p);
}
