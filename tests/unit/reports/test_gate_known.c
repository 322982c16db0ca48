/* What a policy says of single rows: known slowdowns, and baselines that must be beaten. */

#include "reports/gate/gate.h"
#include "tests/support/doubles.h"
#include "tests/support/made_runs.h"
#include "tests/support/test.h"

static void add_known(const char *pattern, double limit) {
    policy.known = realloc(policy.known, (policy.known_count + 1) * sizeof *policy.known);
    assert_non_null(policy.known);
    struct gate_known *known = &policy.known[policy.known_count++];
    *known = (struct gate_known){.limit = limit, .line = (int)policy.known_count};
    strcpy(known->pattern, pattern);
}

TEST_WITH(test_known, set_up, tear_down) {
    make("run", &one_near);
    add_known("128x64x*", 0.08);
    assert_string_equal(judge(NULL, true), "pass");
    assert_string_equal(status_of(1), "known");
    assert_string_equal(row_of(1)->text, "line 1 of the policy lets it be 8 % slower");
    assert_double_near(row_of(1)->margin, 0.08, 0);
    assert_int_equal(gate.suspects, 0);
    assert_int_equal(warnings_with(""), 0);
}

TEST_WITH(test_known_is_not_enough, set_up, tear_down) {
    struct made slow = one_near, confirm = confirming(0.1);
    slow.kernels[1].slower = 0.1;
    make("run", &slow);
    make("run/confirm", &confirm);
    add_known("128x64x*", 0.08);
    assert_string_equal(judge(NULL, false), "regression");
    assert_string_equal(status_of(1), "slower");
    assert_int_equal(warnings_with(""), 0);
}

/* The library takes 10 us and a kernel 8 us, here 10.08, 10 and 8. */
TEST_WITH(test_must, set_up, tear_down) {
    make("run",
         &(struct made){
             .kernels = {{.slower = 0.26, .alone = true}, {.slower = 0.25, .alone = true}, {0}}});
    assert_string_equal(judge(NULL, false), "pass");
    add_must("cublas-max");
    /* Not confirmed, nobody is behind: both are measured again. */
    struct gate_suspects suspects;
    struct gate_call call = a_call(NULL);
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 2);
    assert_int_equal(suspects.visits, 56);
    gate_suspects_free(&suspects);
    assert_string_equal(judge(NULL, true), "inconclusive");
    make("run/confirm", &(struct made){.kernels = {{.slower = 0.26, .alone = true},
                                                   {.slower = 0.25, .alone = true},
                                                   {.absent = true}},
                                       .visits = 18});
    assert_string_equal(judge(NULL, false), "regression");
    assert_reason(
        "1 behind, 1 undecided, 1 same of 3 rows; the worst: 64x64x64 mine (offline, device) "
        "takes 0.8 %");
    assert_string_equal(status_of(0), "behind");
    assert_string_equal(row_of(0)->reference, "cublas-max");
    assert_double_near(row_of(0)->ratio, 1 / 1.008, 1e-3);
    assert_double_near(row_of(0)->reference_seconds, 10e-6, 2e-8);
    assert_double_near(row_of(0)->seconds, 10.08e-6, 2e-8);
    assert_double_near(row_of(0)->ci_low, row_of(0)->ratio, 0.01);
    assert_double_near(row_of(0)->ci_high, row_of(0)->ratio, 0.01);
    assert_double_near(row_of(0)->margin, 0, 0);
    assert_double_near(row_of(0)->visits, 18, 0);
    assert_string_equal(status_of(1), "undecided");
    assert_string_equal(status_of(2), "same");
    assert_string_equal(row_of(2)->text, "beats cublas-max by 1.25");
}

/* By the visits that the row rests on. */
TEST_WITH(test_must_confirmed, set_up, tear_down) {
    struct made slow = one_near, confirm = confirming(0);
    slow.kernels[1].slower = 0.3;
    slow.kernels[1].disturbed = true; /* else it would be decided at once */
    make("run", &slow);
    make("run/confirm", &confirm);
    add_must("cublas-max");
    assert_string_equal(judge(NULL, false), "pass");
    assert_string_equal(status_of(1), "same");
}

/* A row that is behind a library has all of its ratios to that: the kernel takes 8 us as before, the
 * library 7. */
TEST_WITH(test_must_has_one_reference, set_up, tear_down) {
    make("run", &(struct made){.library = 0.7, .two_lenses = true});
    make("run/confirm", &(struct made){.library = 0.7, .two_lenses = true, .visits = 17});
    add_must("cublas-max");
    assert_string_equal(judge(NULL, false), "regression");
    assert_string_equal(status_of(0), "behind");
    assert_double_near(row_of(0)->ratio, 0.875, 1e-3);
    assert_double_near(row_of(0)->device_ratio, 0.875, 1e-3);
    assert_double_near(row_of(0)->call_ratio, 0.875, 1e-3);
    assert_double_near(of_line(0, "behind"), KERNELS, 0);
}
