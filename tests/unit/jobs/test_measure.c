/* Timing a unit's arms: what is asked for, and for how long; with runners that are faked. */
#include "bench/jobs/measure.h"

#include <math.h>
#include <stdio.h>

#include "bench/device/nvml.h"
#include "reports/pairs/pairs.h"
#include "reports/rows/derive.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_measure.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

/* A tenth of 100 us in whole steps of the coarsest clock. */
#define PLANTED 10.24e-6

TEST_WITH(a_quiet_machine_needs_few_blocks, open_measured, fake_unit_end) {
    check_arms();
    measured(0, OUTCOME_OK, "");
    assert_int_equal(result.series_count, 2);
    static const char *const columns[] = {"lib-nn",    "lib-tn",       "mine",
                                          "aa:lib-nn", "delay:lib-nn", "long-delay:lib-nn"};
    const double seconds[] = {100e-6, 120e-6,           80e-6,
                              100e-6, 100e-6 + PLANTED, 100e-6 + 5 * PLANTED};
    for (int lens = LENS_CALL; lens <= LENS_DEVICE; lens++) {
        const struct samples *samples = samples_of(MODE_OFFLINE, (enum lens)lens);
        assert_non_null(samples);
        assert_int_equal(arms_blocks(samples), 20);
        assert_string_equal(samples->mode, "offline");
        assert_int_equal(samples->place, PLACE_OWN);
        for (size_t i = 0; i < 6; i++) { /* the doubles have blocks of their own, behind these */
            const size_t block = i < 3 ? 7 : samples->blocks - 1, other = i < 3 ? 39 : 7;
            assert_string_equal(samples->columns[i], columns[i]);
            assert_double_near(derive_value(samples, block, i), seconds[i], 1e-11);
            assert_true(i == 0 || isnan(derive_value(samples, other, i)));
        }
        assert_double_near(samples->planted_seconds, PLANTED, 1e-11);
        assert_int_equal(samples->calls, 1);
    }
    assert_int_equal(result.rows.condition_count, 1);
    const struct condition_row *row = &result.rows.conditions[0];
    assert_string_equal(row->mode, "offline");
    assert_string_equal(row->candidate, "mine");
    assert_string_equal(row->steady, "yes");
    assert_int_equal(row->shape.k, 48);
    assert_double_near(row->blocks, 20, 0);
    assert_double_near(row->disturbed, 0, 0);
    /* Three arms by two lenses, and a library and its doubles, with 10 us of the harness's own each. */
    const double block = 2 * (700e-6 + 6 * PLANTED + 7 * 10e-6);
    assert_double_near(row->wall_seconds, 20 * block, 1e-6);
    assert_double_near(row->timed_seconds, 20 * 2 * (700e-6 + 6 * PLANTED), 1e-6);
    assert_double_near(context.start_seconds, (3 + 6) * 0.25, 1e-9);
    assert_double_near(context.audit_seconds, 0, 0);
    assert_true(context.check_seconds > 2 * 1.5 + 2.5);
    /* Three batches of 50 ms, each to the end of its last block. */
    assert_true(row->warmup_seconds >= 0.15 && row->warmup_seconds < 0.15 + 4 * block);
    assert_int_equal(fake.readings, fake_count(WIRE_TIME, ""));
}

TEST_WITH(requests_say_what_is_wanted, open_measured, fake_unit_end) {
    plan.cache = CACHE_COLD;
    nn->error = 0.125;
    check_arms();
    measured(0, OUTCOME_OK, "");
    const struct wire_time *warm = timed(0), *second = timed(1);
    assert_int_equal(warm->lenses, 1 << LENS_CALL); /* the first of them */
    assert_int_equal(warm->interval.cache, CACHE_COLD);
    assert_int_equal(warm->interval.stream_calls, 2);
    assert_double_near(warm->interval.planted_seconds, 0, 0);
    assert_double_near(warm->seconds, 0.05, 0);
    assert_true(warm->most_blocks == UINT64_MAX);
    assert_true(warm->seed == seed_derive(77, SEED_WARMUP, MODE_OFFLINE));
    assert_int_equal(warm->server, 0);
    assert_int_equal(warm->first_block, 0);
    assert_true(second->first_block > 0);
    assert_double_near(second->seconds, 0.05, 0);
    const struct wire_time *time = last_timed();
    assert_true(time->seed == seed_derive(77, SEED_BLOCK, MODE_OFFLINE));
    assert_int_equal(time->most_blocks, 20);
    assert_int_equal(time->first_block, 0);
    assert_double_near(time->seconds, 0.5 * 3 / 7, 1e-12); /* the controls' blocks have the rest */
    assert_double_near(time->interval.planted_seconds, PLANTED, 1e-11);
    assert_int_equal(time->arm_count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(time->arms[i], i);
    assert_int_equal(time->suspect_count, 1);
    assert_int_equal(time->suspects[0], 2);
    assert_int_equal(time->library, 0);
    assert_double_near(time->tolerance[0], 4 * context.checked.arms[2].row.bound, 1e-12);
}

/* Blocks of a visit whose share is that of so many. */
static size_t blocks_of(double share) {
    unit_result_drop_times(&result);
    plan.duration_seconds = share * 2 * (700e-6 + 6 * PLANTED + 7 * 10e-6);
    measured(0, OUTCOME_OK, "");
    return arms_blocks(samples_of(MODE_OFFLINE, LENS_CALL));
}

/* Five are what a visit is made of, unless they take more than four times its share. */
TEST_WITH(a_slow_visit_has_a_few_blocks, open_measured, fake_unit_end) {
    plan.visits = 1;
    check_arms();
    assert_int_equal(blocks_of(7.5), 10);
    assert_int_equal(blocks_of(4.5), 6);
    assert_int_equal(blocks_of(1.5), 5);
    assert_int_equal(blocks_of(0.6), 4);
    assert_int_equal(blocks_of(0.1), 1);
    plan.protocol = PROTOCOL_PAPER;
    assert_int_equal(blocks_of(1.5), 2);
}

/* Beside the times of the call lens. */
TEST_WITH(the_hosts_time_of_a_launch_is_kept, open_measured, fake_unit_end) {
    nn->host_seconds = 7e-6;
    check_arms();
    measured(0, OUTCOME_OK, "");
    const struct samples *call = samples_of(MODE_OFFLINE, LENS_CALL);
    assert_double_near(derive_mean(call, SAMPLES_HOST "lib-nn"), 7e-6, 1e-12);
    assert_double_near(derive_mean(call, SAMPLES_HOST "mine"), 0, 0);
    assert_int_equal(derive_column(samples_of(MODE_OFFLINE, LENS_DEVICE), SAMPLES_HOST "mine"), -1);
    assert_double_near(derive_mean(samples_of(MODE_OFFLINE, LENS_DEVICE), SAMPLES_VISIT), 0, 0);
}

static double half_width(const struct samples *samples, const char *top, const char *bottom,
                         int visit) {
    const struct visits r = derive_ratio(samples, (size_t)derive_column(samples, top),
                                         (size_t)derive_column(samples, bottom), visit, NULL);
    return visits_least_half(&r, 0.95); /* what the rule looks at */
}

/* The intervals to expect are as narrow as wanted, and would not have been at the look before. */
TEST_WITH(blocks_are_timed_until_ratios_are_known, open_measured, fake_unit_end) {
    fake.noise = 0.1;
    plan.duration_seconds = 100;
    check_arms();
    measured(0, OUTCOME_OK, "");
    const struct samples *call = samples_of(MODE_OFFLINE, LENS_CALL);
    const struct samples *device = samples_of(MODE_OFFLINE, LENS_DEVICE);
    assert_true(arms_blocks(call) > 50 && arms_blocks(call) < 1000);
    /* The A/A control by the device lens is to be known twice as well. */
    assert_true(arms_blocks(device) > 2 * arms_blocks(call));
    const double wanted = log1p(0.01), floor = log1p(0.005);
    assert_true(half_width(call, "lib-nn", "mine", 0) <= wanted);
    assert_true(half_width(call, "lib-tn", "mine", 0) <= wanted);
    assert_true(half_width(call, "lib-nn", "aa:lib-nn", 0) <= wanted);
    assert_true(half_width(call, "lib-nn", "aa:lib-nn", 0) > floor);
    assert_true(half_width(device, "lib-nn", "mine", 0) > floor * 0.7);
    assert_true(half_width(device, "lib-nn", "aa:lib-nn", 0) <= floor);
    const size_t at_one_percent = arms_blocks(call);
    forget_series();
    plan.precision = 0.02;
    measured(0, OUTCOME_OK, "");
    call = samples_of(MODE_OFFLINE, LENS_CALL);
    assert_true(arms_blocks(call) < at_one_percent / 2);
    assert_true(half_width(call, "lib-nn", "mine", 0) > wanted);
}

/* The intervals of four visits shrink together: each may be twice as wide. */
TEST_WITH(visits_share_the_precision, open_measured, fake_unit_end) {
    fake.noise = 0.1;
    plan.duration_seconds = 400;
    plan.visits = 4;
    check_arms();
    measured(0, OUTCOME_OK, "");
    const struct samples *call = samples_of(MODE_OFFLINE, LENS_CALL);
    assert_true(half_width(call, "lib-nn", "mine", 0) <= log1p(0.02));
    assert_true(half_width(call, "lib-nn", "mine", 0) > log1p(0.01));
}

/* Of a gate only the ratio of new to old counts, and that twice as well: where both are in one
 * process, the stage. */
TEST_WITH(a_gate_wants_the_ratio_to_the_earlier_release, open_measured, fake_unit_end) {
    fake.noise = 0.1;
    plan.duration_seconds = 400;
    with_earlier();
    check_arms();
    context.own = -1;
    next_visit();
    context.staged = true;
    measured(0, OUTCOME_OK, "");
    assert_int_equal(last_timed()->suspect_count, 2);
    assert_int_equal(last_timed()->suspects[0], 2);
    assert_int_equal(last_timed()->suspects[1], 3);
    const size_t all = arms_blocks(samples_of(MODE_OFFLINE, LENS_CALL));
    forget_series();
    plan.precise_previous = true;
    measured(0, OUTCOME_OK, "");
    const struct samples *call = samples_of(MODE_OFFLINE, LENS_CALL);
    assert_true(arms_blocks(call) > 2 * all);
    assert_true(half_width(call, RUNDIR_PREVIOUS, "mine", 0) <= log1p(0.005));
    /* Without an earlier release all ratios are wanted, once. */
    forget_series();
    context.checked.arms[2].outcome = OUTCOME_CRASHED;
    measured(0, OUTCOME_OK, "");
    assert_true(arms_blocks(samples_of(MODE_OFFLINE, LENS_CALL)) < 2 * all);
}

TEST_WITH(lenses_that_need_not_be_precise_get_few_blocks, open_measured, fake_unit_end) {
    fake.noise = 0.1;
    plan.precise = 1 << LENS_CALL;
    plan.lenses |= 1 << LENS_STREAM;
    check_arms();
    measured(0, OUTCOME_OK, "");
    assert_int_equal(arms_blocks(samples_of(MODE_OFFLINE, LENS_DEVICE)), 5);
    assert_int_equal(arms_blocks(samples_of(MODE_OFFLINE, LENS_STREAM)), 5);
    assert_true(arms_blocks(samples_of(MODE_OFFLINE, LENS_CALL)) > 20);
    /* A mode that has none of the precise ones times all that it has. */
    forget_series();
    plan.precise = 1 << LENS_WAIT;
    measured(0, OUTCOME_OK, "");
    assert_true(arms_blocks(samples_of(MODE_OFFLINE, LENS_STREAM)) > 20);
}

TEST_WITH(time_is_up_though_nothing_is_known, open_measured, fake_unit_end) {
    fake.noise = 0.1;
    plan.precision = 1e-6;
    plan.visits = 2;
    check_arms();
    measured(0, OUTCOME_OK, "");
    const double wall = result.rows.conditions[0].wall_seconds;
    assert_true(wall >= 2 && wall < 2.1);
}

/* A look costs time: they are 0.1 s apart, or where a visit is short, a fifth of it. */
TEST_WITH(looks_at_what_is_known_are_apart, open_measured, fake_unit_end) {
    static const double apart[] = {0.1, 0.04};
    fake.noise = 0.1;
    plan.precision = 1e-6;
    check_arms();
    for (int i = 0; i < 2; i++) {
        plan.duration_seconds = i == 0 ? 2 : 0.2;
        fake.asked = 0;
        forget_series();
        measured(0, OUTCOME_OK, "");
        const double block = 2 * (700e-6 + 6 * PLANTED + 7 * 10e-6);
        uint64_t before = 0;
        int looks = 0;
        for (int n = 0; timed(n); n++) {
            const struct wire_time *time = timed(n);
            if (time->seed != last_timed()->seed || time->first_block == 0)
                continue;
            const bool late = (double)time->first_block * block > 0.9 * plan.duration_seconds;
            if (before > 0 && !late) /* the last ones end when time is up */
                assert_true((double)(time->first_block - before) * block >= 0.95 * apart[i]);
            before = time->first_block;
            looks++;
        }
        assert_true(looks >= 3 && looks < 20);
    }
}

TEST_WITH(the_paper_takes_its_time, open_measured, fake_unit_end) {
    plan.protocol = PROTOCOL_PAPER;
    plan.precise = 1 << LENS_CALL;
    check_arms();
    measured(0, OUTCOME_OK, "");
    const struct condition_row *row = &result.rows.conditions[0];
    assert_true(row->warmup_seconds >= 1 && row->warmup_seconds < 1.1);
    assert_double_near(timed(0)->seconds, 0.5, 0);
    assert_true(row->wall_seconds >= 4 && row->wall_seconds < 4.1);
    assert_true(last_timed()->most_blocks == UINT64_MAX);
    assert_int_equal(arms_blocks(samples_of(MODE_OFFLINE, LENS_DEVICE)),
                     arms_blocks(samples_of(MODE_OFFLINE, LENS_CALL)));
    assert_true(arms_blocks(samples_of(MODE_OFFLINE, LENS_CALL)) > 1000);
}

TEST_WITH(a_later_visit_adds_to_the_first, open_measured, fake_unit_end) {
    plan.visits = 2;
    check_arms();
    measured(0, OUTCOME_OK, "");
    next_visit();
    nn->seconds[LENS_CALL] = nn->seconds[LENS_DEVICE] = 200e-6;
    fake.reading.throttle = NVML_HARDWARE_THERMAL;
    measured(1, OUTCOME_OK, "");
    assert_int_equal(result.series_count, 2);
    assert_int_equal(result.rows.condition_count, 1);
    const struct samples *call = samples_of(MODE_OFFLINE, LENS_CALL);
    assert_int_equal(arms_blocks(call), 40);
    const size_t at = (size_t)derive_column(call, SAMPLES_VISIT);
    assert_double_near(call->values[39 * call->column_count + at], 0, 0);
    assert_double_near(call->values[40 * call->column_count + at], 1, 0);
    /* What was planted in the first is planted again, though the library is slower now. */
    assert_double_near(call->planted_seconds, PLANTED, 1e-11);
    assert_double_near(last_timed()->interval.planted_seconds, PLANTED, 1e-11);
    assert_true(last_timed()->seed == seed_derive(77, SEED_BLOCK, MODE_COUNT));
    const struct condition_row *row = &result.rows.conditions[0];
    assert_double_near(row->blocks, 40, 0);
    assert_double_near(row->disturbed, 0.5, 1e-12);
    assert_double_near(row->timed_seconds, 20 * 2 * (700e-6 + 1200e-6 + 12 * PLANTED), 1e-6);
    assert_double_near(context.start_seconds, (3 + 12) * 0.25, 1e-9);
    context.control_count = 1;
    context.visit = 2;
    assert_says(
        measure(2), TROUBLE,
        "visit 3 has other arms than the visits before it: lib-nn, lib-tn, mine, aa:lib-nn; "
        "they have lib-nn, lib-tn, mine, aa:lib-nn, delay:lib-nn, long-delay:lib-nn; go on where "
        "all of these "
        "are, or remove units/.");
    assert_int_equal(arms_blocks(samples_of(MODE_OFFLINE, LENS_CALL)), 40); /* nothing is lost */
}

/* A kernel can read the plan's seed. */
TEST_WITH(the_plan_does_not_tell_what_is_timed, open_measured, fake_unit_end) {
    check_arms();
    session.secret = 5;
    measured(0, OUTCOME_OK, "");
    assert_true(last_timed()->seed == seed_derive(77 ^ 5, SEED_BLOCK, 0));
}

TEST_WITH(streams_are_as_long_as_kernels_are_short, open_measured, fake_unit_end) {
    static const struct {
        double seconds;
        int calls;
    } cases[] = {{5e-6, 8}, {19e-6, 8}, {25e-6, 8}, {100e-6, 3}, {166e-6, 2}};
    plan.lenses |= 1 << LENS_STREAM;
    check_arms();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (struct fake_kernel *k = fake.kernels; *k->name; k++)
            for (int lens = 0; lens < LENS_COUNT; lens++)
                k->seconds[lens] = cases[i].seconds * (k == kernel ? 1 : 1.5);
        fake.asked = 0;
        forget_series();
        measured(0, OUTCOME_OK, "");
        assert_int_equal(last_timed()->interval.stream_calls, cases[i].calls);
        assert_int_equal(samples_of(MODE_OFFLINE, LENS_STREAM)->calls, cases[i].calls);
        assert_int_equal(samples_of(MODE_OFFLINE, LENS_CALL)->calls, 1);
        if (i == 0) /* nor is the shorter delay of a short kernel too short to be seen */
            assert_double_near(last_timed()->interval.planted_seconds, 4 * 1.024e-6, 1e-11);
    }
}

/* Of a call that takes longer than 250 us there is no row, in no visit. The first one decides, by
 * the library. */
TEST_WITH(of_long_calls_there_are_no_rows, open_measured, fake_unit_end) {
    plan.lenses |= 1 << LENS_STREAM;
    plan.visits = 2;
    check_arms();
    for (struct fake_kernel *k = fake.kernels; *k->name; k++)
        for (int lens = 0; lens < LENS_COUNT; lens++)
            k->seconds[lens] = k == kernel ? 100e-6 : 251e-6;
    measured(0, OUTCOME_OK, "");
    for (struct fake_kernel *k = fake.kernels; *k->name; k++)
        for (int lens = 0; lens < LENS_COUNT; lens++)
            k->seconds[lens] = 50e-6;
    next_visit();
    measured(1, OUTCOME_OK, "");
    assert_false(last_timed()->lenses & 1 << LENS_STREAM);
    assert_true(arms_blocks(samples_of(MODE_OFFLINE, LENS_CALL)) > 0);
    for (int i = 0; i < result.series_count; i++)
        assert_int_not_equal(result.series[i].lens, LENS_STREAM);
}

/* Nor where there is no room for the operands of two. */
TEST_WITH(without_room_there_are_no_rows, open_measured, fake_unit_end) {
    plan.lenses = 1 << LENS_STREAM;
    check_arms();
    session.memory_bytes = 1 << 20;
    measured(0, OUTCOME_OK, "");
    assert_int_equal(result.series_count, 0);
}

/* What a sample is must not change between visits. */
TEST_WITH(later_visits_have_streams_of_the_first, open_measured, fake_unit_end) {
    plan.lenses |= 1 << LENS_STREAM;
    plan.visits = 2;
    check_arms();
    measured(0, OUTCOME_OK, "");
    for (struct fake_kernel *k = fake.kernels; *k->name; k++)
        k->seconds[LENS_CALL] = 4e-3;
    next_visit();
    measured(1, OUTCOME_OK, "");
    assert_int_equal(last_timed()->interval.stream_calls, 5);
}

TEST_WITH(a_server_has_gaps_and_no_stream, open_measured, fake_unit_end) {
    plan.modes[MODE_OFFLINE] = false;
    plan.modes[MODE_SERVER] = true;
    plan.lenses |= 1 << LENS_STREAM;
    check_arms();
    measured(0, OUTCOME_OK, "");
    assert_int_equal(last_timed()->server, 1);
    assert_double_near(last_timed()->qps, 1000, 0);
    assert_null(samples_of(MODE_SERVER, LENS_STREAM));
    assert_non_null(samples_of(MODE_SERVER, LENS_CALL));
    assert_string_equal(result.rows.conditions[0].mode, "server");
    assert_true(last_timed()->seed == seed_derive(77, SEED_BLOCK, MODE_SERVER));
    const double call = unit_call_limit(&context);
    assert_double_near(fake.limit[fake.asked - 1],
                       last_timed()->seconds + 6 * call + 20.0 * LENS_COUNT * 6 / 1000, 1e-9);
}

TEST_WITH(both_modes_have_series_of_their_own, open_measured, fake_unit_end) {
    plan.modes[MODE_SERVER] = true;
    check_arms();
    measured(0, OUTCOME_OK, "");
    assert_int_equal(result.series_count, 4);
    assert_int_equal(result.rows.condition_count, 2);
    assert_int_equal(last_timed()->server, 1);
    assert_double_near(result.rows.conditions[0].timed_seconds,
                       result.rows.conditions[1].timed_seconds, 1e-9);
}

TEST_WITH(disturbed_blocks_are_marked, open_measured, fake_unit_end) {
    check_arms();
    fake.reading = (struct gpu_monitor_reading){1980, 3200, 500, 60, NVML_POWER_BRAKE, 1};
    measured(0, OUTCOME_OK, "");
    const struct condition_row *row = &result.rows.conditions[0];
    assert_double_near(row->disturbed, 1, 0);
    assert_double_near(row->sm_mhz_mean, 1980, 0);
    assert_double_near(row->processes, 1, 0);
    assert_double_near(derive_mean(samples_of(MODE_OFFLINE, LENS_CALL), SAMPLES_SM_MHZ), 1980, 0);
    fake.reading.throttle = 0;
    fake.reading.processes = 2;
    forget_series();
    result.rows.condition_count = 0;
    measured(0, OUTCOME_OK, "");
    assert_double_near(result.rows.conditions[0].disturbed, 1, 0);
    session.warm.count = 1; /* a warm runner is ours */
    session.warm.list[0].open = true;
    forget_series();
    result.rows.condition_count = 0;
    measured(0, OUTCOME_OK, "");
    assert_double_near(result.rows.conditions[0].disturbed, 0, 0);
    session.warm.count = 0;
}
