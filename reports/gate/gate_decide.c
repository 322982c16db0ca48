#include "reports/gate/gate_decide.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "reports/pairs/estimate.h"
#include "timing/significance.h"
#include "timing/stats.h"
#include "timing/tails.h"

/* The stored mean is within this of the true one, to either side, with that one-sided confidence.
 */
static double stored_half(const struct gate_stored *stored, double confidence) {
    return stored->error > 0 ? stored->error * tails_student_quantile(confidence, stored->freedom)
                             : 0;
}

double gate_stored_bound(const struct gate_stored *stored, size_t tests, double stage_alpha) {
    return stored_half(stored, 1 - stage_alpha / 2 / (tests ? (double)tests : 1));
}

/* Of the screening's mean; NaN of one round. */
static double screening_error(const struct gate_evidence *evidence) {
    return sqrt(evidence->spread.variance / (double)evidence->screening_count);
}

/* ln(t_candidate / t_reference) by a stage's rounds, with the interval of reports/pairs/estimate.h.
 */
static struct significance_bounds bounds_of(const double *x, size_t count, struct moderation spread,
                                            const struct gate_stored *stored) {
    const double mean = stats_mean(x, count) - stored->mean;
    const struct moderation own = {spread.variance / (double)count, spread.freedom};
    const struct moderation other = {stored->error * stored->error, stored->freedom};
    const double half = spread.freedom > 0
                            ? estimate_half(stored->error > 0 ? moderation_sum(own, other) : own)
                            : INFINITY;
    return (struct significance_bounds){mean, mean - half, mean + half, sqrt(spread.variance)};
}

static bool is_cleared(const struct significance_bounds *bounds,
                       const struct gate_evidence *evidence) {
    return bounds->high < log1p(evidence->margin);
}

/* Of alpha, what the rounds of a stage may use: the stored ones have the other half of it. */
static double own_alpha(const struct gate_evidence *evidence, double alpha) {
    return GATE_STAGE_SHARE * (evidence->stored.error > 0 ? alpha / 2 : alpha);
}

/* How many of the suspects so many rounds would confirm. */
static double confirmable(const struct gate_evidence *list, const struct gate_decision *decisions,
                          size_t count, size_t suspects, size_t rounds, size_t spare, double alpha,
                          double beyond) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double sd = sqrt(list[i].spread.variance);
        const double off = gate_stored_bound(&list[i].stored, suspects, GATE_STAGE_SHARE * alpha);
        if (decisions[i].suspect)
            sum += significance_power(rounds, spare, sd > 0 ? (beyond - off) / sd : 0);
    }
    return sum;
}

size_t gate_confirm_rounds(const struct gate_evidence *list, const struct gate_decision *decisions,
                           size_t count, double alpha, double beyond, int least) {
    size_t suspects = 0, rounds[2];
    double found[2], own = GATE_STAGE_SHARE * alpha;
    for (size_t i = 0; i < count; i++) {
        suspects += decisions[i].suspect;
        own = fmin(own, own_alpha(&list[i], alpha));
    }
    for (size_t spare = 0; spare < 2; spare++) {
        rounds[spare] = significance_rounds(suspects ? suspects : 1, own, spare);
        rounds[spare] = rounds[spare] > (size_t)least ? rounds[spare] : (size_t)least;
        found[spare] =
            confirmable(list, decisions, count, suspects, rounds[spare], spare, alpha, beyond);
    }
    return rounds[found[1] - found[0] > 0.01 * (double)suspects];
}

/* Against "the screening is of a row that is at most its margin slower"; a disturbed one and one
 * that does not scatter show nothing. */
static double test_screening(const struct gate_evidence *evidence, size_t tests, double alpha) {
    const double excess = stats_mean(evidence->screening, evidence->screening_count) -
                          evidence->stored.mean - log1p(evidence->margin + evidence->near) -
                          gate_stored_bound(&evidence->stored, tests, GATE_STAGE_SHARE * alpha);
    const double error = screening_error(evidence);
    if (evidence->disturbed || !(error > 0))
        return 1;
    return (excess > 0 ? 0.5 : 1) * tails_student(excess / error, evidence->spread.freedom);
}

/* Against "side times x is at most `beyond`" of the confirming rounds, where x is relative to the
 * stored mean. What the stored mean may be off counts for the hypothesis. */
static double test(const struct gate_evidence *evidence, double side, double beyond, size_t tests,
                   double alpha) {
    const double off = gate_stored_bound(&evidence->stored, tests, GATE_STAGE_SHARE * alpha);
    double x[PAIRS_VISITS];
    for (size_t i = 0; i < evidence->confirming_count; i++)
        x[i] = side * (evidence->confirming[i] - evidence->stored.mean) - beyond - off;
    return significance_above(x, evidence->confirming_count);
}

/* From the screening rounds or, of a suspect that was measured again, the confirming ones alone. */
static void put_rounds(const struct gate_evidence *evidence, struct gate_decision *decision) {
    struct significance_bounds bounds = bounds_of(evidence->screening, evidence->screening_count,
                                                  evidence->spread, &evidence->stored);
    decision->suspect =
        decision->status != GATE_SLOWER && (evidence->disturbed || !is_cleared(&bounds, evidence));
    decision->confirmed = decision->suspect && evidence->confirming_count > 0;
    decision->rounds = evidence->screening_count;
    if (decision->confirmed) {
        decision->rounds = evidence->confirming_count;
        bounds = bounds_of(evidence->confirming, decision->rounds, evidence->confirm_spread,
                           &evidence->stored);
    }
    decision->cleared = decision->suspect == decision->confirmed && is_cleared(&bounds, evidence);
    decision->mean = bounds.mean;
    decision->low = bounds.low;
    decision->high = bounds.high;
    decision->sd = bounds.sd;
}

static enum gate_status judge(const struct gate_evidence *evidence,
                              const struct gate_decision *decision, size_t suspects, double alpha) {
    if (decision->p <= alpha)
        return GATE_SLOWER;
    if (!decision->cleared)
        return GATE_UNDECIDED;
    if (verdict_of(exp(-decision->high), exp(-decision->low), evidence->margin) != VERDICT_FASTER)
        return GATE_SAME;
    return decision->confirmed && test(evidence, -1, 0, suspects, alpha) * (double)suspects <=
                                      own_alpha(evidence, alpha)
               ? GATE_FASTER
               : GATE_MAYBE_FASTER;
}

/* A p-value that is to be held against the part of alpha that the row's rounds may use becomes one
 * to be held against alpha. */
static double whole(const struct gate_evidence *evidence, double p, double alpha) {
    return fmin(1, p * (alpha / own_alpha(evidence, alpha)));
}

/* All rows by the screening; p and adjusted have room for them. */
static void decide_screening(const struct gate_evidence *list, size_t count, double alpha,
                             struct gate_decision *decisions, double *p, double *adjusted) {
    for (size_t i = 0; i < count; i++)
        p[i] = test_screening(&list[i], count, alpha);
    significance_holm(p, count, adjusted);
    for (size_t i = 0; i < count; i++) {
        decisions[i].p = whole(&list[i], adjusted[i], alpha);
        decisions[i].status = decisions[i].p <= alpha ? GATE_SLOWER : GATE_UNDECIDED;
        put_rounds(&list[i], &decisions[i]);
        if (decisions[i].cleared && !decisions[i].suspect)
            decisions[i].p = NAN;
    }
}

int gate_decide(const struct gate_evidence *list, size_t count, double alpha,
                struct gate_decision *decisions) {
    double *p = calloc(2 * count + 1, sizeof *p), *adjusted = p ? p + count : NULL;
    size_t suspects = 0, at = 0;
    if (!p)
        return error("no memory for the tests of %zu rows", count);
    decide_screening(list, count, alpha, decisions, p, adjusted);
    for (size_t i = 0; i < count; i++)
        suspects += decisions[i].suspect;
    for (size_t i = 0; i < count; i++)
        if (decisions[i].suspect)
            p[at++] = test(&list[i], 1, log1p(list[i].margin), suspects, alpha);
    significance_holm(p, suspects, adjusted);
    at = 0;
    for (size_t i = 0; i < count; i++) {
        if (decisions[i].suspect)
            decisions[i].p = whole(&list[i], adjusted[at++], alpha);
        decisions[i].status = judge(&list[i], &decisions[i], suspects, alpha);
    }
    free(p);
    return 0;
}
