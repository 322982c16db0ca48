/* What a call behind a hold finds: the same operations in the same order for every arm, whatever
 * has been before it, and nothing of another arm's product. */
#include "bench/runner/before_calls.h"

#include <math.h>

#include "bench/runner/requests/requests.h"
#include "correctness/numbers/element_bits.h"
#include "tests/support/interval_arms.h"
#include "tests/support/test.h"

/* Launches so far: where the log stood, which arm it was, and whether a C of the row had anything
 * in it. */
enum { MOST_LAUNCHES = 256 };
static struct {
    size_t at;
    int arm;
    bool found_product;
} noted[MOST_LAUNCHES];
static int noted_count;

enum { CALLS = 3 };

/* "A0": A of the plain operands; "B1col": B of the next ones; "A0'": of the second call in a row; "C"
 * of any call. */
static const char *name_of(const uint16_t *at) {
    static char name[16];
    for (int i = 0; i < runner.operand_count * CALLS; i++) {
        const struct inputs *inputs = &runner.operands[i / CALLS].calls[i % CALLS];
        const struct guarded *const matrices[] = {&inputs->a, &inputs->b_row, &inputs->b_col};
        static const char *const names[] = {"A%d%s", "B%drow%s", "B%dcol%s"};
        static const char *const marks[CALLS] = {"", "'", "''"};
        for (int m = 0; m < 3; m++)
            if (matrices[m]->data == at) {
                snprintf(name, sizeof name, names[m], i / CALLS, marks[i % CALLS]);
                return name;
            }
    }
    for (int i = 0; i < runner.row_count; i++) {
        if (runner.row[i].data == at)
            return "C";
    }
    return "other";
}

static int filled; /* so often anything was */

/* Any number of C is one. */
static int named_fill(void *state, const struct fill *fills, int count) {
    filled++;
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(fake_device.log);
        const char *name = name_of(fills[i].at);
        const bool again = used >= 2 && strcmp(fake_device.log + used - 2, "C ") == 0;
        if (strcmp(name, "C") != 0 || !again)
            fake_note(name);
    }
    return device_host.fill(state, fills, count);
}

static int named_touch(void *state, const uint16_t *at, int64_t elements) {
    char name[32];
    (void)state;
    assert_true(elements >= 24);
    snprintf(name, sizeof name, "touch_%s", name_of(at));
    return fake_note(name);
}

static bool has_product(void) {
    for (int i = 0; i < runner.row_count; i++)
        for (int64_t e = 0; e < runner.row[i].elements; e++)
            if (!element_is_nan(ELEMENT_F16, runner.row[i].data[e]))
                return true;
    return false;
}

static int noted_launch(void *state, const struct gemm_args *args) {
    const struct arm *arm = state;
    noted[noted_count].at = strlen(fake_device.log);
    noted[noted_count].arm = (int)(arm - runner.arms);
    noted[noted_count++].found_product = has_product();
    counts_up = true;
    return launch(NULL, args);
}

static const struct kernel_ops noting = {.launch = noted_launch};

static int open_named(void **state) {
    if (open_arms(state) < 0)
        return -1;
    device.fill = named_fill;
    device.touch = named_touch;
    for (int i = 0; i < WIRE_ARMS; i++) {
        if (i >= 3)
            runner.arms[i] = runner.arms[0];
        runner.arms[i].ops = &noting;
        runner.arms[i].state = &runner.arms[i];
    }
    runner.arm_count = 3;
    noted_count = 0;
    return 0;
}

#define CALLED "hold start launch stop let_go sync copy "

static void device_call(int arm, int32_t cache, const char *want) {
    assert_int_equal(read_interval(arm, LENS_DEVICE, cache, false), OUTCOME_OK);
    const char *is = fake_noted();
    if (strncmp(is, want, strlen(want)) != 0)
        fail_msg("%s: %s", want, is);
}

/* C is NaN; then all is swept out of the cache, and for a warm one A and what it reads of B are read
 * again, A last. */
TEST_WITH(a_call_finds_what_its_cache_says, open_named, close_arms) {
    device_call(0, CACHE_WARM, "C sweep touch_B0row touch_A0 " CALLED);
    device_call(0, CACHE_COLD, "C sweep sync " CALLED);
    runner.arms[0].reads = WIRE_B_COL;
    device_call(0, CACHE_WARM, "C sweep touch_B0col touch_A0 " CALLED);
    device_call(0, CACHE_COLD, "C sweep sync " CALLED);
    runner.arms[0].reads = WIRE_B_ROW | WIRE_B_COL;
    device_call(0, CACHE_WARM, "C sweep touch_B0col touch_B0row touch_A0 " CALLED);
    device_call(2, CACHE_WARM, "C sweep touch_B1row touch_A1 " CALLED); /* it is padded */
}

TEST_WITH(calls_in_a_row_begin_as_one_does, open_named, close_arms) {
    static const char want[] = "C sweep touch_B0row'' touch_A0'' touch_B0row' touch_A0' "
                               "touch_B0row touch_A0 hold start launch launch launch ";
    read_interval(0, LENS_STREAM, CACHE_WARM, false);
    assert_memory_equal(fake_noted(), want, strlen(want));
}

/* The gap of the server mode is between what is prepared and the call. */
TEST_WITH(what_is_prepared_comes_before_the_gap, open_named, close_arms) {
    const struct wire_interval how = {.stream_calls = 3, .gap_seconds = 3e-3};
    const double start = runner_now();
    fake_noted();
    assert_int_equal(
        runner_interval(&runner, &how, &runner.arms[0], LENS_DEVICE, 1, false, &times, &told),
        OUTCOME_OK);
    assert_true(runner_now() - start >= 3e-3);
    static const char want[] = "C sweep touch_B0row touch_A0 sync " CALLED;
    assert_memory_equal(fake_noted(), want, strlen(want));
    fake_noted();
    assert_int_equal(
        runner_interval(&runner, &how, &runner.arms[0], LENS_CALL, 1, false, &times, &told),
        OUTCOME_OK);
    assert_string_equal(fake_noted(), BEFORE "sync start launch stop sync elapsed ");
}

/* Whatever one has written there or in another C is gone. */
TEST_WITH(each_interval_has_the_first_c, open_named, close_arms) {
    for (int i = 0; i < 7; i++) {
        uint16_t *c = runner.row[i % 3].data;
        c[5] = 7;
        read_interval(i % 2, LENS_DEVICE, CACHE_WARM, false);
        assert_ptr_equal(launched.c, runner.row[0].data);
        assert_false(noted[i].found_product);
        assert_int_equal(runner.outputs[1].data[23], launches); /* and is kept */
    }
}

/* A kernel that copies what another has left there finds NaN. All of them are one fill, so that a
 * call takes the harness no longer than it must. */
TEST_WITH(nobody_finds_a_product, open_named, close_arms) {
    static const enum lens lenses[] = {LENS_STREAM, LENS_DEVICE, LENS_STREAM, LENS_DEVICE};
    for (int pass = 0; pass < 12; pass++) {
        const int first = noted_count;
        filled = 0;
        assert_int_equal(read_interval(pass % 3, lenses[pass % 4],
                                       pass % 2 ? CACHE_WARM : CACHE_COLD, pass % 5 ? true : false),
                         OUTCOME_OK);
        assert_false(noted[first].found_product);
        assert_int_equal(filled, 1);
        fake_noted();
    }
}

/* A library writes its own C alone: behind it the C of calls that an interval does not have stay as they
 * are. They can be large. */
TEST_WITH(behind_a_library_the_c_of_the_calls_is_emptied, open_named, close_arms) {
    static const struct baseline library = {.forget = NULL};
    read_interval(1, LENS_DEVICE, CACHE_WARM, false);
    runner.arms[0].baseline = &library;
    for (int i = 0; i < 3; i++) {
        runner.row[1].data[5] = 7;
        read_interval(0, LENS_DEVICE, CACHE_WARM, false);
        assert_int_equal(noted[1 + i].found_product, i > 0);
        assert_int_equal(launched.c == runner.row[0].data, 1);
    }
    read_interval(0, LENS_STREAM, CACHE_WARM, false);
    assert_false(noted[4].found_product);
}

static uint32_t left_out;

/* One block of the arms by the lens. */
static void time_arms(int arms, int lens, int32_t cache, int suspects) {
    static float samples[64];
    static struct wire_reply reply;
    struct wire_time time = {.lenses = 1 << lens,
                             .interval = {.cache = cache, .stream_calls = 3},
                             .most_blocks = 1,
                             .seed = 5,
                             .arm_count = arms,
                             .suspects = {1, 2},
                             .suspect_count = suspects,
                             .left_out = left_out,
                             .library = -1};
    for (int i = 0; i < arms; i++)
        time.arms[i] = i;
    runner.arm_count = arms;
    runner.shared = samples;
    runner.shared_bytes = sizeof samples;
    reply = (struct wire_reply){0};
    noted_count = 0;
    strcpy(fake_device.log, " ");
    fake_device.elapsed = 1e-5;
    runner_time(&runner, &time, &reply);
    assert_int_equal(reply.status, 0);
}

/* From the last writing of `first` before the arm's first launch to the end of its interval. */
static const char *part_of(int arm, const char *first) {
    static char part[1024];
    int i = 0;
    while (i < noted_count && noted[i].arm != arm)
        i++;
    assert_true(i < noted_count);
    size_t from = noted[i].at;
    while (from > 0 && strncmp(fake_device.log + from - 1, first, strlen(first)) != 0)
        from--;
    const char *end = strstr(fake_device.log + noted[i].at, "elapsed ");
    assert_non_null(end);
    const size_t length = (size_t)(end - fake_device.log) - from;
    assert_true(length < sizeof part);
    memcpy(part, fake_device.log + from, length);
    part[length] = 0;
    return part;
}

/* Neither delayed nor padded. */
static void plain_arms(void) {
    runner.arms[1] = runner.arms[2] = runner.arms[0];
    runner.arms[1].state = &runner.arms[1];
    runner.arms[2].state = &runner.arms[2];
}

static int count_of(const char *what) {
    int count = 0;
    for (const char *at = fake_device.log; (at = strstr(at, what)); at++)
        count++;
    return count;
}

/* How many of three arms launch. */
static int launches_of_three(void) {
    time_arms(3, LENS_DEVICE, CACHE_WARM, 0);
    return noted_count;
}

/* Its samples are no number. */
TEST_WITH(an_arm_that_is_left_out_is_not_timed, open_named, close_arms) {
    plain_arms();
    left_out = 1u << 1;
    assert_int_equal(launches_of_three(), 2);
    const float *samples = runner.shared;
    assert_true(isnan(samples[1]) && samples[0] > 0 && samples[2] > 0);
    time_arms(3, LENS_CALL, CACHE_WARM, 0);
    assert_int_equal(noted_count, 2);
    assert_true(isnan(samples[1]) && isnan(samples[4]) && samples[3] > 0 && samples[5] > 0);
    left_out = 0;
}

/* How many arms there are, in which order they come and what is looked at changes nothing of what a
 * call finds and is. Beside a stranger's code A and B are written anew for each arm. */
TEST_WITH(two_arms_and_nine_issue_the_same, open_named, close_arms) {
    static const int lenses[] = {LENS_DEVICE, LENS_STREAM};
    static const int32_t caches[] = {CACHE_WARM, CACHE_COLD};
    plain_arms();
    runner.arms[0].loaded.library = &runner;
    for (int way = 0; way < 4; way++) {
        char two[1024], sealed[1024];
        time_arms(2, lenses[way % 2], caches[way / 2], 0);
        strcpy(two, part_of(0, " A0 "));
        assert_string_equal(part_of(1, " A0 "), two);
        assert_non_null(strstr(two, "sweep"));
        time_arms(9, lenses[way % 2], caches[way / 2], 0);
        for (int arm = 0; arm < 9; arm++)
            assert_string_equal(part_of(arm, " A0 "), two);
        time_arms(3, lenses[way % 2], caches[way / 2], 1); /* and C is looked at behind the stop */
        strcpy(sealed, part_of(0, " A0 "));
        assert_non_null(strstr(sealed, "stop look"));
        for (int arm = 1; arm < 3; arm++) { /* but for the number of the look */
            const char *part = part_of(arm, " A0 ");
            const size_t to_look = (size_t)(strstr(sealed, "look") - sealed) + strlen("look");
            assert_memory_equal(part, sealed, to_look);
            assert_string_equal(strstr(part, "let_go"), strstr(sealed, "let_go"));
        }
    }
}

/* Without one they are written once for all arms of a pass. */
TEST_WITH(where_no_stranger_is_inputs_are_written_once, open_named, close_arms) {
    static const int lenses[] = {LENS_DEVICE, LENS_STREAM};
    plain_arms();
    for (int many = 0; many < 2; many++) {
        char two[1024];
        time_arms(2, lenses[many], CACHE_WARM, 0);
        strcpy(two, part_of(0, " C "));
        assert_non_null(strstr(two, "sweep"));
        time_arms(9, lenses[many], CACHE_WARM, 1);
        for (int arm = 0; arm < 9; arm++)
            assert_string_equal(part_of(arm, " C "), two);
        assert_int_equal(count_of(" A0 "), 1);
        assert_int_equal(count_of(" stop look"), 0);
    }
}
