/* A gate's policy. */
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
            fuzz_promise(gate_policy_must(policy, policy->must[j].baseline, class->name) ==
                         (!policy->must[j].classes ||
                          (policy->must[j].classes >> (class - policy->classes) & 1)));
        const struct gate_known *known = gate_policy_known(policy, shapes[i], "mine");
        fuzz_promise(!known || (known->limit > 0 && *known->pattern && known->line > 0));
    }
}

void fuzz_gate_policy(const uint8_t *data, size_t size) {
    struct gate_policy policy;
    fuzz_put("policy.ini", data, size);
    if (gate_policy_read(fuzz_path("policy.ini"), &policy) < 0)
        return;
    fuzz_read++;
    promise_policy(&policy);
    gate_policy_free(&policy);
}
