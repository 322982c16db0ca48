/* Gates on a machine that was disturbed, or whose controls failed: they convict no kernel. */

#include "reports/gate/gate.h"
#include "tests/support/doubles.h"
#include "tests/support/made_runs.h"
#include "tests/support/test.h"

TEST_WITH(test_environment, set_up, tear_down) {
    struct gate_suspects suspects;
    struct made disturbed = one_near;
    disturbed.kernels[0].disturbed = true;
    make("run", &disturbed);
    assert_string_equal(judge(NULL, false), "environment");
    assert_reason("disturbed while 1 of 3 rows");
    assert_string_equal(status_of(0), "environment");
    assert_true(strstr(row_of(0)->text, "25 % of its blocks"));
    policy.disturbed = 0.4;
    assert_string_equal(judge(NULL, false), "inconclusive"); /* for another one */
    assert_warning("1 of 3 rows were disturbed, which the policy lets pass");
    assert_int_equal(warnings_with(""), 1);
    struct gate_call call = a_call(NULL);
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 2); /* it is measured again */
    gate_suspects_free(&suspects);
}

/* A slowdown that disturbed visits confirm does not fail the gate, and does not vanish either. */
TEST_WITH(test_environment_slower, set_up, tear_down) {
    struct made confirm = confirming(0.04);
    confirm.kernels[1].disturbed = true;
    policy.disturbed = 0.4;
    make("run", &one_near);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "pass");
    assert_string_equal(status_of(1), "environment");
    assert_warning("1 of the disturbed rows would be confirmed slowdowns");
    assert_int_equal(warnings_with(""), 2);
}

TEST_WITH(test_controls_of_confirm, set_up, tear_down) {
    struct made confirm = confirming(0);
    confirm.controls_failed = true;
    make("run", &one_near);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "environment");
    assert_reason("run/confirm failed");
}

/* Nothing is measured again, and no kernel is convicted by such times. */
TEST_WITH(test_controls, set_up, tear_down) {
    struct gate_suspects suspects;
    struct made deaf = one_slow, confirm = confirming(0.05);
    deaf.controls_failed = true;
    deaf.kernels[2].slower = 0.025;
    make("run", &deaf);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "environment");
    assert_reason("failed, its timings cannot be trusted: deaf");
    assert_int_equal(count_of("slower"), 0);
    assert_int_equal(count_of("environment"), 1);
    assert_string_equal(row_at(0)->status, "environment");
    assert_string_equal(row_at(0)->text, "its times would show a slowdown");
    assert_double_near(of_line(0, "slower"), 0, 0);
    struct gate_call call = a_call(NULL);
    stderr_catch();
    const int screened = gate_screen(&call, &suspects);
    stderr_says("warning: the controls failed, and no kernel is measured again: deaf");
    assert_int_equal(screened, 0);
    assert_int_equal(suspects.count, 0);
    gate_suspects_free(&suspects);
}
