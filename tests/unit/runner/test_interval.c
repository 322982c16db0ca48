/* What an interval of each lens holds, and what is done before and behind it, in order: on a device
 * that notes what it is asked for (support/fake_device.h). */
#include "bench/runner/chain.h"
#include "bench/runner/interval.h"
#include "bench/runner/requests/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "reports/run/controls.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_device.h"
#include "tests/support/says.h"

static struct device_ops device;
static struct runner runner;
static struct gemm_args launched; /* what the last launch was given */
static int status;                /* what it returns */
static char text[WIRE_TEXT];
static struct runner_times times;

static bool counts_up; /* each launch fills C with its number */
static int launches;

static int launch(void *state, const struct gemm_args *args) {
    (void)state;
    launched = *args;
    launches++;
    for (int64_t i = 0; counts_up && i < args->problem.m * args->problem.n; i++)
        ((uint16_t *)args->c)[i] = (uint16_t)launches;
    fake_note("launch");
    return status;
}

static const struct kernel_ops ops = {.launch = launch};

/* Arm 0 is plain, arm 1 is delayed, arm 2 has padded operands. */
static int begin(void **state) {
    (void)state;
    static uint16_t table[INPUT_TABLE_SIZE];
    device = fake_device_ops();
    status = 0;
    input_table(ELEMENT_F16, INPUT_NORMAL, 0, table);
    runner = (struct runner){.device = &device, .shape = {4, 6, 8}};
    if (device_host.open(0, &runner.device_state) < 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        const struct shape padded = i == 2 ? (struct shape){8, 16, 8} : runner.shape;
        runner.arms[i] = (struct arm){.ops = &ops,
                                      .delayed = i == 1 ? 2 : 0,
                                      .problem = {padded.m, padded.n, padded.k, GEMM_F32},
                                      .inputs = runner_operands(&runner, padded)};
    }
    fake_device.elapsed = 6e-3;
    runner.edge.median = 3e-4;
    runner.drawn = 1;
    return device.load_table(runner.device_state, INPUT_NORMAL, table) < 0 ||
                   runner_outputs(&runner, 2, 8 * 16) < 0 ||
                   chain_reserve(&runner, 3, 3, 8 * 16) < 0 ||
                   guarded_alloc(&device, runner.device_state, 24, &runner.unpadded) < 0
               ? -1
               : 0;
}

static int end(void **state) {
    (void)state;
    for (int i = 0; i < runner.operand_count; i++)
        inputs_free(&device, runner.device_state, &runner.operands[i]);
    for (int i = 0; i < runner.output_count; i++)
        guarded_free(&device, runner.device_state, &runner.outputs[i]);
    for (int i = 0; i < runner.chain_count; i++)
        guarded_free(&device, runner.device_state, &runner.chain[i]);
    guarded_free(&device, runner.device_state, &runner.unpadded);
    device_host.close(runner.device_state);
    assert_int_equal(fake_device.held, 0);
    return 0;
}

static int read_interval(int arm, enum lens lens, int32_t cache, enum runner_behind behind) {
    const struct wire_interval how = {.cache = cache, .stream_calls = 3, .planted_seconds = 2e-4};
    *text = 0;
    fake_noted();
    return runner_interval(&runner, &how, &runner.arms[arm], lens, 1, behind, &times, text);
}

static void lasts(int arm, enum lens lens, int32_t cache, enum runner_behind behind,
                  const char *want) {
    assert_int_equal(read_interval(arm, lens, cache, behind), OUTCOME_OK);
    assert_string_equal(fake_noted(), want);
}

#define BEFORE "reset_persistence "

static void a_lens_is_what_lies_between_start_and_stop(void **state) {
    (void)state;
    lasts(0, LENS_CALL, CACHE_WARM, RUNNER_NOTHING, BEFORE "start launch stop sync elapsed ");
    assert_double_near(times.seconds, 6e-3, 1e-15);
    assert_true(times.host_seconds > 0 && times.host_seconds < 10);
    lasts(0, LENS_DEVICE, CACHE_WARM, RUNNER_NOTHING,
          BEFORE "hold start launch stop let_go sync elapsed ");
    assert_double_near(times.seconds, 6e-3, 1e-15);
    lasts(0, LENS_WAIT, CACHE_WARM, RUNNER_NOTHING, BEFORE "launch sync ");
    assert_true(times.seconds >= times.host_seconds && times.seconds < 10);
    lasts(0, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING,
          BEFORE "hold start refill_first launch refill launch refill launch stop let_go sync "
                 "elapsed refill_back copy ");
    assert_double_near(times.seconds, 1.9e-3, 1e-15); /* of one call, without the changes */
    assert_ptr_equal(launched.c, runner.chain[2].data);
    runner.edge.median = 7e-3; /* more than the interval: still no mark */
    read_interval(0, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING);
    assert_true(times.seconds > 0 && times.seconds < 1e-9);
    runner.visits = 5;
    assert_int_equal(runner.visits, 5);
}

/* The sweep is over before a caller's clock starts. Behind a hold it is part of what waits. */
/* A kernel that keeps addresses, beside a library, where the second call of three is looked at. */
static void where_addresses_stay_a_window_is_the_c_of_all_calls(void **state) {
    struct arm *arm = &runner.arms[0];
    (void)state;
    runner.pinned = true;
    runner.arm_count = 2;
    assert_int_equal(guarded_alloc(&device, runner.device_state, 24, &arm->window), 0);
    counts_up = true;
    launches = 0;
    lasts(0, LENS_CALL, CACHE_WARM, RUNNER_SEAL,
          BEFORE "start launch stop look1 sync copy elapsed ");
    assert_ptr_equal(launched.c, arm->window.data);
    assert_int_equal(runner.outputs[1].data[23], 1);
    assert_int_equal(arm->window.data[23], ELEMENT_NAN);
    *fake_device.log = 0;
    launches = 0;
    lasts(0, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING,
          BEFORE "hold start refill_first launch refill launch copy refill launch stop let_go sync "
                 "elapsed refill_back ");
    assert_ptr_equal(launched.c, arm->window.data);
    assert_int_equal(runner.outputs[1].data[23], 2);
    assert_int_equal(arm->window.data[23], ELEMENT_NAN);
    /* What that costs the kernel it costs all, and is subtracted. */
    launches = 0;
    lasts(1, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING,
          BEFORE "hold start refill_first launch delay refill launch delay copy refill launch "
                 "delay stop let_go sync elapsed refill_back ");
    assert_ptr_equal(launched.c, runner.chain[2].data);
    assert_int_equal(runner.outputs[1].data[23], 2);
    runner.edge.calls = 3;
    runner.edge.count = RUNNER_EDGES;
    assert_int_equal(chain_time_edge(&runner, 3, CACHE_WARM), 0);
    assert_non_null(strstr(fake_noted(), "start refill_first refill copy refill stop"));
    counts_up = false;
    guarded_free(&device, runner.device_state, &arm->window);
}

static void a_cold_cache_is_swept_before_the_interval(void **state) {
    (void)state;
    lasts(0, LENS_CALL, CACHE_COLD, RUNNER_NOTHING,
          BEFORE "flush sync start launch stop sync elapsed ");
    lasts(0, LENS_DEVICE, CACHE_COLD, RUNNER_NOTHING,
          BEFORE "flush hold start launch stop let_go sync elapsed ");
    lasts(0, LENS_CALL, CACHE_ROTATE, RUNNER_NOTHING, BEFORE "start launch stop sync elapsed ");
}

/* A look is the stream's next work. A drain is timed from the stop on. */
static void what_comes_behind_an_interval_is_in_order(void **state) {
    (void)state;
    lasts(0, LENS_CALL, CACHE_WARM, RUNNER_SEAL, BEFORE "start launch stop look1 sync elapsed ");
    lasts(0, LENS_DEVICE, CACHE_WARM, RUNNER_SEAL,
          BEFORE "hold start launch stop look1 let_go sync elapsed ");
    lasts(0, LENS_STREAM, CACHE_WARM, RUNNER_SEAL,
          BEFORE "hold start refill_first launch refill launch refill launch stop look1 let_go "
                 "sync elapsed refill_back copy ");
    assert_int_equal(runner.arms[0].drain_count, 0);
    lasts(0, LENS_CALL, CACHE_WARM, RUNNER_DRAIN,
          BEFORE "start launch stop reach_stop sync elapsed ");
    assert_int_equal(runner.arms[0].drain_count, 1);
    assert_true(runner.arms[0].drains[0] >= 0 && runner.arms[0].drains[0] < 10);
    fake_device.fails = "reach_stop"; /* where stop is never reached there is no drain */
    lasts(0, LENS_CALL, CACHE_WARM, RUNNER_DRAIN,
          BEFORE "start launch stop reach_stop sync elapsed ");
    assert_int_equal(runner.arms[0].drain_count, 1);
    fake_device.fails = NULL;
    for (int i = 1; i < RUNNER_DRAINS + 3; i++) /* the last are kept */
        read_interval(0, LENS_CALL, CACHE_WARM, RUNNER_DRAIN);
    assert_int_equal(runner.arms[0].drain_count, RUNNER_DRAINS + 3);
}

/* Behind the kernel, which the host launches meanwhile. */
static void a_planted_delay_is_inside(void **state) {
    (void)state;
    lasts(1, LENS_CALL, CACHE_WARM, RUNNER_NOTHING, BEFORE "start launch delay stop sync elapsed ");
    assert_double_near(fake_device.delayed, 4e-4, 1e-15); /* twice the planted one */
}

/* A and the copy of B that is read are padded before the launch, C is unpadded behind it. */
static void padding_counts_where_it_is_asked_for(void **state) {
    (void)state;
    lasts(2, LENS_CALL, CACHE_WARM, RUNNER_NOTHING, BEFORE "start launch stop sync elapsed ");
    runner.arms[2].padding = WIRE_PAD_NN;
    lasts(2, LENS_CALL, CACHE_WARM, RUNNER_NOTHING,
          BEFORE "start copy copy launch copy stop sync elapsed ");
    runner.arms[2].padding = WIRE_PAD_NN | WIRE_PAD_TN;
    lasts(2, LENS_CALL, CACHE_WARM, RUNNER_NOTHING,
          BEFORE "start copy copy copy launch copy stop sync elapsed ");
    runner.arms[0].padding = WIRE_PAD_NN; /* an arm without padding has nothing to copy */
    lasts(0, LENS_CALL, CACHE_WARM, RUNNER_NOTHING, BEFORE "start launch stop sync elapsed ");
}

/* Element by element: the number of its row and column, wherever it lies. */
static void number(uint16_t *matrix, int64_t rows, int64_t cols, int64_t ld) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            matrix[i * ld + j] = (uint16_t)(100 * i + j);
}

static bool is_numbered(const uint16_t *matrix, int64_t rows, int64_t cols, int64_t ld) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            if (matrix[i * ld + j] != (uint16_t)(100 * i + j))
                return false;
    return true;
}

static void take_copies(int64_t copies) {
    for (int i = 0; i < runner.operand_count; i++) {
        const struct shape shape = runner.operands[i].shape, padded = runner.operands[i].padded;
        inputs_free(&device, runner.device_state, &runner.operands[i]);
        assert_int_equal(inputs_alloc(&device, runner.device_state, ELEMENT_F16, shape, padded,
                                      copies, &runner.operands[i]),
                         0);
    }
}

/* Of calls in a row the C that was drawn is kept; the operands are as they were, in every copy,
 * also where the calls copy them to padded ones. */
static void the_drawn_c_is_kept(void **state) {
    (void)state;
    const struct wire_interval how = {.stream_calls = 3};
    const int32_t paddings[] = {0, WIRE_PAD_NN, WIRE_PAD_NN | WIRE_PAD_TN};
    uint64_t changed = 0;
    for (int way = 0; way < 4 * 2 * 3; way++) {
        const int arm = way % 2 * 2;
        take_copies(1 + way / 6);
        runner.arms[arm].padding = paddings[way / 2 % 3];
        assert_int_equal(runner_refresh(&runner, 9, 2), 0);
        assert_int_equal(runner_interval(&runner, &how, &runner.arms[arm], LENS_STREAM, 0,
                                         RUNNER_NOTHING, &times, text),
                         OUTCOME_OK);
        for (int i = 0; i < runner.operand_count; i++)
            assert_int_equal(inputs_check(&device, runner.device_state, &runner.operands[i],
                                          INPUT_NORMAL, 9, &changed),
                             0);
        assert_int_equal(changed, 0);
    }
    number(runner.chain[1].data, 4, 6, 6);
    assert_int_equal(chain_keep(&runner, &runner.arms[0], 1, 0), 0);
    assert_true(is_numbered(runner.outputs[0].data, 4, 6, 6));
}

static void padding_moves_every_element_to_its_place(void **state) {
    (void)state;
    const struct inputs *plain = runner.arms[0].inputs, *padded = runner.arms[2].inputs;
    const struct shape s = runner.shape, p = padded->padded;
    number(plain->a.data, s.m, s.k, s.k);
    number(plain->b_row.data, s.k, s.n, s.n);
    number(plain->b_col.data, s.n, s.k, s.k);
    number(runner.outputs[1].data, s.m, s.n, p.n);
    runner.arms[2].padding = WIRE_PAD_NN | WIRE_PAD_TN;
    assert_int_equal(read_interval(2, LENS_CALL, CACHE_WARM, RUNNER_NOTHING), OUTCOME_OK);
    assert_true(is_numbered(padded->a.data, s.m, s.k, p.k));
    assert_true(is_numbered(padded->b_row.data, s.k, s.n, p.n));
    assert_true(is_numbered(padded->b_col.data, s.n, s.k, p.k));
    assert_true(is_numbered(runner.unpadded.data, s.m, s.n, s.n));
    assert_ptr_equal(launched.a, padded->a.data);
    assert_ptr_equal(launched.c, runner.outputs[1].data);
    assert_int_equal(launched.problem.n, 16);
}

/* Where a hold gave up the interval holds the host's time. */
static void an_interval_whose_hold_gave_up_is_marked(void **state) {
    (void)state;
    fake_device.gave_up = true;
    read_interval(0, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING);
    assert_double_near(times.seconds, -1.9e-3, 1e-15);
    read_interval(0, LENS_DEVICE, CACHE_WARM, RUNNER_NOTHING);
    assert_double_near(times.seconds, -6e-3, 1e-15);
    read_interval(0, LENS_CALL, CACHE_WARM, RUNNER_NOTHING); /* which has no hold */
    assert_double_near(times.seconds, 6e-3, 1e-15);
}

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
        runner_interval(&runner, &how, &runner.arms[arm], lens, 1, RUNNER_NOTHING, &times, text),
        OUTCOME_OK);
    return times.seconds;
}

/* What controls.h judges: a delay alone reads by `stream` what it reads by `device` beyond an empty
 * interval; with any other edge it does not. */
static void changes_of_operands_are_subtracted(void **state) {
    (void)state;
    static const struct kernel_ops nothing = {.launch = launch_nothing};
    device.start = real_start;
    device.stop = real_stop;
    device.refill = real_refill;
    device.delay = real_delay;
    device.elapsed = real_elapsed;
    runner.arms[0].ops = runner.arms[1].ops = &nothing;
    const double truth = reads(1, LENS_DEVICE, 3) - reads(0, LENS_DEVICE, 3);
    assert_double_near(truth, 20e-6 + 1.8e-6, 1e-12);
    for (int calls = 2; calls <= 3; calls++) {
        assert_int_equal(chain_time_edge(&runner, calls, CACHE_WARM), 0);
        assert_double_near(reads(1, LENS_STREAM, calls), truth, 1e-12);
    }
    const double right = runner.edge.median, wrong[] = {0, right / 2, right * 2 / 3, right * 2};
    for (int i = 0; i < 4; i++) {
        runner.edge.median = wrong[i];
        assert_true(fabs(reads(1, LENS_STREAM, 3) - truth) > CONTROLS_EDGE_SECONDS);
    }
}

/* Outputs are full of NaN, and the cache is as it is before the calls. */
static void an_edge_is_timed_as_calls_are(void **state) {
    (void)state;
    static const struct {
        int32_t cache;
        const char *before;
    } cases[] = {{CACHE_WARM, BEFORE "hold start refill_first refill refill stop let_go "},
                 {CACHE_COLD, BEFORE "flush hold start refill_first refill refill stop let_go "}};
    for (int i = 0; i < 2; i++) {
        runner.edge.count = 0;
        memset(runner.chain[2].data, 0, sizeof(uint16_t));
        fake_noted();
        assert_int_equal(chain_time_edge(&runner, 3, cases[i].cache), 0);
        const char *noted = fake_noted();
        if (strncmp(noted, cases[i].before, strlen(cases[i].before)) != 0)
            fail_msg("%s", noted);
        assert_int_equal(runner.edge.count, RUNNER_EDGES);
        assert_int_not_equal(runner.chain[2].data[0], 0);
        assert_double_near(runner.edge.median, 6e-3, 1e-15);
    }
    assert_int_equal(chain_time_edge(&runner, 3, CACHE_WARM), 0);
    assert_int_equal(runner.edge.count, RUNNER_EDGES + 1);
    fake_device.gave_up = true; /* always */
    runner.edge.count = 0;
    assert_says(chain_time_edge(&runner, 3, CACHE_WARM), -1, "the machine is too busy");
}

static void a_device_that_fails_is_an_outcome(void **state) {
    (void)state;
    static const struct {
        const char *fails;
        int arm;
        enum lens lens;
        int32_t cache;
        enum runner_behind behind;
    } cases[] = {{"reset_persistence", 0, LENS_CALL, CACHE_WARM, RUNNER_NOTHING},
                 {"flush", 0, LENS_CALL, CACHE_COLD, RUNNER_NOTHING},
                 {"hold", 0, LENS_DEVICE, CACHE_WARM, RUNNER_NOTHING},
                 {"start", 0, LENS_CALL, CACHE_WARM, RUNNER_NOTHING},
                 {"stop", 0, LENS_CALL, CACHE_WARM, RUNNER_NOTHING},
                 {"elapsed", 0, LENS_CALL, CACHE_WARM, RUNNER_NOTHING},
                 {"look", 0, LENS_CALL, CACHE_WARM, RUNNER_SEAL},
                 {"delay", 1, LENS_CALL, CACHE_WARM, RUNNER_NOTHING},
                 {"copy", 2, LENS_CALL, CACHE_WARM, RUNNER_NOTHING},
                 {"refill", 0, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING},
                 {"fill", 0, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING}};
    runner.arms[2].padding = WIRE_PAD_NN;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake_device.fails = cases[i].fails;
        assert_int_equal(
            read_interval(cases[i].arm, cases[i].lens, cases[i].cache, cases[i].behind),
            OUTCOME_DEVICE_ERROR);
        assert_string_equal(text, "the clock cannot be read, or a hold, a copy or a flush failed");
    }
    const char *const back[] = {"refill_back", "copy"};
    for (int i = 0; i < 2; i++) {
        fake_device.fails = back[i];
        assert_int_equal(read_interval(0, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING),
                         OUTCOME_DEVICE_ERROR);
        assert_string_equal(text, "the operands of calls in a row cannot be changed back");
    }
    fake_device.fails = "sync";
    for (int behind = RUNNER_NOTHING; behind <= RUNNER_DRAIN; behind++) {
        assert_int_equal(read_interval(0, LENS_CALL, CACHE_WARM, (enum runner_behind)behind),
                         OUTCOME_DEVICE_ERROR);
        assert_string_equal(text, "the device is lost");
    }
}

static void a_launch_that_fails_is_the_last(void **state) {
    (void)state;
    status = 5;
    assert_int_equal(read_interval(0, LENS_STREAM, CACHE_WARM, RUNNER_NOTHING),
                     OUTCOME_LAUNCH_FAILED);
    assert_string_equal(text, "status 5");
    assert_string_equal(fake_noted(), BEFORE "hold start refill_first launch stop let_go sync ");
}

static void a_latency_counts_from_the_arrival(void **state) {
    (void)state;
    const struct wire_interval how = {.planted_seconds = 1e-4};
    const double arrival = runner_now() - 100;
    double seconds = 0;
    fake_noted();
    assert_int_equal(
        runner_latency(&runner, &how, &runner.arms[0], &runner.outputs[0], arrival, &seconds, text),
        OUTCOME_OK);
    assert_string_equal(fake_noted(), "launch sync ");
    assert_true(seconds >= 100 && seconds < 150);
    assert_ptr_equal(launched.c, runner.outputs[0].data);
    status = 6;
    assert_int_equal(
        runner_latency(&runner, &how, &runner.arms[0], &runner.outputs[0], arrival, &seconds, text),
        OUTCOME_LAUNCH_FAILED);
    status = 0;
    fake_device.fails = "sync";
    assert_int_equal(
        runner_latency(&runner, &how, &runner.arms[0], &runner.outputs[0], arrival, &seconds, text),
        OUTCOME_DEVICE_ERROR);
    assert_string_equal(text, "the device is lost");
}

static void a_look_is_at_the_arms_own_part(void **state) {
    (void)state;
    const struct look look = runner_look(&runner, &runner.arms[2], &runner.outputs[1], 77);
    assert_ptr_equal(look.c, runner.outputs[1].data);
    assert_int_equal(look.rows, 4);
    assert_int_equal(look.cols, 6);
    assert_int_equal(look.ld, 16);
    assert_true(look.secret == 77);
    assert_null(look.reference);
}

/* One block on operands that rotate. Returns how many allocations that took. */
static int taken_by_a_batch(void) {
    static struct wire_reply reply;
    static float samples[16];
    const int before = fake_device.taken;
    const struct wire_time time = {
        .arm_count = 1, .lenses = 1 << LENS_CALL, .most_blocks = 1, .interval.cache = CACHE_ROTATE};
    reply = (struct wire_reply){0};
    runner.shared = samples;
    runner.shared_bytes = sizeof samples;
    runner_time(&runner, &time, &reply);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.time.blocks, 1);
    return fake_device.taken - before;
}

/* Also a single copy, which is enough where it is larger than twice the cache. */
static void copies_are_taken_once(void **state) {
    (void)state;
    const int64_t caches[] = {0, 1000};
    for (int i = 0; i < 2; i++) {
        runner.cache_bytes = caches[i];
        taken_by_a_batch();
        assert_int_equal(runner.operands[0].copies, i == 0 ? 1 : 13);
        assert_int_equal(taken_by_a_batch(), 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static void a_device_without_a_stream_to_hold_refuses_lenses_that_hold(void **state) {
    static const struct device_ops bare = {.kind = "bare"};
    static struct runner plain = {.device = &bare};
    (void)state;
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        static struct wire_reply reply;
        const struct wire_time time = {.lenses = 1 << lens};
        reply = (struct wire_reply){0};
        if (!words_lens_is((enum lens)lens, LENS_HELD))
            continue;
        runner_time(&plain, &time, &reply);
        assert_int_equal(reply.status, -1);
        assert_non_null(strstr(reply.text, "no stream to hold"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_lens_is_what_lies_between_start_and_stop),
        TEST(where_addresses_stay_a_window_is_the_c_of_all_calls),
        TEST(a_cold_cache_is_swept_before_the_interval),
        TEST(what_comes_behind_an_interval_is_in_order),
        TEST(a_planted_delay_is_inside),
        TEST(padding_counts_where_it_is_asked_for),
        TEST(the_drawn_c_is_kept),
        TEST(copies_are_taken_once),
        TEST(padding_moves_every_element_to_its_place),
        TEST(an_interval_whose_hold_gave_up_is_marked),
        TEST(changes_of_operands_are_subtracted),
        TEST(an_edge_is_timed_as_calls_are),
        TEST(a_device_that_fails_is_an_outcome),
        TEST(a_launch_that_fails_is_the_last),
        TEST(a_latency_counts_from_the_arrival),
        TEST(a_look_is_at_the_arms_own_part),
        cmocka_unit_test(a_device_without_a_stream_to_hold_refuses_lenses_that_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
