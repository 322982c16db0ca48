#include "bench/run/run_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/secret.h"
#include "bench/checks/finalists.h"
#include "bench/jobs/processes.h"
#include "bench/jobs/unit_reference.h"

/* The one that the plan asks for. Returns an exit status. */
static int find_device(const struct plan *plan, struct run_device *device) {
    struct wire_device list[MACHINE_DEVICES];
    bool found = false;
    const int count = machine_devices(list, MACHINE_DEVICES, &device->keeper);
    if (count < 0)
        return EXIT_TROUBLE;
    if (plan_on_host(plan))
        process_end(&device->keeper);
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i].kind, plan->device_kind) != 0)
            continue;
        device->visible++;
        if (list[i].ordinal < 0) {
            error("no %s device: %s; `gemmgate devices` lists those that are here",
                  plan->device_kind, list[i].why);
            return EXIT_NO_DEVICE;
        }
        if (list[i].ordinal == plan->ordinal) {
            device->about = list[i];
            found = true;
        }
    }
    if (found)
        return EXIT_PASS;
    error("no device %s:%d; `gemmgate devices` lists what there is", plan->device_kind,
          plan->ordinal);
    return EXIT_NO_DEVICE;
}

/* A shard's is not to be mistaken for another's once they are merged. */
static void put_label(const struct plan *plan, int shard, int shards, char label[RUNDIR_NAME]) {
    char host[64] = "", device[32];
    snprintf(device, sizeof device, plan_on_host(plan) ? "%s" : "%s:%d", plan->device_kind,
             plan->ordinal);
    gethostname(host, sizeof host - 1);
    if (shards)
        snprintf(label, RUNDIR_NAME, "%d/%d %.40s %.31s", shard, shards, host, device);
    else
        snprintf(label, RUNDIR_NAME, "%s", device);
}

int run_device_find(const struct plan *plan, int shard, int shards, struct run_device *device) {
    *device = (struct run_device){.keeper = PROCESS_NONE};
    put_label(plan, shard, shards, device->label);
    return find_device(plan, device);
}

/* What one unit needs of the device at most. */
static double largest_bytes(const struct plan *plan) {
    double largest = 0;
    for (size_t i = 0; i < plan->suite.count; i++)
        largest = fmax(largest, plan_device_bytes(plan, plan->suite.shapes[i]));
    return largest;
}

/* How many contexts a device has room for beside the largest shape, with a GiB for each. */
static size_t most_warm_runners(const struct plan *plan, const struct wire_device *device) {
    const double room = (double)device->info.memory_bytes - largest_bytes(plan);
    return device->info.exclusive ? 0 : (size_t)fmin(fmax(room / (1 << 30), 0), WARM_RUNNERS_MOST);
}

/* How many processes can hold what the largest shape needs. */
static int most_beside(const struct plan *plan, const struct device_info *device) {
    const double room = (double)device->memory_bytes / largest_bytes(plan);
    return device->exclusive ? 1 : (int)fmin(fmax(room, 1), WARM_RUNNERS_MOST);
}

/* For a runner that is to see this GPU alone, where there are others. Returns the GPU's ordinal
 * then. */
static int alone(const struct run_device *device, struct gpu_alone *alone) {
    const struct wire_device *about = &device->about;
    if (strcmp(about->kind, "cuda") != 0 || device->visible == 1 || !*about->info.uuid)
        return about->ordinal;
    memcpy(alone->uuid, about->info.uuid, sizeof alone->uuid);
    memcpy(alone->pci, about->info.pci, sizeof alone->pci);
    return 0;
}

int run_device_session(const struct run_device *device, const struct plan *plan,
                       struct device_session *session) {
    const struct device_info *info = &device->about.info;
    *session = (struct device_session){.plan = plan,
                                       .stage.process = PROCESS_NONE,
                                       .leaving = PROCESS_NONE,
                                       .rates = info->rates,
                                       .memory_bytes = info->memory_bytes,
                                       .side_by_side = most_beside(plan, info),
                                       .reference_on_device = !plan_on_host(plan),
                                       .warm.most = most_warm_runners(plan, &device->about),
                                       .nvml = nvml_open(info->uuid, info->pci)};
    if (plan->energy && nvml_value(session->nvml, NVML_ENERGY_MJ) < 0)
        warning("--energy: NVML has no counter of energy for %s: its calls have no joules",
                device->label);
    memcpy(session->label, device->label, sizeof session->label);
    session->ordinal = alone(device, &session->alone);
    return secret_draw(&session->secret);
}

void run_device_session_end(struct device_session *session) {
    processes_end(session);
    unit_reference_free(session);
    finalists_free(session);
    free(session->libraries);
    session->libraries = NULL;
    nvml_close(session->nvml);
}

int run_device_has_room(const struct plan *plan, const struct run_device *device) {
    const struct device_info *info = &device->about.info;
    const double gib = 1 << 30;
    double host = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < plan->suite.count; i++) {
        struct shape shape = plan->suite.shapes[i];
        double here = plan_host_bytes(plan, shape);
        double there = plan_device_bytes(plan, shape);
        shape_format(shape, text);
        if (here > host)
            return error("%s needs %.1f GiB of host memory; this machine has %.1f", text,
                         here / gib, host / gib);
        if (there > (double)info->memory_bytes)
            return error("%s needs %.1f GiB of device memory; %s has %.1f", text, there / gib,
                         info->name, (double)info->memory_bytes / gib);
    }
    return 0;
}

json_t *run_device_limits(const struct run_device *device) {
    const struct light_rates *rates = &device->about.info.rates;
    return json_pack("{s:{s:f, s:f, s:f, s:f}}", "rates", "f16_flops", rates->f16_flops, "l2_bytes",
                     rates->l2_bytes, "dram_bytes", rates->dram_bytes, "l2_size", rates->l2_size);
}

json_t *run_device_list(const struct run_device *device, const json_t *before) {
    const struct device_info *info = &device->about.info;
    json_t *list = json_array(), *entry;
    json_t *others = json_object_get(before, "devices");
    const json_t *own = jsonfile_entry(others, "label", device->label);
    size_t at;
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:o}", "label", device->label,
                                          "name", info->name, "uuid", info->uuid, "pci", info->pci,
                                          "limits", run_device_limits(device)));
    json_array_foreach(others, at, entry) if (entry != own) json_array_append(list, entry);
    return list;
}

void run_device_free(struct run_device *device) {
    process_end(&device->keeper);
    *device = (struct run_device){.keeper = PROCESS_NONE};
}
