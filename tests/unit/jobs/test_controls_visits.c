/* Controls, and setting up again what has passed for a later visit. */

#include <math.h>

#include "bench/checks/checks.h"
#include "bench/jobs/set_up.h"
#include "reports/rows/derive.h"
#include "tests/support/checked_arms.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

TEST_WITH(controls_double_the_first_library_that_passes, open_unit, fake_unit_end) {
    struct arm_state *failed = NULL;
    fake_fail(WIRE_ADD, "lib-nn", PROCESS_ANSWERED)->outcome = OUTCOME_UNSUPPORTED;
    assert_int_equal(checks_libraries(&context), 0);
    check_candidate();
    context.start_seconds = 0;
    assert_int_equal(set_up_controls(&context, &failed), OUTCOME_OK);
    assert_null(failed);
    assert_int_equal(context.control_count, 3);
    assert_string_equal(context.controls[0].row.kernel, "aa:lib-tn");
    assert_string_equal(context.controls[1].row.kernel, "delay:lib-tn");
    assert_string_equal(context.controls[2].row.kernel, "long-delay:lib-tn");
    assert_int_equal(context.controls[0].number, context.checked.arms[2].number + 1);
    assert_int_equal(context.controls[1].number, context.checked.arms[2].number + 2);
    assert_int_equal(fake.log[fake.asked - 3].add.delayed, 0);
    assert_int_equal(fake.log[fake.asked - 2].add.delayed, 1);
    assert_int_equal(fake.log[fake.asked - 1].add.delayed, DERIVE_LONG_TIMES);
    assert_int_equal(fake.log[fake.asked - 1].add.kind, ARM_TWIN);
    assert_int_equal(fake.log[fake.asked - 1].add.twin_of, context.checked.arms[1].number);
    assert_double_near(fake.limit[fake.asked - 1], 3600, 0);
    assert_double_near(context.start_seconds, 0.75, 1e-9);
    assert_int_equal(set_up_controls(&context, &failed), OUTCOME_OK); /* of the next visit */
    assert_int_equal(context.control_count, 3);
}

TEST_WITH(without_a_library_there_are_no_controls, open_unit, fake_unit_end) {
    struct arm_state *failed = NULL;
    plan.baseline_count = 0;
    check_candidate();
    assert_int_equal(set_up_controls(&context, &failed), OUTCOME_OK);
    assert_int_equal(context.control_count, 0);
}

TEST_WITH(who_breaks_a_library_beside_it_is_blamed, open_unit, fake_unit_end) {
    struct arm_state *failed = NULL;
    assert_int_equal(checks_libraries(&context), 0);
    check_candidate();
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-nn", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_SETUP_FAILED;
    fault->text = "no memory is left";
    assert_int_equal(set_up_controls(&context, &failed), OUTCOME_SETUP_FAILED);
    assert_ptr_equal(failed, &context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]]);
    outcome_is(failed, OUTCOME_SETUP_FAILED,
               "after its checks, as a library is set up beside it: no memory is left");
}

TEST_WITH(a_library_alone_may_do_without_its_control, open_unit, fake_unit_end) {
    struct arm_state *failed = NULL;
    assert_int_equal(checks_libraries(&context), 0);
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-nn", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_SETUP_FAILED;
    fault->text = "only once";
    assert_says(set_up_controls(&context, &failed), OUTCOME_OK,
                "the control aa:lib-nn is missing, since the library cannot be set up twice: only");
    assert_int_equal(context.control_count, 2);
    assert_string_equal(context.controls[0].row.kernel, "delay:lib-nn");
    fake_fail(WIRE_ADD, "lib-nn", PROCESS_CRASHED)->code = 9;
    assert_says(set_up_controls(&context, &failed), TROUBLE, "takes the runner down: signal 9");
}

static void check_all(void) {
    assert_int_equal(checks_libraries(&context), 0);
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    check_candidate();
}

/* Each kernel in a process of its own. */
static void a_visit_sets_up_what_has_passed(int own) {
    with_earlier();
    fake_fail(WIRE_ADD, "lib-nn", PROCESS_ANSWERED)->outcome = OUTCOME_UNSUPPORTED;
    check_all();
    struct arm_state *failed;
    bool lost = false;
    unit_drop_runner(&context, &context.process);
    context.own = own;
    fake.asked = 0;
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(set_up_arms(&context, &failed, &lost), OUTCOME_OK);
    assert_int_equal(fake.asked,
                     2 + 2 + 3); /* the device and the shape, the arms, their controls */
    assert_string_equal(fake.asked_of[2], "lib-tn");
    assert_string_equal(fake.asked_of[3], context.own == 2 ? "old.so" : "mine.so");
    assert_int_equal(fake.log[2].add.kind, ARM_BASELINE);
    assert_int_equal(fake.log[3].add.kind, ARM_CANDIDATE);
    assert_int_equal(context.checked.arms[1].number, 0);
    assert_int_equal(context.checked.arms[context.own].number, 1);
}

TEST_WITH(a_visit_sets_up_the_earlier_release, open_unit, fake_unit_end) {
    a_visit_sets_up_what_has_passed(2);
}

TEST_WITH(a_visit_sets_up_the_candidate, open_unit, fake_unit_end) {
    a_visit_sets_up_what_has_passed(3);
}

TEST_WITH(who_fails_in_a_later_visit_is_named, open_unit, fake_unit_end) {
    struct arm_state *failed;
    bool lost = false;
    with_earlier();
    check_all();
    static const char *const names[] = {"lib-tn", "old.so", "mine.so"};
    for (int i = 0; i < 3; i++) {
        struct arm_state *arm = &context.checked.arms[i + 1];
        fake_fail(WIRE_ADD, names[i], PROCESS_EXITED)->code = 4;
        unit_drop_runner(&context, &context.process);
        context.own = i + 1;
        assert_int_equal(unit_open_runner(&context), 0);
        assert_int_equal(set_up_arms(&context, &failed, &lost), OUTCOME_EXITED);
        assert_ptr_equal(failed, arm);
        assert_int_equal(lost, i == 0);
        outcome_is(arm, OUTCOME_EXITED, "exit status 4");
        arm->outcome = OUTCOME_OK;
    }
    fake_fail(WIRE_ADD, "lib-nn", PROCESS_TROUBLE);
    unit_drop_runner(&context, &context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(set_up_arms(&context, &failed, &lost), TROUBLE);
}
