/* Calls in a row: where their operands and outputs lie, what they hold, and where a row ends. */

#include "bench/runner/block.h"
#include "bench/runner/requests/requests.h"
#include "correctness/numbers/element_bits.h"
#include "tests/support/inputs_check.h"
#include "tests/support/interval_arms.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

enum { CALLS = 3, MOST = 256 };

/* All operands and outputs of a shape lie behind one another, and nowhere one in another. */
static void lies_apart(struct shape s) {
    const uint64_t a = 2 * (uint64_t)(s.m * s.k), b = 2 * (uint64_t)(s.k * s.n);
    const uint64_t sizes[3] = {a, b, b};
    uint64_t offsets[3], end = 1;
    for (int whose = 0; whose < LAYOUT_OPERANDS; whose++)
        for (int call = 0; call < layout_calls(s); call++) {
            layout_operands(s, (enum layout_operands)whose, call, offsets);
            for (int i = 0; i < 3; i++) {
                assert_true(offsets[i] >= end);
                end = offsets[i] + sizes[i] + 2 * GUARD_BYTES;
            }
        }
    for (int call = 0; call < layout_calls(s); call++) {
        assert_true(layout_c(s, call) >= end);
        end = layout_c(s, call) + 2 * (uint64_t)(s.m * s.n) + 2 * GUARD_BYTES;
    }
    assert_true(layout_rest(s) >= end);
}

TEST(each_call_has_room_of_its_own) {
    static const struct {
        struct shape shape;
        int calls;
    } cases[] = {{{64, 64, 64}, 8},         {{4096, 4096, 4096}, 8},    {{8192, 8192, 8192}, 6},
                 {{16384, 16384, 64}, 6},   {{12288, 12288, 12288}, 3}, {{16384, 16384, 16384}, 2},
                 {{32768, 32768, 32768}, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(layout_calls(cases[i].shape), cases[i].calls);
        lies_apart(cases[i].shape);
    }
}

TEST_WITH(a_row_is_no_longer_than_there_is_room_for, open_arms, close_arms) {
    assert_int_equal(runner_row(&runner, LAYOUT_CALLS, 24), 0);
    assert_int_equal(runner.operands[1].count, LAYOUT_CALLS);
    assert_says(runner_row(&runner, LAYOUT_CALLS + 1, 24), -1, "9 calls in a row have no room");
}

static int launch_counting(void *state, const struct gemm_args *args);
static struct kernel_ops counting = {.launch = launch_counting};

/* What each launch was given, and whether its C was empty. */
static struct { const void *a, *b, *c; } given[MOST];
static int given_count;
static bool puts_off; /* each product until the last call of a row of three */

static void store(void *c) {
    memset(c, 0, 24 * sizeof(uint16_t));
}

static int launch_counting(void *state, const struct gemm_args *args) {
    int call = 0;
    (void)state;
    while (runner.row[call].data != args->c)
        call++;
    given[given_count].a = args->a;
    given[given_count].b = args->b_row;
    given[given_count++].c = args->c;
    for (int i = 0; i <= call; i++)
        if (!puts_off || call == CALLS - 1)
            store(runner.row[i].data);
    return 0;
}

static uint64_t first_block;

/* So many blocks of rows; arm 1 is the suspect. */
static int time_rows(uint64_t blocks) {
    static float samples[2 * MOST];
    const struct wire_time time = {.lenses = 1 << LENS_STREAM,
                                   .interval = {.stream_calls = CALLS},
                                   .seconds = 3600,
                                   .most_blocks = blocks,
                                   .first_block = first_block,
                                   .seed = 5,
                                   .arm_count = 2,
                                   .arms = {0, 1},
                                   .suspects = {1},
                                   .suspect_count = 1,
                                   .library = -1};
    runner.arms[0].ops = runner.arms[1].ops = &counting;
    runner.arms[1].delayed = 0;
    runner.arm_count = 2;
    runner.shared = samples;
    runner.shared_bytes = sizeof samples;
    given_count = 0;
    fake_device.elapsed = 1e-5;
    told = (struct wire_reply){0};
    runner_time(&runner, &time, &told);
    return told.outcome;
}

TEST_WITH(each_call_has_operands_of_its_own, open_arms, close_arms) {
    const struct wire_time request = {.seed = 5};
    uint64_t changed = 0;
    puts_off = false;
    time_rows(1);
    assert_int_equal(runner.inputs, INPUT_NORMAL);
    for (int i = 0; i < CALLS; i++) {
        const struct inputs *inputs = &runner.operands[0].calls[i];
        assert_ptr_equal(given[i].a, inputs->a.data);
        assert_ptr_equal(given[i].b, inputs->b_row.data);
        assert_ptr_equal(given[i].c, runner.row[i].data);
        assert_memory_equal(&given[i], &given[CALLS + i],
                            sizeof *given); /* and each arm the same */
        assert_int_equal(inputs_check(&device, runner.device_state, inputs, INPUT_NORMAL,
                                      block_inputs(&request, LENS_STREAM, i), &changed),
                         0);
    }
    assert_int_equal(changed, 0);
}

/* A late A, too, is of the inputs that were asked for. */
TEST_WITH(calls_are_timed_on_the_inputs_of_the_plan, open_arms, close_arms) {
    const struct wire_time request = {.seed = 5};
    for (int kind = 0; kind < INPUTS_COUNT; kind++) {
        uint64_t changed = 0, others = 0;
        runner.inputs = (enum input_kind)kind;
        assert_int_equal(runner_table(&runner, runner.inputs, runner.shape.k), 0);
        puts_off = false;
        time_rows(1);
        for (int i = 0; i < CALLS; i++) {
            const struct inputs *inputs = &runner.operands[0].calls[i];
            const uint64_t seed = block_inputs(&request, LENS_STREAM, i);
            const int other = (kind + 1) % INPUTS_COUNT;
            assert_int_equal(runner_table(&runner, (enum input_kind)other, runner.shape.k), 0);
            inputs_check(&device, runner.device_state, inputs, kind, seed, &changed);
            inputs_check(&device, runner.device_state, inputs, other, seed, &others);
        }
        assert_int_equal(changed, 0);
        assert_true(others > CALLS * 40);
        assert_int_equal(runner_write_a(&runner, 1, 8), 0);
        const struct inputs *late = &runner.operands[0].calls[1];
        struct fill fills[3];
        inputs_fills(late, kind, 8, fills);
        assert_int_equal(device.count_changed(runner.device_state, fills, 1, &changed), 0);
        assert_int_equal(changed, 0);
    }
}

/* Of eight blocks some have a row more, for every arm, that ends early. */
TEST_WITH(some_rows_end_early, open_arms, close_arms) {
    puts_off = false;
    assert_int_equal(time_rows(16), OUTCOME_OK);
    const int more = given_count - 16 * 2 * CALLS;
    assert_true(more >= 2 && more % 2 == 0);
    assert_int_equal(told.time.blocks, 16);
    assert_true(told.time.looked > 16);
}

static int left_out; /* the number of a call that makes no product */

static int launch_leaving_out(void *state, const struct gemm_args *args) {
    (void)state;
    if (args->c != runner.row[left_out].data)
        store(args->c);
    return 0;
}

/* Of a row that does not end early, too, any call may be the one that is looked at. */
TEST_WITH(who_leaves_a_call_out_is_seen, open_arms, close_arms) {
    bool looked_at[CALLS] = {false};
    puts_off = false;
    for (first_block = 0; first_block < 32; first_block++) {
        counting.launch = launch_counting;
        assert_int_equal(time_rows(1), OUTCOME_OK);
        if (told.time.looked > 1) /* there is a row that ends early */
            continue;
        const int call = told.time.call;
        looked_at[call] = true;
        for (left_out = 0; left_out < CALLS; left_out++) {
            counting.launch = launch_leaving_out;
            assert_int_equal(time_rows(1), left_out == call ? OUTCOME_REPLAYED : OUTCOME_OK);
        }
    }
    first_block = 0;
    counting.launch = launch_counting;
    for (int i = 0; i < CALLS; i++)
        assert_true(looked_at[i]);
}

static uint64_t first_a[MOST]; /* the first elements of A of each launch */

static int launch_noting_a(void *state, const struct gemm_args *args) {
    memcpy(&first_a[given_count], args->a, sizeof *first_a);
    return launch_counting(state, args);
}

/* A of its last call is another one when the row begins, and the same for all arms when that call
 * does. */
TEST_WITH(a_row_that_ends_early_has_its_last_a_late, open_arms, close_arms) {
    static const struct kernel_ops noting = {.launch = launch_noting_a};
    puts_off = false;
    time_rows(16);
    runner.arms[0].ops = runner.arms[1].ops = &noting;
    given_count = 0;
    runner.ends = CALLS;
    runner.late_a = 77;
    for (int arm = 0; arm < 2; arm++) {
        for (int call = 0; call < CALLS; call++)
            assert_int_equal(runner_write_operands(&runner, call, INPUT_NORMAL, 9 + (uint64_t)call),
                             0);
        read_interval(arm, LENS_STREAM, CACHE_WARM, false);
    }
    for (int call = 0; call < CALLS; call++)
        assert_true(first_a[call] == first_a[CALLS + call]);
    const uint64_t late = first_a[CALLS - 1];
    runner.ends = 0;
    for (int call = 0; call < CALLS; call++)
        assert_int_equal(runner_write_operands(&runner, call, INPUT_NORMAL, 9 + (uint64_t)call), 0);
    read_interval(0, LENS_STREAM, CACHE_WARM, false);
    assert_true(first_a[2 * CALLS] == first_a[0] && first_a[3 * CALLS - 1] != late);
}

/* What the first call of a row finds of the last: its B. */
static uint64_t last_b[MOST];
static int rows;

static int launch_looking_ahead(void *state, const struct gemm_args *args) {
    if (args->c == runner.row[0].data)
        memcpy(&last_b[rows++], runner.operands[0].calls[CALLS - 1].b_row.data, sizeof *last_b);
    return launch_counting(state, args);
}

/* No call sees that its row ends early: what later calls would have is there, too. */
TEST_WITH(a_row_that_ends_early_is_prepared_like_any_other, open_arms, close_arms) {
    char whole[256];
    puts_off = false;
    read_interval(0, LENS_STREAM, CACHE_WARM, false);
    strcpy(whole, fake_noted());
    *strstr(whole, "launch") = 0;
    runner.ends = 1;
    read_interval(0, LENS_STREAM, CACHE_WARM, false);
    assert_memory_equal(fake_noted(), whole, strlen(whole));
    runner.ends = rows = 0;
    counting.launch = launch_looking_ahead;
    assert_int_equal(time_rows(16), OUTCOME_OK);
    counting.launch = launch_counting;
    assert_true(rows > 2 * 16);
    for (int i = 2; i < rows; i += 2) /* both arms of a pass have the same */
        assert_true(last_b[i] == last_b[i + 1] && last_b[i] != last_b[i - 1]);
}

TEST_WITH(who_puts_products_off_is_seen, open_arms, close_arms) {
    puts_off = true;
    assert_int_equal(time_rows(16), OUTCOME_REPLAYED);
    assert_non_null(strstr(told.text, "24 of 24 elements of C were left unwritten"));
}
