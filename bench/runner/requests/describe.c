/* Runner: what devices and baselines there are, as lists in the shared memory. */
#include <stdio.h>

#include "bench/runner/requests/requests.h"

/* The i-th of a kind that has so many; where it has none, why. 0, or -1 after error(). */
static int describe_device(const struct device_ops *device, int i, int count, const char *why,
                           struct wire_device *told) {
    *told = (struct wire_device){.ordinal = count > 0 ? i : -1};
    snprintf(told->kind, sizeof told->kind, "%s", device->kind);
    snprintf(told->why, sizeof told->why, "%s", count > 0 ? "" : why);
    device->libraries(&told->info);
    return count > 0 ? device->describe(i, &told->info) : 0;
}

static void list_devices(struct runner *runner, struct wire_reply *reply) {
    struct wire_device *list = runner->shared;
    const uint64_t room = runner->shared_bytes / sizeof *list;
    for (int kind = 0; device_kinds[kind]; kind++) {
        const char *why = "";
        const int count = device_kinds[kind]->count(&why);
        for (int i = 0; i < (count > 0 ? count : 1) && reply->describe.count < room; i++)
            reply->status |=
                describe_device(device_kinds[kind], i, count, why, &list[reply->describe.count++]);
    }
}

static void list_baselines(struct runner *runner, struct wire_reply *reply) {
    struct wire_baseline *list = runner->shared;
    const uint64_t room = runner->shared_bytes / sizeof *list;
    for (int i = 0; baselines[i] && reply->describe.count < room; i++) {
        const struct baseline *baseline = baselines[i];
        const struct kernel_ops *ops = &baseline->ops;
        const struct gemm_problem two_rows = {2, 1, 1, ops->accumulate, runner_elements(ops)};
        struct wire_baseline *told = &list[reply->describe.count++];
        *told = (struct wire_baseline){.device = ops->device,
                                       .accumulate = ops->accumulate,
                                       .elements = runner_elements(ops),
                                       .autotuned = baseline->variants != NULL,
                                       .one_row = ops->can_do && !ops->can_do(&two_rows)};
        snprintf(told->name, sizeof told->name, "%s", ops->name);
    }
}

void runner_describe(struct runner *runner, const struct wire_describe *request,
                     struct wire_reply *reply) {
    (request->baselines ? list_baselines : list_devices)(runner, reply);
}
