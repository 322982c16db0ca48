#include "bench/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/process/interrupt.h"
#include "bench/process/runner_process.h"
#include "bench/run/devices.h"
#include "bench/run/manifest.h"
#include "bench/run/progress.h"
#include "bench/run/worker_cores.h"
#include "bench/run/workers.h"
#include "bench/unit/device_rotation.h"
#include "bench/unit/prepared_set.h"
#include "bench/unit/unit.h"
#include "correctness/numbers/reference.h"
#include "reports/gate/gate.h"
#include "reports/run/device_label.h"
#include "reports/run/rundir.h"

/* Shapes that cannot fit are refused before anything is measured. Every device has a judge with
 * products of its own. */
static int fits(const struct plan *plan, const struct devices *devices) {
    const struct machine_device *device = &devices->list[0];
    const double gib = 1 << 30, judges = (double)devices->count;
    double host = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < plan->suite.count; i++) {
        struct shape shape = plan->suite.shapes[i];
        double here = judges * plan_host_bytes(plan, shape), there = plan_device_bytes(plan, shape);
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

/* "ok", or the candidate's outcome with its evidence, and the speed against the last baseline. */
static void summarise(const struct unit *unit, const struct rows *rows, char text[RUNDIR_TEXT]) {
    snprintf(text, RUNDIR_TEXT, "ok");
    for (size_t i = 0; i < rows->check_count; i++)
        if (strcmp(rows->checks[i].outcome, "ok") != 0)
            snprintf(text, RUNDIR_TEXT, "%s %.60s%s%.300s", rows->checks[i].kernel,
                     rows->checks[i].outcome, *rows->checks[i].detail ? ": " : "",
                     rows->checks[i].detail);
    if (unit->candidate && rows->ratio_count) {
        const struct ratio_row *last = &rows->ratios[rows->ratio_count - 1];
        snprintf(text, RUNDIR_TEXT, "%+.1f %% against %s by %s, %s", 100 * last->speedup,
                 last->baseline, last->lens, last->mode);
    }
}

/* One unit, measured and stored whole. */
static int run_unit(struct device_session *session, const struct device_rotation *turns,
                    const struct unit *unit, const char *run, const char *id,
                    char summary[RUNDIR_TEXT]) {
    struct unit_result result = {0};
    struct samples samples[MODE_COUNT * LENS_COUNT];
    int status = unit_run(session, turns, unit, &result);
    for (int i = 0; i < result.series_count; i++)
        samples[i] = result.series[i].samples;
    if (status == 0)
        status = rundir_write_unit(run, id, &result.rows, samples, (size_t)result.series_count);
    if (status == 0)
        summarise(unit, &result.rows, summary);
    unit_result_free(&result);
    return status;
}

/* What the processes of a run share. */
struct job {
    const struct plan *plan;
    const struct run_call *call;
    struct devices devices;
    struct prepared_set candidates, previous;
    struct run_manifest record;
    struct unit *units;
    size_t count;
    size_t *todo, todo_count; /* what is to be measured now, in the order it is handed out */
    struct progress progress;
    struct device_session
        sessions[PLAN_DEVICES];     /* one a device; of its own alone a process uses... */
    struct device_session *session; /* ...this one, unless they take turns */
    struct device_rotation turns;
    bool taking_turns;
};

/* Dearest first: the last ones to be handed out are short. */
static int compare_costs(const void *left, const void *right, void *context) {
    const struct unit *units = context;
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    const double x = shape_flops(units[a].shape), y = shape_flops(units[b].shape);
    return x > y ? -1 : x < y ? 1 : (a > b) - (a < b);
}

/* The units of this shard that are not there yet. Shards are dealt by cost, whatever is there, so
 * that each has its share of every size. One device takes them in the plan's order. */
static int plan_work(struct job *job) {
    const int shards = job->call->shards ? job->call->shards : 1;
    const size_t shard = job->call->shards ? (size_t)job->call->shard - 1 : 0;
    char id[UNIT_ID];
    size_t mine = 0;
    job->todo = calloc(job->count + 1, sizeof *job->todo);
    bool *dealt = calloc(job->count + 1, sizeof *dealt);
    if (!job->todo || !dealt) {
        free(dealt);
        return error("no memory for %zu units", job->count);
    }
    for (size_t i = 0; i < job->count; i++)
        job->todo[i] = i;
    qsort_r(job->todo, job->count, sizeof *job->todo, compare_costs, job->units);
    for (size_t i = shard; i < job->count; i += (size_t)shards)
        dealt[job->todo[i]] = true;
    for (size_t i = 0; i < job->count; i++) {
        const size_t at = job->devices.count > 1 ? job->todo[i] : i;
        if (!dealt[at])
            continue;
        mine++;
        if (rundir_has_unit(job->call->run, unit_id(&job->units[at], id)) != 1)
            job->todo[job->todo_count++] = at;
    }
    free(dealt);
    progress_start(&job->progress, mine, mine - job->todo_count);
    return 0;
}

/* Makes both sets ready: of each the kernels of the units that are to be measured. */
static int prepare(struct job *job) {
    const struct plan *plan = job->plan;
    const struct device_info *device = &job->devices.list[0].info;
    bool *wanted = calloc(plan->set.count + plan->previous.count + 1, sizeof *wanted);
    if (!wanted)
        return error("no memory for %zu kernels", plan->set.count);
    bool *before = wanted + plan->set.count;
    for (size_t i = 0; i < job->todo_count; i++) {
        const struct unit *unit = &job->units[job->todo[i]];
        if (unit->candidate)
            wanted[unit->candidate_index] = true;
        if (unit->previous)
            before[unit->previous_index] = true;
    }
    int status = prepared_set_make(&job->candidates, &plan->set, job->call->build, device, wanted,
                                   plan->sandbox);
    if (status == 0)
        status = prepared_set_make(&job->previous, &plan->previous, job->call->build, device,
                                   before, plan->sandbox);
    free(wanted);
    return status;
}

/* How many contexts a device has room for beside the largest shape, with a GiB for each. */
static size_t most_spares(const struct plan *plan, const struct machine_device *device) {
    double room = (double)device->info.memory_bytes;
    for (size_t i = 0; i < plan->suite.count; i++)
        room = fmin(room, (double)device->info.memory_bytes -
                              plan_device_bytes(plan, plan->suite.shapes[i]));
    return (size_t)fmin(fmax(room / (1 << 30), 0), WARM_RUNNERS_MOST);
}

static int open_session(struct job *job, size_t which) {
    const struct machine_device *device = &job->devices.list[which];
    struct device_session *session = &job->sessions[which];
    *session = (struct device_session){.plan = job->plan,
                                       .leaving = PROCESS_NONE,
                                       .candidates = &job->candidates,
                                       .previous = &job->previous,
                                       .rates = job->devices.rates[which]};
    if (!job->taking_turns) /* a spare runner would disturb whose turn comes next */
        session->spares.most = most_spares(job->plan, device);
    memcpy(session->label, job->devices.labels[which], sizeof session->label);
    session->ordinal = devices_alone(&job->devices, which, &session->alone);
    session->watch = gpu_monitor_open(device->info.uuid, device->info.pci);
    return session->watch ? 0 : error("no memory");
}

static int start_worker(void *context, size_t worker) {
    struct job *job = context;
    if (!job->taking_turns) {
        job->session = &job->sessions[worker];
        return open_session(job, worker);
    }
    for (size_t i = 0; i < job->devices.count; i++)
        if (open_session(job, i) < 0)
            return -1;
    return 0;
}

/* What locks candidates in, as any device's runner said. */
static const char *sandbox_of(const struct job *job) {
    for (size_t i = 0; i < job->devices.count; i++)
        if (*job->sessions[i].sandbox)
            return job->sessions[i].sandbox;
    return "";
}

static void measure_unit(void *context, struct worker_done *done) {
    struct job *job = context;
    const struct unit *unit = &job->units[done->item];
    char id[UNIT_ID];
    unit_id(unit, id);
    if (job->devices.count == 1)
        progress_unit(&job->progress, id);
    done->status = run_unit(job->session, job->taking_turns ? &job->turns : NULL, unit,
                            job->call->run, id, done->summary);
    snprintf(done->sandbox, sizeof done->sandbox, "%s", sandbox_of(job));
    if (done->status < 0)
        error("stopped at %s; what is measured is kept: run again with --resume", id);
}

static void end_unit(void *context, const struct worker_done *done) {
    struct job *job = context;
    char id[UNIT_ID];
    if (done->status < 0)
        return;
    if (*done->sandbox)
        snprintf(job->record.sandbox, sizeof job->record.sandbox, "%s", done->sandbox);
    progress_step(&job->progress, unit_id(&job->units[done->item], id), done->summary);
}

_Static_assert(PLAN_DEVICES + 1 <= WORKER_CORES_MOST, "a worker a device, and one more for turns");

/* Rounds of a unit go from GPU to GPU, where a label has room for them all. One unit more than
 * there are GPUs is under way, so that one GPU has always been given back when another is asked
 * for. */
static int measure_units(struct job *job) {
    const struct devices *devices = &job->devices;
    job->taking_turns =
        devices->count > 1 && job->plan->rounds > 1 &&
        device_label_fit(devices->labels[devices->count - 1], (size_t)job->plan->rounds) &&
        !plan_on_host(job->plan);
    if (job->taking_turns &&
        device_rotation_open(&job->turns, job->sessions, job->devices.count) < 0)
        return -1;
    const char *pci[PLAN_DEVICES];
    for (size_t i = 0; i < devices->count; i++)
        pci[i] = devices->list[i].info.pci;
    const struct workers fleet = {.workers = devices->count + job->taking_turns,
                                  .pci = job->taking_turns ? NULL : pci,
                                  .items = job->todo,
                                  .count = job->todo_count,
                                  .context = job,
                                  .start = start_worker,
                                  .carry_out = measure_unit,
                                  .report = end_unit};
    int status = workers_run(&fleet);
    if (job->taking_turns)
        device_rotation_close(&job->turns);
    if (status == 0)
        progress_end(&job->progress);
    return status;
}

/* Whether every unit of the plan is there: a shard has its own only. */
static bool is_complete(const struct job *job) {
    char id[UNIT_ID];
    for (size_t i = 0; i < job->count; i++)
        if (rundir_has_unit(job->call->run, unit_id(&job->units[i], id)) != 1)
            return false;
    return true;
}

static json_t *manifest_before(const struct run_call *call) {
    char path[4096];
    snprintf(path, sizeof path, "%s/manifest.json", call->run);
    return call->resume && access(path, R_OK) == 0 ? rundir_read_json(call->run, "manifest.json")
                                                   : NULL;
}

/* What can be known of a gate before its run is measured, and before there is one. */
static int foresee(const struct job *job, const json_t *plan) {
    struct fingerprint here;
    return run_manifest_foresee(plan, &job->devices.list[0], &here) < 0
               ? -1
               : gate_foresee(job->call->gate, &here);
}

/* Everything between finding the devices and cleaning up. 0, or -1 after error(). */
static int carry_out(struct job *job, json_t *plan, json_t **before) {
    char start[CLOCK_UTC];
    clock_utc(start);
    if (rundir_create(job->call->run, plan, job->call->resume) < 0 ||
        rundir_claim(job->call->run) < 0)
        return -1;
    *before = manifest_before(job->call);
    if ((*before && run_manifest_refuse_other_machine(job->call->run, plan, *before,
                                                      &job->devices.list[0]) < 0) ||
        plan_work(job) < 0 || prepare(job) < 0)
        return -1;
    job->record = (struct run_manifest){.plan = job->plan,
                                        .run = job->call->run,
                                        .shard = job->call->shard,
                                        .shards = job->call->shards,
                                        .devices = &job->devices,
                                        .candidates = &job->candidates,
                                        .previous = &job->previous,
                                        .before = *before,
                                        .adds = job->todo_count > 0,
                                        .start = start};
    if (devices_measure(job->plan, *before, &job->devices) < 0 ||
        run_manifest_write(&job->record, false, false) < 0 || measure_units(job) < 0)
        return -1;
    const bool complete = is_complete(job);
    if (complete && rundir_collect(job->call->run) < 0)
        return -1;
    return run_manifest_write(&job->record, true, complete);
}

int run_plan(const struct plan *plan, const struct run_call *call) {
    static struct job job;
    json_t *json = NULL, *before = NULL;
    job = (struct job){.plan = plan, .call = call, .sessions[0].leaving = PROCESS_NONE};
    int status = devices_find(plan, call->shard, call->shards, &job.devices);
    if (status != EXIT_PASS)
        goto done;
    status = EXIT_TROUBLE;
    if (!plan->set.count && !plan->baseline_count) {
        error("nothing to measure: no candidates, and no baseline of this device accumulates in %s",
              plan->accumulate == GEMM_F16 ? "f16" : "f32");
        goto done;
    }
    const long count = plan_units(plan, &job.units);
    job.count = count > 0 ? (size_t)count : 0;
    if (count < 0 || fits(plan, &job.devices) < 0 ||
        !(json = plan_json(plan, job.units, job.count)) || (call->gate && foresee(&job, json) < 0))
        goto done;
    interrupt_catch();
    if (carry_out(&job, json, &before) == 0)
        status = EXIT_PASS;
    else if (interrupted)
        status = EXIT_INTERRUPTED;
done:
    warm_runners_end(&job.sessions[0].spares);
    process_end(&job.sessions[0].leaving);
    gpu_monitor_close(job.sessions[0].watch);
    reference_free();
    json_decref(before);
    json_decref(json);
    prepared_set_free(&job.candidates);
    prepared_set_free(&job.previous);
    devices_free(&job.devices);
    free(job.todo);
    free(job.units);
    return status;
}
