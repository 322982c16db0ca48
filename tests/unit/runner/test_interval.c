/* What an interval of each lens holds, and what is done before and behind it, in order. */

#include "bench/runner/requests/requests.h"
#include "tests/support/doubles.h"
#include "tests/support/interval_arms.h"
#include "tests/support/test.h"

TEST_WITH(a_lens_is_what_lies_between_start_and_stop, open_arms, close_arms) {
    lasts(0, LENS_CALL, CACHE_WARM, false, BEFORE "sync start launch stop sync elapsed ");
    assert_double_near(times.seconds, 6e-3, 1e-15);
    assert_true(times.host_seconds > 0 && times.host_seconds < 10);
    lasts(0, LENS_DEVICE, CACHE_WARM, false,
          SWEPT "hold start launch stop let_go sync copy elapsed ");
    assert_double_near(times.seconds, 6e-3, 1e-15);
    lasts(0, LENS_WAIT, CACHE_WARM, false, BEFORE "sync launch sync ");
    assert_true(times.seconds >= times.host_seconds && times.seconds < 10);
    lasts(0, LENS_STREAM, CACHE_WARM, false,
          SWEPT_ROW "hold start launch launch launch stop let_go sync copy "
                    "elapsed ");
    assert_double_near(times.seconds, 2e-3, 1e-15); /* of one call */
    assert_ptr_equal(launched.c, runner.row[2].data);
}

/* The sweep is over before a caller's clock starts, and before the hold, which gives up after some
 * time. */
TEST_WITH(a_cold_cache_is_swept_before_the_interval, open_arms, close_arms) {
    lasts(0, LENS_CALL, CACHE_COLD, false, BEFORE "sweep sync start launch stop sync elapsed ");
    lasts(0, LENS_DEVICE, CACHE_COLD, false,
          "sweep sync hold start launch stop let_go sync copy elapsed ");
}

/* A look is the stream's next work. */
TEST_WITH(what_comes_behind_an_interval_is_in_order, open_arms, close_arms) {
    lasts(0, LENS_CALL, CACHE_WARM, true, BEFORE "sync start launch stop look1 sync elapsed ");
    lasts(0, LENS_DEVICE, CACHE_WARM, true,
          SWEPT "hold start launch stop look1 let_go sync copy elapsed ");
    lasts(0, LENS_STREAM, CACHE_WARM, true,
          SWEPT_ROW "hold start launch launch launch stop look1 let_go "
                    "sync copy elapsed ");
}

/* Behind the kernel, which the host launches meanwhile, and once for all calls in a row. */
TEST_WITH(a_planted_delay_is_inside, open_arms, close_arms) {
    lasts(1, LENS_CALL, CACHE_WARM, false, BEFORE "sync start launch delay stop sync elapsed ");
    assert_double_near(fake_device.delayed, 4e-4, 1e-15); /* twice the planted one */
    lasts(1, LENS_DEVICE, CACHE_WARM, false,
          SWEPT "hold start launch delay stop let_go sync copy elapsed ");
    assert_double_near(fake_device.delayed, 4e-4, 1e-15);
    lasts(1, LENS_STREAM, CACHE_WARM, false,
          SWEPT_ROW "hold start launch launch launch delay stop let_go "
                    "sync copy elapsed ");
    assert_double_near(fake_device.delayed, 3 * 4e-4, 1e-15);
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

static uint64_t sum_of(const uint16_t *matrix, int64_t rows, int64_t cols, int64_t ld) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            sum = sum * 31 + matrix[i * ld + j];
    return sum;
}

static uint64_t multiplied[3]; /* by the last three launches */

static int launch_sum(void *state, const struct gemm_args *args) {
    const struct shape s = runner.shape;
    (void)state;
    multiplied[0] = multiplied[1];
    multiplied[1] = multiplied[2];
    multiplied[2] =
        sum_of(args->a, s.m, s.k, args->problem.k) + sum_of(args->b_row, s.k, s.n, args->problem.n);
    return 0;
}

/* Whatever the arms before it have been given: else their products are not those of the library. */
TEST_WITH(calls_of_one_number_have_the_same_operands, open_arms, close_arms) {
    static const struct kernel_ops sums = {.launch = launch_sum};
    static const int arms[] = {0, 1, 2, 0, 2, 1};
    const struct wire_interval how = {.stream_calls = 3};
    uint64_t first[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(runner_write_operands(&runner, i, INPUT_NORMAL, 9 + (uint64_t)i), 0);
    for (int i = 0; i < 6; i++) {
        runner.arms[arms[i]].ops = &sums;
        assert_int_equal(runner_interval(&runner, &how, &runner.arms[arms[i]], LENS_STREAM, 0,
                                         false, &times, &told),
                         OUTCOME_OK);
        if (i == 0)
            memcpy(first, multiplied, sizeof first);
        assert_memory_equal(multiplied, first, sizeof first);
    }
    assert_true(first[0] != first[1] && first[1] != first[2] && first[0] != first[2]);
}

static int launch_numbered(void *state, const struct gemm_args *args) {
    (void)state;
    if (args->c == runner.row[2].data)
        number(args->c, 4, 6, 6);
    return 0;
}

TEST_WITH(the_last_c_is_kept, open_arms, close_arms) {
    static const struct kernel_ops numbered = {.launch = launch_numbered};
    runner.arms[0].ops = &numbered;
    read_interval(0, LENS_STREAM, CACHE_WARM, false);
    assert_true(is_numbered(runner.outputs[1].data, 4, 6, 6));
}

/* Where a hold gave up the interval holds the host's time. */
TEST_WITH(an_interval_whose_hold_gave_up_is_marked, open_arms, close_arms) {
    fake_device.gave_up = true;
    read_interval(0, LENS_STREAM, CACHE_WARM, false);
    assert_double_near(times.seconds, -2e-3, 1e-15);
    read_interval(0, LENS_DEVICE, CACHE_WARM, false);
    assert_double_near(times.seconds, -6e-3, 1e-15);
    read_interval(0, LENS_CALL, CACHE_WARM, false); /* which has no hold */
    assert_double_near(times.seconds, 6e-3, 1e-15);
}

TEST_WITH(a_device_that_fails_is_an_outcome, open_arms, close_arms) {
    static const struct {
        const char *fails;
        int arm;
        enum lens lens;
        int32_t cache;
        bool seal;
    } cases[] = {{"reset_persistence", 0, LENS_CALL, CACHE_WARM, false},
                 {"sweep", 0, LENS_CALL, CACHE_COLD, false},
                 {"sweep", 0, LENS_DEVICE, CACHE_WARM, false},
                 {"touch", 0, LENS_DEVICE, CACHE_WARM, false},
                 {"copy", 0, LENS_DEVICE, CACHE_WARM, false},
                 {"copy", 0, LENS_STREAM, CACHE_WARM, false},
                 {"fill", 0, LENS_DEVICE, CACHE_WARM, false},
                 {"hold", 0, LENS_DEVICE, CACHE_WARM, false},
                 {"start", 0, LENS_CALL, CACHE_WARM, false},
                 {"stop", 0, LENS_CALL, CACHE_WARM, false},
                 {"elapsed", 0, LENS_CALL, CACHE_WARM, false},
                 {"look", 0, LENS_CALL, CACHE_WARM, true},
                 {"delay", 1, LENS_CALL, CACHE_WARM, false},
                 {"fill", 0, LENS_STREAM, CACHE_WARM, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake_device.fails = cases[i].fails;
        assert_int_equal(read_interval(cases[i].arm, cases[i].lens, cases[i].cache, cases[i].seal),
                         OUTCOME_OK); /* which is no kernel's */
        assert_int_equal(told.status, -1);
        assert_string_equal(why, "the clock cannot be read, or a hold, a copy or a sweep failed");
    }
    fake_device.fails = "sync";
    for (int seal = 0; seal < 2; seal++) {
        assert_int_equal(read_interval(0, LENS_CALL, CACHE_WARM, seal == 1), OUTCOME_DEVICE_ERROR);
        assert_string_equal(why, "the device is lost");
    }
}

TEST_WITH(a_launch_that_fails_is_the_last, open_arms, close_arms) {
    status = 5;
    assert_int_equal(read_interval(0, LENS_STREAM, CACHE_WARM, false), OUTCOME_LAUNCH_FAILED);
    assert_string_equal(why, "status 5");
    assert_string_equal(fake_noted(), SWEPT_ROW "hold start launch stop let_go sync copy ");
}

TEST_WITH(a_look_is_at_the_arms_own_part, open_arms, close_arms) {
    const struct look look = runner_look(&runner, &runner.arms[2], &runner.outputs[1], 77);
    assert_ptr_equal(look.c, runner.outputs[1].data);
    assert_int_equal(look.rows, 4);
    assert_int_equal(look.cols, 6);
    assert_int_equal(look.ld, 16);
    assert_true(look.secret == 77);
    assert_null(look.other);
}

TEST(a_device_without_a_stream_to_hold_refuses_lenses_that_hold) {
    static const struct device_ops bare = {.kind = "bare"};
    static struct runner plain = {.device = &bare};
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
