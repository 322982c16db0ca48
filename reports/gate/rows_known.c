#include "reports/gate/rows_making.h"

/* Whether the entry covers a row that is, or may be, slower than the ordinary margin allows. */
static bool is_needed(const struct rows_making *making, const struct gate_known *known) {
    for (size_t i = 0; i < making->gate->count; i++) {
        const struct gate_row *row = &making->gate->rows[i];
        const double ordinary = gate_policy_class(making->policy, row->shape)->margin;
        const bool cleared = row->status >= GATE_SAME && row->ci_low > 1 / (1 + ordinary);
        if (!cleared && gate_policy_known(making->policy, row->shape, row->candidate,
                                          making->of->call->today) == known)
            return true;
    }
    return false;
}

void rows_examine_known(const struct rows_making *making) {
    const struct gate_policy *policy = making->policy;
    const struct rows *rows = &making->of->run.rows;
    for (size_t i = 0; i < policy->known_count; i++) {
        const struct gate_known *known = &policy->known[i];
        const bool expired = gate_known_expired(known, making->of->call->today);
        bool matches = false;
        for (size_t j = 0; j < rows->check_count && !matches; j++)
            matches = *rows->checks[j].candidate &&
                      gate_known_matches(known, rows->checks[j].shape, rows->checks[j].candidate);
        if (expired && matches)
            gate_warn(making->gate,
                      "%.200s:%d: [%s] expired on %s and is not applied: remove or renew it",
                      policy->known_file, known->line, known->pattern, known->expires);
        else if (!expired && !is_needed(making, known))
            gate_warn(making->gate, "%.200s:%d: [%s] covers %s: remove it", policy->known_file,
                      known->line, known->pattern,
                      matches ? "nothing that is slower" : "no kernel of this run");
    }
}
