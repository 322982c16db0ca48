/* Runner: the checked call, the timed blocks and the choice among variants. Nothing here prints,
 * allocates or logs between start and stop. */
#include "bench/runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "correctness/input.h"
#include "correctness/outcome.h"
#include "timing/schedule.h"
#include "timing/stats.h"

double runner_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void runner_explain(const struct kernel_ops *ops, int status, char text[WIRE_TEXT]) {
    const char *words = ops->explain ? ops->explain(status) : NULL;
    if (words)
        snprintf(text, WIRE_TEXT, "%s (status %d)", words, status);
    else
        snprintf(text, WIRE_TEXT, "status %d", status);
}

int runner_outputs(struct runner *runner, int count, int64_t elements) {
    if (runner->output_count >= count && runner->outputs[0].elements == elements)
        return 0;
    for (int i = 0; i < runner->output_count; i++)
        guarded_free(runner->device, runner->device_state, &runner->outputs[i]);
    runner->output_count = 0;
    for (; runner->output_count < count; runner->output_count++)
        if (guarded_alloc(runner->device, runner->device_state, elements,
                          &runner->outputs[runner->output_count]) < 0)
            return -1;
    return 0;
}

static int64_t output_elements(const struct arm *arm) {
    return arm->problem.m * arm->problem.n;
}

static struct gemm_args arm_args(const struct runner *runner, const struct arm *arm, int output) {
    return (struct gemm_args){
        .problem = arm->problem,
        .a = arm->inputs->a.data,
        .b_row = arm->inputs->b_row.data,
        .b_col = arm->inputs->b_col.data,
        .c = runner->outputs[output].data,
        .stream = runner->device->stream(runner->device_state),
    };
}

int runner_refresh(struct runner *runner, uint64_t seed, int output_count) {
    struct fill fills[6 + WIRE_ARMS];
    int count = 3;
    inputs_fills(&runner->plain, INPUT_NORMAL, seed, fills);
    if (runner->padded.a.data) {
        inputs_fills(&runner->padded, INPUT_NORMAL, seed, fills + 3);
        count = 6;
    }
    for (int i = 0; i < output_count; i++)
        fills[count++] = poison_fill(&runner->outputs[i], runner->outputs[i].elements);
    const char *why;
    if (runner->device->fill(runner->device_state, fills, count) < 0)
        return -1;
    return runner->device->sync(runner->device_state, &why);
}

/* What a caller with unpadded operands pays before a padded kernel: A and the copy of B it reads.
 */
static int pad_operands(struct runner *runner) {
    const struct device_ops *device = runner->device;
    const struct inputs *from = &runner->plain, *to = &runner->padded;
    struct shape s = from->shape, p = to->padded;
    void *state = runner->device_state;
    int status = device->copy(state, from->a.data, s.k, to->a.data, p.k, s.m, s.k);
    if (status == 0 && (runner->count_padding & WIRE_PAD_NN))
        status = device->copy(state, from->b_row.data, s.n, to->b_row.data, p.n, s.k, s.n);
    if (status == 0 && (runner->count_padding & WIRE_PAD_TN))
        status = device->copy(state, from->b_col.data, s.k, to->b_col.data, p.k, s.n, s.k);
    return status;
}

/* And behind it: C without its padding. */
static int unpad_product(struct runner *runner, int output) {
    struct shape s = runner->plain.shape;
    return runner->device->copy(runner->device_state, runner->outputs[output].data,
                                runner->padded.padded.n, runner->unpadded.data, s.n, s.m, s.n);
}

int runner_timed_call(struct runner *runner, struct arm *arm, int output, double *seconds,
                      char text[WIRE_TEXT]) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    struct gemm_args args = arm_args(runner, arm, output);
    const char *why = "the clock cannot be read";

    const bool padding = runner->count_padding && arm->inputs == &runner->padded;
    int marked = device->start(state);
    if (padding)
        marked |= pad_operands(runner);
    int status = arm->ops->launch(arm->state, &args);
    if (padding)
        marked |= unpad_product(runner, output);
    marked |= device->stop(state);
    int lost = device->sync(state, &why);

    if (status != 0) {
        runner_explain(arm->ops, status, text);
        return OUTCOME_LAUNCH_FAILED;
    }
    if (lost < 0 || marked < 0 || device->elapsed(state, seconds) < 0) {
        snprintf(text, WIRE_TEXT, "%s", why);
        return OUTCOME_DEVICE_ERROR;
    }
    return OUTCOME_OK;
}

void runner_call(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    struct arm *arm = &runner->arms[request->index];
    const char *why = "";
    struct fill fills[4];
    inputs_fills(arm->inputs, request->input_kind, request->seed, fills);
    if (request->poison == WIRE_POISON_B_ROW)
        fills[1] = poison_fill(&arm->inputs->b_row, arm->inputs->b_row.elements);
    if (request->poison == WIRE_POISON_B_COL)
        fills[2] = poison_fill(&arm->inputs->b_col, arm->inputs->b_col.elements);
    if (runner_outputs(runner, 1, output_elements(arm)) < 0)
        goto trouble;
    fills[3] = poison_fill(&runner->outputs[0], output_elements(arm));
    if (device->fill(state, fills, 4) < 0 || device->sync(state, &why) < 0)
        goto trouble;

    struct gemm_args args = arm_args(runner, arm, 0);
    double start = runner_now();
    int status = arm->ops->launch(arm->state, &args);
    int lost = device->sync(state, &why);
    reply->seconds = runner_now() - start;
    if (status != 0) {
        runner_explain(arm->ops, status, reply->text);
        reply->outcome = OUTCOME_LAUNCH_FAILED;
        return;
    }
    if (lost < 0) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        reply->outcome = OUTCOME_DEVICE_ERROR;
        return;
    }
    for (int i = 0; i < 3; i++) {
        uint64_t changed;
        if (device->count_changed(state, &fills[i], &changed) < 0)
            goto trouble;
        reply->changed_inputs += changed;
    }
    if (guarded_check(device, state, &arm->inputs->a, &reply->changed_guards) < 0 ||
        guarded_check(device, state, &arm->inputs->b_row, &reply->changed_guards) < 0 ||
        guarded_check(device, state, &arm->inputs->b_col, &reply->changed_guards) < 0 ||
        guarded_check(device, state, &runner->outputs[0], &reply->changed_guards) < 0 ||
        device->copy_out(state, runner->outputs[0].data, runner->shape.m, runner->shape.n,
                         arm->problem.n, runner->shared) < 0)
        goto trouble;
    return;
trouble:
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "the checked call could not be prepared or read%s%s",
             *why ? ": " : "", why);
}

/* Sleeps, so that the device is idle, whatever signals come. The gap is outside every interval. */
static void idle(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
        ;
}

/* One visit to every arm, in an order of the block's own, on inputs of the block's own. C buffers
 * rotate over the arms, so that no arm owns a luckier address. Returns an outcome. */
static int time_block(struct runner *runner, const struct wire_request *request, uint64_t block,
                      float *samples, struct wire_reply *reply) {
    int count = request->arm_count, order[WIRE_ARMS];
    schedule_shuffle(seed_derive(request->seed, SEED_ORDER, block), count, order);
    if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, block), count) < 0) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "fresh inputs could not be made");
        return OUTCOME_OK;
    }
    for (int i = 0; i < count; i++) {
        int slot = order[i];
        if (request->server) {
            uint64_t draw = block * WIRE_ARMS + (uint64_t)i;
            idle(schedule_gap(seed_derive(request->seed, SEED_GAP, draw), request->qps));
        }
        double seconds = 0;
        int output = (int)(((uint64_t)slot + block) % (uint64_t)count);
        int outcome = runner_timed_call(runner, &runner->arms[request->arms[slot]], output,
                                        &seconds, reply->text);
        if (outcome != OUTCOME_OK) {
            reply->arm = request->arms[slot];
            return outcome;
        }
        samples[slot] = (float)seconds;
    }
    return OUTCOME_OK;
}

void runner_time(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply) {
    int64_t largest = 0;
    for (int i = 0; i < request->arm_count; i++) {
        int64_t elements = output_elements(&runner->arms[request->arms[i]]);
        largest = elements > largest ? elements : largest;
    }
    if (runner_outputs(runner, request->arm_count, largest) < 0) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "no room for an output of every arm");
        return;
    }
    runner->count_padding = request->count_padding;
    if (runner->count_padding && !runner->unpadded.data &&
        guarded_alloc(runner->device, runner->device_state, runner->shape.m * runner->shape.n,
                      &runner->unpadded) < 0) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "no room for an unpadded output");
        return;
    }
    size_t stride = (size_t)request->arm_count;
    uint64_t room = runner->shared_bytes / sizeof(float) / stride;
    float *samples = runner->shared;
    double start = runner_now();
    do {
        reply->outcome = time_block(runner, request, request->first_block + reply->blocks,
                                    samples + reply->blocks * stride, reply);
        if (reply->outcome != OUTCOME_OK || reply->status != 0)
            break;
        reply->blocks++;
        reply->seconds = runner_now() - start;
    } while (reply->blocks < room && reply->seconds < request->seconds);
}

/* The paper's procedure: rounds over all variants in random order on fresh inputs, best median.
 * A variant that fails once is out. */
void runner_tune(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->index];
    const struct baseline *baseline = arm->baseline;
    int count = baseline->variants(arm->state), timed = request->timed_rounds;
    int *order = calloc((size_t)count, sizeof *order), *out = calloc((size_t)count, sizeof *out);
    double *seconds = calloc((size_t)count * (size_t)timed, sizeof *seconds);
    if (!order || !out || !seconds || runner_outputs(runner, 1, output_elements(arm)) < 0) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "no memory to tune %d algorithms in", count);
        goto done;
    }
    for (int round = 0; round < request->warmup_rounds + timed; round++) {
        schedule_shuffle(seed_derive(request->seed, SEED_ORDER, (uint64_t)round), count, order);
        if (runner_refresh(runner, seed_derive(request->seed, SEED_TUNE, (uint64_t)round), 1) < 0) {
            reply->outcome = OUTCOME_DEVICE_ERROR;
            snprintf(reply->text, sizeof reply->text, "an algorithm left the device in error");
            goto done;
        }
        for (int i = 0; i < count; i++) {
            int variant = order[i], keep = round - request->warmup_rounds;
            double elapsed = 0;
            if (out[variant])
                continue;
            if (baseline->select(arm->state, variant) != 0 ||
                runner_timed_call(runner, arm, 0, &elapsed, reply->text) != OUTCOME_OK)
                out[variant] = 1;
            else if (keep >= 0)
                seconds[variant * timed + keep] = elapsed;
        }
    }
    int best = -1;
    double best_median = 0;
    for (int v = 0; v < count; v++) {
        reply->failed += out[v];
        if (out[v])
            continue;
        double median = stats_median(seconds + v * timed, (size_t)timed);
        if (best < 0 || median < best_median) {
            best = v;
            best_median = median;
        }
    }
    reply->tried = count;
    if (best < 0 || baseline->select(arm->state, best) != 0) {
        reply->outcome = OUTCOME_SETUP_FAILED;
        snprintf(reply->text, sizeof reply->text, "none of %d algorithms ran", count);
    } else {
        snprintf(reply->text, sizeof reply->text,
                 "%s; best of %d by median of %d rounds, %d failed",
                 baseline->describe(arm->state, best), count, timed, reply->failed);
    }
done:
    free(order);
    free(out);
    free(seconds);
}
