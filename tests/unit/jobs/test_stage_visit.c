/* Whole units on a GPU that is faked, whose kernels' recordings are timed on the stage: which lens
 * is timed where and how often, and who is blamed for what fails there. */
#include "bench/jobs/visit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/staged_units.h"
#include "tests/support/test.h"

TEST_WITH(each_lens_is_timed_in_its_place, with_stage, fake_unit_end) {
    run();
    became("mine", "ok");
    assert_int_equal(lenses_timed(false), OWN);
    assert_int_equal(lenses_timed(true), STAGED);
    assert_int_equal(visits_by(LENS_CALL), OWN_VISITS);
    assert_int_equal(visits_by(LENS_WAIT), OWN_VISITS);
    assert_int_equal(visits_by(LENS_DEVICE), VISITS);
    assert_int_equal(visits_by(LENS_STREAM), VISITS);
    /* Where it is checked, where it is recorded, and in its own processes. */
    assert_int_equal(count_of(WIRE_ADD, "mine.so", false), 1 + 1 + OWN_VISITS);
    assert_int_equal(count_of(WIRE_ADD, "mine.so", true), 0);
    assert_int_equal(count_of(WIRE_ADD, "recording of mine.so", true), 1 + VISITS);
    assert_int_equal(count_of(WIRE_ADD, "recording of mine.so", false), 0);
    assert_double_near(derive_mean(samples_of(LENS_DEVICE), "mine"), 80e-6, 1e-6);
    assert_int_equal(derive_column(samples_of(LENS_DEVICE), "lib-nn"),
                     derive_column(samples_of(LENS_CALL), "lib-nn"));
}

/* The two of the checks, its own one and the stages, of which the first has served the checks; these have three arms, and others have six
 * libraries, kernels and controls. */
TEST_WITH(starting_the_stage_is_told, with_stage, fake_unit_end) {
    fake.start_takes = 2;
    plan.lenses = plan.precise = STAGED;
    run();
    assert_double_near(result.rows.conditions[0].start_seconds,
                       2 * (2 + 1 + VISITS - 1) + (3 + 6 + 5 * VISITS) * 0.25, 1e-9);
}

/* What was planted is told of each lens as its place has planted it, in all of its visits. */
TEST_WITH(each_place_plants_delays_of_its_own, with_stage, fake_unit_end) {
    nn->seconds[LENS_DEVICE] = nn->seconds[LENS_STREAM] = 200e-6;
    run();
    became("mine", "ok");
    for (int lens = LENS_CALL; lens <= LENS_STREAM; lens++)
        assert_double_near(samples_of((enum lens)lens)->planted_seconds,
                           STAGED & 1 << lens ? 20 * 1.024e-6 : 10 * 1.024e-6, 1e-11);
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_TIME && fake.log[i].time.interval.planted_seconds > 0)
            assert_double_near(fake.log[i].time.interval.planted_seconds,
                               is_staged(i) ? 20 * 1.024e-6 : 10 * 1.024e-6, 1e-11);
}

/* At the one look, after five sixths of them. */
TEST_WITH(what_is_known_gets_no_more_visits, with_stage, fake_unit_end) {
    static const struct {
        double noise, precision;
        bool all;
        int visits, timed;
    } cases[] = {{1e-4, 0.01, false, 12, 10},
                 {1e-4, 0.01, false, 11, 9},
                 {1e-4, 0.01, false, 8, 8},
                 {1e-4, 0.01, true, 12, 12},
                 {0.2, 1e-3, false, 12, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plan.visits = cases[i].visits;
        plan.all_visits = cases[i].all;
        fake.noise = cases[i].noise;
        plan.precision = cases[i].precision;
        run();
        became("mine", "ok");
        const int own = cases[i].all ? cases[i].visits : (cases[i].visits + 2) / 3;
        assert_int_equal(visits_by(LENS_CALL), own);
        assert_int_equal(visits_by(LENS_DEVICE), cases[i].timed);
        assert_int_equal(visits_by(LENS_STREAM), cases[i].timed);
        unit_result_free(&result);
        result = (struct unit_result){0};
    }
}

/* Each visit has a process of its own: visits of one process would not be independent. */
TEST_WITH(each_visit_has_a_stage_of_its_own, with_stage, fake_unit_end) {
    int stages = 0;
    run();
    for (int i = 0; i < fake.asked; i++)
        stages +=
            fake.log[i].verb == WIRE_OPEN && fake.log[i].open.fixed && !fake.log[i].open.record;
    assert_int_equal(stages, VISITS);
}

/* No process that has loaded a kernel is there while the stage times: it could work beside it, and
 * the monitor would take it for a stranger's. */
TEST_WITH(the_stage_is_alone, with_stage, fake_unit_end) {
    int timed = 0;
    run();
    for (int i = 0; i < fake.asked; i++) {
        if (fake.log[i].verb != WIRE_TIME || !is_staged(i))
            continue;
        timed++;
        for (int j = 0; j < i; j++)
            if (fake.log[j].verb == WIRE_ADD && strcmp(fake.asked_of[j], "mine.so") == 0)
                assert_in_range(fake.left[fake.asked_in[j]], j + 1, i);
    }
    assert_true(timed >= VISITS);
}

static void is_never_steady(const struct wire_request *request, struct wire_reply *reply,
                            void *shared) {
    (void)request, (void)reply, (void)shared;
    fake.reading.sm_mhz = 1000 + 1000 * (fake.asked % 2);
}

/* What need not be precise is timed where the kernel is checked, and has the whole warm-up there. */
TEST_WITH(lenses_that_need_not_be_precise_have_one_process, with_stage, fake_unit_end) {
    double warmup = 0;
    plan.precise = STAGED;
    fake.edit = is_never_steady;
    session.timed_at = -INFINITY;
    run();
    became("mine", "ok");
    assert_int_equal(lenses_timed(false), OWN);
    assert_int_equal(visits_by(LENS_CALL), 1);
    assert_int_equal(visits_by(LENS_DEVICE), VISITS);
    assert_int_equal(count_of(WIRE_ADD, "mine.so", false), 1 + 1 + 1);
    assert_int_equal(count_of(WIRE_RECORD, "last calls of lib-nn", false), 1);
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_TIME && fake.log[i].time.most_blocks == UINT64_MAX &&
            !is_staged(i))
            warmup += fake.log[i].time.seconds;
    assert_double_near(warmup, plan.warmup_seconds, 0.1);
}

/* By the stage's lenses alone no second process of the kernel's is needed, and its last calls are
 * those of its only one. */
TEST_WITH(what_times_nothing_has_no_process, with_stage, fake_unit_end) {
    plan.lenses = plan.precise = STAGED;
    run();
    became("mine", "ok");
    assert_int_equal(lenses_timed(false), 0);
    assert_int_equal(visits_by(LENS_DEVICE), VISITS);
    assert_int_equal(count_of(WIRE_ADD, "mine.so", false), 1 + 1 + 1);
    assert_int_equal(count_of(WIRE_RECORD, "last calls of lib-nn", false), 1);
}

/* A kernel's process is watched in its last calls. The stage launches no code of a kernel's author.
 */
TEST_WITH(nobody_suspects_the_stage, with_stage, fake_unit_end) {
    run();
    assert_true(count_of(WIRE_RECORD, "last calls of lib-nn", false) > 0);
    assert_int_equal(count_of(WIRE_RECORD, "", true), 0);
    assert_true(*result.rows.recordings[0].own_kernels); /* that these calls have launched */
}

/* A kernel behind the libraries, and a control beside it; each visit has an order of its own. */
TEST_WITH(every_visit_sets_its_arms_up, with_stage, fake_unit_end) {
    int nn_first = 0;
    run();
    assert_int_equal(count_of(WIRE_SHAPE, "", true), 1 + VISITS);
    for (int i = 0; i < fake.asked; i++) {
        if (fake.log[i].verb != WIRE_SHAPE || !is_staged(i))
            continue;
        if (fake.log[i + 1].add.kind == ARM_RECORDING) /* where it is checked */
            continue;
        assert_int_equal(fake.log[i + 1].verb, WIRE_ADD);
        assert_int_equal(fake.log[i + 2].verb, WIRE_ADD);
        assert_string_not_equal(fake.asked_of[i + 1], fake.asked_of[i + 2]);
        nn_first += strcmp(fake.asked_of[i + 1], "lib-nn") == 0;
        assert_int_equal(fake.log[i + 3].add.kind, ARM_RECORDING);
        assert_int_equal(fake.log[i + 4].add.kind, ARM_TWIN);
    }
    assert_in_range(nn_first, 1, VISITS - 1);
}

TEST_WITH(two_releases_have_recordings_of_their_own, with_stage, fake_unit_end) {
    with_earlier();
    run();
    became("mine", "ok");
    became(RUNDIR_PREVIOUS, "ok");
    assert_int_equal(count_of(WIRE_ADD, "recording of old.so", true), 1 + VISITS);
    assert_int_equal(count_of(WIRE_ADD, "recording of mine.so", true), 1 + VISITS);
    assert_int_equal(lenses_timed(true), STAGED);
    assert_double_near(derive_mean(samples_of(LENS_DEVICE), RUNDIR_PREVIOUS), 90e-6, 1e-6);
}

static void refuse_earlier(const struct wire_request *request, struct wire_reply *reply,
                           void *shared) {
    (void)shared;
    if (request->verb == WIRE_RECORD && strcmp(fake.asked_of[fake.asked - 1], "old.so") == 0)
        reply->record.recordable = 0;
}

/* It has times of its own process in all visits, and none of the stage. */
TEST_WITH(an_unrecorded_kernel_is_timed_by_call, with_stage, fake_unit_end) {
    fake.recording.record.recordable = 0;
    fake.recording.why = "it uses managed memory";
    run();
    became("mine", "unrecorded");
    assert_int_equal(lenses_timed(false), OWN);
    assert_int_equal(lenses_timed(true), 0);
    assert_int_equal(visits_by(LENS_CALL), VISITS);
    assert_int_equal(count_of(WIRE_OPEN, "", true), 0);
    assert_int_equal(samples_of(LENS_CALL)->place, PLACE_UNBOUNDED);
}

/* What its last calls do is refused: its times of the stage are not those of its calls. */
TEST_WITH(who_is_refused_by_its_last_calls_keeps_times_by_call, with_stage, fake_unit_end) {
    strcpy(kernel->refused, "it works on another stream");
    run();
    became("mine", "unrecorded");
    assert_null(samples_of(LENS_DEVICE));
    assert_int_equal(visits_by(LENS_CALL), OWN_VISITS);
}

/* An earlier release without a recording leaves the candidate its times. */
TEST_WITH(an_unrecorded_earlier_release_is_not_on_the_stage, with_stage, fake_unit_end) {
    with_earlier();
    fake.edit = refuse_earlier;
    run();
    became("mine", "ok");
    became(RUNDIR_PREVIOUS, "unrecorded");
    assert_int_equal(derive_column(samples_of(LENS_DEVICE), RUNDIR_PREVIOUS), -1);
    bool timed = false;
    for (int i = 0; i < result.series_count; i++)
        timed |=
            result.series[i].lens == LENS_CALL && samples_of_previous(&result.series[i].samples);
    assert_true(timed);
}

static void there_are_no_times(void) {
    for (int lens = 0; lens < LENS_COUNT; lens++)
        assert_null(samples_of((enum lens)lens));
}

/* The first time is where it is checked. */
TEST_WITH(a_recording_that_fails_fails_its_kernel, with_stage, fake_unit_end) {
    static const struct {
        int visit;
        enum process_answer answer;
        enum outcome outcome;
        const char *became, *detail;
    } faults[] = {
        {2, PROCESS_ANSWERED, OUTCOME_DEVICE_ERROR, "device-error",
         "visit 2 of 6: on the stage: an illegal address"},
        {4, PROCESS_TIMED_OUT, OUTCOME_OK, "timed-out", "visit 4 of 6: on the stage: "},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        fake_unit_end(state);
        with_stage(state);
        struct fake_fault *fault =
            stage_fails(WIRE_ADD, "recording of mine.so", faults[i].visit, faults[i].answer);
        fault->outcome = faults[i].outcome;
        fault->text = "an illegal address";
        run();
        became("mine", faults[i].became);
        detail_says("mine", faults[i].detail);
        became("lib-nn", "ok");
        there_are_no_times();
        assert_int_equal(session.stage.units, 0); /* another unit finds a fresh process */
    }
}

static void refuse_to_load(const struct wire_request *request, struct wire_reply *reply,
                           void *shared) {
    (void)shared;
    if (request->verb != WIRE_ADD || request->add.kind != ARM_RECORDING ||
        fake_count(WIRE_ADD, "recording of mine.so") != 3)
        return;
    reply->add.arm = -1;
    strcpy(reply->text, "the driver is another one");
}

TEST_WITH(a_recording_that_cannot_be_loaded_any_more_is_a_fault, with_stage, fake_unit_end) {
    fake.edit = refuse_to_load;
    assert_says(run_all(), -1,
                "its recording cannot be carried out any more: the driver is another one");
}

static void has_times_by_call_alone(void) {
    assert_int_equal(visits_by(LENS_CALL), OWN_VISITS);
    assert_null(samples_of(LENS_DEVICE));
    assert_null(samples_of(LENS_STREAM));
}

/* No code of the kernel runs on a stage: its end is no fault of the kernel's, which keeps its own
 * times. */
TEST_WITH(a_stage_that_ends_leaves_a_kernel_unrecorded, with_stage, fake_unit_end) {
    static const struct {
        enum wire_verb verb;
        const char *arm;
        int visit;
        enum process_answer answer;
        const char *detail;
    } ends[] = {
        {WIRE_ADD, "recording of mine.so", 1, PROCESS_CRASHED, "on the stage: "},
        {WIRE_ADD, "recording of mine.so", 3, PROCESS_EXITED, "visit 3 of 6: on the stage: "},
        {WIRE_TIME, "", 2, PROCESS_CRASHED, "on the stage: while timed: signal 11"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        fake_unit_end(state);
        with_stage(state);
        stage_fails(ends[i].verb, ends[i].arm, ends[i].visit, ends[i].answer);
        run();
        became("mine", "unrecorded");
        detail_says("mine", ends[i].detail);
        became("lib-nn", "ok");
        has_times_by_call_alone();
    }
}

/* Which of the arms it was the stage has told. */
TEST_WITH(an_arm_that_the_stage_tells_has_failed, with_stage, fake_unit_end) {
    struct fake_fault *fault = stage_fails(WIRE_TIME, "", 2, PROCESS_ANSWERED);
    fault->outcome = OUTCOME_REPLAYED;
    fault->failed_arm = 1 + 2; /* behind the libraries */
    fault->text = "C is the one before";
    run();
    became("mine", "replayed");
    detail_says("mine", "on the stage: ");
}

/* Of two recordings that which is in hand. It costs its own row, and the stage is visited again. */
TEST_WITH(who_is_in_hand_when_the_stage_dies_has_failed, with_stage, fake_unit_end) {
    int failed[2] = {0};
    for (int arm = 2; arm < 4; arm++) { /* behind the libraries */
        fake_unit_end(state);
        with_stage(state);
        with_earlier();
        stage_fails(WIRE_TIME, "", 4, PROCESS_CRASHED)->failed_arm = 1 + arm;
        run();
        const struct check_row *row = check_of("mine");
        assert_non_null(row);
        const bool newer = strcmp(row->outcome, "unrecorded") == 0;
        const char *whose = newer ? "mine" : RUNDIR_PREVIOUS;
        failed[newer]++;
        became(whose, "unrecorded");
        detail_says(whose, "on the stage: while timed: signal 11");
        became(newer ? RUNDIR_PREVIOUS : "mine", "ok");
        if (!newer)
            assert_int_equal(visits_by(LENS_DEVICE), VISITS);
    }
    assert_int_equal(failed[0], 1);
    assert_int_equal(failed[1], 1);
}

/* It is left out, as where it takes a kernel's own process down, and the kernel is timed. */
TEST_WITH(a_library_may_be_lost_there, with_stage, fake_unit_end) {
    stage_fails(WIRE_ADD, "lib-tn", 1, PROCESS_CRASHED);
    run();
    became("lib-tn", "crashed");
    detail_says("lib-tn", "on the stage: ");
    became("lib-nn", "ok");
    became("mine", "ok");
    assert_int_equal(visits_by(LENS_DEVICE), VISITS);
    assert_int_equal(visits_by(LENS_CALL), OWN_VISITS);
    assert_int_equal(derive_column(samples_of(LENS_DEVICE), "lib-tn"), -1);
}

/* Without a kernel beside it nobody is to blame, and the visit is not made again and again. */
TEST_WITH(a_control_that_fails_there_ends_the_timing, with_stage, fake_unit_end) {
    unit.candidate = NULL;
    struct fake_fault *fault = stage_fails(WIRE_TIME, "", 0, PROCESS_ANSWERED);
    fault->outcome = OUTCOME_LAUNCH_FAILED;
    fault->failed_arm = 1 + 2; /* behind the libraries */
    fault->always = true;
    run();
    became("lib-nn", "ok");
    became("lib-tn", "ok");
    there_are_no_times();
    assert_int_equal(count_of(WIRE_TIME, "", true), 1);
}

/* The candidate has its times, and the earlier release its chance. */
TEST_WITH(an_earlier_release_that_fails_there_is_left_out, with_stage, fake_unit_end) {
    with_earlier();
    stage_fails(WIRE_ADD, "recording of old.so", 2, PROCESS_CRASHED)->always = false;
    run();
    became("mine", "ok");
    assert_int_equal(visits_by(LENS_DEVICE), VISITS);
    assert_int_equal(derive_column(samples_of(LENS_DEVICE), RUNDIR_PREVIOUS), -1);
    became(RUNDIR_PREVIOUS, "unrecorded");
    detail_says(RUNDIR_PREVIOUS, "on the stage: ");
}

/* As a worker measures: all units once, then all again. */
TEST_WITH(recordings_are_kept_between_visits, with_stage, fake_unit_end) {
    static const char stored[] = "run/units/.24x16x48.mine.visits/candidate.recording";
    char run_folder[512];
    scratch_make(state);
    scratch_run(run_folder);
    session.run = run_folder;
    for (int visit = 1; visit <= VISITS; visit++) {
        assert_int_equal(ends_after(&session, visit), visit == VISITS);
        assert_int_equal(access(scratch_path(stored), F_OK) == 0, visit < VISITS);
    }
    became("mine", "ok");
    assert_int_equal(count_of(WIRE_ADD, "recording of mine.so", true), 1 + VISITS);
    assert_int_equal(fake_count(WIRE_RECORD, "mine.so"), 1);
    assert_int_equal(visits_by(LENS_DEVICE), VISITS);
    assert_int_equal(visits_by(LENS_CALL), OWN_VISITS);
    scratch_remove(state);
}

/* Its first two visits have been on another: what they found is of no use without the others. */
TEST_WITH(a_device_that_has_no_stage_any_more_ends_the_run, with_stage, fake_unit_end) {
    struct fake_fault *fault = fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED);
    fault->nth =
        5; /* behind those of libraries, the kernel's checks, the recorder, the first stage, its own */
    fault->status = -1;
    fault->text = "out of memory";
    assert_says(run_all(), -1, "no process can be had that carries out recordings: out of memory");
}
