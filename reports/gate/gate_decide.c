#include "reports/gate/gate_decide.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/error.h"

/* Each bound of the interval. */
#define ONE_SIDED ((1 + COMPARISON_CONFIDENCE) / 2)

static bool is_cleared(const struct significance_bounds *bounds,
                       const struct gate_evidence *evidence) {
    return bounds->high - evidence->stored.low < log1p(evidence->margin);
}

static struct significance_bounds screen(const struct gate_evidence *evidence, bool *suspect) {
    const struct significance_bounds bounds =
        significance_bounds(evidence->screening, evidence->screening_count, ONE_SIDED);
    *suspect = evidence->disturbed || !is_cleared(&bounds, evidence);
    return bounds;
}

bool gate_is_suspect(const struct gate_evidence *evidence) {
    bool suspect;
    screen(evidence, &suspect);
    return suspect;
}

size_t gate_confirm_rounds(size_t suspects, double alpha, int least) {
    const size_t rounds = significance_rounds(suspects ? suspects : 1, alpha);
    return rounds > (size_t)least ? rounds : (size_t)least;
}

/* Against "at most its margin slower". */
static double test_margin(const struct gate_evidence *evidence) {
    const double margin = evidence->stored.high + log1p(evidence->margin);
    double beyond[ROUND_SPEEDS_ROUNDS];
    for (size_t i = 0; i < evidence->confirming_count; i++)
        beyond[i] = evidence->confirming[i] - margin;
    return significance_above(beyond, evidence->confirming_count);
}

/* From the screening rounds or, of a suspect that was measured again, the confirming ones alone. */
static void put_rounds(const struct gate_evidence *evidence, struct gate_decision *decision) {
    struct significance_bounds bounds = screen(evidence, &decision->suspect);
    decision->confirmed = decision->suspect && evidence->confirming_count > 0;
    decision->rounds = evidence->screening_count;
    if (decision->confirmed) {
        decision->rounds = evidence->confirming_count;
        bounds = significance_bounds(evidence->confirming, decision->rounds, ONE_SIDED);
    }
    decision->cleared = decision->suspect == decision->confirmed && is_cleared(&bounds, evidence);
    decision->mean = bounds.mean - evidence->stored.mean;
    decision->low = bounds.low - evidence->stored.high;
    decision->high = bounds.high - evidence->stored.low;
    decision->sd = bounds.sd;
}

static enum gate_status judge(const struct gate_decision *decision, double alpha, double margin) {
    if (decision->confirmed && decision->p <= alpha)
        return GATE_SLOWER;
    if (!decision->cleared)
        return GATE_UNDECIDED;
    return comparison_judge(exp(-decision->high), exp(-decision->low), margin) == COMPARISON_FASTER
               ? GATE_FASTER
               : GATE_SAME;
}

int gate_decide(const struct gate_evidence *list, size_t count, double alpha,
                struct gate_decision *decisions) {
    double *p = calloc(2 * count + 1, sizeof *p), *adjusted = p ? p + count : NULL;
    size_t suspects = 0;
    if (!p)
        return error("no memory for the tests of %zu rows", count);
    for (size_t i = 0; i < count; i++) {
        put_rounds(&list[i], &decisions[i]);
        if (decisions[i].suspect)
            p[suspects++] = test_margin(&list[i]);
    }
    significance_holm(p, suspects, adjusted);
    for (size_t i = 0, suspect = 0; i < count; i++) {
        decisions[i].p = decisions[i].suspect ? adjusted[suspect++] : NAN;
        decisions[i].status = judge(&decisions[i], alpha, list[i].margin);
    }
    free(p);
    return 0;
}
