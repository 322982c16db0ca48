/* Times that the device cannot have reached, and calls that a stream has skipped, seen in whole
 * units. */

#include <math.h>
#include <stdlib.h>

#include "bench/checks/credible.h"

#include "bench/checks/checks.h"
#include "bench/checks/recording_check.h"
#include "tests/support/test.h"
#include "tests/support/whole_units.h"

/* The device needs 100 us for the product. */
static void know_the_light(void) {
    session.rates.f16_flops = 2.0 * 24 * 16 * 48 / 100e-6;
}

TEST_WITH(nothing_is_faster_than_the_device, fake_unit, fake_unit_end) {
    know_the_light(); /* of which the candidate takes 80 us */
    run();
    became("mine", "too-fast");
    assert_non_null(strstr(check_of("mine")->detail,
                           "80 us by the call lens in offline mode; this device needs at least "
                           "100 us"));
    assert_int_equal(result.series_count, 0);
    assert_int_equal(result.rows.ratio_count, 0);
}

TEST_WITH(a_kernel_near_the_light_is_believed, fake_unit, fake_unit_end) {
    know_the_light();
    for (int lens = 0; lens < LENS_COUNT; lens++)
        kernel->seconds[lens] = 91e-6;
    run();
    became("mine", "ok");
    assert_int_equal(visits_of("mine"), 2);
}

/* It fails by itself: it is not tried again. */
TEST_WITH(an_earlier_release_that_is_too_fast_is_left_out, fake_unit, fake_unit_end) {
    with_earlier();
    know_the_light();
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        kernel->seconds[lens] = 110e-6;
        old->seconds[lens] = 70e-6;
    }
    run();
    became("previous", "too-fast");
    became("mine", "ok");
    assert_int_equal(visits_of("mine"), 2);
    assert_int_equal(visits_of("previous"), 0);
    assert_int_equal(fake_count(WIRE_ADD, "old.so"), 1 + 2);
    assert_int_equal(fake.started, 1 + 2 + 2 * 2); /* nothing is measured again */
}

/* How many series there are by stream. */
static int streams(void) {
    int count = 0;
    for (int i = 0; i < result.series_count; i++)
        count += result.series[i].lens == LENS_STREAM;
    return count;
}

/* It is accused of nothing. Of 80 us a stream may hide a tenth, and 6 us. */
TEST_WITH(a_gain_that_no_launch_explains_is_no_number, fake_unit, fake_unit_end) {
    plan.lenses |= 1 << LENS_STREAM;
    plan.precise = plan.lenses;
    for (int us = 65; us <= 67; us += 2) {
        kernel->seconds[LENS_STREAM] = us * 1e-6;
        unit_result_free(&result);
        run();
        became("mine", "ok");
        assert_int_equal(streams(), us > 66);
        assert_int_equal(strstr(check_of("mine")->note,
                                "a call takes 80 us alone, and 65 us among calls in a row: "
                                "launching does not explain that, so it has no times by stream") !=
                             NULL,
                         us < 66);
    }
}

TEST_WITH(a_stream_may_gain_as_much_as_a_librarys, fake_unit, fake_unit_end) {
    plan.lenses |= 1 << LENS_STREAM;
    plan.precise = plan.lenses;
    kernel->seconds[LENS_STREAM] = 39e-6;
    nn->seconds[LENS_STREAM] = 40e-6;
    run();
    assert_int_equal(streams(), 1);
    for (int lens = 0; lens < LENS_COUNT; lens++) /* what a launch costs, a stream hides */
        kernel->seconds[lens] = lens == LENS_STREAM ? 1e-6 : 7.5e-6;
    nn->seconds[LENS_STREAM] = 100e-6;
    unit_result_free(&result);
    run();
    assert_int_equal(streams(), 1);
    for (int lens = 0; lens < LENS_COUNT; lens++) /* but no more than that */
        kernel->seconds[lens] = lens == LENS_STREAM ? 4e-6 : 8.5e-6;
    unit_result_free(&result);
    run();
    became("mine", "ok");
    assert_int_equal(streams(), 0);
}

/* Blocks of the libraries and the candidate. */
static void add_blocks(enum mode mode, enum lens lens, enum place place, int count, double library,
                       double seconds) {
    static const char names[][RUNDIR_NAME] = {"lib-nn", "lib-tn", "mine"};
    float block[] = {(float)library, (float)library, (float)seconds, 0, 0, 0};
    struct sample_buffer *series = &result.series[result.series_count++];
    const struct sample_blocks blocks = {block, 1, 5, false};
    sample_buffer_start(series, mode, lens, place, names, 3);
    for (int i = 0; i < count; i++)
        sample_buffer_add(series, &blocks, 0, 1, NAN, false);
}

static void add_series(enum lens lens, enum place place, double library, double seconds) {
    add_blocks(MODE_OFFLINE, lens, place, 8, library, seconds);
}

static double library_call = 100e-6;

/* The candidate has passed, and was recorded: a call of it takes 100 us on the stage, and so long
 * in its own process, which has launched what was recorded. */
static struct arm_state *check_and_time(double call) {
    process_end(&context.process);
    context.checked = (struct unit_checked){.kernel = {-1, -1}};
    recorded_forget(&context.recorded[UNIT_CANDIDATE]);
    unit_result_free(&result);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(checks_libraries(&context), 0);
    assert_int_equal(checks_kernel(&context, UNIT_CANDIDATE), 0);
    struct arm_state *arm = unit_candidate(&context);
    assert_int_equal(result.rows.recording_count, 1);
    arm->work = strtoull(result.rows.recordings[0].kernels, NULL, 16);
    recording_check_note_work(&context);
    *arm->row.note = 0;
    add_series(LENS_CALL, PLACE_OWN, library_call, call);
    add_series(LENS_DEVICE, PLACE_STAGE, 100e-6, 100e-6);
    return arm;
}

static void looks(struct arm_state *arm, enum outcome outcome, const char *note) {
    credible_look(&context);
    assert_string_equal(outcome_word(arm->outcome), outcome_word(outcome));
    assert_string_equal(arm->row.note, note);
}

TEST_WITH(a_call_is_no_shorter_than_its_work_on_the_stage, fake_unit, fake_unit_end) {
    on_stage();
    struct arm_state *arm = check_and_time(24e-6);
    looks(arm, OUTCOME_TOO_FAST, "");
    assert_non_null(strstr(
        arm->row.detail, "a call takes 24 us in its own process, and its device work alone 100 us "
                         "on the stage"));
    assert_int_equal(result.series_count, 0);
    looks(check_and_time(76e-6), OUTCOME_OK,
          "a call takes 76 us in its own process and 100 us on the stage: the caches hold other "
          "things");
    assert_int_equal(result.series[0].samples.place, PLACE_OWN);
    looks(check_and_time(99e-6), OUTCOME_OK,
          "a call takes 99 us in its own process and 100 us on the stage: the caches hold other "
          "things");
    looks(check_and_time(100e-6), OUTCOME_OK, "");
    looks(check_and_time(120e-6), OUTCOME_OK, "");
    arm = check_and_time(76e-6); /* what was noted before stays */
    strcpy(arm->row.note, "another");
    looks(arm, OUTCOME_OK, "another");
}

/* An honest kernel may find in the L2 what the stage has swept out of it: it is not accused, and
 * nothing follows from the number. */
TEST_WITH(a_call_that_a_cache_may_explain_is_marked, fake_unit, fake_unit_end) {
    on_stage();
    for (int us = 26; us <= 74; us += 48) {
        char note[RUNDIR_TEXT];
        snprintf(note, sizeof note,
                 "a call takes %d us in its own process and 100 us on the stage: the caches hold "
                 "other things, or its times are not true; nothing bounds them",
                 us);
        looks(check_and_time(us * 1e-6), OUTCOME_OK, note);
        assert_int_equal(result.series[0].samples.place, PLACE_UNBOUNDED);
        assert_int_equal(result.series[1].samples.place, PLACE_STAGE);
    }
}

/* In whichever mode, and by whichever clock. */
TEST_WITH(all_times_of_its_own_process_are_bounded, fake_unit, fake_unit_end) {
    on_stage();
    struct arm_state *arm = check_and_time(100e-6);
    add_series(LENS_WAIT, PLACE_OWN, 100e-6, 24e-6);
    looks(arm, OUTCOME_TOO_FAST, "");
    assert_non_null(strstr(arm->row.detail, "a wait takes 24 us in its own process"));
    arm = check_and_time(100e-6);
    add_blocks(MODE_SERVER, LENS_CALL, PLACE_OWN, 8, 100e-6, 24e-6);
    add_blocks(MODE_SERVER, LENS_DEVICE, PLACE_STAGE, 8, 100e-6, 100e-6);
    looks(arm, OUTCOME_TOO_FAST, "");
}

/* A process can forge some of its samples. In so many of 100 blocks, spread evenly over visits from
 * `first` on, the arm's time is multiplied. */
static void forge(int series, const char *arm, int share, int first, double by) {
    struct samples *samples = &result.series[series].samples;
    const int column = derive_column(samples, arm), of = derive_column(samples, SAMPLES_VISIT);
    float *block = samples->values;
    for (size_t b = 0; b < samples->blocks; b++, block += samples->column_count)
        if (block[of] >= (float)first && (int)b * share % 100 < share)
            block[column] *= (float)by;
}

/* 400 blocks in four visits, and no fewer on the stage. */
static struct arm_state *check_and_time_long(enum mode mode, enum lens lens) {
    struct arm_state *arm = check_and_time(120e-6);
    unit_result_drop_times(&result);
    add_blocks(mode, lens, PLACE_OWN, 400, 120e-6, 120e-6);
    add_blocks(mode, LENS_DEVICE, PLACE_STAGE, 400, 100e-6, 100e-6);
    for (int i = 0; i < 2; i++) {
        struct samples *samples = &result.series[i].samples;
        const int of = derive_column(samples, SAMPLES_VISIT);
        for (size_t b = 0; b < samples->blocks; b++)
            samples->values[b * samples->column_count + (size_t)of] = (float)(b / 100);
    }
    return arm;
}

/* A ratio follows 29 % of the samples of a visit, and a mean a single one. */
TEST_WITH(samples_of_its_own_that_are_forged_are_seen, fake_unit, fake_unit_end) {
    static const struct {
        int share, first;
        double by;
        enum outcome outcome;
        enum place place;
    } tries[] = {
        {45, 0, 1 / 64.0, OUTCOME_TOO_FAST, PLACE_OWN}, /* estimates become an eighth */
        {45, 3, 1 / 64.0, OUTCOME_TOO_FAST, PLACE_OWN}, /* of one visit of four */
        {45, 0, 1 / 4.0, OUTCOME_OK, PLACE_UNBOUNDED},
        {1, 0, 1e-4, OUTCOME_TOO_FAST, PLACE_OWN}, /* the mean of 1 / t alone */
        {5, 0, 0.9, OUTCOME_OK, PLACE_OWN},
        {5, 0, 50, OUTCOME_OK, PLACE_OWN}, /* a host that was busy */
    };
    on_stage();
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct arm_state *arm = check_and_time_long(MODE_OFFLINE, LENS_CALL);
        forge(0, "mine", tries[i].share, tries[i].first, tries[i].by);
        credible_look(&context);
        assert_string_equal(outcome_word(arm->outcome), outcome_word(tries[i].outcome));
        if (tries[i].outcome == OUTCOME_OK)
            assert_int_equal(result.series[0].samples.place, tries[i].place);
    }
}

/* In every mode, by every lens of the process. */
TEST_WITH(samples_of_a_library_that_are_forged_are_seen, fake_unit, fake_unit_end) {
    static const struct {
        int share, first;
        double by;
        enum place place;
    } tries[] = {{45, 0, 9, PLACE_UNBOUNDED},
                 {45, 3, 9, PLACE_UNBOUNDED},  /* in one visit of four */
                 {5, 0, 100, PLACE_UNBOUNDED}, /* the mean alone */
                 {1, 0, 10, PLACE_OWN}};       /* a host that was busy for a moment */
    static const enum lens lenses[] = {LENS_CALL, LENS_WAIT};
    on_stage();
    for (int mode = 0; mode < MODE_COUNT; mode++)
        for (int i = 0; i < 2; i++)
            for (size_t j = 0; j < sizeof tries / sizeof *tries; j++) {
                struct arm_state *arm = check_and_time_long((enum mode)mode, lenses[i]);
                credible_look(&context);
                assert_int_equal(result.series[0].samples.place, PLACE_OWN);
                forge(0, "lib-tn", tries[j].share, tries[j].first, tries[j].by);
                credible_look(&context);
                assert_string_equal(outcome_word(arm->outcome), "ok");
                assert_int_equal(result.series[0].samples.place, tries[j].place);
                assert_int_equal(strstr(arm->row.note, "lib-tn takes ") != NULL,
                                 tries[j].place == PLACE_UNBOUNDED);
            }
}

/* What rows say of the library alone, or of the kernel alone, its bounds allow. */
TEST_WITH(a_mean_that_few_blocks_make_is_no_number, fake_unit, fake_unit_end) {
    static const struct {
        double library, kernel;
        enum place place;
    } tries[] = {{10, 1, PLACE_OWN}, {1, 1 / 50.0, PLACE_OWN}, {10, 1 / 50.0, PLACE_UNBOUNDED}};
    on_stage();
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct arm_state *arm = check_and_time_long(MODE_OFFLINE, LENS_CALL);
        forge(0, "lib-tn", 1, 0, tries[i].library);
        forge(0, "mine", 1, 0, tries[i].kernel);
        credible_look(&context);
        assert_string_equal(outcome_word(arm->outcome), "ok");
        assert_int_equal(result.series[0].samples.place, tries[i].place);
        assert_int_equal(strstr(arm->row.note, "its mean speedup over lib-tn is ") != NULL,
                         tries[i].place == PLACE_UNBOUNDED);
    }
}

/* Of 73 rows of 100, or in one visit. */
TEST_WITH(rows_that_are_made_ahead_now_and_then_are_seen, fake_unit, fake_unit_end) {
    on_stage();
    for (int first = 0; first <= 3; first += 3) {
        struct arm_state *arm = check_and_time_long(MODE_OFFLINE, LENS_CALL);
        add_blocks(MODE_OFFLINE, LENS_STREAM, PLACE_STAGE, 400, 100e-6, 100e-6);
        struct samples *row = &result.series[2].samples;
        const int of = derive_column(row, SAMPLES_VISIT);
        for (size_t b = 0; b < row->blocks; b++)
            row->values[b * row->column_count + (size_t)of] = (float)(b / 100);
        credible_look(&context);
        assert_int_equal(streams(), 1);
        forge(2, "mine", 73, first, 0.2);
        credible_look(&context);
        assert_string_equal(outcome_word(arm->outcome), "ok");
        assert_int_equal(streams(), 0);
    }
}

/* Device work that was not timed in the mode, or in too few blocks to tell, bounds nothing. */
TEST_WITH(a_call_without_device_work_beside_it_is_marked, fake_unit, fake_unit_end) {
    on_stage();
    struct arm_state *arm = check_and_time(100e-6);
    add_blocks(MODE_SERVER, LENS_CALL, PLACE_OWN, 8, 100e-6, 50e-6);
    looks(
        arm, OUTCOME_OK,
        "its device work in server mode has no time on the stage: nothing bounds its other times");
    assert_int_equal(result.series[0].samples.place, PLACE_OWN);
    assert_int_equal(result.series[2].samples.place, PLACE_UNBOUNDED);
    arm = check_and_time(50e-6);
    result.series[1].samples.blocks = 4;
    credible_look(&context);
    assert_int_equal(result.series[0].samples.place, PLACE_UNBOUNDED);
}

/* Nothing follows from it. */
TEST_WITH(a_call_may_be_shorter_where_it_is_not_that_work, fake_unit, fake_unit_end) {
    on_stage();
    struct arm_state *arm = check_and_time(50e-6);
    strcpy(result.rows.recordings[0].own_kernels, "00000000000000ab"); /* others, or other grids */
    looks(arm, OUTCOME_OK,
          "its timed calls launch other kernels than were recorded of it: times by device and "
          "stream are of those that were recorded, times by call are not");
    assert_int_equal(result.series[0].samples.place, PLACE_UNBOUNDED);
    assert_int_equal(result.series[1].samples.place, PLACE_STAGE);
    arm = check_and_time(50e-6);
    *result.rows.recordings[0].own_kernels = 0; /* not known */
    looks(arm, OUTCOME_OK, "");
    assert_int_equal(result.series[0].samples.place, PLACE_UNBOUNDED);
    arm = check_and_time(50e-6);
    result.rows.recording_count = 0; /* nothing was recorded */
    looks(arm, OUTCOME_OK, "");
    assert_int_equal(result.series[0].samples.place, PLACE_UNBOUNDED);
    arm = check_and_time(100e-6);
    looks(arm, OUTCOME_OK, "");
    assert_int_equal(result.series[0].samples.place, PLACE_OWN);
}

/* The stage has seen its calls, and none of them can be timed. */
TEST_WITH(what_nothing_bounds_has_no_time, fake_unit, fake_unit_end) {
    on_stage();
    struct arm_state *arm = check_and_time(100e-6);
    struct samples *device = &result.series[1].samples;
    for (size_t b = 0; b < device->blocks; b++)
        device->values[b * device->column_count + 2] *= -1;
    looks(
        arm, OUTCOME_OK,
        "its device work has no time on the stage, so that nothing bounds its other times: it has "
        "none");
    assert_int_equal(result.series_count, 1);
    assert_int_equal(result.series[0].lens, LENS_DEVICE);
}

/* What is more than 100 / 0.75 + 20 us. */
TEST_WITH(a_library_that_is_slow_beside_a_kernel_bounds_no_ratio, fake_unit, fake_unit_end) {
    on_stage();
    library_call = 153e-6;
    looks(check_and_time(200e-6), OUTCOME_OK, ""); /* a kernel's own launch may be long */
    assert_int_equal(result.series[0].samples.place, PLACE_OWN);
    library_call = 154e-6;
    looks(check_and_time(200e-6), OUTCOME_OK,
          "lib-nn takes 154 us by call beside it, offline, and 100 us on the stage: nothing bounds "
          "these ratios");
    assert_int_equal(result.series[0].samples.place, PLACE_UNBOUNDED);
    library_call = 100e-6;
}

/* It has times of its own process alone, which nothing bounds. */
TEST_WITH(an_unrecorded_kernel_keeps_its_calls, fake_unit, fake_unit_end) {
    on_stage();
    struct arm_state *arm = check_and_time(50e-6);
    arm->outcome = OUTCOME_UNRECORDED;
    result.rows.recording_count = 0;
    credible_look(&context);
    assert_int_equal(result.series[0].samples.place, PLACE_UNBOUNDED);
}

/* What the stage cannot time of an earlier release is no matter of the candidate's. */
TEST_WITH(an_earlier_release_without_device_times_has_no_calls, fake_unit, fake_unit_end) {
    static const char names[][3][RUNDIR_NAME] = {
        {"lib-nn", "mine"}, {"lib-nn", RUNDIR_PREVIOUS}, {"lib-nn", "mine", RUNDIR_PREVIOUS}};
    float block[] = {100e-6F, 100e-6F, 100e-6F, 0, 0, 0};
    struct sample_blocks blocks = {block, 1, 6, false};
    on_stage();
    with_earlier();
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(checks_libraries(&context), 0);
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    assert_int_equal(checks_kernel(&context, UNIT_CANDIDATE), 0);
    for (int i = 0; i < 3; i++) {
        struct sample_buffer *series = &result.series[result.series_count++];
        const bool staged = i == 2;
        sample_buffer_start(series, MODE_OFFLINE, staged ? LENS_DEVICE : LENS_CALL,
                            staged ? PLACE_STAGE : PLACE_OWN, names[i], 2 + staged);
        block[2] = staged ? -100e-6F : 0;
        for (int b = 0; b < 8; b++)
            sample_buffer_add(series, &blocks, 0, 1, NAN, false);
    }
    credible_look(&context);
    assert_int_equal(result.series_count, 2);
    assert_int_equal(derive_column(&result.series[0].samples, RUNDIR_PREVIOUS), -1);
    assert_true(derive_column(&result.series[0].samples, "mine") >= 0);
    assert_true(derive_column(&result.series[1].samples, RUNDIR_PREVIOUS) >= 0); /* all marked */
}
