/* Recording a sequence of calls, and carrying one out as an arm among others: in which order, on
 * which inputs, for one shape after the other, and told what fails. Recorder and player are
 * stand-ins that note in the same log as the device (support/fake_device.h). */

#include <stdlib.h>

#include "bench/base/outcome.h"
#include "bench/record/player.h"
#include "bench/record/recorder.h"
#include "bench/runner/requests/requests.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "tests/support/runner_memory.h"
#include "tests/support/test.h"

enum { CALLS = 2 };

static struct device_ops device;
static struct runner runner;
static struct wire_reply reply;
static int good_launches, written, opens, moved;
enum { FIRST_LAUNCHES = 16 };
static const uint16_t *launched_c[FIRST_LAUNCHES];
static uint16_t launched_first[FIRST_LAUNCHES]; /* element of A */
static int launches, nan_before;
static float shared[1 << 15];

#define VOID(name, word)                                                                           \
    void __wrap_##name(void);                                                                      \
    void __wrap_##name(void) {                                                                     \
        fake_note(word);                                                                           \
    }
VOID(recorder_begin_setup, "setup")
VOID(recorder_end, "end")
VOID(recorder_keep_memory, "keep")

void __wrap_recorder_begin_call(const struct gemm_args *kept);
void __wrap_recorder_begin_call(const struct gemm_args *kept) {
    const int call = kept && kept->c == runner.row[1].data;
    fake_note(kept ? "call" : "unkept");
    if (!kept)
        return;
    assert_ptr_equal(kept->a, runner.operands[0].calls[call].a.data);
    assert_true(kept->b_row && kept->b_col);
    assert_true(kept->c == runner.row[call].data || kept->c == runner.outputs[0].data);
}

int __wrap_recorder_write(void *to, uint64_t room, uint64_t *bytes, char why[RECORDING_WHY]);
int __wrap_recorder_write(void *to, uint64_t room, uint64_t *bytes, char why[RECORDING_WHY]) {
    assert_ptr_equal(to, shared);
    assert_int_equal(room, sizeof shared - sizeof(struct facts));
    *bytes = 77;
    snprintf(why, RECORDING_WHY, "%s", written ? "it uses textures" : "");
    fake_note("write");
    return written;
}

int __wrap_recorder_start(bool late, const char **why);
int __wrap_recorder_start(bool late, const char **why) {
    assert_true(late);
    *why = "CUPTI gave up";
    return fake_note("attach");
}

static const char *refused = "";
void __wrap_recorder_tell(struct facts *facts, char why[RECORDING_WHY]);
void __wrap_recorder_tell(struct facts *facts, char why[RECORDING_WHY]) {
    *facts = (struct facts){.calls = 91};
    snprintf(why, RECORDING_WHY, "%s", refused);
    fake_note("tell");
}

static char players[8]; /* their places tell them apart */
static int opened;
static const struct player *restored; /* the last that was */
static bool tells;                    /* the arm that is in hand */

int __wrap_player_open(const void *bytes, size_t size, struct player **player,
                       char why[RECORDING_WHY]);
int __wrap_player_open(const void *bytes, size_t size, struct player **player,
                       char why[RECORDING_WHY]) {
    assert_ptr_equal(bytes, shared);
    assert_int_equal(size, 77);
    *player = (struct player *)&players[opened++ % 8];
    snprintf(why, RECORDING_WHY, "%s", opens ? "the recording: it is too short" : "");
    return opens;
}

const struct recording *__wrap_player_recording(const struct player *player);
const struct recording *__wrap_player_recording(const struct player *player) {
    static const struct recording_step steps[] = {{.kind = RECORDING_FILL},
                                                  {.kind = RECORDING_FILL}};
    static struct recording_call calls[CALLS];
    static struct recording recording = {.steps = steps, .calls = calls};
    (void)player;
    recording.head.counts[RECORDING_TABLE_calls] = CALLS;
    for (int i = 0; i < CALLS; i++) {
        const struct inputs *inputs = &runner.operands[0].calls[i];
        calls[i] =
            (struct recording_call){.steps = 2,
                                    .a = (uint64_t)(uintptr_t)inputs->a.data + (uint64_t)moved,
                                    .b_row = (uint64_t)(uintptr_t)inputs->b_row.data,
                                    .b_col = (uint64_t)(uintptr_t)inputs->b_col.data,
                                    .c = (uint64_t)(uintptr_t)runner.row[i].data};
    }
    return &recording;
}

int __wrap_player_restore(struct player *player);
int __wrap_player_restore(struct player *player) {
    restored = player;
    return fake_note("restore") < 0 ? 700 : 0;
}

/* C is the first element of A, in every place. */
static int multiply(const uint16_t *a, uint16_t *c) {
    if (launches < FIRST_LAUNCHES) {
        launched_c[launches] = c;
        launched_first[launches] = *a;
    }
    launches++;
    for (int i = 0; i < runner.shape.m * runner.shape.n; i++)
        c[i] = *a;
    return good_launches-- > 0 ? 0 : 8;
}

int __wrap_player_play(struct player *player, int call);
int __wrap_player_play(struct player *player, int call) {
    char name[16];
    assert_ptr_equal(player, restored);
    if (tells)
        assert_ptr_equal(runner.arms[*wire_in_hand(shared, sizeof shared)].player, player);
    snprintf(name, sizeof name, "play%d", call);
    fake_note(name);
    uint16_t *c = runner.row[call].data;
    const int64_t last = runner.shape.m * runner.shape.n - 1;
    nan_before += element_is_nan(ELEMENT_F16, c[0]) && element_is_nan(ELEMENT_F16, c[last]);
    return multiply(runner.operands[0].calls[call].a.data, c);
}

void __wrap_player_close(struct player *player);
void __wrap_player_close(struct player *player) {
    if (player)
        fake_note("close");
}

const char *__wrap_player_explain(int status);
const char *__wrap_player_explain(int status) {
    return status == 700 ? "an illegal address" : "another fault";
}

static int launch(void *state, const struct gemm_args *args) {
    (void)state;
    fake_note("launch");
    return multiply(args->a, args->c);
}

static void tear_down(void *state) {
    (void)state;
    fake_note("teardown");
}

static const struct kernel_ops ops = {.launch = launch, .teardown = tear_down};
static const struct baseline library = {.ops = {.launch = launch, .teardown = tear_down}};

/* Arm 0. */
static void add_kernel(const struct baseline *baseline) {
    runner.arms[0] = (struct arm){.ops = &ops,
                                  .baseline = baseline,
                                  .problem = runner_problem(&runner, runner.shape),
                                  .reads = WIRE_B_ROW,
                                  .operands = runner_operands(&runner, runner.shape, LAYOUT_PLAIN)};
    runner.arm_count = 1;
}

static int begin(void **state) {
    (void)state;
    device = fake_device_ops();
    memset(&reply, 0, sizeof reply);
    good_launches = 99;
    written = opens = moved = launches = nan_before = 0;
    runner = (struct runner){.device = &device,
                             .shape = {4, 6, 8},
                             .accumulate = GEMM_F32,
                             .recording = true,
                             .shared = shared,
                             .shared_bytes = sizeof shared};
    static uint16_t table[INPUT_TABLE_SIZE];
    input_table(ELEMENT_F16, INPUT_NORMAL, 0, table);
    if (device_host.open(0, &runner.device_state) < 0 ||
        device_host.load_table(runner.device_state, INPUT_NORMAL, table) < 0)
        return -1;
    add_kernel(NULL);
    return 0;
}

static int end(void **state) {
    (void)state;
    return runner_memory_end(&runner);
}

static void is_fault(const char *text) {
    assert_int_equal(reply.status, -1);
    assert_string_equal(reply.text, text);
}

static void record(void) {
    memset(&reply, 0, sizeof reply);
    fake_noted();
    launches = 0;
    runner_record(&runner,
                  &(struct wire_record){.unkept = 1, .calls = CALLS, .seed = 4, .secret = 9},
                  &reply);
}

static void facts_are_there(void) {
    static struct facts facts;
    memcpy(&facts, wire_facts(shared, sizeof shared), sizeof facts);
    assert_int_equal(facts.calls, 91);
}

/* A sync more before each call: fresh inputs. */
TEST_WITH(a_sequence_is_recorded_and_made_again, begin, end) {
    record();
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_string_equal(fake_noted(), "sync unkept launch end sync keep "
                                      "sync call launch end sync look0 looks "
                                      "sync call launch end sync look0 looks "
                                      "sync unkept launch end sync look0 looks "
                                      "sync unkept launch end sync look0 looks write tell ");
    assert_true(reply.record.recordable);
    facts_are_there();
    assert_int_equal(reply.record.bytes, 77);
    /* Calls of one number have the same inputs and the same C, and others have others. */
    assert_int_equal(launches, 1 + 2 * CALLS);
    assert_int_equal(launched_first[1], launched_first[3]);
    assert_int_equal(launched_first[2], launched_first[4]);
    assert_int_not_equal(launched_first[1], launched_first[2]);
    assert_int_not_equal(launched_first[0], launched_first[1]);
    assert_ptr_equal(launched_c[1], launched_c[3]);
    assert_ptr_not_equal(launched_c[1], launched_c[2]);
    assert_ptr_equal(launched_c[0], launched_c[1]); /* of the calls that are not kept, too */
    assert_int_equal(reply.record.seals[0], reply.record.again[0]);
    assert_int_equal(reply.record.seals[1], reply.record.again[1]);
    assert_true(reply.record.seals[0] != reply.record.seals[1]);
}

TEST_WITH(a_call_that_cannot_be_recorded_says_why, begin, end) {
    written = 1;
    record();
    assert_int_equal(reply.status, 0);
    assert_false(reply.record.recordable);
    assert_string_equal(reply.text, "it uses textures");
}

TEST_WITH(a_call_that_fails_ends_the_recording, begin, end) {
    good_launches = 2;
    record();
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_int_equal(launches, 3);
    assert_false(reply.record.recordable);
    good_launches = 99;
    fake_device.fails = "looks";
    record();
    is_fault("an output cannot be looked at");
    fake_device.fails = "look";
    record();
    is_fault("an output cannot be looked at");
    fake_device.fails = "sync";
    record();
    is_fault("fresh inputs could not be made");
    fake_device.fails = NULL;
}

static void watch(int calls) {
    memset(&reply, 0, sizeof reply);
    memset(shared, 0, sizeof shared);
    fake_noted();
    runner.recording = false;
    runner_record(&runner, &(struct wire_record){.unkept = 1, .calls = calls, .seed = 4}, &reply);
}

/* The first may do what first calls do. */
TEST_WITH(calls_of_a_process_that_has_timed_are_watched, begin, end) {
    watch(2);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_string_equal(fake_noted(), "attach sync unkept launch end sync "
                                      "sync call launch end sync sync call launch end sync tell ");
    assert_true(reply.record.recordable);
    facts_are_there();
    assert_int_not_equal(launched_first[0], launched_first[1]);
    refused = "it uses graphs";
    watch(1);
    assert_false(reply.record.recordable);
    facts_are_there();
    assert_string_equal(reply.text, "it uses graphs");
    refused = "";
}

TEST_WITH(a_watched_call_that_fails_is_the_last, begin, end) {
    good_launches = 1;
    watch(2);
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_string_equal(reply.text, "status 8");
    assert_string_equal(fake_noted(), "attach sync unkept launch end sync "
                                      "sync call launch end ");
    good_launches = 99;
    fake_device.fails = "sync";
    watch(2);
    is_fault("fresh inputs could not be made");
    fake_device.fails = "attach";
    watch(2);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_UNRECORDED);
    assert_string_equal(reply.text, "CUPTI gave up");
    assert_string_equal(fake_noted(), "attach ");
    fake_device.fails = NULL;
}

TEST_WITH(without_room_nothing_is_watched, begin, end) {
    fake_device.most_held = fake_device.held;
    watch(1);
    assert_int_equal(reply.outcome, OUTCOME_NO_MEMORY);
    assert_string_equal(reply.text, "no room for an output");
    fake_device.most_held = 0;
}

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
