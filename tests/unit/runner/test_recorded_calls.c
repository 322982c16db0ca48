/* Carrying a recording out, by itself and as an arm among others: in which order, on which inputs, for one
 * shape after the other, and told what fails. */

#include "tests/support/test.h"

#include "tests/support/recorded_calls.h"

static void load(void) {
    memset(&reply, 0, sizeof reply);
    runner_add(&runner,
               &(struct wire_add){.kind = ARM_RECORDING,
                                  .bytes = 77,
                                  .padded = runner.shape,
                                  .operands = LAYOUT_CANDIDATE},
               &reply);
}

static uint64_t seals[CALLS];

/* The calls of the recording in their order, until one fails. One may be shown: it has other inputs
 * and no seal. */
static void play(int shown) {
    runner.recording = false;
    fake_noted();
    launches = 0;
    for (int i = 0; i < CALLS; i++) {
        const struct wire_call request = {
            .arm = 1,
            .call = i,
            .seed = i == shown ? 11 : seed_derive(4, SEED_BLOCK, (uint64_t)i),
            .secret = i == shown ? 0 : 9};
        memset(&reply, 0, sizeof reply);
        runner_call(&runner, &request, &reply);
        seals[i] = reply.call.seal;
        if (reply.status != 0 || reply.outcome != OUTCOME_OK)
            return;
    }
}

TEST_WITH(what_is_loaded_is_told, begin, end) {
    load();
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.add.arm, 1);
    assert_int_equal(reply.add.calls, CALLS);
}

TEST_WITH(a_recording_may_not_fit_here, begin, end) {
    opens = 1;
    load();
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.add.arm, -1);
    assert_string_equal(reply.text, "the recording: it is too short");
    opens = 0;
    moved = 2;
    load();
    assert_int_equal(reply.add.arm, -1);
    assert_string_equal(reply.text, "operands do not lie where they lay when it was recorded");
    assert_int_equal(runner.arm_count, 1); /* it is no arm */
    moved = 0;
    runner.arm_count = WIRE_ARMS;
    load();
    is_fault("too many arms");
    runner.arm_count = 1;
    fake_device.most_held = fake_device.held;
    load();
    assert_int_equal(reply.status, 0); /* all is there already */
    runner.arm_count = 1;
    runner.operand_count = LAYOUT_OPERANDS; /* each of another size */
    for (int i = 0; i < LAYOUT_OPERANDS; i++)
        runner.operands[i].padded.m += 8;
    load();
    is_fault("no room for a recording and its operands");
    for (int i = 0; i < LAYOUT_OPERANDS; i++)
        runner.operands[i].padded.m -= 8;
    runner.operand_count = 1;
    fake_device.most_held = 0;
}

/* The bits of the recorder's calls, on their inputs. */
TEST_WITH(a_sequence_is_carried_out, begin, end) {
    uint64_t own[CALLS];
    record();
    memcpy(own, reply.record.seals, sizeof own);
    load();
    play(-1);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_string_equal(fake_noted(),
                        "sync restore play0 sync look0 looks sync play1 sync look0 looks ");
    assert_int_equal(seals[0], own[0]);
    assert_int_equal(seals[1], own[1]);
    assert_int_equal(nan_before, CALLS);
}

/* One call on other inputs, and its C is handed over. */
TEST_WITH(a_drawn_call_has_inputs_of_its_own, begin, end) {
    uint64_t first[CALLS];
    load();
    play(-1);
    memcpy(first, seals, sizeof first);
    const uint16_t before = launched_first[1];
    memset(shared, 0, sizeof shared);
    play(1);
    assert_int_equal(seals[0], first[0]);
    assert_int_equal(seals[1], 0);
    assert_int_not_equal(launched_first[1], before);
    uint16_t shown;
    memcpy(&shown, shared, sizeof shown);
    assert_int_equal(shown, launched_first[1]);
}

TEST_WITH(what_fails_when_carried_out_is_told, begin, end) {
    load();
    fake_device.fails = "restore";
    play(-1);
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_string_equal(reply.text, "an illegal address (status 700)");
    assert_int_equal(launches, 0);
    fake_device.fails = NULL;
    good_launches = 1;
    play(-1);
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_string_equal(reply.text, "another fault (status 8)");
    assert_int_equal(launches, 2);
}

/* The library and the recording, by these lenses. */
static struct wire_time time_of(int lenses, uint64_t blocks) {
    return (struct wire_time){.lenses = lenses,
                              .interval = {.stream_calls = CALLS},
                              .seconds = 3600,
                              .most_blocks = blocks,
                              .arm_count = 2,
                              .arms = {0, 1},
                              .suspects = {1},
                              .suspect_count = 1,
                              .library = 0,
                              .tolerance = {1}};
}

static int count_of(const char *log, const char *word) {
    int count = 0;
    for (; (log = strstr(log, word)); log++)
        count++;
    return count;
}

/* Before the interval of any arm its memory is what it was before the first of its calls. */
TEST_WITH(a_recording_is_an_arm_among_others, begin, end) {
    static char log[sizeof fake_device.log];
    load();
    const struct wire_time device_time = time_of(1 << LENS_DEVICE, 5);
    memset(&reply, 0, sizeof reply);
    fake_device.elapsed = 1e-5;
    fake_noted();
    launches = nan_before = 0;
    runner_time(&runner, &device_time, &reply);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_int_equal(reply.time.blocks, 5);
    for (int i = 0; i < 5; i++)
        assert_true(shared[2 * i] == 1e-5f && shared[2 * i + 1] == 1e-5f);
    memcpy(log, fake_noted(), sizeof log);
    const char *at = log;
    for (int i = 0; i < 5; i++) {
        at = strstr(at, "restore sweep touch touch touch hold start play0 stop ");
        if (!at)
            fail_msg("pass %d: %s", i, log);
        at++;
    }
    assert_int_equal(count_of(log, "restore sweep touch touch hold start launch stop"), 5);
    assert_int_equal(nan_before, 5);
    assert_int_equal(runner.arms[1].next_call, 1);
    /* Calls in a row are those of one pass through the sequence. */
    const struct wire_time stream_time = time_of(1 << LENS_STREAM, 1);
    runner_time(&runner, &stream_time, &reply);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    memcpy(log, fake_noted(), sizeof log);
    assert_non_null(strstr(log, "restore sweep touch touch touch touch touch touch hold start "
                                "play0 play1 stop "));
    assert_int_equal(count_of(log, "restore"), count_of(log, "sweep"));
}

/* All have their memory at the same addresses. Who plays finds what it has left there, and nothing of
 * another: __wrap_player_play looks. */
TEST_WITH(of_two_recordings_that_which_plays_is_restored_last, begin, end) {
    load();
    load();
    struct wire_time time = time_of(1 << LENS_DEVICE | 1 << LENS_STREAM, 8);
    time.arm_count = 3;
    time.arms[2] = time.suspects[1] = 2;
    time.suspect_count = 2;
    time.tolerance[1] = 1;
    tells = true;
    fake_device.elapsed = 1e-5;
    memset(&reply, 0, sizeof reply);
    fake_noted();
    runner_time(&runner, &time, &reply);
    assert_string_equal(reply.text, "");
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_true(reply.time.blocks > 0);
    assert_non_null(strstr(fake_noted(), "restore restore sweep "));
    tells = false;
}

TEST_WITH(a_recording_that_cannot_begin_again_is_a_fault, begin, end) {
    load();
    fake_device.fails = "restore";
    const struct wire_time time = time_of(1 << LENS_DEVICE, 1);
    memset(&reply, 0, sizeof reply);
    runner_time(&runner, &time, &reply);
    assert_int_equal(reply.status, -1);
    assert_non_null(strstr(reply.text, "a hold, a copy or a sweep failed"));
}

static void take_shape(struct shape shape) {
    const struct wire_shape request = {.shape = shape, .accumulate = GEMM_F32};
    memset(&reply, 0, sizeof reply);
    fake_noted();
    runner_shape(&runner, &request, &reply);
}

/* As the stage has them: nothing of the first is left when the second comes. */
TEST_WITH(one_shape_follows_another, begin, end) {
    static const struct shape shapes[] = {{8, 16, 4}, {4, 2, 16}};
    uint64_t first[2];
    add_kernel(&library);
    load();
    for (int i = 0; i < 2; i++) {
        take_shape(shapes[i]);
        assert_int_equal(reply.status, 0);
        assert_string_equal(fake_noted(), "teardown close ");
        assert_int_equal(fake_device.held, 3); /* A and both copies of B */
        assert_int_equal(runner.arm_count, 0);
        assert_int_equal(runner.operands[0].padded.m, shapes[i].m);
        add_kernel(&library);
        load();
        assert_int_equal(reply.add.arm, 1);
        play(-1);
        assert_int_equal(reply.status, 0);
        first[i] = seals[0];
        const struct wire_time time = time_of(1 << LENS_DEVICE | 1 << LENS_STREAM, 1);
        fake_device.elapsed = 1e-5;
        runner_time(&runner, &time, &reply);
        assert_int_equal(reply.status, 0);
        assert_int_equal(reply.outcome, OUTCOME_OK);
    }
    assert_true(first[0] != first[1]);
}

/* The kernel of the shape before is taken down. */
TEST_WITH(a_process_with_a_kernels_library_serves_another_shape, begin, end) {
    take_shape((struct shape){8, 16, 4});
    assert_int_equal(reply.status, 0);
    assert_int_equal(runner.arm_count, 0);
}
