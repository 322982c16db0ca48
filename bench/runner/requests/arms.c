/* Runner: setting up arms. */
#include "bench/runner/requests/requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "bench/record/recorder.h"
#include "bench/runner/float_mode.h"

/* A call that does nothing: what any call takes. Its state is the runner. */
static int launch_empty(void *state, const struct gemm_args *args) {
    const struct runner *runner = state;
    (void)args;
    return runner->device->delay(runner->device_state, 0);
}

static struct baseline empty = {.ops = {.abi = GEMMGATE_ABI,
                                        .name = WIRE_EMPTY,
                                        .accumulate = GEMM_F16 | GEMM_F32,
                                        .launch = launch_empty,
                                        .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16}};

static const struct baseline *find_baseline(const struct runner *runner, const char *name) {
    int i = 0;
    empty.ops.device = runner->device->device;
    if (strcmp(name, WIRE_EMPTY) == 0)
        return &empty;
    while (baselines[i] && strcmp(baselines[i]->ops.name, name) != 0)
        i++;
    return baselines[i];
}

static int64_t round_up(int64_t size, int32_t tile) {
    return tile > 1 ? (size + tile - 1) / tile * tile : size;
}

/* The libraries' copies of B are in their names; a kernel's own are known to the judge alone. */
static int32_t copies_read(const struct baseline *baseline) {
    const char *end = baseline ? strrchr(baseline->ops.name, '-') : NULL;
    return !baseline                        ? WIRE_B_ROW | WIRE_B_COL
           : end && strcmp(end, "-tn") == 0 ? WIRE_B_COL
                                            : WIRE_B_ROW;
}

/* Whether the arm serves the runner's problem on its device; else the reply says why not. */
static bool is_served(const struct runner *runner, const struct arm *arm,
                      struct wire_reply *reply) {
    const struct kernel_ops *ops = arm->ops;
    if (ops->device != runner->device->device)
        snprintf(reply->text, sizeof reply->text, "it runs on another kind of device");
    else if (!(ops->accumulate & runner->accumulate))
        snprintf(reply->text, sizeof reply->text, "it accumulates in %s only",
                 ops->accumulate == GEMM_F16 ? "f16" : "f32");
    else if (!(runner_elements(ops) & arm->problem.element))
        snprintf(reply->text, sizeof reply->text, "it serves %s only",
                 element_list(runner_elements(ops)));
    else if (ops->can_do && !ops->can_do(&arm->problem))
        snprintf(reply->text, sizeof reply->text, "it does not serve this shape");
    else
        return true;
    return false;
}

/* The work of a kernel while it is loaded counts as its setup. */
static void begin_setup(const struct runner *runner, const struct arm *arm) {
    if (runner->recording && !arm->baseline)
        recorder_begin_setup();
}

static void end_setup(const struct runner *runner, const struct arm *arm) {
    if (runner->recording && !arm->baseline)
        recorder_end();
}

/* The candidate's fate up to the end of its setup. */
static int set_up(struct runner *runner, struct arm *arm, enum layout_operands operands,
                  struct wire_reply *reply) {
    const struct kernel_ops *ops = arm->ops;
    struct shape s = runner->shape;
    struct shape padded = {round_up(s.m, ops->tile.m), round_up(s.n, ops->tile.n),
                           round_up(s.k, ops->tile.k)};
    arm->problem = runner_problem(runner, padded);
    reply->add.padded = padded;
    if (!is_served(runner, arm, reply))
        return OUTCOME_UNSUPPORTED;
    if (!(arm->operands = runner_operands(runner, padded, operands))) {
        snprintf(reply->text, sizeof reply->text, "no room for the padded operands on the device");
        return OUTCOME_NO_MEMORY;
    }
    begin_setup(runner, arm);
    const uint64_t heap = runner_heap(runner);
    double start = runner_now();
    const int status =
        ops->setup ? ops->setup(&arm->problem, runner->workspace_bytes, &arm->state) : 0;
    runner_forget_left(runner);
    const char *why = NULL;
    int lost = runner->device->sync(runner->device_state, &why);
    reply->add.setup_seconds = runner_now() - start;
    const uint64_t held = runner_heap(runner);
    reply->add.held_bytes = arm->held_bytes = held > heap ? held - heap : 0;
    end_setup(runner, arm);
    if (status != 0) {
        runner_explain(ops, status, reply->text);
        return OUTCOME_SETUP_FAILED;
    }
    if (lost < 0) {
        snprintf(reply->text, sizeof reply->text, "after setup: %s", why);
        return OUTCOME_DEVICE_ERROR;
    }
    reply->add.variants =
        arm->baseline && arm->baseline->variants ? arm->baseline->variants(arm->state) : 0;
    return OUTCOME_OK;
}

/* A kernel may ask for its workspace; its module, a library's own memory and a stack take some
 * more. */
#define ROOM_BESIDE ((uint64_t)256 << 20)

/* Where less was free before the kernel was loaded than one that keeps to the rules may need, it is
 * not the kernel that has failed. */
static void excuse(const struct runner *runner, uint64_t room, struct wire_reply *reply) {
    const uint64_t wanted = runner->workspace_bytes + ROOM_BESIDE;
    char why[WIRE_TEXT / 2];
    if (room == 0 || room >= wanted ||
        (reply->outcome != OUTCOME_SETUP_FAILED && reply->outcome != OUTCOME_NO_LOAD))
        return;
    snprintf(why, sizeof why, "%.*s", (int)sizeof why - 1, reply->text);
    snprintf(reply->text, sizeof reply->text,
             "%" PRIu64 " MiB of the device were free before it was loaded, and %" PRIu64
             " MiB may be needed; it says: %s",
             room >> 20, wanted >> 20, why);
    reply->outcome = OUTCOME_NO_MEMORY;
}

static uint64_t room_of(const struct runner *runner) {
    return runner->device->room ? runner->device->room(runner->device_state) : 0;
}

/* Gives the arm its twin's algorithm. Returns an outcome. */
static int select_as(struct arm *arm, const struct arm *twin, struct wire_reply *reply) {
    if (twin->variant < 0)
        return OUTCOME_OK;
    int status = arm->baseline->select(arm->state, twin->variant);
    arm->variant = twin->variant;
    if (status == 0)
        return OUTCOME_OK;
    runner_explain(arm->ops, status, reply->text);
    return OUTCOME_SETUP_FAILED;
}

/* Returns an outcome. */
static int load_file(struct arm *arm, const char *path, char text[WIRE_TEXT]) {
    const enum load_result result = load_candidate(path, &arm->loaded, text, WIRE_TEXT);
    if (result != LOAD_OK)
        return result == LOAD_WRONG_ABI ? OUTCOME_WRONG_ABI : OUTCOME_NO_LOAD;
    arm->ops = arm->loaded.ops;
    return OUTCOME_OK;
}

static void take_arm(struct runner *runner, const struct wire_add *request,
                     struct wire_reply *reply) {
    if (runner->arm_count == WIRE_ARMS) {
        runner_fault(reply, "too many arms");
        return;
    }
    const bool is_strange = request->kind == ARM_CANDIDATE || request->kind == ARM_RECORDING;
    if (is_strange && request->sandbox && runner_lock_in(runner, reply->add.sandbox) < 0) {
        runner_fault(reply, "the sandbox cannot be set up; --no-sandbox goes without");
        return;
    }
    if (request->kind == ARM_RECORDING) {
        runner_add_recording(runner, request, reply);
        return;
    }
    struct arm *arm = &runner->arms[runner->arm_count];
    memset(arm, 0, sizeof *arm);
    arm->variant = -1;
    arm->delayed = request->delayed;
    if (request->kind == ARM_CANDIDATE) {
        if (runner->recording)
            recorder_fill_arena(request->fill);
        begin_setup(runner, arm);
        reply->outcome = load_file(arm, request->name, reply->text);
        end_setup(runner, arm);
        if (reply->outcome != OUTCOME_OK)
            return;
    } else {
        const struct arm *twin = request->kind == ARM_TWIN ? &runner->arms[request->twin_of] : NULL;
        arm->baseline = twin ? twin->baseline : find_baseline(runner, request->name);
        if (!arm->baseline) {
            runner_fault(reply, "this build has no such baseline");
            return;
        }
        arm->ops = &arm->baseline->ops;
    }
    snprintf(reply->add.name, sizeof reply->add.name, "%s", arm->ops->name);
    arm->reads = copies_read(arm->baseline);
    reply->outcome = set_up(runner, arm, (enum layout_operands)request->operands, reply);
    if (arm->baseline == &empty)
        arm->state = runner;
    if (request->kind == ARM_TWIN && reply->outcome == OUTCOME_OK)
        reply->outcome = select_as(arm, &runner->arms[request->twin_of], reply);
    reply->add.arm = runner->arm_count++;
    if (request->kind == ARM_BASELINE && reply->outcome == OUTCOME_OK && reply->add.variants > 0)
        runner_tune(runner, arm, &request->tune, reply);
}

void runner_add(struct runner *runner, const struct wire_add *request, struct wire_reply *reply) {
    const uint64_t ours = float_mode();
    const uint64_t room = request->kind == ARM_CANDIDATE ? room_of(runner) : 0; /* takes a while */
    take_arm(runner, request, reply);
    float_mode_set(ours);
    if (reply->status == 0)
        excuse(runner, room, reply);
}
