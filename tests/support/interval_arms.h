/* For tests of timed intervals: three arms on a device that notes what it is asked for
 * (fake_device.h). Include after cmocka.h. */
#ifndef TESTS_SUPPORT_INTERVAL_ARMS_H
#define TESTS_SUPPORT_INTERVAL_ARMS_H

#include "bench/base/outcome.h"
#include "bench/runner/interval.h"
#include "correctness/numbers/input.h"
#include "tests/support/asserts.h"
#include "tests/support/runner_memory.h"

static struct device_ops device;
static struct runner runner;
static struct gemm_args launched; /* what the last launch was given */
static int status;                /* what it returns */
static struct wire_reply told;
#define why told.text
static struct runner_times times;

static bool counts_up; /* each launch fills C with its number */
static int launches;

static inline int launch(void *state, const struct gemm_args *args) {
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
static inline int open_arms(void **state) {
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
        runner.arms[i] =
            (struct arm){.ops = &ops,
                         .delayed = i == 1 ? 2 : 0,
                         .problem = {padded.m, padded.n, padded.k, GEMM_F32},
                         .reads = WIRE_B_ROW,
                         .operands = runner_operands(&runner, padded, LAYOUT_CANDIDATE)};
    }
    fake_device.elapsed = 6e-3;
    return device.load_table(runner.device_state, INPUT_NORMAL, table) < 0 ||
                   runner_outputs(&runner, 2, 8 * 16) < 0 || runner_row(&runner, 3, 8 * 16) < 0
               ? -1
               : 0;
}

static inline int close_arms(void **state) {
    (void)state;
    return runner_memory_end(&runner);
}

static inline int read_interval(int arm, enum lens lens, int32_t cache, bool seal) {
    const struct wire_interval how = {.cache = cache, .stream_calls = 3, .planted_seconds = 2e-4};
    told = (struct wire_reply){0};
    fake_noted();
    return runner_interval(&runner, &how, &runner.arms[arm], lens, 1, seal, &times, &told);
}

static inline void lasts(int arm, enum lens lens, int32_t cache, bool seal, const char *want) {
    assert_int_equal(read_interval(arm, lens, cache, seal), OUTCOME_OK);
    assert_string_equal(fake_noted(), want);
}

/* What comes before an interval without a hold, and of an arm that reads one copy of B before one
 * with a hold, where fills are not noted. */
#define BEFORE "reset_persistence "
#define SWEPT "sweep touch touch "
#define SWEPT_ROW SWEPT "touch touch touch touch "

#endif
