#include "bench/run/sessions.h"

#include <math.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/rows/device_label.h"

void sessions_start(struct sessions *sessions, const struct plan *plan,
                    const struct devices *devices, bool reference_on_device) {
    const size_t rounds = (size_t)plan->rounds;
    *sessions =
        (struct sessions){.count = devices->count, .reference_on_device = reference_on_device};
    for (size_t i = 0; i < PLAN_DEVICES; i++)
        sessions->list[i].leaving = sessions->list[i].stage.process = PROCESS_NONE;
    sessions->moves = devices->count > 1 && rounds > 1 && !plan_on_host(plan) &&
                      device_label_fit(devices->labels[devices->count - 1], rounds);
}

/* How many contexts a device has room for beside the largest shape, with a GiB for each. */
static size_t most_warm_runners(const struct plan *plan, const struct machine_device *device,
                                bool reference_on_device) {
    double room = (double)device->info.memory_bytes;
    for (size_t i = 0; i < plan->suite.count; i++)
        room = fmin(room, (double)device->info.memory_bytes -
                              plan_device_bytes(plan, plan->suite.shapes[i]));
    return (size_t)fmin(fmax(room / (1 << 30) - reference_on_device, 0), WARM_RUNNERS_MOST);
}

int sessions_open(struct sessions *sessions, size_t worker, const struct plan *plan,
                  const char *run, const struct devices *devices,
                  const struct prepared_set *candidates, const struct prepared_set *previous) {
    const struct machine_device *device = &devices->list[worker];
    struct device_session *session = &sessions->list[worker];
    *session = (struct device_session){
        .plan = plan,
        .run = run,
        .stage.process = PROCESS_NONE,
        .leaving = PROCESS_NONE,
        .candidates = candidates,
        .previous = previous,
        .rates = devices->rates[worker],
        .reference_on_device = sessions->reference_on_device,
        .warm.most = most_warm_runners(plan, device, sessions->reference_on_device)};
    memcpy(session->label, devices->labels[worker], sizeof session->label);
    session->ordinal = devices_alone(devices, worker, &session->alone);
    session->monitor = gpu_monitor_open(device->info.uuid, device->info.pci);
    return session->monitor ? 0 : error("no memory");
}

const char *sessions_sandbox(const struct sessions *sessions) {
    for (size_t i = 0; i < sessions->count; i++)
        if (*sessions->list[i].sandbox)
            return sessions->list[i].sandbox;
    return "";
}

void sessions_end(struct sessions *sessions) {
    for (size_t i = 0; i < sessions->count; i++) {
        warm_runners_end(&sessions->list[i].warm);
        reference_process_end(&sessions->list[i].reference);
        process_end(&sessions->list[i].stage.process);
        process_end(&sessions->list[i].leaving);
        gpu_monitor_close(sessions->list[i].monitor);
    }
}
