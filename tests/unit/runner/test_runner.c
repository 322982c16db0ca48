/* A runner asked over its socket, as the judge asks it. Its GPU is the host (support/fake_gpu.c),
 * its kernels are compiled here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "bench/process/runner_process.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/half.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/reference.h"
#include "tests/support/doubles.h"
#include "tests/support/scratch.h"

#define SHAPE ((struct shape){24, 16, 40})
#define SHARED ((size_t)1 << 16)
#define LIMIT 60

static struct runner_process process = PROCESS_NONE;
static struct wire_reply reply;

/* Each is a library that does slow_product and this. */
enum kernel {
    GOOD,
    TILED,
    STRANGER,
    UNWELL,
    HALF,
    OUTSIDE,
    INPUTS,
    SKIPS,
    PART,
    COARSE,
    LATER,
    MOVED,
    MODES,
    SAME,
    PICKY,
    KERNELS
};
static const struct {
    const char *name, *launch, *members;
} kernels[KERNELS] = {
    [GOOD] = {"good", "return slow_product(s, a);", ""},
    [TILED] = {"tiled", "return slow_product(s, a);", ".tile = {16, 32, 0},"},
    [STRANGER] = {"stranger", "return slow_product(s, a);", ".device = GEMM_HOST,"},
    [UNWELL] = {"unwell", "(void)s, (void)a; return 42;", ".setup = set_up, .explain = explain,"},
    [HALF] = {"half", "return slow_product(s, a);", ".accumulate = GEMM_F16, .can_do = never,"},
    [OUTSIDE] =
        {"outside",
         "((uint16_t *)a->c)[-1] = ((uint16_t *)a->b_col)[-2] = 7; return slow_product(s, a);", ""},
    [INPUTS] =
        {"inputs",
         "((uint16_t *)a->a)[3] ^= 1; ((uint16_t *)a->b_col)[0] ^= 1; return slow_product(s, a);",
         ""},
    [SKIPS] = {"skips", "static int n; return n++ % 3 == 2 ? 0 : slow_product(s, a);", ""},
    [PART] = {"part", "int e = slow_product(s, a); ((uint16_t *)a->c)[5] += 64; return e;", ""},
    [COARSE] = {"coarse",
                "int e = slow_product(s, a); for (int i = 0; i < 200; i++) ((uint16_t *)a->c)[i] "
                "+= 5; return e;",
                ""},
    [LATER] = {"later", "static int n; return n++ < 5 ? slow_product(s, a) : 9;", ""},
    [MODES] = {"modes",
               "volatile float one = 1, tiny = 0x1p-30f; "
               "int e = one + tiny == 1 ? slow_product(s, a) : 7; "
               "fesetround(FE_UPWARD); return e;",
               ".setup = round_up,"},
    [MOVED] = {"moved", "static int n; return n++ < 16 ? slow_product(s, a) : 0;", ""},
    [SAME] = {"same",
              "static uint16_t c[384]; static uint64_t last; uint64_t now = *(uint64_t *)a->a; "
              "if (now == last) return memcpy(a->c, c, sizeof c), 0; last = now; "
              "int e = slow_product(s, a); memcpy(c, a->c, sizeof c); return e;",
              ""},
    /* Wants an A that it has not had, and a C full of NaN. */
    [PICKY] = {"picky",
               "static uint64_t had[64]; static int n; uint64_t now = 0; const uint16_t *c = a->c;"
               "const int64_t rows = a->problem.m, k = a->problem.k, cols = a->problem.n;"
               "for (int64_t i = 0; i < rows * k; i++) now = now * 31 + ((uint16_t *)a->a)[i];"
               "for (int i = 0; i < 64; i++) if (had[i] == now) return 9;"
               "for (int64_t i = 0; i < rows * cols; i++) if ((c[i] & 0x7fff) <= 0x7c00) return 8;"
               "had[n++ % 64] = now; return slow_product(s, a);",
               ""},
};
static char libraries[KERNELS][512];

static int compile_all(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    for (int i = 0; i < KERNELS; i++) {
        char command[2048];
        scratch_put(
            "kernel.c",
            "#include \"%s/tests/adversarial/host/slow.h\"\n#include <stdlib.h>\n#include "
            "<fenv.h>\n#include <string.h>\n"
            "static int round_up(const struct gemm_problem *p, size_t w, void **s)\n"
            "{ (void)p, (void)w, (void)s; return fesetround(FE_UPWARD); }\n"
            "static int set_up(const struct gemm_problem *p, size_t w, void **s)\n"
            "{ (void)p, (void)s; return w == 12345 ? 0 : 3; }\n"
            "static int never(const struct gemm_problem *p) { (void)p; return 0; }\n"
            "static const char *explain(int s) { return s == 42 ? \"unwell\" : NULL; }\n"
            "static int launch(void *s, const struct gemm_args *a) { %s }\n"
            "void use(void); void use(void) { (void)set_up, (void)round_up, (void)never, "
            "(void)explain; }\n"
            "GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI,\n"
            ".name = \"%s\", .device = GEMM_CUDA, .accumulate = GEMM_F32, .launch = launch, %s};\n",
            SOURCE, kernels[i].launch, kernels[i].name, kernels[i].members);
        snprintf(libraries[i], sizeof libraries[i], "%s/%s", scratch, kernels[i].name);
        snprintf(command, sizeof command,
                 "cc -w -O1 -shared -fPIC -I'%s/candidates' -o %s/%s %s/kernel.c", SOURCE, scratch,
                 kernels[i].name, scratch);
        if (system(command) != 0)
            return -1;
    }
    return 0;
}

static int stop(void **state) {
    (void)state;
    process_end(&process);
    unsetenv("FAKE_GPUS");
    return 0;
}

static int start(void **state) {
    (void)state;
    return process_start(&process, SHARED);
}

static void ask(struct wire_request request) {
    int code = 0;
    const enum process_answer answer = process_ask(&process, &request, LIMIT, &reply, &code);
    if (answer != PROCESS_ANSWERED)
        fail_msg("verb %u: %d (%d): %s", request.verb, answer, code, process.printed);
    assert_int_equal(reply.verb, request.verb);
}

static void is_done(void) {
    if (reply.status != 0 || reply.outcome != OUTCOME_OK)
        fail_msg("status %d, %s: %s; %s", reply.status, outcome_word((enum outcome)reply.outcome),
                 reply.text, process.printed);
}

static void is_fault(const char *text) {
    assert_int_equal(reply.status, -1);
    if (!strstr(reply.text, text))
        fail_msg("\"%s\" lacks \"%s\"", reply.text, text);
}

static void is_outcome(enum outcome outcome, const char *text) {
    assert_int_equal(reply.status, 0);
    if (reply.outcome != (int32_t)outcome || !strstr(reply.text, text))
        fail_msg("%s: \"%s\"; not %s: \"%s\"", outcome_word((enum outcome)reply.outcome),
                 reply.text, outcome_word(outcome), text);
}

static void open_with(struct wire_open open) {
    if (!*open.device_kind)
        strcpy(open.device_kind, "cuda");
    ask(wire_open_request(open));
}

static void take_shape(struct shape shape, int32_t accumulate) {
    ask(wire_shape_request((struct wire_shape){shape, accumulate, 4096}));
}

static int start_open(void **state) {
    if (start(state) < 0)
        return -1;
    open_with((struct wire_open){0});
    is_done();
    take_shape(SHAPE, GEMM_F32);
    is_done();
    return 0;
}

static void ask_to_add(int32_t kind, const char *name) {
    struct wire_add add = {.kind = kind};
    snprintf(add.name, sizeof add.name, "%s", name);
    ask(wire_add_request(add));
}

static int add(enum kernel kernel) {
    ask_to_add(ARM_CANDIDATE, libraries[kernel]);
    is_done();
    return reply.add.arm;
}

static int add_library(const char *name) {
    ask_to_add(ARM_BASELINE, name);
    is_done();
    return reply.add.arm;
}

static void devices_are_described(void **state) {
    (void)state;
    ask(wire_device_request((struct wire_device){0}));
    is_done();
    assert_string_equal(reply.device.kind, "cuda");
    assert_string_equal(reply.device.info.name, "Fake GPU");
    assert_int_equal(reply.device.ordinal, 0);
    ask(wire_device_request((struct wire_device){1}));
    assert_int_equal(reply.status, 1);
    process_end(&process);
    setenv("FAKE_GPUS", "3", 1);
    start(state);
    ask(wire_device_request((struct wire_device){2}));
    is_done();
    assert_int_equal(reply.device.ordinal, 2);
    assert_string_equal(reply.device.info.uuid, "GPU-fake-2");
    ask(wire_device_request((struct wire_device){3}));
    assert_int_equal(reply.status, 1);
    process_end(&process);
    setenv("FAKE_GPUS", "0", 1);
    start(state);
    ask(wire_device_request((struct wire_device){0}));
    is_done();
    assert_int_equal(reply.device.ordinal, -1);
    assert_string_equal(reply.text, "none are left");
    ask(wire_device_request((struct wire_device){1}));
    assert_int_equal(reply.status, 1);
}

static void baselines_are_described(void **state) {
    (void)state;
    static const char *const names[] = {"cublas-nn", "cublas-tn"};
    for (int i = 0; i < 2; i++) {
        ask(wire_baseline_request((struct wire_baseline){i}));
        is_done();
        assert_string_equal(reply.baseline.name, names[i]);
        assert_int_equal(reply.baseline.device, GEMM_CUDA);
        assert_true(reply.baseline.accumulate & GEMM_F32);
        assert_int_equal(reply.baseline.autotuned, i);
    }
    ask(wire_baseline_request((struct wire_baseline){2}));
    assert_int_equal(reply.status, 1);
    struct wire_request unknown = wire_peak_request();
    unknown.verb = 99;
    ask(unknown);
    is_fault("unknown request 99");
}

static void what_cannot_be_opened_says_why(void **state) {
    (void)state;
    take_shape(SHAPE, GEMM_F32);
    is_fault("no device is open");
    open_with((struct wire_open){.device_kind = "tpu"});
    is_fault("this build has no such device");
    open_with((struct wire_open){.ordinal = 9});
    is_fault("the device cannot be opened");
    open_with((struct wire_open){.trace = 1});
    is_fault("");
    assert_true(*reply.text);
    open_with((struct wire_open){.alone = {"GPU-fake-0", "0000:09:00.0"}});
    is_fault("another GPU than the one asked for");
    setenv("FAKE_GPU_STUBBORN", "1", 1);
    process_end(&process);
    start(state);
    open_with((struct wire_open){.alone = {"GPU-fake-1", "0000:01:00.0"}});
    is_fault("another GPU than the one asked for");
    unsetenv("FAKE_GPU_STUBBORN");
    process_end(&process);
    start(state);
    open_with(
        (struct wire_open){.alone = {"GPU-fake-1", "0000:01:00.0"}, .one_queue = 1, .rehearse = 1});
    is_done();
    take_shape((struct shape){1 << 20, 1 << 20, 1 << 20}, GEMM_F32);
    is_fault("no room for the operands on the device");
}

static void check_product(int arm, enum input_kind kind, uint64_t seed) {
    const float *reference = reference_product(SHAPE, kind, seed);
    struct check_exact exact;
    struct check_deviation deviation;
    ask(wire_call_request(
        (struct wire_call){.arm = arm, .input_kind = (int32_t)kind, .seed = seed}));
    is_done();
    assert_int_equal(reply.call.changed_inputs + reply.call.changed_guards, 0);
    assert_true(reply.call.seconds > 0 && reply.call.seconds < 10);
    if (kind == INPUT_BINARY)
        assert_int_equal(check_exact(process.shared, reference, SHAPE, &exact), OUTCOME_OK);
    assert_int_equal(check_deviation(process.shared, reference, SHAPE, &deviation), OUTCOME_OK);
    assert_true(deviation.largest < 0.01);
}

static void a_call_makes_the_product(void **state) {
    (void)state;
    const int arms[] = {add_library("cublas-nn"), add_library("cublas-tn"), add(GOOD), add(TILED)};
    assert_string_equal(reply.add.name, "tiled");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(arms[i], i);
        for (uint64_t seed = 1; seed < 3; seed++) {
            check_product(arms[i], INPUT_BINARY, seed);
            check_product(arms[i], INPUT_NORMAL, seed);
        }
    }
}

static int64_t nans_with(int arm, enum wire_poison poison) {
    struct check_exact exact;
    ask(wire_call_request((struct wire_call){
        .arm = arm, .input_kind = INPUT_BINARY, .seed = 1, .poison = (int32_t)poison}));
    is_done();
    assert_int_equal(reply.call.changed_inputs, 0);
    check_exact(process.shared, reference_product(SHAPE, INPUT_BINARY, 1), SHAPE, &exact);
    return exact.nan;
}

static void a_copy_of_b_that_is_nan_shows_who_reads_it(void **state) {
    (void)state;
    const int nn = add_library("cublas-nn"), tn = add_library("cublas-tn"), tiled = add(TILED);
    assert_int_equal(nans_with(nn, WIRE_POISON_B_ROW), 24 * 16);
    assert_int_equal(nans_with(nn, WIRE_POISON_B_COL), 0);
    assert_int_equal(nans_with(tn, WIRE_POISON_B_ROW), 0);
    assert_int_equal(nans_with(tn, WIRE_POISON_B_COL), 24 * 16);
    assert_int_equal(nans_with(tiled, WIRE_POISON_B_ROW), 24 * 16);
    assert_int_equal(nans_with(nn, WIRE_POISON_NONE), 0);
}

/* Neither its own next call nor anybody else's is in the mode that a kernel leaves. */
static void modes_of_the_processor_are_put_back(void **state) {
    (void)state;
    const int modes = add(MODES);
    for (int i = 0; i < 2; i++)
        assert_int_equal(nans_with(modes, WIRE_POISON_NONE), 0);
    struct wire_time time = {.lenses = 1 << LENS_CALL,
                             .most_blocks = 4,
                             .seconds = 10,
                             .arm_count = 1,
                             .arms = {modes},
                             .reference = -1};
    ask(wire_time_request(time));
    is_done();
}

static void tiles_are_filled_up(void **state) {
    (void)state;
    add(GOOD);
    assert_memory_equal(&reply.add.padded, &SHAPE, sizeof(struct shape));
    add(TILED);
    assert_int_equal(reply.add.padded.m, 32);
    assert_int_equal(reply.add.padded.n, 32);
    assert_int_equal(reply.add.padded.k, 40);
    assert_true(reply.add.setup_seconds > 0 && reply.add.setup_seconds < 10);
    assert_int_equal(reply.add.variants, 0);
    assert_string_equal(reply.add.sandbox, "");
}

static void what_cannot_be_added_says_why(void **state) {
    (void)state;
    ask_to_add(ARM_BASELINE, "mkl");
    is_fault("this build has no such baseline");
    ask_to_add(ARM_CANDIDATE, "/nowhere.so");
    is_outcome(OUTCOME_NO_LOAD, "/nowhere.so");
    ask_to_add(ARM_CANDIDATE, libraries[UNWELL]);
    is_outcome(OUTCOME_SETUP_FAILED, "status 3");
    ask_to_add(ARM_CANDIDATE, libraries[STRANGER]);
    is_outcome(OUTCOME_UNSUPPORTED, "it runs on another kind of device");
    ask_to_add(ARM_CANDIDATE, libraries[HALF]);
    is_outcome(OUTCOME_UNSUPPORTED, "it accumulates in f16 only");
    take_shape(SHAPE, GEMM_F16);
    ask_to_add(ARM_CANDIDATE, libraries[HALF]);
    is_outcome(OUTCOME_UNSUPPORTED, "");
    ask_to_add(ARM_CANDIDATE, libraries[GOOD]);
    is_outcome(OUTCOME_UNSUPPORTED, "it accumulates in f32 only");
    ask(wire_shape_request((struct wire_shape){SHAPE, GEMM_F32, 12345}));
    ask_to_add(ARM_CANDIDATE, libraries[UNWELL]);
    is_done();
    ask(wire_call_request((struct wire_call){.arm = reply.add.arm}));
    is_outcome(OUTCOME_LAUNCH_FAILED, "unwell (status 42)");
}

static void there_are_so_many_arms(void **state) {
    (void)state;
    for (int i = 0; i < WIRE_ARMS; i++) {
        ask_to_add(ARM_IDLE, "");
        is_done();
        assert_int_equal(reply.add.arm, i);
    }
    assert_string_equal(reply.add.name, "idle");
    ask_to_add(ARM_IDLE, "");
    is_fault("too many arms");
}

static void a_candidate_is_locked_in_first(void **state) {
    (void)state;
    struct wire_add locked = {.kind = ARM_CANDIDATE, .sandbox = 1};
    strcpy(locked.name, libraries[GOOD]);
    ask(wire_add_request(locked));
    is_done();
    assert_non_null(strstr(reply.add.sandbox, "no_new_privs limits seccomp "));
    ask(wire_add_request(locked));
    is_done();
    assert_string_equal(reply.add.sandbox, ""); /* it is already */
}

static void stray_writes_are_counted(void **state) {
    (void)state;
    const struct wire_call call = {.input_kind = INPUT_NORMAL, .seed = 5};
    add(OUTSIDE);
    ask(wire_call_request(call));
    is_done();
    assert_int_equal(reply.call.changed_guards, 2);
    assert_int_equal(reply.call.changed_inputs, 0);
    const struct wire_call other = {.arm = add(INPUTS), .input_kind = INPUT_NORMAL, .seed = 5};
    ask(wire_call_request(other));
    is_done();
    assert_int_equal(reply.call.changed_inputs, 2);
}

/* Infinities and the like stand among the other inputs, whatever order the fills of a call have. */
static void special_inputs_are_there_and_expected(void **state) {
    (void)state;
    add(GOOD);
    for (uint64_t seed = 0; seed < 20; seed++) {
        ask(wire_call_request((struct wire_call){.input_kind = INPUT_SPECIAL, .seed = seed}));
        is_done();
        assert_int_equal(reply.call.changed_inputs, 0);
        assert_int_equal(reply.call.changed_guards, 0);
    }
}

/* All arms so far by these lenses; the kernel that is `suspect` is held against arm 0. */
static struct wire_time time_of(int arms, int lenses, int suspect) {
    struct wire_time time = {.lenses = lenses,
                             .interval = {.stream_calls = 3, .planted_seconds = 400e-6},
                             .qps = 1000,
                             .seconds = 5,
                             .most_blocks = 4,
                             .seed = 11,
                             .arm_count = arms,
                             .suspects = {suspect},
                             .suspect_count = suspect >= 0,
                             .reference = suspect >= 0 ? 0 : -1,
                             .tolerance = {0.05},
                             .coarse = {10}};
    for (int i = 0; i < arms; i++)
        time.arms[i] = i;
    return time;
}

static struct wire_time last; /* asked for */

static void ask_time(struct wire_time time) {
    last = time;
    memset(process.shared, 0x55, SHARED);
    ask(wire_time_request(time));
}

static float sample(uint64_t block, int slot) {
    return ((const float *)process.shared)[block * wire_block_floats(&last) + (uint64_t)slot];
}

static float placement_of(uint64_t block) {
    return sample(block, (int)wire_block_floats(&last) - 1);
}

/* The arms' kernels, planted and not, in the order of lens and arm. */
static void blocks_are_timed_by_every_lens(void **state) {
    (void)state;
    const int all = 1 << LENS_CALL | 1 << LENS_DEVICE | 1 << LENS_STREAM;
    add_library("cublas-nn");
    ask(wire_add_request((struct wire_add){.kind = ARM_TWIN, .twin_of = 0, .delayed = 2}));
    is_done();
    assert_string_equal(reply.add.name, "cublas-nn");
    ask_to_add(ARM_IDLE, "");
    ask_time(time_of(3, all, -1));
    is_done();
    assert_int_equal(reply.time.blocks, 4);
    assert_int_equal(reply.time.failed_arm, -1);
    assert_int_equal(reply.time.drains, 0);
    for (uint64_t b = 0; b < 4; b++)
        for (int lens = 0; lens < 3; lens++) {
            const int at = lens == 0 ? 0 : 3 * (lens + 1); /* behind the call lens: its launches */
            const float plain = sample(b, at), delayed = sample(b, at + 1);
            const float idle = sample(b, at + 2);
            assert_true(plain > 0 && plain < 2);
            assert_true(delayed > 800e-6F && delayed < 2);
            assert_true(idle >= 0 && idle < 2);
            assert_true(lens > 0 || (sample(b, 3) > 0 && sample(b, 3) <= plain));
        }
    assert_true(sample(4, 0) > 1e12F); /* and no more */
    for (uint64_t b = 0; b < 4; b++)
        assert_true(placement_of(b) == 0);
    struct wire_time few = time_of(2, 1 << LENS_DEVICE, -1);
    few.arms[0] = 2;
    few.arms[1] = 1;
    few.seconds = 0;
    few.most_blocks = 1000;
    ask_time(few);
    is_done();
    assert_int_equal(reply.time.blocks, 1); /* a block is always made */
    assert_true(sample(0, 1) > 400e-6F);
}

static void time_is_up(void **state) {
    (void)state;
    ask_to_add(ARM_IDLE, "");
    ask(wire_add_request((struct wire_add){.kind = ARM_IDLE, .delayed = 1}));
    struct wire_time time = time_of(2, 1 << LENS_CALL, -1);
    time.interval.planted_seconds = 10e-3;
    time.seconds = 55e-3;
    time.most_blocks = 1000;
    ask_time(time);
    is_done();
    assert_true(reply.time.blocks >= 1 && reply.time.blocks <= 6);
    time.seconds = 60; /* the memory is full sooner */
    time.interval.planted_seconds = 0;
    time.most_blocks = UINT64_MAX;
    ask_time(time);
    is_done();
    assert_int_equal(reply.time.blocks, SHARED / sizeof(float) / wire_block_floats(&last));
}

static void operands_lie_in_caches_as_told(void **state) {
    (void)state;
    add_library("cublas-nn");
    add(GOOD);
    for (int cache = 0; cache < CACHE_COUNT; cache++) {
        struct wire_time time = time_of(2, 1 << LENS_CALL | 1 << LENS_DEVICE, 1);
        time.interval.cache = cache;
        time.most_blocks = cache == CACHE_ROTATE ? 1 : 2; /* copies fill the cache: slow */
        ask_time(time);
        is_done();
        assert_true(reply.time.blocks == time.most_blocks);
        if (cache == CACHE_ROTATE)
            continue;
        time.padding[1] = WIRE_PAD_NN | WIRE_PAD_TN;
        ask_time(time);
        is_done();
    }
}

static void gaps_come_before_every_call(void **state) {
    (void)state;
    ask_to_add(ARM_IDLE, "");
    struct wire_time time = time_of(1, 1 << LENS_CALL, -1);
    time.server = 1;
    time.qps = 100;
    time.most_blocks = 1000;
    time.seconds = 0.3;
    ask_time(time);
    is_done();
    assert_true(reply.time.blocks >= 2 && reply.time.blocks <= 100); /* of 10 ms, but for chance */
}

static void arrivals_come_by_the_dozen(void **state) {
    (void)state;
    add_library("cublas-nn");
    ask(wire_add_request((struct wire_add){.kind = ARM_TWIN, .twin_of = 0, .delayed = 1}));
    add(GOOD);
    struct wire_time time = time_of(3, 1 << LENS_LATENCY, 2);
    time.qps = 1e5; /* each waits for the one before: latency adds up */
    time.most_blocks = 1;
    ask_time(time);
    is_done();
    assert_int_equal(reply.time.blocks, WIRE_ARRIVALS);
    assert_true(sample(0, 0) > 0);
    assert_true(sample(0, 1) > 400e-6F);
    assert_true(sample(WIRE_ARRIVALS - 1, 1) > 50 * 350e-6F);
    for (uint64_t n = 0; n < WIRE_ARRIVALS; n++)
        assert_true(placement_of(n) == 0);
}

static void a_block_tells_its_placement(void **state) {
    (void)state;
    ask_to_add(ARM_IDLE, "");
    ask_to_add(ARM_IDLE, "");
    struct wire_time time = time_of(2, 1 << LENS_CALL | 1 << LENS_DEVICE, -1);
    time.most_blocks = 40;
    time.placement_seconds = 1e-9; /* as soon as may be: after 16 blocks */
    ask_time(time);
    is_done();
    assert_int_equal(reply.time.blocks, 40);
    for (uint64_t b = 0; b < 40; b++)
        assert_true(placement_of(b) == (float)(b / 16));
}

/* Asks for many blocks of the library and the kernel: its outcome. */
static void timed_beside_a_library(enum kernel kernel, enum outcome outcome, const char *text) {
    process_end(&process);
    start_open(NULL);
    add_library("cublas-nn");
    add(kernel);
    struct wire_time time = time_of(2, 1 << LENS_CALL | 1 << LENS_DEVICE, 1);
    time.most_blocks = 40;
    if (kernel == COARSE)
        time.tolerance[0] = 100;
    ask_time(time);
    is_outcome(outcome, text);
    assert_int_equal(reply.time.failed_arm, outcome == OUTCOME_OK ? -1 : 1);
    assert_int_equal(reply.time.blocks < 40, outcome != OUTCOME_OK);
}

static void who_cheats_while_timed_is_seen(void **state) {
    (void)state;
    timed_beside_a_library(GOOD, OUTCOME_OK, "");
    assert_true(reply.time.drains > 0 && reply.time.drains < 40);
    assert_true(reply.time.drain_suspects[0] >= 0 && reply.time.drain_reference >= 0);
    assert_true(reply.time.drain_suspects[0] < 1 && reply.time.drain_reference < 1);
    timed_beside_a_library(TILED, OUTCOME_OK, "");
    timed_beside_a_library(SKIPS, OUTCOME_REPLAYED, "384 of 384 elements of C were left unwritten");
    timed_beside_a_library(PART, OUTCOME_UNSTABLE,
                           "block 0: 1 of 384 elements of C are off by up to");
    timed_beside_a_library(COARSE, OUTCOME_PRECISION, "elements of C are more than 3 last places");
    timed_beside_a_library(INPUTS, OUTCOME_INPUT_CHANGED, "elements of A or B were changed");
    timed_beside_a_library(LATER, OUTCOME_LAUNCH_FAILED, "status 9");
}

/* By calls in a row. Returns what was asked for. */
static struct wire_time time_in_a_row(enum kernel kernel, int lens) {
    process_end(&process);
    start_open(NULL);
    add_library("cublas-nn");
    add(kernel);
    struct wire_time time = time_of(2, 1 << lens, 1);
    time.most_blocks = lens == LENS_LATENCY ? 2 * WIRE_ARRIVALS : 20;
    time.qps = 1e5;
    return time;
}

/* A C and operands of its own for each call: also where they are copied to padded ones within the
 * interval, and where each call has another copy. */
static void calls_in_a_row_are_apart(void **state) {
    (void)state;
    const enum lens lenses[] = {LENS_STREAM, LENS_LATENCY};
    for (int i = 0; i < 2; i++) {
        struct wire_time time;
        for (int rotate = 0; rotate < 2; rotate++) {
            time = time_in_a_row(SAME, lenses[i]);
            time.interval.cache = rotate ? CACHE_ROTATE : CACHE_WARM;
            ask_time(time);
            is_outcome(OUTCOME_REPLAYED, "elements of C are off by up to");
        }
        for (int way = 0; way < 8; way++) {
            time = time_in_a_row(way % 2 ? TILED : PICKY, lenses[i]);
            time.interval.cache = way / 4 ? CACHE_ROTATE : CACHE_WARM;
            time.padding[1] = way / 2 % 2 ? WIRE_PAD_NN : 0;
            ask_time(time);
            is_done();
        }
    }
}

/* The visit after a move counts for nobody's time, and is looked at as the others are. */
static void who_cheats_after_a_move_is_seen(void **state) {
    (void)state;
    add_library("cublas-nn");
    add(MOVED);
    struct wire_time time = time_of(2, 1 << LENS_CALL, 1);
    time.most_blocks = 40;
    time.placement_seconds = 1e-9;
    ask_time(time);
    is_outcome(OUTCOME_REPLAYED, "first visit after a move, before block 16: 384 of 384 elements");
    assert_int_equal(reply.time.blocks, 16);
}

/* What is allowed is not found. */
static void tolerances_are_those_asked_for(void **state) {
    (void)state;
    add_library("cublas-nn");
    add(PART);
    struct wire_time time = time_of(2, 1 << LENS_CALL, 1);
    time.tolerance[0] = 100;
    ask_time(time);
    is_done();
    time.tolerance[0] = 1e-9;
    time.reference = -1; /* nothing to be held against */
    ask_time(time);
    is_done();
    add(COARSE);
    time = time_of(3, 1 << LENS_CALL, 2);
    time.coarse[0] = 200;
    time.tolerance[0] = 100;
    ask_time(time);
    is_done();
    time.suspect_count = 0;
    time.coarse[0] = 0;
    ask_time(time);
    is_done();
}

static void the_fastest_algorithm_that_runs_is_chosen(void **state) {
    (void)state;
    const int arm = add_library("cublas-tn");
    assert_int_equal(reply.add.variants, 4);
    struct wire_tune tune = {
        .arm = arm, .variant = -1, .warmup_rounds = 1, .timed_rounds = 5, .seed = 3};
    for (tune.halving = 0; tune.halving < 2; tune.halving++) {
        ask(wire_tune_request(tune));
        is_done();
        assert_int_equal(reply.tune.variant, 2);
        assert_non_null(strstr(
            reply.text, tune.halving ? "variant 2; best of 4 by median of "
                                     : "variant 2; best of 4 by median of 5 rounds, 1 failed"));
        assert_int_equal(strstr(reply.text, "(successive halving)") != NULL, tune.halving);
    }
    check_product(arm, INPUT_NORMAL, 1);
    tune.variant = 1;
    ask(wire_tune_request(tune));
    is_done();
    assert_int_equal(reply.tune.variant, 1);
    for (tune.variant = 3; tune.variant < 5; tune.variant++) {
        ask(wire_tune_request(tune));
        is_outcome(OUTCOME_SETUP_FAILED, "of 4 is not to be had again");
    }
    /* A twin has the algorithm of the first. */
    tune.variant = 0;
    ask(wire_tune_request(tune));
    ask(wire_add_request((struct wire_add){.kind = ARM_TWIN, .twin_of = arm}));
    is_done();
    struct wire_time time = time_of(2, 1 << LENS_CALL, -1);
    ask_time(time);
    assert_true(sample(3, 1) > 400e-6F && sample(3, 1) < 2);
}

static void a_profiler_sees_the_second_call(void **state) {
    (void)state;
    char line[64];
    const int arm = add(GOOD);
    ask(wire_profile_request((struct wire_profile){.arm = arm, .seed = 2}));
    is_fault("the profiler cannot be told to start");
    process_end(&process);
    setenv("FAKE_GPU_LOG", scratch_path("log"), 1);
    start_open(NULL);
    ask(wire_profile_request((struct wire_profile){.arm = add(GOOD), .seed = 2}));
    is_done();
    unsetenv("FAKE_GPU_LOG");
    FILE *log = fopen(scratch_path("log"), "r");
    assert_non_null(log);
    assert_non_null(fgets(line, sizeof line, log));
    assert_string_equal(line, "start\n");
    assert_non_null(fgets(line, sizeof line, log));
    assert_string_equal(line, "stop\n");
    fclose(log);
    const struct wire_profile later = {.arm = add(LATER)};
    for (int i = 0; i < 3; i++)
        ask(wire_profile_request(later));
    is_outcome(OUTCOME_LAUNCH_FAILED, "status 9"); /* its sixth call */
    ask(wire_trace_request((struct wire_trace){.arm = arm, .calls = 2}));
    is_fault("the device was not opened to record calls");
    ask(wire_peak_request());
    is_done();
    assert_double_near(reply.peak.rates.f16_flops, 0, 0);
}

#define CLOSED(name) cmocka_unit_test_setup_teardown(name, start, stop)
#define OPEN(name) cmocka_unit_test_setup_teardown(name, start_open, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        CLOSED(devices_are_described),
        CLOSED(baselines_are_described),
        CLOSED(what_cannot_be_opened_says_why),
        OPEN(a_call_makes_the_product),
        OPEN(a_copy_of_b_that_is_nan_shows_who_reads_it),
        OPEN(modes_of_the_processor_are_put_back),
        OPEN(tiles_are_filled_up),
        OPEN(what_cannot_be_added_says_why),
        OPEN(there_are_so_many_arms),
        OPEN(a_candidate_is_locked_in_first),
        OPEN(stray_writes_are_counted),
        OPEN(special_inputs_are_there_and_expected),
        OPEN(blocks_are_timed_by_every_lens),
        OPEN(time_is_up),
        OPEN(operands_lie_in_caches_as_told),
        OPEN(gaps_come_before_every_call),
        OPEN(arrivals_come_by_the_dozen),
        OPEN(a_block_tells_its_placement),
        OPEN(who_cheats_while_timed_is_seen),
        OPEN(calls_in_a_row_are_apart),
        OPEN(who_cheats_after_a_move_is_seen),
        OPEN(tolerances_are_those_asked_for),
        OPEN(the_fastest_algorithm_that_runs_is_chosen),
        OPEN(a_profiler_sees_the_second_call),
    };
    setenv("FAKE_GPU_VARIANTS", "4", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    return cmocka_run_group_tests(tests, compile_all, scratch_remove);
}
