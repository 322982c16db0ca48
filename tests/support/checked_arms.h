/* For tests of checks: a unit whose arms are checked. Include after fake_unit.h. */
#ifndef TESTS_SUPPORT_CHECKED_ARMS_H
#define TESTS_SUPPORT_CHECKED_ARMS_H

#include "bench/checks/checks.h"
#include "tests/support/asserts.h"
#include "tests/support/fake_unit.h"

/* With a runner that has the unit's shape. */
static inline int open_unit(void **state) {
    fake_unit(state);
    return unit_open_runner(&context);
}

static inline struct arm_state *check_candidate(void) {
    assert_int_equal(checks_kernel(&context, UNIT_CANDIDATE), 0);
    return &context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]];
}

static inline void outcome_is(const struct arm_state *arm, enum outcome outcome,
                              const char *detail) {
    assert_string_equal(outcome_word(arm->outcome), outcome_word(outcome));
    if (!strstr(arm->row.detail, detail))
        fail_msg("detail lacks \"%s\": %s", detail, arm->row.detail);
}

#endif
