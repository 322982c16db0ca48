/* How long arms are called before they are timed; with runners that are faked. */

#include "bench/base/clock.h"
#include "bench/device/nvml.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_measure.h"
#include "tests/support/test.h"

/* The clock of a card that is warming up: how many readings until it is steady. */
static double clocks[40], powers[40];
static int reading_at;

static void warms_up(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)reply, (void)shared;
    if (request->verb != WIRE_TIME)
        return;
    fake.reading.sm_mhz = clocks[reading_at];
    fake.reading.power_w = powers[reading_at];
    reading_at += reading_at < 39;
}

static int warm_batches(void) {
    fake.asked = reading_at = 0;
    forget_series();
    result.rows.condition_count = 0;
    session.timed_at = -INFINITY;
    measured(0, OUTCOME_OK, "");
    int count = 0;
    while (timed(count) && timed(count)->most_blocks == UINT64_MAX)
        count++;
    return count;
}

TEST_WITH(warm_is_a_steady_clock, open_measured, fake_unit_end) {
    check_arms();
    fake.edit = warms_up;
    for (int i = 0; i < 40; i++) {
        clocks[i] = i < 6 ? 1000 + 100 * i : 1980 + 5 * (i % 2);
        powers[i] = 300 + 20 * i;
    }
    assert_int_equal(warm_batches(), 9);
    assert_string_equal(result.rows.conditions[0].steady, "yes");
    /* At its power cap the power must be steady, too, in batches twice as long. */
    fake.reading.throttle = NVML_POWER_CAP;
    for (int i = 0; i < 40; i++)
        powers[i] = i < 8 ? 300 + 50 * i : 700 + 10 * (i % 2);
    assert_int_equal(warm_batches(), 11);
    assert_double_near(timed(5)->seconds, 0.1, 0);
    /* It never gets there: so long as the plan says, of the visits' share. */
    for (int i = 0; i < 40; i++)
        clocks[i] = 1000 + 300 * (i % 3);
    plan.visits = 2;
    warm_batches();
    assert_string_equal(result.rows.conditions[0].steady, "no");
    assert_true(result.rows.conditions[0].warmup_seconds >= 0.5);
    assert_true(result.rows.conditions[0].warmup_seconds < 0.51);
}

/* Runners open a GPU, and leave it, while the card is warmed up, never while anything is timed. */
TEST_WITH(others_come_and_go_while_it_is_warmed_up, open_measured, fake_unit_end) {
    on_gpu();
    plan.lenses = 1 << LENS_CALL;
    fake.cores = 9;
    check_arms();
    fake.edit = warms_up;
    for (int i = 0; i < 40; i++)
        clocks[i] = powers[i] = 1980;
    assert_int_equal(warm_batches(), 3);
    session.warm = (struct warm_runners){.most = 4};
    session.visits_ahead = 9;
    assert_int_equal(unit_warm(&context, RUNNER_PLAIN), 0);
    fake.silent = 5; /* the card is steady after the third batch; the sixth is the first alone */
    assert_int_equal(warm_batches(), 6);
    assert_true(session.warm.list[3].open);
    unit_drop_runner(&context, &session.warm.list[--session.warm.count].process);
    assert_true(session.leaving.pid > 0);
    fake.lingers = 7;
    assert_int_equal(warm_batches(), 8);
    assert_int_equal(session.leaving.pid, 0);
    /* No longer than the plan says: then it waits for them, and for a batch without them. */
    session.warm.list[0].open = false;
    fake.silent = 1000;
    fake.asked = reading_at = 0;
    forget_series();
    result.rows.condition_count = 0;
    session.timed_at = -INFINITY;
    measured(0, OUTCOME_OK, "");
    assert_true(session.warm.list[0].open);
    assert_int_equal(fake.silent, 1000 - 34); /* of 30 ms each */
    assert_true(result.rows.conditions[0].warmup_seconds < 1.1);
    warm_runners_end(&session.warm);
    /* The speed of a host's blocks would show them. */
    strcpy(plan.device_kind, "host");
    session.visits_ahead = 1;
    session.warm.most = 4;
    assert_int_equal(unit_warm(&context, RUNNER_PLAIN), 0);
    fake.silent = 5;
    assert_int_equal(warm_batches(), 3);
    assert_int_equal(fake.silent, 5);
    warm_runners_end(&session.warm);
}

/* Batches of the warm-up, so many seconds after the device was timed. */
static int warm_batches_after(double seconds) {
    fake.asked = reading_at = 0;
    fake.now += seconds;
    measured(1, OUTCOME_OK, "");
    int count = 0;
    while (timed(count) && timed(count)->most_blocks == UINT64_MAX)
        count++;
    return count;
}

/* What is new to it is called once, in a short batch. A host's speed is all that it shows, and the
 * paper's protocol warms up for as long as it says. */
TEST_WITH(a_gpu_that_was_just_timed_is_warm, open_measured, fake_unit_end) {
    on_gpu();
    plan.lenses = 1 << LENS_CALL;
    plan.visits = 2;
    check_arms();
    fake.edit = warms_up;
    for (int i = 0; i < 40; i++)
        clocks[i] = powers[i] = 1980;
    assert_int_equal(warm_batches(), 3);
    assert_int_equal(warm_batches_after(0.5), 1);
    assert_double_near(timed(0)->seconds, 0.01, 0);
    assert_int_equal(warm_batches_after(1.5), 3);
    assert_double_near(timed(0)->seconds, 0.03, 0);
    plan.protocol = PROTOCOL_PAPER;
    assert_int_not_equal(warm_batches_after(0.5), 1);
    plan.protocol = PROTOCOL_FAST;
    strcpy(plan.device_kind, "host");
    assert_int_equal(warm_batches_after(0.5), 3);
}

/* A later visit is at another time, and perhaps on another device. */
TEST_WITH(each_visit_shows_that_it_is_warm, open_measured, fake_unit_end) {
    plan.visits = 3;
    fake.reading.sm_mhz = 1980;
    check_arms();
    for (int visit = 0; visit < 3; visit++) {
        if (visit)
            next_visit();
        measured(visit, OUTCOME_OK, "");
        int count = 0;
        while (timed(count)->most_blocks == UINT64_MAX)
            count++;
        assert_int_equal(count, 3);
    }
}

/* The first call of a process loads code. */
static void loads_code(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    float *samples = shared;
    if (request->verb != WIRE_TIME || request->time.first_block > 0 ||
        request->time.most_blocks != UINT64_MAX)
        return;
    reply->time.blocks = 1;
    for (int i = 0; i < request->time.arm_count; i++)
        samples[i] = 1e-3f;
}

/* On a GPU that is busy one batch is the whole warm-up, but for one that is a first call alone. */
TEST_WITH(a_first_call_does_not_tell_how_long_rows_are, open_measured, fake_unit_end) {
    on_gpu();
    plan.lenses |= 1 << LENS_STREAM;
    check_arms();
    fake.edit = loads_code;
    session.timed_at = clock_seconds();
    measured(0, OUTCOME_OK, "");
    assert_int_equal(timed(1)->most_blocks == UINT64_MAX, 1);
    assert_int_equal(last_timed()->interval.stream_calls, 5);
}
