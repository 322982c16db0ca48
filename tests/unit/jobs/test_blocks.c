/* How many blocks a visit on a GPU has, and how hot the card is before the first; with runners that are
 * faked. */
#include "bench/jobs/blocks.h"

#include <math.h>

#include "bench/base/clock.h"
#include "reports/rows/derive.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_measure.h"
#include "tests/support/test.h"

enum { HELD = 1 << LENS_DEVICE | 1 << LENS_STREAM };

/* Seven libraries beside a kernel, 80 ms a visit. */
static size_t count_of(struct shape shape, int lenses) {
    unit.shape = shape;
    plan.baseline_count = 7;
    return blocks_count(&plan, &unit, MODE_OFFLINE, lenses, 0.08);
}

TEST_WITH(the_shape_and_the_plan_say_how_many, open_measured, fake_unit_end) {
    /* 9 arms, 120 us around each interval, one row for five calls: 80 / (9 * 0.144) = 61 at most. */
    assert_int_equal(count_of((struct shape){16, 16, 16}, HELD), 61);
    assert_int_equal(count_of((struct shape){64, 1024, 64}, HELD), 61);
    assert_int_equal(count_of((struct shape){1024, 1024, 2048}, HELD), 49);
    assert_int_equal(count_of((struct shape){8192, 4096, 1024}, HELD), 19);
    assert_int_equal(count_of((struct shape){8192, 8192, 8192}, HELD), 2);
    assert_int_equal(count_of((struct shape){16384, 16384, 16384}, HELD), 2);
    /* There are no rows of calls that long. */
    assert_int_equal(count_of((struct shape){16384, 8192, 512}, 1 << LENS_STREAM | HELD),
                     count_of((struct shape){16384, 8192, 512}, HELD));
    assert_int_equal(count_of((struct shape){64, 1024, 64}, 1 << LENS_CALL), 197);
    unit.previous = &earlier;
    assert_int_equal(count_of((struct shape){64, 1024, 64}, HELD), 55);
    plan.qps = 100;
    assert_int_equal(blocks_count(&plan, &unit, MODE_SERVER, 1 << LENS_CALL, 2), 19);
}

TEST(a_lens_of_rows_has_fewer) {
    static const size_t blocks[] = {2, 3, 8, 16, 44}, rows[] = {2, 2, 2, 4, 9};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(blocks_of_lens(LENS_DEVICE, blocks[i]), blocks[i]);
        assert_int_equal(blocks_of_lens(LENS_STREAM, blocks[i]), rows[i]);
    }
}

static size_t blocks_of(enum lens lens, int visit) {
    const struct samples *samples = samples_of(MODE_OFFLINE, lens);
    size_t count = 0;
    for (size_t b = 0; b < samples->blocks; b++)
        count += derive_visit_of(samples, b) == visit &&
                 isnan(derive_value(samples, b, (size_t)derive_column(samples, "aa:lib-nn")));
    return count;
}

/* Whatever they show: a quiet visit, one that is slower, and one that scatters. */
TEST_WITH(all_visits_have_as_many, open_measured, fake_unit_end) {
    on_stage();
    plan.visits = 3;
    plan.duration_seconds = 0.24;
    check_arms();
    context.staged = true;
    next_visit();
    for (int visit = 0; visit < 3; visit++) {
        fake.noise = visit == 2 ? 0.2 : 0;
        for (int lens = 0; lens < LENS_COUNT; lens++)
            kernel->seconds[lens] = visit == 1 ? 500e-6 : 80e-6;
        assert_int_equal(measure_by(visit, HELD), OUTCOME_OK);
        next_visit();
    }
    const size_t count = blocks_count(&plan, &unit, MODE_OFFLINE, HELD, 0.08);
    assert_in_range(count, 40, 200);
    for (int visit = 0; visit < 3; visit++) {
        assert_int_equal(blocks_of(LENS_DEVICE, visit), count);
        assert_int_equal(blocks_of(LENS_STREAM, visit), blocks_of_lens(LENS_STREAM, count));
    }
}

/* Whether the visit's samples of the A/A control are there; the others of the visit are. */
static bool has_aa(enum lens lens, int visit) {
    const struct samples *samples = samples_of(MODE_OFFLINE, lens);
    const int aa = derive_column(samples, "aa:lib-nn");
    bool has = false;
    for (size_t b = 0; b < samples->blocks; b++)
        if (derive_visit_of(samples, b) == visit) {
            has |= !isnan(derive_value(samples, b, (size_t)aa));
            assert_true(derive_value(samples, b, 0) > 0);
        }
    return has;
}

/* A third of the visits of the stage shows enough of them. Own processes have few visits. */
TEST_WITH(controls_are_in_every_third_visit, open_measured, fake_unit_end) {
    on_stage();
    plan.visits = 18;
    plan.duration_seconds = 0.36;
    check_arms();
    for (int visit = 0; visit < 5; visit++) {
        context.staged = true;
        next_visit();
        assert_int_equal(measure_by(visit, HELD), OUTCOME_OK);
        assert_int_equal(has_aa(LENS_DEVICE, visit), visit % 3 == 0);
        assert_int_equal(has_aa(LENS_STREAM, visit), visit % 3 == 0);
        context.staged = false;
        next_visit();
        assert_int_equal(measure_by(visit, 1 << LENS_CALL), OUTCOME_OK);
        assert_true(has_aa(LENS_CALL, visit));
    }
    forget_series();
    plan.visits = 7;
    context.staged = true;
    next_visit();
    for (int visit = 0; visit < 2; visit++) {
        assert_int_equal(measure_by(visit, HELD), OUTCOME_OK);
        assert_true(has_aa(LENS_DEVICE, visit));
        next_visit();
    }
}

/* One that takes a second a call has two, so that a visit ends. */
TEST_WITH(who_is_far_too_slow_has_fewer, open_measured, fake_unit_end) {
    on_stage();
    plan.duration_seconds = 0.24;
    check_arms();
    context.staged = true;
    next_visit();
    kernel->seconds[LENS_DEVICE] = kernel->seconds[LENS_STREAM] = 2;
    assert_int_equal(measure_by(0, HELD), OUTCOME_OK);
    assert_int_equal(blocks_of(LENS_DEVICE, 0), 2);
}

/* The card is not steady up to the block of that number. */
static int until, heated;
static void heats(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    float *samples = shared;
    if (request->verb != WIRE_TIME || request->time.most_blocks != 1 ||
        is_of_doubles(&request->time))
        return;
    for (int i = 0; i < request->time.arm_count; i++)
        samples[i] *= heated < until && heated % 2 == 0 ? 0.98F : 1;
    heated++;
    (void)reply;
}

static double heat(struct shape shape, int steady) {
    unit.shape = shape;
    until = steady;
    heated = 0;
    result.rows.condition_count = 0;
    forget_series();
    measured(0, OUTCOME_OK, "");
    return result.rows.conditions[0].warmup_seconds;
}

TEST_WITH(large_shapes_begin_with_a_card_that_is_steady, open_measured, fake_unit_end) {
    on_gpu();
    unit.candidate = NULL;
    check_arms();
    fake.edit = heats;
    heat((struct shape){1024, 2048, 1024}, 3); /* 2^31 */
    assert_int_equal(heated, 0);
    heat((struct shape){1024, 2048, 2048}, 0);
    assert_int_equal(heated, 1);
    heat((struct shape){1024, 2048, 2048}, 4); /* the fifth agrees with the fourth */
    assert_int_equal(heated, 5);
    const double most = heat((struct shape){1024, 2048, 2048}, 100000);
    assert_true(heated > 6 && most >= 0.3 && most < 0.6);
    /* In the paper's way the time of the warm-up is the plan's. */
    plan.protocol = PROTOCOL_PAPER;
    heat((struct shape){1024, 2048, 2048}, 3);
    assert_int_equal(heated, 0);
}

/* The first call of an arm loads its code: it takes longer than a row may. */
static int rows;
static void loads_code(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    float *samples = shared;
    if (request->verb != WIRE_TIME || request->time.lenses != 1 << LENS_STREAM)
        return;
    assert_true(request->time.interval.stream_calls > 1);
    const uint64_t made = rows == 0 ? reply->time.blocks * (uint64_t)request->time.arm_count : 0;
    for (uint64_t i = 0; i < made; i++, fake.now += 2e-3)
        samples[i] = 2e-3F;
    rows++;
}

TEST_WITH(rows_are_as_long_as_in_the_first_visit, open_measured, fake_unit_end) {
    on_stage();
    plan.visits = 3;
    unit.candidate = NULL;
    check_arms();
    unit.shape = (struct shape){1024, 2048, 2048}; /* before which the card is heated */
    context.staged = true;
    next_visit();
    assert_int_equal(measure_by(0, HELD), OUTCOME_OK);
    next_visit();
    session.timed_at = clock_seconds(); /* so that one block warms it */
    fake.edit = loads_code;
    assert_int_equal(measure_by(1, 1 << LENS_STREAM), OUTCOME_OK);
    assert_true(rows > 2);
}
