/* For tests of recording a sequence of calls and of carrying one out: a runner with a kernel, whose recorder
 * and player are stand-ins that note in the same log as the device (fake_device.h). Include after cmocka.h. */
#ifndef TESTS_SUPPORT_RECORDED_CALLS_H
#define TESTS_SUPPORT_RECORDED_CALLS_H

#include <stdlib.h>

#include "bench/base/outcome.h"
#include "bench/record/player.h"
#include "bench/record/recorder.h"
#include "bench/runner/requests/requests.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "tests/support/runner_memory.h"

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

#endif
