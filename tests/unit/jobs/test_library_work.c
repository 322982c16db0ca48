/* Libraries whose device work is the same are one arm of the stage, and others are not. */
#include "bench/checks/library_work.h"

#include "tests/support/doubles.h"
#include "tests/support/staged_units.h"
#include "tests/support/test.h"

/* Calls whose work hashes to that. */
static struct facts works_as(uint64_t exact) {
    const struct facts_work work = {.kernels = 1, .others = 1, .known = 2, .exact = exact};
    return (struct facts){.calls = 2, .first = work, .second = work};
}

/* Their means by device and call. */
static void are_timed_as(const char *library, double device, double call) {
    assert_double_near(derive_mean(samples_of(LENS_DEVICE), library), device, 1e-6);
    assert_double_near(derive_mean(samples_of(LENS_CALL), library), call, 1e-6);
}

TEST_WITH(libraries_with_the_same_work_are_one_arm_of_the_stage, with_stage, fake_unit_end) {
    nn->facts = tn->facts = works_as(0x2f);
    run();
    became("mine", "ok");
    assert_int_equal(count_of(WIRE_ADD, "lib-nn", true), (1 + 3) * VISITS); /* and the controls */
    assert_int_equal(count_of(WIRE_ADD, "lib-tn", true), 0);
    are_timed_as("lib-nn", 100e-6, 100e-6);
    are_timed_as("lib-tn", 100e-6, 120e-6);
    assert_string_equal(check_of("lib-nn")->work, "000000000000002f");
    assert_string_equal(check_of("lib-tn")->work, "000000000000002f");
}

TEST_WITH(libraries_with_other_work_are_arms_of_their_own, with_stage, fake_unit_end) {
    nn->facts = works_as(0x2f);
    tn->facts = works_as(0x30);
    run();
    assert_int_equal(count_of(WIRE_ADD, "lib-tn", true), VISITS);
    are_timed_as("lib-tn", 120e-6, 120e-6);
}

/* A fill, say, whose value is not known. */
TEST_WITH(libraries_whose_work_is_not_all_known_are_arms_of_their_own, with_stage, fake_unit_end) {
    nn->facts = tn->facts = works_as(0x2f);
    nn->facts.first.others = tn->facts.first.others = 2;
    run();
    assert_int_equal(count_of(WIRE_ADD, "lib-tn", true), VISITS);
    are_timed_as("lib-tn", 120e-6, 120e-6);
    assert_string_equal(check_of("lib-tn")->work, "");
}

/* Those that were checked before it, in the process that it took down, are not mistaken for those that
 * were checked behind it. */
TEST_WITH(a_library_that_crashes_leaves_no_work_of_others, with_stage, fake_unit_end) {
    fake_add("lib-bad", 100e-6);
    strcpy(plan.baselines[1], "lib-bad");
    strcpy(plan.baselines[2], "lib-tn");
    plan.baseline_count = 3;
    nn->facts = works_as(0x2f);
    tn->facts = works_as(0x30);
    fake.faults[0] = (struct fake_fault){
        .verb = WIRE_CALL, .kernel = "lib-bad", .answer = PROCESS_CRASHED, .code = 11};
    run();
    became("lib-bad", "crashed");
    assert_string_equal(check_of("lib-nn")->work, "");
    assert_string_equal(check_of("lib-tn")->work, "0000000000000030");
    are_timed_as("lib-nn", 100e-6, 100e-6);
}

/* A graph, say, whose kernels no launch tells. */
TEST_WITH(libraries_that_ask_for_what_cannot_be_recorded_are_arms_of_their_own, with_stage,
          fake_unit_end) {
    nn->facts = tn->facts = works_as(0x2f);
    strcpy(tn->refused, "it uses graphs (cuGraphLaunch)");
    run();
    are_timed_as("lib-tn", 120e-6, 120e-6);
    assert_string_equal(check_of("lib-tn")->work, "");
}

/* One that fails when it is recorded is measured like any other. */
TEST_WITH(a_library_whose_work_cannot_be_seen_is_an_arm_of_its_own, with_stage, fake_unit_end) {
    nn->facts = tn->facts = works_as(0x2f);
    fake.faults[0] = (struct fake_fault){.verb = WIRE_RECORD,
                                         .kernel = "lib-tn",
                                         .answer = PROCESS_CRASHED,
                                         .code = 11,
                                         .failed_arm = 1};
    run();
    became("mine", "ok");
    became("lib-tn", "ok");
    are_timed_as("lib-tn", 120e-6, 120e-6);
}

/* Behind the first visit: another one with the same work is timed in its place, from the first on. */
TEST_WITH(one_that_stands_for_others_may_be_lost_there, with_stage, fake_unit_end) {
    enum { ADDED = 1 + 3 }; /* in a visit: and the controls */
    nn->facts = tn->facts = works_as(0x2f);
    stage_fails(WIRE_ADD, "lib-nn", ADDED, PROCESS_CRASHED);
    run();
    became("lib-nn", "crashed");
    detail_says("lib-nn", "visit 2 of 6: on the stage: ");
    became("lib-tn", "ok");
    became("mine", "ok");
    assert_int_equal(visits_by(LENS_DEVICE), VISITS);
    are_timed_as("lib-tn", 120e-6, 120e-6);
    assert_int_equal(derive_column(samples_of(LENS_DEVICE), "lib-nn"), -1);
}
