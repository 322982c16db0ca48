/* Policy files. */
#include "correctness/audit/finding.h"

#include "tests/fuzz/fuzz.h"

void fuzz_audit_policy(const uint8_t *data, size_t size) {
    struct audit_policy policy;
    if (audit_policy_read(fuzz_put("policy.ini", data, size), &policy) < 0)
        return;
    fuzz_read++;
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        fuzz_promise(policy.level[kind] <= LEVEL_REJECT);
}
