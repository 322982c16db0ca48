/* Calls in a row: where their operands and outputs lie, and what changing them takes. */

#include <math.h>

#include "bench/runner/edge.h"
#include "bench/runner/requests/requests.h"
#include "correctness/numbers/element_bits.h"
#include "reports/run/controls.h"
#include "tests/support/doubles.h"
#include "tests/support/inputs_check.h"
#include "tests/support/interval_arms.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static const struct wire_interval in_a_row = {.stream_calls = 3};

/* A device on which each thing takes its time: an empty interval, a change of operands, a launch.
 */
static double busy;
static bool marked_start;

static int real_start(void *state) {
    (void)state;
    busy = 1.25e-6;
    marked_start = true;
    return 0;
}

static int real_stop(void *state) {
    (void)state;
    marked_start = false;
    return 0;
}

static int real_refill(void *state, const struct refill *first, const struct refill *second) {
    busy += marked_start ? 2e-6 : 0;
    return device_host.refill(state, first, second);
}

static int real_delay(void *state, double seconds) {
    (void)state;
    busy += seconds + 1.8e-6;
    return 0;
}

static int real_elapsed(void *state, double *seconds) {
    (void)state;
    *seconds = busy;
    return 0;
}

static int launch_nothing(void *state, const struct gemm_args *args) {
    (void)state, (void)args;
    return 0;
}

static double reads(int arm, enum lens lens, int calls) {
    const struct wire_interval how = {.stream_calls = calls, .planted_seconds = 10e-6};
    assert_int_equal(
        runner_interval(&runner, &how, &runner.arms[arm], lens, 1, false, &times, &told),
        OUTCOME_OK);
    return times.seconds;
}

/* What controls.h judges: a delay alone reads by `stream` as long as was planted, and a call's part
 * of what the launch of the one delay behind all calls costs; with any other edge it does not. */
TEST_WITH(changes_of_operands_are_subtracted, open_arms, close_arms) {
    static const struct kernel_ops nothing = {.launch = launch_nothing};
    device.start = real_start;
    device.stop = real_stop;
    device.refill = real_refill;
    device.delay = real_delay;
    device.elapsed = real_elapsed;
    runner.arms[0].ops = runner.arms[1].ops = &nothing;
    const double launched_in = 1.8e-6, truth = 20e-6 + launched_in / 3;
    assert_double_near(reads(1, LENS_DEVICE, 3) - reads(0, LENS_DEVICE, 3), 20e-6 + launched_in,
                       1e-12);
    for (int calls = 2; calls <= 3; calls++) {
        assert_int_equal(edge_time(&runner, &(struct wire_interval){.stream_calls = calls}), 0);
        assert_double_near(reads(1, LENS_STREAM, calls), 20e-6 + launched_in / calls, 1e-12);
    }
    const double right = runner.edge.median, wrong[] = {0, right / 2, right * 2 / 3, right * 2};
    for (int i = 0; i < 4; i++) {
        runner.edge.median = wrong[i];
        assert_true(fabs(reads(1, LENS_STREAM, 3) - truth) > CONTROLS_EDGE_SECONDS);
    }
}

/* Outputs are full of NaN, and the cache is as it is before the calls. */
TEST_WITH(an_edge_is_timed_as_calls_are, open_arms, close_arms) {
    static const struct {
        int32_t cache;
        const char *before;
    } cases[] = {{CACHE_WARM, SWEPT "touch hold start refill_first refill refill stop let_go "},
                 {CACHE_COLD, "sweep hold start refill_first refill refill stop let_go "}};
    for (int i = 0; i < 2; i++) {
        const struct wire_interval how = {.stream_calls = 3, .cache = cases[i].cache};
        runner.edge.count = 0;
        memset(runner.chain[2].data, 0, sizeof(uint16_t));
        fake_noted();
        assert_int_equal(edge_time(&runner, &how), 0);
        const char *noted = fake_noted();
        if (strncmp(noted, cases[i].before, strlen(cases[i].before)) != 0)
            fail_msg("%s", noted);
        assert_int_equal(runner.edge.count, RUNNER_EDGES);
        assert_int_not_equal(runner.chain[2].data[0], 0);
        assert_double_near(runner.edge.median, 6e-3, 1e-15);
    }
    assert_int_equal(edge_time(&runner, &in_a_row), 0);
    assert_int_equal(runner.edge.count, RUNNER_EDGES + 1);
    fake_device.gave_up = true; /* always */
    runner.edge.count = 0;
    assert_says(edge_time(&runner, &in_a_row), -1, "the machine is too busy");
}

enum { CALLS = 3, OF_A = 4 * 8, OF_B = 8 * 6 };

/* What the last calls have read. */
static struct operands { uint16_t a[OF_A], b[OF_B]; } operands[CALLS];

static int launch_reading(void *state, const struct gemm_args *args) {
    (void)state;
    memmove(operands, operands + 1, (CALLS - 1) * sizeof *operands);
    memcpy(operands[CALLS - 1].a, args->a, sizeof operands->a);
    memcpy(operands[CALLS - 1].b, args->b_row, sizeof operands->b);
    return 0;
}

/* How many elements of A and B are not those of the seed of the last call. */
static uint64_t not_of_the_call(void) {
    uint64_t changed = 0;
    assert_int_equal(inputs_check(&device, runner.device_state, &runner.operands[0], INPUT_NORMAL,
                                  seed_derive(5, SEED_CHAIN, CALLS - 1), &changed),
                     0);
    return changed;
}

static void call_in_a_row(int arm, int32_t whole) {
    const struct wire_interval how = {.stream_calls = CALLS, .whole = whole};
    runner.inputs_seed = 9;
    runner.secret = 5;
    assert_int_equal(
        runner_interval(&runner, &how, &runner.arms[arm], LENS_STREAM, 1, false, &times, &told),
        OUTCOME_OK);
}

/* Who keeps products can use none of them then. All arms get the same. */
TEST_WITH(all_of_the_operands_may_change, open_arms, close_arms) {
    static const struct kernel_ops reading = {.launch = launch_reading};
    struct operands first[CALLS];
    runner.arms[0].ops = runner.arms[1].ops = &reading;
    call_in_a_row(0, 0);
    assert_true(not_of_the_call() > 0);
    call_in_a_row(0, 1);
    assert_int_equal(not_of_the_call(), 0);
    memcpy(first, operands, sizeof first);
    call_in_a_row(1, 1);
    assert_memory_equal(first, operands, sizeof first);
}

static int noted_fill(void *state, const struct fill *fills, int count) {
    char name[16];
    snprintf(name, sizeof name, "fill%d", count);
    fake_note(name);
    return device_host.fill(state, fills, count);
}

/* What that takes by itself is another number, and neither is taken for the other. */
TEST_WITH(an_edge_is_of_few_places_or_of_all, open_arms, close_arms) {
    static const struct {
        int32_t whole;
        double seconds;
    } edges[] = {{0, 3e-6}, {1, 9e-6}, {0, 4e-6}};
    device.fill = noted_fill;
    for (int i = 0; i < 3; i++) {
        const struct wire_interval how = {.stream_calls = CALLS, .whole = edges[i].whole};
        fake_device.elapsed = edges[i].seconds;
        fake_noted();
        assert_int_equal(edge_time(&runner, &how), 0);
        assert_int_equal(runner.edge.count, RUNNER_EDGES);
        assert_double_near(runner.edge.median, edges[i].seconds, 1e-15);
        assert_non_null(strstr(fake_noted(), edges[i].whole
                                                 ? "start fill3 fill3 fill3 stop "
                                                 : "start refill_first refill refill stop "));
    }
}
