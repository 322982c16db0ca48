#include "bench/runner/inspect.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"

/* All arms of a pass have the same product to make, and what one has made must not be there for the
 * next to copy: it lies masked from the end of its interval until it is looked at. Twice is not at
 * all. */
static int mask(const struct runner *runner, const struct wire_time *request, uint64_t pass,
                int output) {
    const struct guarded *c = &runner->outputs[output];
    return runner->device->mask(
        runner->device_state, c->data, c->elements,
        seed_derive(request->seed, SEED_MASK, pass * WIRE_ARMS + (uint64_t)output));
}

int inspect_hide(const struct runner *runner, const struct wire_time *request, uint64_t pass,
                 const struct arm *arm, int output, bool any_cache, struct wire_reply *reply) {
    const bool forgets = arm->baseline && arm->baseline->forget &&
                         (any_cache || runner->device->device == GEMM_HOST);
    if ((!forgets || arm->baseline->forget(arm->state) == 0) &&
        mask(runner, request, pass, output) == 0)
        return 0;
    runner_fault(reply, "the output of a timed call cannot be masked");
    return -1;
}

/* A call that was skipped or answered with an older product has all of C wrong; one that is wrong
 * here and there may be a race in an honest kernel. */
static int wrong(const struct seen *now, unsigned long long all) {
    return now->nan + now->off >= all - all / 2 ? OUTCOME_REPLAYED : OUTCOME_UNSTABLE;
}

/* Judges the C that a suspect has left, at the stop of its interval (where that has one) and now,
 * by the C that the library has left. Returns an outcome. */
static int judge_looks(const struct runner *runner, const struct wire_time *request, int suspect,
                       unsigned long long block, bool sealed, const struct seen *then,
                       const struct seen *now, struct wire_reply *reply) {
    const unsigned long long all =
        (unsigned long long)runner->shape.m * (unsigned long long)runner->shape.n;
    reply->time.failed_arm = request->arms[request->suspects[suspect]];
    if (sealed && then->seal != now->seal) {
        snprintf(reply->text, sizeof reply->text,
                 "block %llu: C changed after the interval had ended; %llu elements were not "
                 "written then",
                 block, (unsigned long long)then->nan);
        return OUTCOME_ESCAPED;
    }
    if (now->nan > 0) {
        snprintf(reply->text, sizeof reply->text,
                 "block %llu: %llu of %llu elements of C were left unwritten or NaN", block,
                 (unsigned long long)now->nan, all);
        return wrong(now, all);
    }
    if (request->library >= 0 && now->off > 0) {
        snprintf(reply->text, sizeof reply->text,
                 "block %llu: %llu of %llu elements of C are off by up to %.4g from those of a "
                 "library on the same fresh inputs; %.4g is allowed",
                 block, (unsigned long long)now->off, all, now->deviation,
                 request->tolerance[suspect]);
        return wrong(now, all);
    }
    if (request->library >= 0 && now->coarse > request->coarse[suspect]) {
        snprintf(
            reply->text, sizeof reply->text,
            "block %llu: %llu of %llu elements of C are more than %g last places from those of "
            "a library on the same fresh inputs; by its checks %llu may be",
            block, (unsigned long long)now->coarse, all,
            (double)(2 * element_coarse(runner->element)),
            (unsigned long long)request->coarse[suspect]);
        return OUTCOME_PRECISION;
    }
    reply->time.failed_arm = -1;
    return OUTCOME_OK;
}

/* One pass of the request is drawn, each as likely as any other. The judge makes a few elements of
 * its C's itself. 0 or -1. */
static int take_elements(const struct runner *runner, const struct wire_time *request,
                         uint64_t block, uint64_t pass, int call, struct wire_time_reply *told) {
    const struct block_taken at = block_taken(request, pass, runner->shape);
    int lost = 0;
    if (seed_derive(request->seed, SEED_TAKEN, ~pass) % ++told->looked != 0)
        return 0;
    told->pass = pass;
    told->call = call;
    for (int i = 0; i < request->suspect_count; i++) {
        const int slot = request->suspects[i];
        const int64_t ld = runner->arms[request->arms[slot]].problem.n;
        const uint16_t *c = runner->outputs[block_output(request, slot, block)].data;
        lost |= runner->device->copy_out(runner->device_state, c + at.row * ld + at.column, 1,
                                         at.columns, ld, told->taken[i]);
    }
    return lost;
}

int inspect_outputs(struct runner *runner, const struct wire_time *request, uint64_t block,
                    uint64_t pass, int call, bool sealed, struct wire_reply *reply) {
    const int first = request->arm_count, count = request->suspect_count;
    struct seen seen[DEVICE_LOOKS];
    int lost = 0, outcome = OUTCOME_OK;
    if (request->library >= 0)
        lost |= mask(runner, request, pass, block_output(request, request->library, block));
    for (int i = 0; i < count; i++) {
        const int slot = request->suspects[i], output = block_output(request, slot, block);
        lost |= mask(runner, request, pass, output);
        struct look look = runner_look(runner, &runner->arms[request->arms[slot]],
                                       &runner->outputs[output], runner->secret);
        if (request->library >= 0) {
            look.other = runner->outputs[block_output(request, request->library, block)].data;
            look.other_ld = runner->arms[request->arms[request->library]].problem.n;
            look.tolerance = request->tolerance[i];
        }
        lost |= runner->device->look(runner->device_state, &look, first + i);
    }
    if (lost < 0 || runner->device->looks(runner->device_state, first + count, seen) < 0 ||
        take_elements(runner, request, block, pass, call, &reply->time) < 0) {
        runner_fault(reply, "the outputs of timed calls cannot be looked at");
        return OUTCOME_OK;
    }
    for (int i = 0; i < count && outcome == OUTCOME_OK; i++) {
        const int slot = request->suspects[i];
        outcome = judge_looks(runner, request, i, block, sealed,
                              &seen[block_output(request, slot, block)], &seen[first + i], reply);
    }
    return outcome;
}

int inspect_guards(struct runner *runner, const struct wire_time *request,
                   struct wire_reply *reply) {
    struct guarded *buffers[RUNNER_BUFFERS];
    const int count = runner_buffers(runner, buffers);
    uint64_t changed = 0;
    if (guarded_check(runner->device, runner->device_state, (const struct guarded *const *)buffers,
                      count, &changed) < 0) {
        runner_fault(reply, "the guard zones cannot be looked at");
    }
    if (changed == 0)
        return OUTCOME_OK;
    reply->time.failed_arm = request->arms[request->suspects[0]];
    snprintf(reply->text, sizeof reply->text, "%llu elements around A, B or C were written",
             (unsigned long long)changed);
    return OUTCOME_WROTE_OUTSIDE;
}
