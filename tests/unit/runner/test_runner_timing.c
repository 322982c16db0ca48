/* A runner that times, over its socket: blocks, and who cheats meanwhile. */

#include "bench/base/outcome.h"
#include "bench/process/runner_process.h"
#include "tests/support/asked_runner.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* The arms' kernels, planted and not, in the order of lens and arm. */
TEST_WITH(blocks_are_timed_by_every_lens, start_open, stop) {
    const int all = 1 << LENS_CALL | 1 << LENS_DEVICE | 1 << LENS_STREAM;
    add_library("cublas-nn");
    ask(wire_add_request((struct wire_add){.kind = ARM_TWIN, .twin_of = 0, .delayed = 2}));
    is_done();
    assert_string_equal(reply.add.name, "cublas-nn");
    ask_to_add(ARM_BASELINE, "cublas-nn");
    ask_time(time_of(3, all, -1));
    is_done();
    assert_int_equal(reply.time.blocks, 4);
    assert_int_equal(reply.time.failed_arm, -1);
    for (uint64_t b = 0; b < 4; b++)
        for (int lens = 0; lens < 3; lens++) {
            const int at = lens == 0 ? 0 : 3 * (lens + 1); /* behind the call lens: its launches */
            const float plain = sample(b, at), delayed = sample(b, at + 1);
            const float other = sample(b, at + 2);
            assert_true(plain > 0 && plain < 2);
            assert_true(delayed > 800e-6F && delayed < 2);
            assert_true(other > 0 && other < 2);
            assert_true(lens > 0 || (sample(b, 3) > 0 && sample(b, 3) < 2));
        }
    assert_true(sample(4, 0) > 1e12F); /* and no more */
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

TEST_WITH(time_is_up, start_open, stop) {
    ask_to_add(ARM_BASELINE, "cublas-nn");
    ask(wire_add_request((struct wire_add){.kind = ARM_TWIN, .delayed = 1}));
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
    assert_int_equal(reply.time.blocks, wire_block_room(&last, SHARED));
}

TEST_WITH(operands_lie_in_caches_as_told, start_open, stop) {
    add_library("cublas-nn");
    add(GOOD);
    for (int cache = 0; cache < CACHE_COUNT; cache++) {
        struct wire_time time = time_of(2, 1 << LENS_CALL | 1 << LENS_DEVICE, 1);
        time.interval.cache = cache;
        time.most_blocks = 2;
        ask_time(time);
        is_done();
        assert_true(reply.time.blocks == time.most_blocks);
    }
}

TEST_WITH(gaps_come_before_every_call, start_open, stop) {
    ask_to_add(ARM_BASELINE, "cublas-nn");
    struct wire_time time = time_of(1, 1 << LENS_CALL, -1);
    time.server = 1;
    time.qps = 100;
    time.most_blocks = 1000;
    time.seconds = 1;
    ask_time(time);
    is_done();
    assert_true(reply.time.blocks >= 2 && reply.time.blocks <= 200); /* of 10 ms, but for chance */
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

TEST_WITH(who_cheats_while_timed_is_seen, start_open, stop) {
    timed_beside_a_library(GOOD, OUTCOME_OK, "");
    timed_beside_a_library(TILED, OUTCOME_OK, "");
    timed_beside_a_library(SKIPS, OUTCOME_REPLAYED, "384 of 384 elements of C were left unwritten");
    timed_beside_a_library(PART, OUTCOME_UNSTABLE,
                           "block 0: 1 of 384 elements of C are off by up to");
    timed_beside_a_library(COARSE, OUTCOME_PRECISION, "elements of C are more than 3 last places");
    timed_beside_a_library(LATER, OUTCOME_LAUNCH_FAILED, "status 9");
}

/* By calls in a row. Returns what was asked for. */
static struct wire_time time_in_a_row(enum kernel kernel) {
    process_end(&process);
    start_open(NULL);
    add_library("cublas-nn");
    add(kernel);
    struct wire_time time = time_of(2, 1 << LENS_STREAM, 1);
    time.most_blocks = 20;
    return time;
}

/* A C and operands of its own for each call, whose product is there when it ends. */
TEST_WITH(calls_in_a_row_are_apart, start_open, stop) {
    struct wire_time time = time_in_a_row(PUTS_OFF);
    ask_time(time);
    is_outcome(OUTCOME_REPLAYED, "384 of 384 elements of C were left unwritten");
    for (int way = 0; way < 2; way++) {
        time = time_in_a_row(way ? TILED : PICKY);
        ask_time(time);
        is_done();
    }
}

/* What is allowed is not found. */
TEST_WITH(tolerances_are_those_asked_for, start_open, stop) {
    add_library("cublas-nn");
    add(PART);
    struct wire_time time = time_of(2, 1 << LENS_CALL, 1);
    time.tolerance[0] = 100;
    ask_time(time);
    is_done();
    time.tolerance[0] = 1e-9;
    time.library = -1; /* nothing to be held against */
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

TESTS_BETWEEN(compile_all, scratch_remove)
