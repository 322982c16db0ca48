#include "bench/run/devices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/process/runner_process.h"
#include "bench/run/openblas_core.h"
#include "bench/runner/operands.h"
#include "reports/rows/derive.h"
#include "timing/stats.h"

/* Whether the plan asks for this one. The host's ordinals are parts of its cores. */
static bool is_asked(const struct plan *plan, const struct machine_device *device) {
    bool asked = plan->all_devices;
    for (int i = 0; i < plan->device_count; i++)
        asked |= plan->ordinals[i] == device->ordinal;
    return asked;
}

static int split_host(const struct plan *plan, const struct machine_device *host,
                      struct devices *devices) {
    const int cores = cores_allowed();
    if (plan->device_count > cores)
        return error("%d parts of the host: it has %d cores", plan->device_count, cores);
    for (int i = 0; i < plan->device_count; i++)
        devices->list[devices->count++] = *host;
    return 0;
}

static int find_all(const struct plan *plan, struct devices *devices) {
    struct machine_device list[MACHINE_DEVICES];
    if (plan_on_host(plan) && openblas_core_choose() < 0)
        return EXIT_TROUBLE;
    int count = machine_devices(list, MACHINE_DEVICES, &devices->keeper);
    if (count < 0)
        return EXIT_TROUBLE;
    if (plan_on_host(plan))
        process_end(&devices->keeper);
    for (int i = 0; i < count && devices->count < PLAN_DEVICES; i++) {
        if (strcmp(list[i].kind, plan->device_kind) != 0)
            continue;
        devices->visible++;
        if (list[i].ordinal < 0) {
            error("no %s device: %s; `gemmgate devices` lists those that are here",
                  plan->device_kind, list[i].why);
            return EXIT_NO_DEVICE;
        }
        if (strcmp(list[i].kind, "host") == 0)
            return split_host(plan, &list[i], devices) < 0 ? EXIT_TROUBLE : EXIT_PASS;
        if (is_asked(plan, &list[i]))
            devices->list[devices->count++] = list[i];
    }
    if (devices->count == 0 ||
        (!plan->all_devices && devices->count < (size_t)plan->device_count)) {
        char text[PLAN_DEVICE_TEXT];
        plan_device(plan, text);
        error("no device %s; `gemmgate devices` lists what there is", text);
        return EXIT_NO_DEVICE;
    }
    for (size_t i = 1; i < devices->count; i++)
        if (strcmp(devices->list[i].info.name, devices->list[0].info.name) != 0) {
            error("cuda:%d is %s and cuda:%d is %s: a run is measured on devices of one kind; name "
                  "equal ones with --device",
                  devices->list[0].ordinal, devices->list[0].info.name, devices->list[i].ordinal,
                  devices->list[i].info.name);
            return EXIT_TROUBLE;
        }
    return EXIT_PASS;
}

/* A shard's are not to be mistaken for another's once they are merged. */
static void label_devices(const struct plan *plan, int shard, int shards, struct devices *devices) {
    for (size_t i = 0; i < devices->count; i++) {
        char host[64] = "", device[32];
        const bool whole = plan_on_host(plan) && devices->count == 1;
        snprintf(device, sizeof device, whole ? "%s" : "%s:%d", plan->device_kind,
                 plan_on_host(plan) ? plan->ordinals[i] : devices->list[i].ordinal);
        gethostname(host, sizeof host - 1);
        if (shards)
            snprintf(devices->labels[i], RUNDIR_NAME, "%d/%d %.40s %.31s", shard, shards, host,
                     device);
        else
            snprintf(devices->labels[i], RUNDIR_NAME, "%s", device);
    }
}

int devices_alone(const struct devices *devices, size_t which, struct gpu_alone *alone) {
    const struct machine_device *device = &devices->list[which];
    *alone = (struct gpu_alone){0};
    if (strcmp(device->kind, "cuda") != 0 || devices->visible == 1 || !*device->info.uuid)
        return device->ordinal;
    memcpy(alone->uuid, device->info.uuid, sizeof alone->uuid);
    memcpy(alone->pci, device->info.pci, sizeof alone->pci);
    return 0;
}

int devices_find(const struct plan *plan, int shard, int shards, struct devices *devices) {
    *devices = (struct devices){.keeper = PROCESS_NONE};
    const int status = find_all(plan, devices);
    label_devices(plan, shard, shards, devices);
    return status;
}

int devices_have_room(const struct plan *plan, const struct devices *devices) {
    const struct machine_device *device = &devices->list[0];
    const double gib = 1 << 30, workers = (double)devices->count;
    double host = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < plan->suite.count; i++) {
        struct shape shape = plan->suite.shapes[i];
        double here = workers * plan_host_bytes(plan, shape);
        double there = plan_device_bytes(plan, shape);
        shape_format(shape, text);
        if (here > host)
            return error("%s needs %.1f GiB of host memory; this machine has %.1f", text,
                         here / gib, host / gib);
        if (there > (double)device->info.memory_bytes)
            return error("%s needs %.1f GiB of device memory; %s has %.1f", text, there / gib,
                         device->info.name, (double)device->info.memory_bytes / gib);
    }
    return 0;
}

enum { BLOCKS = 200, LIMIT_SECONDS = 120 };

/* Long for a change of operands, short for a hold; whole steps of any GPU's clock. */
#define DELAY_SECONDS 20.48e-6

static int ask(struct runner_process *process, struct wire_request request,
               struct wire_reply *reply) {
    int code = 0;
    if (process_ask(process, &request, LIMIT_SECONDS, reply, &code) != PROCESS_ANSWERED)
        return error("the runner died (%d) while measuring what the device reads at least: %s",
                     code, process->printed);
    if (reply->status != 0 || reply->outcome != 0)
        return error("what the device reads at least cannot be measured: %s %s", reply->text,
                     process->printed);
    return 0;
}

/* Of the values `at` in blocks of so many floats. */
static double median_of(const float *samples, uint64_t blocks, size_t floats, size_t at) {
    double x[BLOCKS];
    for (uint64_t b = 0; b < blocks; b++)
        x[b] = fabs((double)samples[b * floats + at]);
    return stats_median(x, blocks);
}

/* Of the second of two arms by each lens, under that name. */
static void put_medians(const struct runner_process *process, const struct wire_time *time,
                        uint64_t blocks, const char *name, json_t *by_lens) {
    const size_t floats = wire_block_floats(time);
    size_t at = 0;
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        if (!(time->lenses & 1 << lens))
            continue;
        json_object_set_new(json_object_get(by_lens, words_lenses[lens]), name,
                            json_real(median_of(process->shared, blocks, floats, at + 1)));
        at += wire_lens_columns((enum lens)lens) * (size_t)time->arm_count;
    }
}

/* By both lenses that are held: see bench/unit/controls.h. */
static int measure_delay(struct runner_process *process, struct wire_time time, json_t *by_lens) {
    static struct wire_reply reply;
    const int held = 1 << LENS_DEVICE | 1 << LENS_STREAM;
    time.lenses &= held;
    time.interval.planted_seconds = DELAY_SECONDS;
    if (time.lenses != held)
        return 0;
    if (ask(process, wire_time_request(time), &reply) < 0)
        return -1;
    put_medians(process, &time, reply.time.blocks, "delayed_seconds", by_lens);
    return 0;
}

/* Times an arm that launches nothing, and one that launches only a delay: of length 0, then of
 * another. */
static int measure(struct runner_process *process, const struct plan *plan, int ordinal,
                   struct light_rates *rates, json_t **least) {
    static struct wire_reply reply;
    const int lenses = plan->lenses;
    struct wire_time time = {.lenses = lenses,
                             .interval = {.stream_calls = CHAIN_CALLS},
                             .seconds = 10,
                             .most_blocks = BLOCKS,
                             .arm_count = 2,
                             .reference = -1};
    struct wire_open open = {.ordinal = ordinal, .element = plan->element};
    snprintf(open.device_kind, sizeof open.device_kind, "%s", plan->device_kind);
    if (ask(process, wire_open_request(open), &reply) < 0 ||
        ask(process,
            wire_shape_request(
                (struct wire_shape){.shape = {64, 64, 64}, .accumulate = plan->accumulate}),
            &reply) < 0)
        return -1;
    for (int slot = 0; slot < 2; slot++) {
        const struct wire_add add = {.kind = ARM_IDLE, .delayed = slot};
        if (ask(process, wire_add_request(add), &reply) < 0)
            return -1;
        time.arms[slot] = reply.add.arm;
    }
    if (ask(process, wire_time_request(time), &reply) < 0)
        return -1;
    const uint64_t blocks = reply.time.blocks;
    const size_t floats = wire_block_floats(&time);
    size_t at = 0;
    json_t *object = json_object();
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        if (!(lenses & 1 << lens))
            continue;
        json_object_set_new(
            object, words_lenses[lens],
            json_pack("{s:f, s:f}", "empty_seconds", median_of(process->shared, blocks, floats, at),
                      "null_kernel_seconds", median_of(process->shared, blocks, floats, at + 1)));
        at += wire_lens_columns((enum lens)lens) * (size_t)time.arm_count;
    }
    *least = object;
    json_object_set_new(json_object_get(object, words_lenses[LENS_STREAM]), "calls",
                        json_integer(CHAIN_CALLS));
    if (measure_delay(process, time, object) < 0)
        return -1;
    if (ask(process, wire_peak_request(), &reply) < 0)
        return -1;
    *rates = reply.peak.rates;
    return 0;
}

/* What the clock and launches cost at least, and what the silicon does at most, by a runner of its
 * own. *least is a new object by lens: {"empty_seconds": median of an interval around nothing,
 * "null_kernel_seconds": around a kernel that does nothing, "delayed_seconds": by `device` and
 * `stream`, where a run has both, around a kernel that does nothing for DELAY_SECONDS}. Rates the
 * device cannot tell are 0. */
static int measure_limits(const struct plan *plan, int ordinal, struct light_rates *rates,
                          json_t **least) {
    struct runner_process process;
    *least = NULL;
    *rates = (struct light_rates){0};
    if (process_start(&process, (size_t)4 << 20) < 0)
        return -1;
    int status = measure(&process, plan, ordinal, rates, least);
    process_end(&process);
    if (status < 0) {
        json_decref(*least);
        *least = NULL;
    }
    return status;
}

/* The entry of the manifest's list for that label, or NULL. */
static json_t *find_entry(const json_t *manifest, const char *label) {
    return jsonfile_entry(json_object_get(manifest, "devices"), "label", label);
}

int devices_measure(const struct plan *plan, const json_t *manifest, struct devices *devices) {
    for (size_t i = 0; i < devices->count; i++) {
        struct light_rates *rates = &devices->rates[i];
        json_t *least = NULL, *before = find_entry(manifest, devices->labels[i]);
        if (before) {
            if (derive_rates(manifest, devices->labels[i], rates) < 0)
                return -1;
            devices->limits[i] = json_incref(json_object_get(before, "limits"));
            continue;
        }
        if (measure_limits(plan, devices->list[i].ordinal, rates, &least) < 0)
            return -1;
        devices->limits[i] =
            json_pack("{s:{s:f, s:f, s:f, s:f}, s:o}", "rates", "f16_flops", rates->f16_flops,
                      "l2_bytes", rates->l2_bytes, "dram_bytes", rates->dram_bytes, "l2_size",
                      rates->l2_size, "lenses", least);
    }
    return 0;
}

json_t *devices_json(const struct devices *devices, const json_t *before) {
    json_t *list = json_array(), *entry;
    size_t at;
    for (size_t i = 0; i < devices->count; i++) {
        const struct device_info *info = &devices->list[i].info;
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s, s:O}", "label", devices->labels[i],
                                        "name", info->name, "uuid", info->uuid, "pci", info->pci,
                                        "limits", devices->limits[i]));
    }
    json_array_foreach(json_object_get(before, "devices"), at, entry) {
        bool known = false;
        for (size_t i = 0; i < devices->count; i++)
            known |= find_entry(before, devices->labels[i]) == entry;
        if (!known)
            json_array_append(list, entry);
    }
    return list;
}

void devices_free(struct devices *devices) {
    for (size_t i = 0; i < devices->count; i++)
        json_decref(devices->limits[i]);
    process_end(&devices->keeper);
    *devices = (struct devices){.keeper = PROCESS_NONE};
}
