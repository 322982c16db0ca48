/* Whole units, from the first check to the rows, with runners that are faked: what becomes of every
 * arm, and what is left of the times, when something fails somewhere. */
#include "bench/jobs/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/process/interrupt.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/whole_units.h"

static int ratios_to(const char *baseline) {
    int count = 0;
    for (size_t i = 0; i < result.rows.ratio_count; i++)
        count += strcmp(result.rows.ratios[i].baseline, baseline) == 0;
    return count;
}

TEST_WITH(a_quiet_unit_has_all_its_rows, fake_unit, fake_unit_end) {
    with_earlier();
    run();
    static const char *const kernels[] = {"lib-nn", "lib-tn", "previous", "mine"};
    assert_int_equal(result.rows.check_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(result.rows.checks[i].kernel, kernels[i]);
        assert_string_equal(result.rows.checks[i].device, "host");
        became(kernels[i], "ok");
        assert_int_equal(visits_of(kernels[i]), 2);
        assert_int_equal(ratios_to(kernels[i]), i == 3 ? 0 : 2);
    }
    assert_int_equal(result.rows.condition_count, 1);
    assert_string_equal(result.rows.conditions[0].device, "host");
    assert_true(result.rows.control_count > 0);
    assert_int_equal(fake.started, 1 + 2 + 2 * 2); /* libraries; each kernel's checks, its visits */
}

/* Each visit starts a process for each kernel, and sets up three arms and three controls. Four arms are
 * checked in three processes. */
TEST_WITH(starting_is_told_by_itself, fake_unit, fake_unit_end) {
    with_earlier();
    fake.start_takes = 2;
    run();
    assert_double_near(result.rows.conditions[0].start_seconds,
                       4 * (2 + 6 * 0.25) + 3 * 2 + 4 * 0.25, 1e-9);
}

TEST_WITH(checks_alone_time_nothing, fake_unit, fake_unit_end) {
    plan.modes[MODE_OFFLINE] = false;
    run();
    became("lib-nn", "ok");
    became("mine", "ok");
    assert_int_equal(result.series_count, 0);
    assert_int_equal(fake_count(WIRE_TIME, ""), 0);
    assert_int_equal(fake.started, 2);
}

TEST_WITH(libraries_are_timed_without_a_candidate, fake_unit, fake_unit_end) {
    unit.candidate = NULL;
    run();
    assert_int_equal(result.rows.check_count, 2);
    assert_int_equal(visits_of("lib-tn"), 2);
    assert_int_equal(result.rows.ratio_count, 0);
}

TEST_WITH(a_wrong_kernel_is_not_timed, fake_unit, fake_unit_end) {
    kernel->error = 64;
    run();
    became("mine", "deviates");
    became("lib-nn", "ok");
    assert_int_equal(result.series_count, 0);
    assert_int_equal(fake_count(WIRE_TIME, ""), 0);
}

TEST_WITH(a_library_that_dies_in_its_checks_is_left_out, fake_unit, fake_unit_end) {
    fake_fail(WIRE_CALL, "lib-tn", PROCESS_CRASHED)->code = 11;
    run();
    became("lib-tn", "crashed");
    became("lib-nn", "ok");
    became("mine", "ok");
    assert_int_equal(visits_of("mine"), 2);
    assert_int_equal(visits_of("lib-tn"), 0);
    assert_int_equal(fake_count(WIRE_ADD, "lib-tn"), 1);
    assert_int_equal(fake.started, 3 + 2);
}

/* All begins again without it: every visit has the same columns, and no finding is there twice. */
TEST_WITH(a_library_that_is_lost_in_a_later_visit_is_left_out_of_all, fake_unit, fake_unit_end) {
    with_earlier();
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-tn", PROCESS_CRASHED);
    fault->code = 11;
    fault->nth = 1 + 2;
    run();
    became("lib-tn", "crashed");
    became("lib-nn", "ok");
    became("previous", "ok");
    became("mine", "ok");
    assert_int_equal(visits_of("lib-tn"), 0);
    assert_int_equal(visits_of("mine"), 2);
    assert_int_equal(visits_of("lib-nn"), 2);
    assert_int_equal(result.rows.condition_count, 1);
    assert_int_equal(fake.started, 3 + 2 + 1 + 2 * 2);
}

static void lists_otherwise(const struct wire_request *request, struct wire_reply *reply,
                            void *shared) {
    (void)shared;
    if (request->verb == WIRE_ADD && strcmp(request->add.name, "lib-tn") == 0 &&
        request->add.tune.variant >= 0)
        snprintf(reply->text, sizeof reply->text, "algorithm 4");
}

/* The number of an algorithm must name the same one in every process. */
TEST_WITH(a_library_whose_list_differs_between_processes_is_left_out, fake_unit, fake_unit_end) {
    tn->variants = 5;
    fake.edit = lists_otherwise;
    run();
    became("lib-tn", "setup-failed");
    assert_string_equal(
        check_of("lib-tn")->detail,
        "algorithm 3 is another one in another process: algorithm 4; it was algorithm 3");
    became("lib-nn", "ok");
    became("mine", "ok");
}

/* Without a kernel beside it nobody is to blame, and nothing else is to be left out. */
TEST_WITH(a_control_that_fails_ends_the_timing, fake_unit, fake_unit_end) {
    unit.candidate = NULL;
    struct fake_fault *fault = fake_fail(WIRE_TIME, "", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_LAUNCH_FAILED;
    fault->failed_arm = 1 + 2; /* after two libraries */
    fault->always = true;
    run();
    became("lib-nn", "ok");
    assert_int_equal(result.series_count, 0);
    assert_int_equal(fake.started, 1 + 1);
}

/* A library that does is left out, until none is left. */
TEST_WITH(libraries_that_fail_while_timed_are_left_out, fake_unit, fake_unit_end) {
    unit.candidate = NULL;
    struct fake_fault *fault = fake_fail(WIRE_TIME, "", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_LAUNCH_FAILED;
    fault->failed_arm = 1 + 0;
    fault->always = true;
    run();
    became("lib-nn", "launch-failed");
    became("lib-tn", "launch-failed");
    assert_int_equal(result.series_count, 0);
    assert_int_equal(fake.started, 1 + 2);
}

TEST_WITH(the_first_library_can_be_lost_too, fake_unit, fake_unit_end) {
    fake_fail(WIRE_ADD, "lib-nn", PROCESS_CRASHED)->nth =
        1 + 4; /* after it and its three controls */
    run();
    became("lib-nn", "crashed");
    assert_int_equal(visits_of("lib-nn"), 0);
    assert_int_equal(visits_of("lib-tn"), 2);
    assert_int_equal(visits_of("mine"), 2);
}

TEST_WITH(an_earlier_release_that_dies_in_its_checks_costs_only_itself, fake_unit, fake_unit_end) {
    with_earlier();
    fake_fail(WIRE_CALL, "old.so", PROCESS_EXITED)->code = 3;
    run();
    became("previous", "exited");
    became("mine", "ok");
    assert_int_equal(visits_of("mine"), 2);
    assert_int_equal(visits_of("previous"), 0);
    assert_int_equal(fake_count(WIRE_ADD, "old.so"), 1); /* by itself it has failed already */
}

TEST_WITH(an_earlier_release_that_is_wrong_is_not_timed, fake_unit, fake_unit_end) {
    with_earlier();
    old->error = 64;
    run();
    became("previous", "deviates");
    became("mine", "ok");
    assert_int_equal(visits_of("mine"), 2);
    assert_int_equal(visits_of("previous"), 0);
    assert_int_equal(fake.started, 3 + 2);
}

/* Its process dies, in which the candidate is not. */
TEST_WITH(an_earlier_release_that_dies_while_timed_is_left_out, fake_unit, fake_unit_end) {
    with_earlier();
    fake_fail(WIRE_TIME, "old.so", PROCESS_CRASHED)->code = 6;
    run();
    became("previous", "crashed");
    assert_string_equal(check_of("previous")->detail, "while timed: signal 6 (Aborted)");
    became("mine", "ok");
    assert_int_equal(visits_of("mine"), 2);
    assert_int_equal(visits_of("previous"), 0);
    assert_int_equal(ratios_to("previous"), 0);
    assert_int_equal(ratios_to("lib-nn"), 2);
    int suspects = 0; /* of the last blocks that have any */
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_TIME && fake.log[i].time.suspect_count > 0)
            suspects = fake.log[i].time.suspect_count;
    assert_int_equal(suspects, 1);
}

/* No process has both kernels. */
TEST_WITH(an_own_process_has_one_kernel, fake_unit, fake_unit_end) {
    int of_mine = 0, of_old = 0;
    with_earlier();
    run();
    for (int i = 0; i < fake.asked; i++) {
        if (fake.log[i].verb != WIRE_ADD || fake.log[i].add.kind != ARM_CANDIDATE)
            continue;
        of_mine += strcmp(fake.asked_of[i], "mine.so") == 0;
        of_old += strcmp(fake.asked_of[i], "old.so") == 0;
        for (int j = 0; j < i; j++)
            assert_false(fake.asked_in[j] == fake.asked_in[i] && fake.log[j].verb == WIRE_ADD &&
                         fake.log[j].add.kind == ARM_CANDIDATE);
    }
    assert_int_equal(of_mine, 1 + 2);
    assert_int_equal(of_old, 1 + 2);
}

TEST_WITH(a_candidate_that_dies_while_timed_has_no_times, fake_unit, fake_unit_end) {
    with_earlier();
    struct fake_fault *fault = fake_fail(WIRE_TIME, "mine.so", PROCESS_CRASHED);
    fault->code = 6;
    fault->always = true;
    run();
    became("mine", "crashed");
    became("previous", "ok");
    assert_string_equal(check_of("previous")->detail, "");
    became("lib-nn", "ok");
    assert_int_equal(result.series_count, 0);
    assert_int_equal(result.rows.condition_count, 0);
    assert_int_equal(result.rows.ratio_count, 0);
    assert_int_equal(fake_count(WIRE_ADD, "mine.so"), 1 + 1);
}

TEST_WITH(a_candidate_that_is_wrong_while_timed_has_no_times, fake_unit, fake_unit_end) {
    with_earlier();
    struct fake_fault *fault = fake_fail(WIRE_TIME, "mine.so", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_REPLAYED;
    fault->failed_arm = 1 + 2;
    run();
    became("mine", "replayed");
    became("previous", "ok");
    assert_string_equal(check_of("previous")->note, "");
    assert_int_equal(result.series_count, 0);
    assert_int_equal(fake_count(WIRE_ADD, "mine.so"), 1 + 1);
}

TEST_WITH(an_earlier_release_that_fails_in_a_later_visit_is_left_out, fake_unit, fake_unit_end) {
    with_earlier();
    struct fake_fault *fault = fake_fail(WIRE_ADD, "old.so", PROCESS_EXITED);
    fault->nth = 2;
    fault->code = 9;
    run();
    became("previous", "exited");
    assert_string_equal(check_of("previous")->detail, "visit 2 of 2: exit status 9");
    became("mine", "ok");
    assert_int_equal(visits_of("mine"), 2);
    assert_int_equal(visits_of("previous"), 0);
}

TEST_WITH(a_candidate_that_fails_in_a_later_visit_has_no_times, fake_unit, fake_unit_end) {
    struct fake_fault *fault = fake_fail(WIRE_ADD, "mine.so", PROCESS_ANSWERED);
    fault->nth = 2;
    fault->outcome = OUTCOME_SETUP_FAILED;
    fault->text = "status 3";
    run();
    became("mine", "setup-failed");
    assert_string_equal(check_of("mine")->detail, "visit 2 of 2: status 3");
    assert_int_equal(result.series_count, 0);
    became("lib-nn", "ok");
}

static struct device_session on(const char *label, int ordinal) {
    struct device_session device = session;
    strcpy(device.label, label);
    device.ordinal = ordinal;
    return device;
}

static void close_device(struct device_session *device) {
    processes_end(device);
    unit_reference_free(device);
    free(device->libraries);
}

static int in_run(void **state) {
    static char folder[512];
    if (scratch_make(state) < 0 || fake_unit(state) < 0)
        return -1;
    scratch_run(folder);
    session.run = folder;
    return 0;
}

static int in_run_end(void **state) {
    fake_unit_end(state);
    return scratch_remove(state);
}

/* One visit after the other, each on the device that is named. */
static void run_on(struct device_session *const *devices) {
    for (int visit = 0; visit < plan.visits; visit++)
        assert_int_equal(ends_after(devices[visit], visit + 1), visit + 1 == plan.visits);
}

/* What was measured on another device is measured again, at once, where it is now. */
TEST_WITH(a_unit_is_measured_on_one_device, in_run, in_run_end) {
    struct device_session first = on("cuda:0", 0), second = on("cuda:1", 1);
    plan.visits = 3;
    run_on((struct device_session *[]){&first, &first, &second});
    became("mine", "ok");
    assert_string_equal(check_of("mine")->device, "cuda:1");
    assert_string_equal(result.rows.conditions[0].device, "cuda:1");
    assert_string_equal(result.rows.ratios[0].device, "cuda:1");
    assert_int_equal(visits_of("mine"), 3);
    close_device(&first);
    close_device(&second);
}

/* Own processes of the next visits, when none is left. */
TEST_WITH(runners_are_opened_ahead, in_run, in_run_end) {
    on_gpu();
    plan.lenses = plan.precise = 1 << LENS_CALL;
    fake.cores = 9;
    session.warm = (struct warm_runners){.most = 9};
    session.visits_ahead = 3;
    plan.visits = 3;
    assert_false(ends_after(&session, 1));
    assert_int_equal(warm_runners_count(&session.warm, RUNNER_PLAIN), 3);
    processes_end(&session);
    session.visits_ahead = 8; /* another plan's visits */
    assert_false(ends_after(&session, 2));
    assert_int_equal(warm_runners_count(&session.warm, RUNNER_PLAIN), 4);
}

/* No label could name both devices. */
TEST_WITH(a_unit_begins_again_where_it_cannot_go_on, in_run, in_run_end) {
    struct device_session first = on("1/2 one cuda:0", 0), second = on("1/2 other cuda:0", 0);
    with_earlier();
    plan.visits = 3;
    run_on((struct device_session *[]){&first, &second, &second});
    became("mine", "ok");
    became("previous", "ok");
    assert_string_equal(check_of("mine")->device, "1/2 other cuda:0");
    assert_int_equal(visits_of("mine"), 3);
    assert_int_equal(result.rows.condition_count, 1);
    assert_int_equal(fake.started, 2 * 3 + 2 * (1 + 3));
    close_device(&first);
    close_device(&second);
}

/* Libraries in one of two orders, before the kernel of the process; and the processes of a visit in one
 * of two orders. */
TEST_WITH(arms_are_set_up_in_another_order, fake_unit, fake_unit_end) {
    with_earlier();
    plan.visits = 16;
    run();
    int swapped[2] = {0}, at = 0, opened = 0;
    for (int i = 0; i < fake.asked; i++) {
        const struct wire_request *request = &fake.log[i];
        if (request->verb == WIRE_OPEN) {
            at = 0;
            opened++;
        }
        const bool first = opened >= 4 && opened % 2 == 0; /* behind those of the checks */
        if (!first || request->verb != WIRE_ADD || request->add.kind == ARM_TWIN)
            continue;
        assert_int_equal(request->add.kind == ARM_CANDIDATE, at == 2);
        if (at % 2 == 0)
            swapped[at / 2] += strcmp(fake.asked_of[i], at ? "mine.so" : "lib-tn") == 0;
        at++;
    }
    assert_in_range(swapped[0], 2, 14);
    assert_in_range(swapped[1], 2, 14);
}

TEST_WITH(trouble_of_ours_gives_the_unit_up, fake_unit, fake_unit_end) {
    fake_fail(WIRE_TIME, "", PROCESS_TROUBLE);
    assert_int_equal(run_all(), -1);
    assert_int_equal(result.rows.check_count, 0);
}

TEST_WITH(an_interrupt_gives_the_unit_up, fake_unit, fake_unit_end) {
    interrupted = 1;
    assert_says(run_all(), -1, "interrupted");
    interrupted = 0;
}
