#include "reports/gate/gate_decide.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "timing/significance.h"

const char *const gate_status_words[] = {"slower", "undecided", "same", "maybe-faster", "faster"};

/* Against "side times ln(t_candidate / t_reference) is at most the limit", by the fresh visits. */
static double test(const struct gate_evidence *evidence, double side, double limit) {
    if (!evidence->confirming)
        return 1;
    const struct estimate_log log = estimate_log(evidence->confirming, evidence->stored);
    return significance_above(side * log.mean - limit, log.error);
}

/* Of one of the tests. */
static double level_of(size_t suspects, double alpha) {
    return alpha / (suspects ? (double)suspects : 1);
}

static bool is_cleared(const struct gate_decision *decision, const struct gate_evidence *evidence) {
    return decision->is.low > 1 / (1 + evidence->margin);
}

/* From the screening visits or, of a suspect that was measured again, the confirming ones alone. */
static void put_visits(const struct gate_evidence *evidence, struct gate_decision *decision) {
    decision->is = estimate_over(evidence->screening, evidence->stored);
    decision->suspect = estimate_disturbed(evidence->screening) || !is_cleared(decision, evidence);
    decision->confirmed = decision->suspect && evidence->confirming;
    if (decision->confirmed)
        decision->is = estimate_over(evidence->confirming, evidence->stored);
    decision->cleared = decision->suspect == decision->confirmed && is_cleared(decision, evidence);
    decision->p = NAN;
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
    return decision->confirmed && test(evidence, -1, 0) <= level_of(suspects, alpha)
               ? GATE_FASTER
               : GATE_MAYBE_FASTER;
}

void gate_decide(const struct gate_evidence *list, size_t count, double alpha,
                 struct gate_decision *decisions) {
    double *p = need(2 * count, sizeof *p), *adjusted = p + count;
    size_t suspects = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        put_visits(&list[i], &decisions[i]);
        if (decisions[i].suspect)
            p[suspects++] = test(&list[i], 1, log1p(list[i].margin));
    }
    significance_holm(p, suspects, adjusted);
    for (size_t i = 0; i < count; i++) {
        if (decisions[i].suspect)
            decisions[i].p = adjusted[at++];
        decisions[i].status = judge(&list[i], &decisions[i], suspects, alpha);
    }
    free(p);
}
