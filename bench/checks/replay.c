#include "bench/checks/replay.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/context/arm_calls.h"
#include "bench/context/recordings.h"
#include "bench/context/unit_runner.h"
#include "correctness/numbers/input.h"
#include "reports/rows/replays.h"

/* A sequence of this many calls shows counters and turns. Outputs of all calls may take so much,
 * and the work of all calls so many operations. */
#define MOST_CALLS 8
#define LEAST_CALLS 2
#define OUTPUT_BYTES 0x1p30
#define WORK_FLOPS 2e13

/* Calls before the sequence where no audit has made some: a kernel that cheats after some calls
 * does then. */
#define UNKEPT_LEAST 64
#define UNKEPT_MOST 255

static int unkept_calls(struct shape shape, uint64_t draw) {
    const double drawn = (double)(UNKEPT_LEAST + draw % (UNKEPT_MOST - UNKEPT_LEAST + 1));
    return (int)fmin(drawn, WORK_FLOPS / shape_flops(shape));
}

int replay_calls(struct shape shape) {
    const double c = 2.0 * (double)shape.m * (double)shape.n;
    const double calls = fmin(OUTPUT_BYTES / c, WORK_FLOPS / shape_flops(shape));
    return (int)fmax(LEAST_CALLS, fmin(MOST_CALLS, calls));
}

static struct replay begin(struct unit_context *context, struct arm_state *arm, int number) {
    const uint64_t draw = 4 * (uint64_t)number;
    return (struct replay){
        .context = context,
        .arm = arm,
        .row =
            replays_row(context->unit->shape, unit_label(context->unit), arm->row.kernel, number),
        .calls = replay_calls(context->unit->shape),
        .unkept = replay_calls(context->unit->shape),
        .seed = seed_derive(context->seed, SEED_REPLAY, draw),
        .secret = seed_derive(context->seed, SEED_REPLAY, draw + 1),
        .drawn = seed_derive(context->seed, SEED_REPLAY, draw + 2),
    };
}

/* A runner that records, with the candidate set up in it. Not ready where that fails. 0, or -1
 * after error(). */
static int prepare(struct replay *replay, struct replay_source *source) {
    struct unit_context *context = replay->context;
    static struct wire_reply reply;
    const struct wire_add add =
        arm_request(context, replay->arm, ARM_CANDIDATE, replay->arm->built->so);
    unit_drop_runner(context, &source->process);
    if (unit_is_pinned(context->unit))
        return replay_cannot(replay, "its calls have one C, at one address: pointers = fixed");
    if (!unit_replays(context))
        return replay_cannot(replay, context->session->no_replay);
    const int status = unit_open_to_replay(context, &source->process, RUNNER_TRACED, &reply);
    if (status != 0)
        return status < 0 ? -1 : replay_cannot(replay, context->session->no_replay);
    if (!replay_ask(replay, &source->process, "its setup", wire_add_request(add), &reply))
        return replay->trouble ? -1 : 0;
    source->arm = reply.add.arm;
    source->ready = true;
    replay->unkept +=
        unkept_calls(context->unit->shape, seed_derive(replay->drawn, SEED_BETWEEN, 0));
    return 0;
}

/* What has been shown to be right is the unit's from now on. */
static void keep(struct replay *replay) {
    struct recorded *kept = &replay->context->recorded[unit_which(replay->context, replay->arm)];
    if (!replays_right(&replay->row))
        return;
    recordings_forget(kept);
    *kept = replay->recorded;
    replay->recorded = (struct recorded){.bytes = NULL};
}

/* One try, and its row. The recorder is gone when the recording is carried out, so that it takes no
 * memory of the device. Returns an outcome or TROUBLE. */
static int try_once(struct unit_context *context, struct arm_state *arm,
                    struct replay_source *source, int number) {
    struct replay replay = begin(context, arm, number);
    const double start = clock_seconds();
    int status = source->ready ? 0 : prepare(&replay, source);
    bool recorded = false;
    if (status == 0 && source->ready)
        recorded = replay_record(&replay, source);
    source->ready = false;
    unit_drop_runner(context, &source->process);
    if (recorded)
        replay_play(&replay);
    keep(&replay);
    recordings_forget(&replay.recorded);
    replay.row.seconds = clock_seconds() - start;
    if (status < 0 || replay.trouble)
        return TROUBLE;
    rows_add_replay(&context->result->rows, &replay.row);
    return replay.forged ? arm->outcome : OUTCOME_OK;
}

int replay_products(struct unit_context *context, struct arm_state *arm,
                    struct replay_source *source) {
    const struct rows *rows = &context->result->rows;
    const struct shape shape = context->unit->shape;
    const char *label = unit_label(context->unit), *kernel = arm->row.kernel;
    int first = 1, outcome = OUTCOME_OK;
    for (size_t i = 0; i < rows->replay_count; i++)
        first += strcmp(rows->replays[i].kernel, kernel) == 0;
    for (int i = 0; i < REPLAYS_TRIES && outcome == OUTCOME_OK; i++) {
        outcome = try_once(context, arm, source, first + i);
        const struct replay_row *row =
            outcome == OUTCOME_OK ? replays_last(rows, shape, label, kernel) : NULL;
        if (!row || replays_right(row) || strcmp(row->result, "no") == 0)
            break;
    }
    if (outcome != OUTCOME_OK || !*replays_accuse(rows, shape, label, kernel))
        return outcome;
    arm_describe(arm, "", "replayed without its library: %.400s, in %d of %d processes",
                 replays_last(rows, shape, label, kernel)->why, REPLAYS_TRIES, REPLAYS_TRIES);
    return arm->outcome = OUTCOME_DISHONEST;
}

int replay_again(struct unit_context *context, struct arm_state **failed) {
    int outcome = OUTCOME_OK;
    for (int i = 0; i < UNIT_KERNELS && outcome == OUTCOME_OK; i++) {
        struct replay_source source = {.process = PROCESS_NONE};
        struct arm_state *kernel = unit_kernel(context, i);
        if (!kernel || kernel->outcome != OUTCOME_OK || !context->recorded[i].bytes ||
            !unit_found(context, kernel, FINDING_SELF_TUNING))
            continue;
        *failed = kernel;
        outcome = replay_products(context, kernel, &source);
        unit_drop_runner(context, &source.process);
    }
    return outcome;
}

void replay_note_work(struct unit_context *context) {
    struct rows *rows = &context->result->rows;
    for (int k = 0; k < UNIT_KERNELS; k++) {
        const struct arm_state *kernel = unit_kernel(context, k);
        for (size_t i = 0; i < rows->replay_count && kernel && kernel->work != 0; i++)
            if (strcmp(rows->replays[i].kernel, kernel->row.kernel) == 0)
                snprintf(rows->replays[i].native_kernels, sizeof rows->replays[i].native_kernels,
                         "%016" PRIx64, kernel->work);
    }
}
