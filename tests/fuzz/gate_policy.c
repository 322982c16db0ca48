/* A gate's policy. */
#include "reports/gate/gate_rows.h"

#include <math.h>

#include "reports/pairs/pairs.h"
#include "reports/query/query.h"
#include "tests/fuzz/fuzz.h"

static void promise_policy(const struct gate_policy *policy) {
    fuzz_promise(policy->alpha > 0 && policy->alpha < 1 && policy->margin > 0);
    fuzz_promise(policy->screening_visits > 1 && policy->screening_visits <= PAIRS_VISITS);
    fuzz_promise(policy->confirm_visits > 1 && policy->confirm_visits <= PAIRS_VISITS);
    fuzz_promise(policy->coverage >= 0 && policy->coverage <= 1 && policy->disturbed <= 1);
    fuzz_promise(policy->class_count > 0 && policy->class_count <= GATE_CLASSES);
    fuzz_promise(isinf(policy->classes[policy->class_count - 1].largest));
    for (size_t i = 0; i < policy->class_count; i++)
        fuzz_promise(*policy->classes[i].name && policy->classes[i].margin > 0);
    for (size_t i = 0; i < policy->known_count; i++)
        fuzz_promise(policy->known[i].limit > 0 && *policy->known[i].pattern &&
                     policy->known[i].line > 0);
    for (size_t i = 0; i < policy->must_count; i++)
        fuzz_promise(!(policy->must[i].classes >> policy->class_count));
}

/* Of every shape the tables say one class. */
static void promise_placed(const struct gate_policy *policy) {
    struct gate gate = {0};
    gate_open(&gate);
    gate_load_policy(gate.db, policy);
    query_run(gate.db, "CREATE TEMP TABLE made (m, n, k, candidate, mode, lens, reference, why);"
                       "INSERT INTO made VALUES (1, 1, 1, 'mine', '', 'device', '', ''), "
                       "(64, 4096, 64, 'mine', '', 'device', '', ''), "
                       "(1048576, 1048576, 1048576, 'mine', '', 'device', '', ''), "
                       "(8192, 8192, 8192, 'mine', '', 'device', '', '')");
    query_add_pairs(gate.db, "run", &(struct pairs){0});
    query_run(gate.db, query_gate_placed);
    fuzz_promise(query_one(gate.db, "SELECT count(*) = 4 AND min(ordinary) > 0 FROM placed") == 1);
    gate_free(&gate);
}

void fuzz_gate_policy(const uint8_t *data, size_t size) {
    struct gate_policy policy;
    fuzz_put("policy.ini", data, size);
    if (gate_policy_read(fuzz_path("policy.ini"), &policy) < 0)
        return;
    fuzz_read++;
    promise_policy(&policy);
    promise_placed(&policy);
    gate_policy_free(&policy);
}
