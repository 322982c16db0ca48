/* A runner asked over its socket, as the judge asks it. Its GPU is the host (support/fake_gpu.c),
 * its kernels are compiled here. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/process/runner_process.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/reference.h"
#include "correctness/numbers/reference_check.h"
#include "tests/support/asked_runner.h"
#include "tests/support/doubles.h"
#include "tests/support/scratch.h"
#define OWN_MAIN
#include "tests/support/test.h"

static void is_fault(const char *text) {
    assert_int_equal(reply.status, -1);
    if (!strstr(reply.text, text))
        fail_msg("\"%s\" lacks \"%s\"", reply.text, text);
}

/* How many there are. */
static uint64_t ask_list(int baselines) {
    ask(wire_describe_request((struct wire_describe){.baselines = baselines}));
    is_done();
    return reply.describe.count;
}

TEST_WITH(devices_are_described, start, stop) {
    const struct wire_device *list = process.shared;
    assert_int_equal(ask_list(0), 1);
    assert_string_equal(list->kind, "cuda");
    assert_string_equal(list->info.name, "Fake GPU");
    assert_int_equal(list->ordinal, 0);
    process_end(&process);
    setenv("FAKE_GPUS", "3", 1);
    start(state);
    list = process.shared;
    assert_int_equal(ask_list(0), 3);
    assert_int_equal(list[2].ordinal, 2);
    assert_string_equal(list[2].info.uuid, "GPU-fake-2");
    assert_string_equal(list[2].why, "");
    process_end(&process);
    setenv("FAKE_GPUS", "0", 1);
    start(state);
    list = process.shared;
    assert_int_equal(ask_list(0), 1);
    assert_int_equal(list->ordinal, -1);
    assert_string_equal(list->why, "none are left");
}

TEST_WITH(baselines_are_described, start, stop) {
    static const char *const names[] = {"cublas-nn", "cublas-tn"};
    const struct wire_baseline *list = process.shared;
    assert_int_equal(ask_list(1), 8);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(list[i].name, names[i]);
        assert_int_equal(list[i].device, GEMM_CUDA);
        assert_true(list[i].accumulate & GEMM_F32);
        assert_int_equal(list[i].autotuned, i);
    }
    struct wire_request unknown = wire_shape_request((struct wire_shape){.accumulate = 0});
    unknown.verb = 99;
    ask(unknown);
    is_fault("unknown request 99");
}

TEST_WITH(what_cannot_be_opened_says_why, start, stop) {
    take_shape(SHAPE, GEMM_F32);
    is_fault("no device is open");
    open_with((struct wire_open){.device_kind = "tpu"});
    is_fault("this build has no such device");
    open_with((struct wire_open){.ordinal = 9});
    is_fault("the device cannot be opened");
    open_with((struct wire_open){.alone = {"GPU-fake-0", "0000:09:00.0"}});
    is_fault("another GPU than the one asked for");
    setenv("FAKE_GPU_STUBBORN", "1", 1);
    process_end(&process);
    start(state);
    open_with((struct wire_open){.alone = {"GPU-fake-1", "0000:01:00.0"}});
    is_fault("another GPU than the one asked for");
    unsetenv("FAKE_GPU_STUBBORN");
    setenv("FAKE_GPU_BLIND", "1", 1);
    process_end(&process);
    start(state);
    open_with((struct wire_open){.record = 1});
    is_fault("no CUPTI to record with");
    unsetenv("FAKE_GPU_BLIND");
    process_end(&process);
    start(state);
    open_with((struct wire_open){.alone = {"GPU-fake-1", "0000:01:00.0"}, .rehearse = 1});
    is_done();
    take_shape((struct shape){1 << 20, 1 << 20, 1 << 20}, GEMM_F32);
    is_fault("no room for the operands on the device");
}

static void check_product(int arm, enum input_kind kind, uint64_t seed) {
    float *reference = reference_product(ELEMENT_F16, SHAPE, kind, seed);
    struct check_exact exact;
    struct check_deviation deviation;
    ask(wire_call_request(
        (struct wire_call){.arm = arm, .input_kind = (int32_t)kind, .seed = seed}));
    is_done();
    assert_int_equal(reply.call.changed_inputs + reply.call.changed_guards, 0);
    assert_true(reply.call.seconds > 0 && reply.call.seconds < 10);
    if (kind == INPUT_BINARY)
        assert_int_equal(check_exact(ELEMENT_F16, process.shared, reference, SHAPE, &exact),
                         OUTCOME_OK);
    assert_int_equal(check_deviation(ELEMENT_F16, process.shared, reference, SHAPE, &deviation),
                     OUTCOME_OK);
    assert_true(deviation.largest < 0.01);
    free(reference);
}

TEST_WITH(a_call_makes_the_product, start_open, stop) {
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

static void ask_product(int32_t kind, uint64_t seed) {
    ask(wire_product_request((struct wire_product){.input_kind = kind, .seed = seed}));
}

TEST_WITH(reference_products_are_those_of_the_inputs, start, stop) {
    const struct shape shapes[] = {{24, 16, 40}, {64, 64, 100}, {1, 1, 1}, {3, 5, 700}};
    struct reference_fault fault;
    ask_product(INPUT_NORMAL, 1);
    is_fault("this process makes no such reference product"); /* of no shape */
    open_with((struct wire_open){.ordinal = 0});
    for (int i = 0; i < 4; i++)
        for (int kind = 0; kind < INPUT_KINDS; kind++) {
            take_shape(shapes[i], GEMM_F32);
            ask_product(kind, 7);
            is_done();
            assert_true(reference_check(ELEMENT_F16, shapes[i], (enum input_kind)kind, 7,
                                        process.shared, 99, &fault));
        }
    ask_product(INPUT_PROBE, 7);
    is_fault("no such reference product");
    take_shape((struct shape){128, 129, 1}, GEMM_F32);
    ask_product(INPUT_NORMAL, 7);
    is_fault("no such reference product"); /* it has no room */
}

/* A kernel in the process could change what is made, and read it. */
TEST_WITH(no_reference_product_is_made_beside_a_kernel, start_open, stop) {
    ask_product(INPUT_NORMAL, 1);
    is_done();
    add(GOOD);
    ask_product(INPUT_NORMAL, 1);
    is_fault("this process makes no such reference product");
}

static int64_t nans_with(int arm, enum wire_poison poison) {
    float *reference = reference_product(ELEMENT_F16, SHAPE, INPUT_BINARY, 1);
    struct check_exact exact;
    ask(wire_call_request((struct wire_call){
        .arm = arm, .input_kind = INPUT_BINARY, .seed = 1, .poison = (int32_t)poison}));
    is_done();
    assert_int_equal(reply.call.changed_inputs, 0);
    check_exact(ELEMENT_F16, process.shared, reference, SHAPE, &exact);
    free(reference);
    return exact.nan;
}

TEST_WITH(a_copy_of_b_that_is_nan_shows_who_reads_it, start_open, stop) {
    const int nn = add_library("cublas-nn"), tn = add_library("cublas-tn"), tiled = add(TILED);
    assert_int_equal(nans_with(nn, WIRE_POISON_B_ROW), 24 * 16);
    assert_int_equal(nans_with(nn, WIRE_POISON_B_COL), 0);
    assert_int_equal(nans_with(tn, WIRE_POISON_B_ROW), 0);
    assert_int_equal(nans_with(tn, WIRE_POISON_B_COL), 24 * 16);
    assert_int_equal(nans_with(tiled, WIRE_POISON_B_ROW), 24 * 16);
    assert_int_equal(nans_with(nn, WIRE_POISON_NONE), 0);
}

/* Neither its own next call nor anybody else's is in the mode that a kernel leaves. */
TEST_WITH(modes_of_the_processor_are_put_back, start_open, stop) {
    const int modes = add(MODES);
    for (int i = 0; i < 2; i++)
        assert_int_equal(nans_with(modes, WIRE_POISON_NONE), 0);
    struct wire_time time = {.lenses = 1 << LENS_CALL,
                             .most_blocks = 4,
                             .seconds = 10,
                             .arm_count = 1,
                             .arms = {modes},
                             .library = -1};
    ask(wire_time_request(time));
    is_done();
}

TEST_WITH(tiles_are_filled_up, start_open, stop) {
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

TEST_WITH(what_cannot_be_added_says_why, start_open, stop) {
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
    ask(wire_shape_request((struct wire_shape){SHAPE, GEMM_F32, 12345, 0, 0}));
    ask_to_add(ARM_CANDIDATE, libraries[UNWELL]);
    is_done();
    ask(wire_call_request((struct wire_call){.arm = reply.add.arm}));
    is_outcome(OUTCOME_LAUNCH_FAILED, "unwell (status 42)");
}

/* A process is of one element: what does not serve it cannot be added. */
TEST_WITH(what_serves_another_element_says_so, start, stop) {
    open_with((struct wire_open){.element = ELEMENT_BF16});
    is_done();
    take_shape(SHAPE, GEMM_F32);
    is_done();
    ask_to_add(ARM_CANDIDATE, libraries[GOOD]);
    is_outcome(OUTCOME_UNSUPPORTED, "it serves f16 only");
    ask_to_add(ARM_BASELINE, "cublas-nn");
    is_done();
}

TEST_WITH(there_are_so_many_arms, start_open, stop) {
    for (int i = 0; i < WIRE_ARMS; i++) {
        ask_to_add(ARM_BASELINE, "cublas-nn");
        is_done();
        assert_int_equal(reply.add.arm, i);
    }
    assert_string_equal(reply.add.name, "cublas-nn");
    ask_to_add(ARM_BASELINE, "cublas-nn");
    is_fault("too many arms");
}

TEST_WITH(a_candidate_is_locked_in_first, start_open, stop) {
    struct wire_add locked = {.kind = ARM_CANDIDATE, .sandbox = 1};
    strcpy(locked.name, libraries[GOOD]);
    ask(wire_add_request(locked));
    is_done();
    assert_non_null(strstr(reply.add.sandbox, "no_new_privs limits seccomp "));
    ask(wire_add_request(locked));
    is_done();
    assert_string_equal(reply.add.sandbox, ""); /* it is already */
}

TEST_WITH(stray_writes_are_counted, start_open, stop) {
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
TEST_WITH(special_inputs_are_there_and_expected, start_open, stop) {
    add(GOOD);
    for (uint64_t seed = 0; seed < 20; seed++) {
        ask(wire_call_request((struct wire_call){.input_kind = INPUT_SPECIAL, .seed = seed}));
        is_done();
        assert_int_equal(reply.call.changed_inputs, 0);
        assert_int_equal(reply.call.changed_guards, 0);
    }
}

static int start_marking(void **state) {
    setenv("FAKE_GPU_MARKS", "1", 1);
    const int status = start_open(state);
    unsetenv("FAKE_GPU_MARKS");
    return status;
}

static void add_tuned(struct wire_tune tune) {
    ask(wire_add_request(
        (struct wire_add){.kind = ARM_BASELINE, .name = "cublas-tn", .tune = tune}));
}

TEST_WITH(the_fastest_algorithm_that_runs_is_chosen, start_open, stop) {
    struct wire_tune tune = {
        .variant = WIRE_CHOOSE, .warmup_rounds = 1, .timed_rounds = 5, .seed = 3};
    static const enum lens lenses[] = {LENS_CALL, LENS_DEVICE, LENS_STREAM};
    for (int i = 0; i < 3; i++) {
        char words[80];
        tune.lens = lenses[i];
        tune.stream_calls = 3;
        add_tuned(tune);
        is_done();
        assert_int_equal(reply.add.variants, 4);
        assert_int_equal(reply.add.variant, 2);
        snprintf(words, sizeof words, "variant 2; best of 4 by median of 5 rounds by %s, 1 failed",
                 words_lenses[lenses[i]]);
        assert_string_equal(reply.text, words);
    }
    check_product(reply.add.arm, INPUT_NORMAL, 1);
}

/* The third is the fastest, each place away from it slower, and the last cannot be had. */
TEST_WITH(algorithms_are_ranked, start_open, stop) {
    static const enum lens lenses[] = {LENS_CALL, LENS_DEVICE};
    for (int i = 0; i < 2; i++) {
        add_tuned((struct wire_tune){.variant = WIRE_RANK, .lens = lenses[i], .seed = 3});
        is_done();
        assert_int_equal(reply.add.variants, 4);
        assert_int_equal(reply.add.rank[2], 0);
        assert_int_equal(reply.add.rank[1], 1);
        assert_int_equal(reply.add.rank[0], 2);
        assert_int_equal(reply.add.rank[3], WIRE_FAILED);
    }
}

/* A marked interval holds the host's time: of an algorithm that has no other, nothing is known. */
TEST_WITH(marked_intervals_rank_nobody, start_marking, stop) {
    add_tuned((struct wire_tune){.variant = WIRE_RANK, .lens = LENS_DEVICE, .seed = 3});
    is_done();
    assert_int_equal(reply.add.rank[1], 0);
    assert_int_equal(reply.add.rank[0], 1);
    assert_int_equal(reply.add.rank[2], 2);
}

TEST_WITH(an_algorithm_is_taken_by_its_number, start_open, stop) {
    add_tuned((struct wire_tune){.variant = 1});
    is_done();
    assert_int_equal(reply.add.variant, 1);
    assert_string_equal(reply.text, "variant 1");
    for (int variant = 3; variant < 5; variant++) {
        add_tuned((struct wire_tune){.variant = variant});
        is_outcome(OUTCOME_SETUP_FAILED, "of 4 is not to be had again");
    }
}

TEST_WITH(a_twin_has_the_algorithm_of_the_first, start_open, stop) {
    add_tuned((struct wire_tune){.variant = 0});
    ask(wire_add_request((struct wire_add){.kind = ARM_TWIN, .twin_of = reply.add.arm}));
    is_done();
    struct wire_time time = time_of(2, 1 << LENS_CALL, -1);
    ask_time(time);
    assert_true(sample(3, 1) > 50e-6F && sample(3, 1) < 2); /* two sleeps are two ticks more */
}

TESTS_BETWEEN(compile_all, scratch_remove)

int main(void) {
    setenv("FAKE_GPU_VARIANTS", "4", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    return tests_run();
}
