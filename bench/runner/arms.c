/* Runner: opening the device and setting up arms. */
#include "bench/runner/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/outcome.h"
#include "bench/device/trace.h"
#include "bench/process/hide_gpus.h"
#include "bench/process/sandbox.h"
#include "correctness/numbers/input.h"

static void fault(struct wire_reply *reply, const char *text) {
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "%s", text);
}

static const struct device_ops *find_device(const char *kind) {
    for (int i = 0; device_kinds[i]; i++)
        if (strcmp(device_kinds[i]->kind, kind) == 0)
            return device_kinds[i];
    return NULL;
}

static const struct baseline *find_baseline(const char *name) {
    for (int i = 0; baselines[i]; i++)
        if (strcmp(baselines[i]->ops.name, name) == 0)
            return baselines[i];
    return NULL;
}

static int load_tables(struct runner *runner) {
    static uint16_t table[INPUT_TABLE_SIZE];
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        input_table((enum input_kind)kind, input_density(runner->shape.k), table);
        if (runner->device->load_table(runner->device_state, kind, table) < 0)
            return -1;
    }
    return 0;
}

/* The operands padded to that size: made unless they are there. NULL without room. */
static const struct inputs *operands_of(struct runner *runner, struct shape padded) {
    for (int i = 0; i < runner->operand_count; i++)
        if (shape_compare(runner->operands[i].padded, padded) == 0)
            return &runner->operands[i];
    if (runner->operand_count == RUNNER_OPERANDS)
        return NULL;
    struct inputs *inputs = &runner->operands[runner->operand_count];
    if (inputs_alloc(runner->device, runner->device_state, runner->shape, padded, 1, inputs) < 0)
        return NULL;
    runner->operand_count++;
    return inputs;
}

/* Before CUDA is asked for anything. 0, or -1 with a fault in the reply. */
static int stay_alone(struct runner *runner, const struct wire_open *request,
                      struct wire_reply *reply) {
    const struct gpu_alone *alone = &request->alone;
    if (*alone->uuid && setenv("CUDA_VISIBLE_DEVICES", alone->uuid, 1) < 0) {
        fault(reply, "no memory for CUDA_VISIBLE_DEVICES");
        return -1;
    }
    const int hidden = request->hide ? hide_other_gpus("/proc", "/dev", alone->pci) : 0;
    if (hidden < 0)
        fault(reply, "other GPUs cannot be hidden; --no-sandbox goes without");
    runner->alone = hidden > 0;
    runner->exposed = request->hide && *alone->pci && hidden == 0;
    return hidden < 0 ? -1 : 0;
}

static bool is_meant(const struct device_info *info, const struct gpu_alone *alone) {
    return !*alone->uuid ||
           (strcmp(info->uuid, alone->uuid) == 0 && strcmp(info->pci, alone->pci) == 0);
}

static void open_device(struct runner *runner, const struct wire_open *request,
                        struct wire_reply *reply) {
    runner->device = find_device(request->device_kind);
    struct device_info info;
    const char *why = "";
    if (stay_alone(runner, request, reply) < 0)
        return;
    runner->tracing = request->trace && trace_start(&why) == 0;
    if (request->trace && !runner->tracing)
        fault(reply, why);
    else if (!runner->device)
        fault(reply, "this build has no such device");
    else if (runner->device->describe(request->ordinal, &info) < 0)
        fault(reply, "the device cannot be described");
    else if (!is_meant(&info, &request->alone))
        fault(reply, "CUDA shows another GPU than the one asked for by its UUID");
    else if (runner->device->open(request->ordinal, &runner->device_state) < 0)
        fault(reply, "the device cannot be opened");
    else if (runner->tracing && (trace_begin(0) < 0 || trace_end(0) < 0))
        fault(reply, "what runs on this device cannot be recorded");
    else if (request->rehearse && runner_rehearse(runner) < 0)
        fault(reply, "a library's first product failed");
    else
        runner->cache_bytes = info.l2_bytes;
}

/* A driver makes and takes down a context with one hardware queue in half the time, and keeps other
 * processes of the host waiting for as long; on one stream nothing is faster or slower by that. A
 * kernel is not to know by it where it is. */
void runner_open(struct runner *runner, const struct wire_open *request, struct wire_reply *reply) {
    static const char queues[] = "CUDA_DEVICE_MAX_CONNECTIONS";
    const bool one = request->one_queue && !getenv(queues) && setenv(queues, "1", 1) == 0;
    open_device(runner, request, reply);
    if (one)
        unsetenv(queues);
}

void runner_shape(struct runner *runner, const struct wire_shape *request,
                  struct wire_reply *reply) {
    runner->shape = request->shape;
    runner->accumulate = request->accumulate;
    runner->workspace_bytes = request->workspace_bytes;
    if (!runner->device_state)
        fault(reply, "no device is open");
    else if (load_tables(runner) < 0 || !operands_of(runner, runner->shape))
        fault(reply, "no room for the operands on the device");
}

/* Waits for a call that launch has given that status. */
static void settle(struct runner *runner, const struct arm *arm, int status,
                   struct wire_reply *reply) {
    const char *why = "";
    if (status != 0) {
        runner_explain(arm->ops, status, reply->text);
        reply->outcome = OUTCOME_LAUNCH_FAILED;
    } else if (runner->device->sync(runner->device_state, &why) < 0) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        reply->outcome = OUTCOME_DEVICE_ERROR;
    }
}

void runner_trace(struct runner *runner, const struct wire_trace *request,
                  struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->arm];
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0) {
        fault(reply, "no room for an output");
        return;
    }
    for (int call = 1; call <= request->calls && reply->outcome == OUTCOME_OK; call++) {
        if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, (uint64_t)call), 1) < 0) {
            fault(reply, "fresh inputs could not be made");
            return;
        }
        const struct gemm_args args = runner_args(runner, arm, 0);
        int recorded = trace_begin(call);
        int status = arm->ops->launch(arm->state, &args);
        recorded |= trace_end(call);
        if (recorded < 0) {
            fault(reply, "a call cannot be recorded");
            return;
        }
        settle(runner, arm, status, reply);
    }
    if (trace_collect(runner->shared, runner->shared_bytes / sizeof(struct behaviour_event),
                      &reply->trace.events, &reply->trace.dropped) < 0)
        fault(reply, "what was recorded cannot be collected");
}

void runner_profile(struct runner *runner, const struct wire_profile *request,
                    struct wire_reply *reply) {
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    struct arm *arm = &runner->arms[request->arm];
    if (!device->profile) {
        fault(reply, "only GPUs have counters");
        return;
    }
    if (runner_outputs(runner, 1, runner_output_elements(arm)) < 0) {
        fault(reply, "no room for an output");
        return;
    }
    for (int counted = 0; counted < 2 && reply->outcome == OUTCOME_OK; counted++) {
        if (runner_refresh(runner, seed_derive(request->seed, SEED_BLOCK, (uint64_t)counted), 1) <
            0) {
            fault(reply, "fresh inputs could not be made");
            return;
        }
        const struct gemm_args args = runner_args(runner, arm, 0);
        if (counted && device->profile(state, true) < 0) {
            fault(reply, "the profiler cannot be told to start");
            return;
        }
        settle(runner, arm, arm->ops->launch(arm->state, &args), reply);
        if (counted && reply->outcome == OUTCOME_OK && device->profile(state, false) < 0)
            fault(reply, "the profiler cannot be told to stop");
    }
}

void runner_peak(struct runner *runner, struct wire_reply *reply) {
    if (runner->device->peak && runner->device->peak(runner->device_state, &reply->peak.rates) < 0)
        fault(reply, "the device's best rates cannot be measured");
}

static int64_t round_up(int64_t size, int32_t tile) {
    return tile > 1 ? (size + tile - 1) / tile * tile : size;
}

/* The candidate's fate up to the end of its setup. */
static int set_up(struct runner *runner, struct arm *arm, struct wire_reply *reply) {
    const struct kernel_ops *ops = arm->ops;
    struct shape s = runner->shape;
    struct shape padded = {round_up(s.m, ops->tile.m), round_up(s.n, ops->tile.n),
                           round_up(s.k, ops->tile.k)};
    arm->problem = (struct gemm_problem){padded.m, padded.n, padded.k, runner->accumulate};
    reply->add.padded = padded;
    if (ops->device != runner->device->device) {
        snprintf(reply->text, sizeof reply->text, "it runs on another kind of device");
        return OUTCOME_UNSUPPORTED;
    }
    if (!(ops->accumulate & runner->accumulate)) {
        snprintf(reply->text, sizeof reply->text, "it accumulates in %s only",
                 ops->accumulate == GEMM_F16 ? "f16" : "f32");
        return OUTCOME_UNSUPPORTED;
    }
    if (ops->can_do && !ops->can_do(&arm->problem))
        return OUTCOME_UNSUPPORTED;
    if (!(arm->inputs = operands_of(runner, padded))) {
        fault(reply, "no room for the padded operands on the device");
        return OUTCOME_OK;
    }
    if (runner->tracing && trace_begin(0) < 0) {
        fault(reply, "the setup cannot be recorded");
        return OUTCOME_OK;
    }
    double start = runner_now();
    int status = ops->setup ? ops->setup(&arm->problem, runner->workspace_bytes, &arm->state) : 0;
    const char *why = NULL;
    int lost = runner->device->sync(runner->device_state, &why);
    reply->add.setup_seconds = runner_now() - start;
    if (runner->tracing && trace_end(0) < 0) {
        fault(reply, "the setup cannot be recorded");
        return OUTCOME_OK;
    }
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

/* From here on the process runs the candidate's code. Memory: all there is, so that a kernel that
 * takes without end fails before the machine does. */
static int lock_in(struct runner *runner, struct wire_reply *reply) {
    const struct sandbox_limits limits = {
        .memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
        .file_bytes = (uint64_t)64 << 20,
        .descriptors = 4096,
    };
    struct sandbox_report report;
    if (runner->locked)
        return 0;
    if (sandbox_enter(SANDBOX_RUNNER, NULL, &limits, &report) < 0)
        return -1;
    runner->locked = true;
    snprintf(reply->add.sandbox, sizeof reply->add.sandbox, "%s%s%s%s%s%s%s%s%s",
             report.no_new_privs ? "no_new_privs " : "", report.limits ? "limits " : "",
             report.seccomp ? "seccomp " : "", report.landlock ? "landlock " : "",
             runner->alone ? "own-gpu " : "",
             *report.missing || runner->exposed ? "; missing: " : "", report.missing,
             *report.missing && runner->exposed ? "; " : "",
             runner->exposed ? "hiding other GPUs' nodes" : "");
    return 0;
}

static int launch_nothing(void *state, const struct gemm_args *args) {
    (void)state;
    (void)args;
    return 0;
}

/* What a lens reads when nothing is launched is the least that it can read. */
static struct kernel_ops idle = {.abi = GEMMGATE_ABI,
                                 .name = "idle",
                                 .accumulate = GEMM_F16 | GEMM_F32,
                                 .launch = launch_nothing};

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

void runner_add(struct runner *runner, const struct wire_add *request, struct wire_reply *reply) {
    if (runner->arm_count == WIRE_ARMS) {
        fault(reply, "too many arms");
        return;
    }
    struct arm *arm = &runner->arms[runner->arm_count];
    memset(arm, 0, sizeof *arm);
    arm->variant = -1;
    arm->delayed = request->delayed != 0;
    if (request->kind == ARM_CANDIDATE) {
        if (request->sandbox && lock_in(runner, reply) < 0) {
            fault(reply, "the sandbox cannot be set up; --no-sandbox goes without");
            return;
        }
        enum load_result result =
            load_candidate(request->name, &arm->loaded, reply->text, sizeof reply->text);
        reply->outcome = result == LOAD_OK          ? OUTCOME_OK
                         : result == LOAD_WRONG_ABI ? OUTCOME_WRONG_ABI
                                                    : OUTCOME_NO_LOAD;
        if (result != LOAD_OK)
            return;
        arm->ops = arm->loaded.ops;
    } else if (request->kind == ARM_IDLE) {
        idle.device = runner->device->device;
        arm->ops = &idle;
    } else {
        const struct arm *twin = request->kind == ARM_TWIN ? &runner->arms[request->twin_of] : NULL;
        arm->baseline = twin ? twin->baseline : find_baseline(request->name);
        if (!arm->baseline) {
            fault(reply, "this build has no such baseline");
            return;
        }
        arm->ops = &arm->baseline->ops;
    }
    snprintf(reply->add.name, sizeof reply->add.name, "%s", arm->ops->name);
    reply->outcome = set_up(runner, arm, reply);
    if (request->kind == ARM_TWIN && reply->outcome == OUTCOME_OK)
        reply->outcome = select_as(arm, &runner->arms[request->twin_of], reply);
    reply->add.arm = runner->arm_count++;
}
