/* What a gate says of rows whose visits are made up. How often it errs: test_gate_simulation. */
#include "reports/gate/gate_decide.h"

#include <math.h>

#include "tests/support/test.h"

#define ALPHA 0.01
#define MARGIN 0.02

/* Visits about ln(1 + slower). */
static struct pair pair_of(double slower, size_t visits, double scatter) {
    struct pair pair = {.visits = visits, .used = {scatter * scatter, 60}};
    for (size_t i = 0; i < visits; i++)
        pair.x[i] = log1p(slower) + (i % 2 ? scatter : -scatter);
    return pair;
}

static struct gate_evidence row_of(const struct pair *screening, const struct pair *confirming) {
    return (struct gate_evidence){
        .screening = screening, .confirming = confirming, .margin = MARGIN};
}

/* By how much the screening and the confirming visits are slower. NaN: it was not measured again. */
TEST(both_stages_have_their_say) {
    static const struct {
        double screening, confirming;
        enum gate_status status;
        bool suspect;
    } cases[] = {
        {0.2, NAN, GATE_UNDECIDED, true},      {0, NAN, GATE_SAME, false},
        {-0.2, NAN, GATE_MAYBE_FASTER, false}, {0.02, NAN, GATE_UNDECIDED, true},
        {0.2, 0.2, GATE_SLOWER, true},         {0.02, 0, GATE_SAME, true},
        {0.02, 0.02, GATE_UNDECIDED, true},    {0.02, -0.2, GATE_FASTER, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool again = !isnan(cases[i].confirming);
        const struct pair screening = pair_of(cases[i].screening, 4, 0.005),
                          confirming = again ? pair_of(cases[i].confirming, 12, 0.005) : screening;
        const struct gate_evidence row = row_of(&screening, again ? &confirming : NULL);
        struct gate_decision decision;
        gate_decide(&row, 1, ALPHA, &decision);
        if (decision.status != cases[i].status || decision.suspect != cases[i].suspect ||
            decision.confirmed != again)
            fail_msg("case %zu: status %d, suspect %d, confirmed %d", i, (int)decision.status,
                     decision.suspect, decision.confirmed);
    }
}
