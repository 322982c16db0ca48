/* The known regressions of a policy, and what they cover. */

#include <stdio.h>
#include <string.h>

#include "reports/gate/gate_policy.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define LONGEST "0123456789012345678901234567890123456789012345678901234567890123456789"

/* A policy with these lines. */
static const char *policy_of(const char *lines) {
    scratch_put("policy.ini", "[gate.known]\n%s", lines);
    return scratch_path("policy.ini");
}

TEST(bad_known_regressions_name_the_line) {
    static const struct {
        const char *lines, *says;
    } bad[] = {
        {"64x64 = 8 %\n", ":2: '64x64' is not MxNxK or MxNxK.LABEL"},
        {"64x64x64x64 = 8 %\n", ":2: '64x64x64x64' is not"},
        {"64_64_64 = 8 %\n", ":2: '64_64_64' is not"},
        {"64 x 64 x 64 = 8 %\n", ":2: '64 x 64 x 64' is not"},
        {"0x*x* = 8 %\n", ":2: '0x*x*' is not"},
        {"064x*x* = 8 %\n", ":2: '064x*x*' is not"},
        {"6*x*x* = 8 %\n", ":2: '6*x*x*' is not"},
        {"*6x*x* = 8 %\n", ":2: '*6x*x*' is not"},
        {"-1x*x* = 8 %\n", ":2: '-1x*x*' is not"},
        {"xx = 8 %\n", ":2: 'xx' is not"},
        {"*x*x1048577 = 8 %\n", ":2: '*x*x1048577' is not"},
        {"*x*x99999999999999999999 = 8 %\n", ":2: '*x*x99999999999999999999' is not"},
        {"*x*x*. = 8 %\n", ":2: '*x*x*.' is not"},
        {"*x*x*a = 8 %\n", ":2: '*x*x*a' is not"},
        {"*x*x*." LONGEST " = 8 %\n", ":2: '*x*x*.0123"},
        {"*x*x* = 8 %\n1x1x1 = 8 %\n*x*x* = 9 %\n", ":4: *x*x* is said already, at line 2"},
        {"*x*x* = 0.08\n", ":2: '0.08' is not a share"},
        {"*x*x* = 0 %\n", ":2: 0 % is not from 0.01 % to 1000 %"},
        {"*x*x* = 1001 %\n", ":2: 1001 % is not from"},
        {"*x*x* =\n", ":2: "},
        {"*x*x* = 8 %\n[gate.known]\n", ":3: [gate.known] is there already; make one of both"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gate_policy policy;
        char says[200];
        snprintf(says, sizeof says, "policy.ini%s", bad[i].says);
        assert_says(gate_policy_read(policy_of(bad[i].lines), &policy), -1, says);
        assert_null(policy.known);
    }
}

TEST(known_regressions_match_their_shapes) {
    static const struct {
        const char *pattern;
        struct shape shape;
        bool matches;
    } cases[] = {
        {"64x*x8192", {64, 1, 8192}, true},
        {"64x*x8192", {64, 999, 8192}, true},
        {"64x*x8192", {64, 1, 819}, false},
        {"64x*x8192", {64, 1, 81920}, false},
        {"64x*x8192", {6, 1, 8192}, false},
        {"64x*x8192", {8192, 1, 64}, false},
        {"*x*x*", {1, 2, 3}, true},
        {"1x2x3", {1, 2, 3}, true},
        {"1x2x3", {1, 3, 2}, false},
        {"1x2x3.blocked", {1, 2, 3}, true},
        {"1x2x4.blocked", {1, 2, 3}, false},
        {"1x2x3.block", {1, 2, 3}, false},
        {"1x2x3.blocked.v2", {1, 2, 3}, false},
        {"*x*x*.blocked", {7, 8, 9}, true},
        {"*x*x*.x8192.blocked", {7, 8, 9}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gate_known known = {.limit = 0.1};
        strcpy(known.pattern, cases[i].pattern);
        if (gate_known_matches(&known, cases[i].shape, "blocked") != cases[i].matches)
            fail_msg("%s", cases[i].pattern);
    }
    struct gate_known dotted = {.pattern = "1x*x3.a.b"};
    assert_true(gate_known_matches(&dotted, (struct shape){1, 2, 3}, "a.b"));
    assert_false(gate_known_matches(&dotted, (struct shape){1, 2, 3}, "a"));
}

TEST(the_largest_limit_counts) {
    const struct shape shape = {64, 64, 8192};
    struct gate_policy policy;
    assert_int_equal(gate_policy_read(policy_of("64x*x8192.blocked = 8 %\n*x*x*.blocked = 5 %\n"
                                                "64x64x* = 3 % ; why\n1x1x1 = 90 %\n"),
                                      &policy),
                     0);
    assert_int_equal(policy.known_count, 4);
    assert_ptr_equal(gate_policy_known(&policy, shape, "blocked"), &policy.known[0]);
    assert_ptr_equal(gate_policy_known(&policy, shape, "other"), &policy.known[2]);
    assert_true(policy.known[2].limit == 0.03);
    assert_int_equal(policy.known[2].line, 4);
    assert_null(gate_policy_known(&policy, (struct shape){2, 2, 2}, "other"));
    gate_policy_free(&policy);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
