#include "bench/run/device_limits.h"

#include <math.h>
#include <stdio.h>

#include "bench/base/error.h"
#include "bench/process/runner_process.h"
#include "bench/runner/operands.h"
#include "timing/stats.h"

enum { BLOCKS = 200, LIMIT_SECONDS = 120 };

static int ask(struct runner_process *process, struct wire_request request,
               struct wire_reply *reply) {
    int code = 0;
    if (process_ask(process, &request, LIMIT_SECONDS, reply, &code) != PROCESS_ANSWERED)
        return error("the runner died (%d) while measuring what the device reads at least: %s",
                     code, process->printed);
    if (reply->status != 0 || reply->outcome != 0)
        return error("what the device reads at least cannot be measured: %s %s", reply->text,
                     process->printed);
    return 0;
}

/* Of the values `at` in blocks of so many floats. */
static double median_of(const float *samples, uint64_t blocks, size_t floats, size_t at) {
    double x[BLOCKS];
    for (uint64_t b = 0; b < blocks; b++)
        x[b] = fabs((double)samples[b * floats + at]);
    return stats_median(x, blocks);
}

/* Of the second of two arms by each lens, under that name. */
static void put_medians(const struct runner_process *process, const struct wire_time *time,
                        uint64_t blocks, const char *name, json_t *by_lens) {
    const size_t floats = wire_block_floats(time);
    size_t at = 0;
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        if (!(time->lenses & 1 << lens))
            continue;
        json_object_set_new(json_object_get(by_lens, words_lenses[lens]), name,
                            json_real(median_of(process->shared, blocks, floats, at + 1)));
        at += wire_lens_columns((enum lens)lens) * (size_t)time->arm_count;
    }
}

/* By both lenses that are held: see controls.h. */
static int measure_delay(struct runner_process *process, struct wire_time time, json_t *by_lens) {
    static struct wire_reply reply;
    const int held = 1 << LENS_DEVICE | 1 << LENS_STREAM;
    time.lenses &= held;
    time.interval.planted_seconds = DEVICE_LIMITS_DELAY;
    if (time.lenses != held)
        return 0;
    if (ask(process, wire_time_request(time), &reply) < 0)
        return -1;
    put_medians(process, &time, reply.time.blocks, "delayed_seconds", by_lens);
    return 0;
}

/* Times an arm that launches nothing, and one that launches only a delay: of length 0, then of
 * another. */
static int measure(struct runner_process *process, const struct plan *plan, int ordinal,
                   struct light_rates *rates, json_t **least) {
    static struct wire_reply reply;
    const int lenses = plan->lenses;
    struct wire_time time = {.lenses = lenses,
                             .interval = {.stream_calls = CHAIN_CALLS},
                             .seconds = 10,
                             .most_blocks = BLOCKS,
                             .arm_count = 2,
                             .reference = -1};
    struct wire_open open = {.ordinal = ordinal, .element = plan->element};
    snprintf(open.device_kind, sizeof open.device_kind, "%s", plan->device_kind);
    if (ask(process, wire_open_request(open), &reply) < 0 ||
        ask(process,
            wire_shape_request(
                (struct wire_shape){.shape = {64, 64, 64}, .accumulate = plan->accumulate}),
            &reply) < 0)
        return -1;
    for (int slot = 0; slot < 2; slot++) {
        const struct wire_add add = {.kind = ARM_IDLE, .delayed = slot};
        if (ask(process, wire_add_request(add), &reply) < 0)
            return -1;
        time.arms[slot] = reply.add.arm;
    }
    if (ask(process, wire_time_request(time), &reply) < 0)
        return -1;
    const uint64_t blocks = reply.time.blocks;
    const size_t floats = wire_block_floats(&time);
    size_t at = 0;
    json_t *object = json_object();
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        if (!(lenses & 1 << lens))
            continue;
        json_object_set_new(
            object, words_lenses[lens],
            json_pack("{s:f, s:f}", "empty_seconds", median_of(process->shared, blocks, floats, at),
                      "null_kernel_seconds", median_of(process->shared, blocks, floats, at + 1)));
        at += wire_lens_columns((enum lens)lens) * (size_t)time.arm_count;
    }
    *least = object;
    json_object_set_new(json_object_get(object, words_lenses[LENS_STREAM]), "calls",
                        json_integer(CHAIN_CALLS));
    if (measure_delay(process, time, object) < 0)
        return -1;
    if (ask(process, wire_peak_request(), &reply) < 0)
        return -1;
    *rates = reply.peak.rates;
    return 0;
}

int device_limits_measure(const struct plan *plan, int ordinal, struct light_rates *rates,
                          json_t **least) {
    struct runner_process process;
    *least = NULL;
    *rates = (struct light_rates){0};
    if (process_start(&process, (size_t)4 << 20) < 0)
        return -1;
    int status = measure(&process, plan, ordinal, rates, least);
    process_end(&process);
    if (status < 0) {
        json_decref(*least);
        *least = NULL;
    }
    return status;
}
