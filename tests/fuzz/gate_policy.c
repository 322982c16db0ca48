/* A gate's policy, and its known regressions as known.ini. */
#include "reports/gate/gate_policy.h"

#include <math.h>
#include <string.h>

#include "reports/pairs/pairs.h"
#include "tests/fuzz/fuzz.h"

static void promise_policy(const struct gate_policy *policy) {
    static const struct shape shapes[] = {
        {1, 1, 1}, {64, 4096, 64}, {1048576, 1048576, 1048576}, {8192, 8192, 8192}};
    fuzz_promise(policy->alpha > 0 && policy->alpha < 1 && policy->margin > 0);
    fuzz_promise(policy->screening_visits > 1 && policy->screening_visits <= PAIRS_VISITS);
    fuzz_promise(policy->confirm_visits > 1 && policy->confirm_visits <= PAIRS_VISITS);
    fuzz_promise(policy->coverage >= 0 && policy->coverage <= 1 && policy->disturbed <= 1);
    fuzz_promise(policy->class_count > 0 && policy->class_count <= GATE_CLASSES);
    fuzz_promise(isinf(policy->classes[policy->class_count - 1].largest));
    for (size_t i = 0; i < policy->class_count; i++)
        fuzz_promise(*policy->classes[i].name && policy->classes[i].margin > 0);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct gate_class *class = gate_policy_class(policy, shapes[i]);
        fuzz_promise(class < policy->classes + policy->class_count);
        for (size_t j = 0; j < policy->must_count; j++)
            if (!*policy->must[j].size_class ||
                strcmp(policy->must[j].size_class, class->name) == 0)
                fuzz_promise(gate_policy_must(policy, policy->must[j].baseline, class->name));
        const struct gate_known *known = gate_policy_known(policy, shapes[i], "mine", "2026-11-21");
        fuzz_promise(!known || (known->limit > 0 && *known->reason && *known->link));
        fuzz_promise(!known || strcmp(known->expires, "2026-11-21") >= 0);
    }
}

void fuzz_gate_policy(const uint8_t *data, size_t size) {
    static const char *const names[] = {"policy.ini", "known.ini"};
    struct fuzz_part parts[2];
    struct gate_policy policy;
    fuzz_split(data, size, parts, 2);
    fuzz_put_parts(names, parts, 2);
    if (gate_policy_read(fuzz_path(names[0]), &policy) < 0)
        return;
    fuzz_read++;
    promise_policy(&policy);
    gate_policy_free(&policy);
}
