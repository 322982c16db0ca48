/* Runner: what devices and baselines there are. */
#include <stdio.h>

#include "bench/runner/requests/requests.h"

void runner_device(struct runner *runner, const struct wire_device *request,
                   struct wire_reply *reply) {
    (void)runner;
    int ordinal = request->index;
    for (int kind = 0; device_kinds[kind]; kind++) {
        const struct device_ops *device = device_kinds[kind];
        const char *why = "";
        int count = device->count(&why);
        /* A kind with no device is one row that says why. */
        int rows = count > 0 ? count : 1;
        if (ordinal < rows) {
            struct wire_device_reply *told = &reply->device;
            snprintf(told->kind, sizeof told->kind, "%s", device->kind);
            told->ordinal = count > 0 ? ordinal : -1;
            device->libraries(&told->info);
            if (count <= 0)
                snprintf(reply->text, sizeof reply->text, "%s", why);
            else if (device->describe(ordinal, &told->info) < 0)
                reply->status = -1;
            return;
        }
        ordinal -= rows;
    }
    reply->status = 1;
}

void runner_baseline(struct runner *runner, const struct wire_baseline *request,
                     struct wire_reply *reply) {
    (void)runner;
    const struct baseline *baseline = request->index < 0 ? NULL : baseline_at(request->index);
    if (!baseline) {
        reply->status = 1;
        return;
    }
    const struct kernel_ops *ops = &baseline->ops;
    reply->baseline = (struct wire_baseline_reply){.device = ops->device,
                                                   .accumulate = ops->accumulate,
                                                   .elements = runner_elements(ops),
                                                   .autotuned = baseline->variants != NULL,
                                                   .optional = baseline->optional};
    snprintf(reply->baseline.name, sizeof reply->baseline.name, "%s", ops->name);
}
