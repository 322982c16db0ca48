/* Runner: opening the device, and room for one shape on it. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "bench/process/hide_driver.h"
#include "bench/record/recorder.h"

static const struct device_ops *find_device(const char *kind) {
    for (int i = 0; device_kinds[i]; i++)
        if (strcmp(device_kinds[i]->kind, kind) == 0)
            return device_kinds[i];
    return NULL;
}

static const struct kernel_ops *any_library(const struct runner *runner) {
    for (int i = 0; baselines[i]; i++)
        if (baselines[i]->ops.device == runner->device->device &&
            baselines[i]->ops.accumulate & GEMM_F32 &&
            runner_elements(&baselines[i]->ops) & 1 << runner->element)
            return &baselines[i]->ops;
    return NULL;
}

int runner_rehearse(struct runner *runner) {
    static struct wire_reply reply;
    const struct wire_shape shape = {.shape = {128, 128, 128}, .accumulate = GEMM_F32};
    const struct kernel_ops *library = any_library(runner);
    struct wire_add add = {.kind = ARM_BASELINE};
    if (!library)
        return 0;
    snprintf(add.name, sizeof add.name, "%s", library->name);
    memset(&reply, 0, sizeof reply);
    runner_shape(runner, &shape, &reply);
    if (reply.status == 0)
        runner_add(runner, &add, &reply);
    bool made = reply.status == 0 && reply.outcome == OUTCOME_OK &&
                runner_outputs(runner, 1, shape.shape.m * shape.shape.n) == 0;
    if (made) {
        const struct arm *arm = &runner->arms[0];
        const struct gemm_args args = runner_args(runner, arm, 0, &runner->outputs[0]);
        made = runner_await(runner, arm, runner_launch(arm, &args), &reply);
    }
    runner_forget(runner);
    return made ? 0 : -1;
}

static bool is_meant(const struct device_info *info, const struct gpu_alone *alone) {
    return !*alone->uuid ||
           (strcmp(info->uuid, alone->uuid) == 0 && strcmp(info->pci, alone->pci) == 0);
}

static void open_device(struct runner *runner, const struct wire_open *request,
                        struct wire_reply *reply) {
    runner->device = find_device(request->device_kind);
    runner->element = (enum element)request->element;
    struct device_info info = {.l2_bytes = 0};
    const char *why = "";
    if (*request->alone.uuid) /* before CUDA is asked for anything */
        setenv("CUDA_VISIBLE_DEVICES", request->alone.uuid, 1);
    if (request->fixed && !request->record)
        hide_driver_memory();
    if (runner->device && runner->device->device == GEMM_CUDA)
        recorder_load();
    const bool recording = request->record && recorder_start(false, &why) == 0;
    if (request->record && !recording)
        runner_fault(reply, why);
    else if (!runner->device)
        runner_fault(reply, "this build has no such device");
    else if (runner->device->describe(request->ordinal, &info) < 0)
        runner_fault(reply, "the device cannot be described");
    else if (!is_meant(&info, &request->alone))
        runner_fault(reply, "CUDA shows another GPU than the one asked for by its UUID");
    else if (runner->device->open(request->ordinal, &runner->device_state) < 0)
        runner_fault(reply, "the device cannot be opened");
    else if (request->rehearse && runner_rehearse(runner) < 0)
        runner_fault(reply, "a library's first product failed");
    else if (request->fixed && !runner->device->fix)
        runner_fault(reply, "cannot record: the host device has no driver");
    else if (request->fixed && runner->device->fix(runner->device_state, !request->record) < 0)
        runner_fault(reply, "memory at fixed addresses is not to be had");
    runner->recording = recording; /* nothing before belongs to a kernel */
    runner->sealed = request->fixed && !request->record;
    runner->cache_bytes = info.l2_bytes;
}

/* A driver makes and takes down a context with one hardware queue in half the time, and keeps other
 * processes of the host waiting for as long; on one stream nothing is faster or slower by that. A
 * kernel is not to know by it where it is. */
void runner_open(struct runner *runner, const struct wire_open *request, struct wire_reply *reply) {
    static const char queues[] = "CUDA_DEVICE_MAX_CONNECTIONS";
    const bool one = request->fixed && !getenv(queues) && setenv(queues, "1", 1) == 0;
    open_device(runner, request, reply);
    if (one)
        unsetenv(queues);
}

void runner_shape(struct runner *runner, const struct wire_shape *request,
                  struct wire_reply *reply) {
    if (!runner->device_state) {
        runner_fault(reply, "no device is open");
        return;
    }
    runner_forget(runner);
    if (runner->device->clear &&
        runner->device->clear(runner->device_state, layout_rest(request->shape)) < 0)
        runner_fault(reply, "the shape before cannot be forgotten");
    runner->shape = request->shape;
    runner->accumulate = request->accumulate;
    runner->workspace_bytes = request->workspace_bytes;
    runner->finite_c = request->finite_c;
    runner->inputs = (enum input_kind)request->inputs;
    if (reply->status != 0)
        return;
    memset(runner->table_k, 0, sizeof runner->table_k);
    if (runner_table(runner, INPUT_NORMAL, runner->shape.k) < 0 ||
        runner_table(runner, runner->inputs, runner->shape.k) < 0 ||
        !runner_operands(runner, runner->shape, LAYOUT_PLAIN))
        runner_fault(reply, "no room for the operands on the device");
}
