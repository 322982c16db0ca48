#include "reports/gate/gate_decide.h"

#include <math.h>
#include <stdlib.h>

#include "bench/error.h"

/* Each bound of the interval. */
#define ONE_SIDED ((1 + COMPARISON_CONFIDENCE) / 2)

static bool is_cleared(const struct significance_bounds *bounds,
                       const struct gate_evidence *evidence) {
    return bounds->high - evidence->stored.high < log1p(evidence->margin);
}

bool gate_is_suspect(const struct gate_evidence *evidence) {
    const struct significance_bounds bounds =
        significance_bounds(evidence->screening, evidence->screening_count, ONE_SIDED);
    return evidence->disturbed || !is_cleared(&bounds, evidence);
}

size_t gate_confirm_rounds(size_t suspects, double alpha, int least) {
    const size_t rounds = significance_rounds(suspects ? suspects : 1, alpha);
    return rounds > (size_t)least ? rounds : (size_t)least;
}

/* Against "at most its margin slower". */
static double test_margin(const struct gate_evidence *evidence) {
    const double margin = evidence->stored.high + log1p(evidence->margin);
    double beyond[LEVELS_ROUNDS];
    for (size_t i = 0; i < evidence->confirming_count; i++)
        beyond[i] = evidence->confirming[i] - margin;
    return significance_above(beyond, evidence->confirming_count);
}

static enum gate_status judge(const struct gate_evidence *evidence, double alpha,
                              const struct significance_bounds *bounds,
                              const struct gate_decision *decision) {
    if (decision->confirmed && decision->p <= alpha)
        return GATE_SLOWER;
    if ((decision->suspect && !decision->confirmed) || !is_cleared(bounds, evidence))
        return GATE_UNDECIDED;
    return comparison_judge(exp(-decision->high), exp(-decision->low), evidence->margin) ==
                   COMPARISON_FASTER
               ? GATE_FASTER
               : GATE_SAME;
}

static void decide_one(const struct gate_evidence *evidence, double alpha,
                       struct gate_decision *decision) {
    const bool again = decision->confirmed;
    const double *x = again ? evidence->confirming : evidence->screening;
    decision->rounds = again ? evidence->confirming_count : evidence->screening_count;
    const struct significance_bounds bounds = significance_bounds(x, decision->rounds, ONE_SIDED);
    decision->mean = bounds.mean - evidence->stored.mean;
    decision->low = bounds.low - evidence->stored.high;
    decision->high = bounds.high - evidence->stored.low;
    decision->sd = bounds.sd;
    decision->status = judge(evidence, alpha, &bounds, decision);
}

int gate_decide(const struct gate_evidence *list, size_t count, double alpha,
                struct gate_decision *decisions) {
    double *p = calloc(2 * count + 1, sizeof *p), *adjusted = p ? p + count : NULL;
    size_t suspects = 0;
    if (!p)
        return error("no memory for the tests of %zu rows", count);
    for (size_t i = 0; i < count; i++) {
        const bool suspect = gate_is_suspect(&list[i]);
        decisions[i] = (struct gate_decision){
            .suspect = suspect, .confirmed = suspect && list[i].confirming_count > 0, .p = NAN};
        if (suspect)
            p[suspects++] = test_margin(&list[i]);
    }
    significance_holm(p, suspects, adjusted);
    for (size_t i = 0, suspect = 0; i < count; i++) {
        if (decisions[i].suspect)
            decisions[i].p = adjusted[suspect++];
        decide_one(&list[i], alpha, &decisions[i]);
    }
    free(p);
    return 0;
}
