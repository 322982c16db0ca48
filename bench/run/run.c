#include "bench/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/context/prepared_set.h"
#include "bench/context/unit_reference.h"
#include "bench/process/interrupt.h"
#include "bench/process/judge_memory.h"
#include "bench/run/devices.h"
#include "bench/run/manifest.h"
#include "bench/run/progress.h"
#include "bench/run/sessions.h"
#include "bench/run/work_list.h"
#include "bench/run/worker_cores.h"
#include "bench/run/workers.h"
#include "bench/unit/unit.h"
#include "correctness/numbers/reference.h"
#include "reports/gate/gate.h"
#include "reports/run/rundir.h"

/* What the processes of a run share. Rounds are the outer loop: all units are measured once, then
 * all again. */
struct run {
    const struct plan *plan;
    const struct run_call *call;
    struct devices devices;
    struct work_list list;
    json_t *json;   /* plan.json */
    json_t *before; /* the manifest of the run that is resumed; NULL: there is none */
    char start[CLOCK_UTC];
    struct prepared_set candidates, previous;
    struct run_manifest manifest;
    struct sessions sessions;
    struct progress progress;
    int claim;  /* of the folder, -1: none */
    bool unfit; /* a device turned out to be no place to measure */
};

/* What can be known of a gate before its run is measured, and before there is one. */
static int foresee_gate(const struct run *run) {
    struct fingerprint here;
    if (!run->call->gate)
        return 0;
    run_manifest_foresee(run->json, &run->devices.list[0], &here);
    return gate_foresee(run->call->gate, &here);
}

static bool reference_on_device(const struct run *run) {
    return run->call->reference != RUN_REFERENCE_CPU && !plan_on_host(run->plan);
}

/* The units of the plan, and whether they can be measured here at all. 0, or -1 after error(). */
static int open_plan(struct run *run) {
    const struct plan *plan = run->plan;
    if (!plan->set.count && !plan->baseline_count)
        return error("nothing to measure: no candidates, and no baseline of this device "
                     "accumulates in %s",
                     plan->accumulate == GEMM_F16 ? "f16" : "f32");
    if (run->call->reference == RUN_REFERENCE_GPU && plan_on_host(plan))
        return error("--reference gpu: the host device is none; its reference products are made "
                     "on the processor");
    if (work_list_open(&run->list, plan) < 0 || devices_have_room(plan, &run->devices) < 0)
        return -1;
    run->json = plan_json(plan, run->list.units, run->list.unit_count);
    return foresee_gate(run);
}

/* The run directory: new, or that of a run which is gone on with. */
static int open_folder(struct run *run) {
    const struct run_call *call = run->call;
    clock_utc(run->start);
    if (rundir_create(call->run, run->json, call->resume) < 0 ||
        (run->claim = rundir_claim(call->run)) < 0)
        return -1;
    if (!call->resume && call->command_line &&
        rundir_write_json(call->run, "command.json", call->command_line) < 0)
        return -1;
    run->before = call->resume ? run_manifest_read(call->run) : NULL;
    return run->before ? run_manifest_refuse_other_machine(call->run, run->json, run->before,
                                                           &run->devices.list[0])
                       : 0;
}

/* Makes both sets ready: of each the kernels of the units that are to be measured. */
static int prepare_sets(struct run *run) {
    const struct plan *plan = run->plan;
    const struct build_options *build = run->call->build;
    const struct device_info *device = &run->devices.list[0].info;
    bool *wanted = need(plan->set.count + plan->previous.count, sizeof *wanted);
    bool *before = wanted + plan->set.count;
    for (size_t i = 0; i < run->list.count; i++) {
        const struct unit *unit = &run->list.units[run->list.items[i].unit];
        if (unit->candidate)
            wanted[unit->candidate_index] = true;
        if (unit->previous)
            before[unit->previous_index] = true;
    }
    struct build_options apart = *build;
    apart.apart = true; /* one runner loads both, and what is static in a kernel is its own */
    int status =
        prepared_set_make(&run->candidates, &plan->set, build, device, wanted, plan->sandbox);
    if (status == 0)
        status = prepared_set_make(&run->previous, &plan->previous, &apart, device, before,
                                   plan->sandbox);
    free(wanted);
    return status;
}

/* Everything that is done once, before the first unit: what is to be measured, compiled kernels,
 * what the devices can do, and the manifest's first half. 0, or -1 after error(). */
static int prepare(struct run *run) {
    const struct run_call *call = run->call;
    if (run->plan->sandbox && judge_memory_shut() < 0)
        return -1;
    if (open_folder(run) < 0 || work_list_add(&run->list, run->plan, call->run, call->shard,
                                              call->shards, run->devices.count > 1) < 0)
        return -1;
    const double start = clock_seconds();
    progress_start(&run->progress, &run->list, run->plan->rounds, run->devices.count);
    if (prepare_sets(run) < 0)
        return -1;
    const double built = clock_seconds();
    if (devices_measure(run->plan, run->before, &run->devices) < 0)
        return -1;
    run->manifest = (struct run_manifest){.plan = run->plan,
                                          .run = call->run,
                                          .shard = call->shard,
                                          .shards = call->shards,
                                          .devices = &run->devices,
                                          .candidates = &run->candidates,
                                          .previous = &run->previous,
                                          .json = run->json,
                                          .before = run->before,
                                          .adds = run->list.count > 0,
                                          .start = run->start,
                                          .seconds = {.began = start, .compile = built - start}};
    run_manifest_add_reference(&run->manifest, reference_on_device(run) ? "gpu" : "cpu");
    return run_manifest_write(&run->manifest, false, NULL);
}

/* The unit whole, or what is kept of it for its next round. */
static int store(const struct run *run, const char *id, const struct unit_result *result,
                 const json_t *kept) {
    struct samples samples[MODE_COUNT * LENS_COUNT];
    const size_t count = (size_t)result->series_count;
    for (size_t i = 0; i < count; i++)
        samples[i] = result->series[i].samples;
    return kept ? rundir_write_rounds(run->call->run, id, &result->rows, samples, count, kept)
                : rundir_write_unit(run->call->run, id, &result->rows, samples, count);
}

/* What the unit's rounds before have left. */
static int fetch(const struct run *run, const char *id, struct unit_result *result, json_t **kept) {
    struct samples *samples;
    size_t count;
    int status = rundir_read_rounds(run->call->run, id, &result->rows, &samples, &count, kept);
    if (status == 0)
        status = unit_result_take(result, samples, count);
    samples_free(samples, count);
    return status;
}

/* Seconds of a unit's checks and audit: sums so far, of which the last row has all. */
static double check_seconds(const struct rows *rows) {
    const struct condition_row *last =
        rows->condition_count ? &rows->conditions[rows->condition_count - 1] : NULL;
    return last ? last->reference_seconds + last->check_seconds + last->audit_seconds : 0;
}

/* One round of a unit, its checks with the first, and the unit stored. */
static void carry_out(struct run *run, struct device_session *session, struct worker_done *done) {
    const struct unit *unit = &run->list.units[done->item.unit];
    const int round = done->item.round;
    const double start = clock_seconds();
    struct unit_result result = {0};
    json_t *kept = NULL;
    char id[UNIT_ID];
    unit_id(unit, id);
    if (run->devices.count == 1)
        progress_unit(&run->progress, id, round);
    done->status = round > 0 ? fetch(run, id, &result, &kept) : 0;
    if (done->status == 0)
        done->status = unit_run(session, unit, round + 1, &result, &kept);
    done->unfit = session->unfit;
    snprintf(done->reference, sizeof done->reference, "%s", unit_reference_maker(session));
    const double measured = clock_seconds();
    if (done->status == 0)
        done->status = store(run, id, &result, kept);
    done->write_seconds = clock_seconds() - measured;
    done->ended = !kept;
    done->refused = false;
    if (done->status < 0)
        error("stopped at %s; what is measured is kept: run again with --resume", id);
    else if (done->ended)
        done->refused = progress_summary(unit, &result.rows, done->summary);
    else
        snprintf(done->summary, sizeof done->summary, "measured");
    done->check_seconds = check_seconds(&result.rows);
    done->seconds = clock_seconds() - start;
    snprintf(done->sandbox, sizeof done->sandbox, "%s", sessions_sandbox(&run->sessions));
    json_decref(kept);
    unit_result_free(&result);
}

/* In a worker's process: one round of a unit after the other, until there is none. */
static int measure_units(void *context, size_t number, struct worker *worker) {
    struct run *run = context;
    struct worker_done done = {0};
    if (sessions_open(&run->sessions, number, run->plan, run->call->run, &run->devices,
                      &run->candidates, &run->previous) < 0)
        return -1;
    struct device_session *session = &run->sessions.list[number];
    while (worker_take(worker, &done.item)) {
        session->rounds_ahead = worker_ahead(worker);
        carry_out(run, session, &done);
        if (worker_tell(worker, &done) < 0)
            return -1;
    }
    return 0;
}

/* In this process, as rounds of units end. */
static void hear(void *context, const struct worker_done *done) {
    struct run *run = context;
    char id[UNIT_ID];
    run->unfit |= done->unfit;
    if (done->status < 0)
        return;
    run->manifest.seconds.write += done->write_seconds;
    run_manifest_add_reference(&run->manifest, done->reference);
    if (*done->sandbox)
        snprintf(run->manifest.sandbox, sizeof run->manifest.sandbox, "%s", done->sandbox);
    progress_step(&run->progress,
                  &(struct progress_turn){.unit = unit_id(&run->list.units[done->item.unit], id),
                                          .result = done->summary,
                                          .round = done->item.round,
                                          .ended = done->ended,
                                          .refused = done->refused,
                                          .seconds = done->seconds,
                                          .check_seconds = done->check_seconds});
}

_Static_assert(PLAN_DEVICES <= WORKER_CORES_MOST, "a worker a device");

/* A worker a device. 0, or -1 after error(). */
static int measure(struct run *run) {
    const struct devices *devices = &run->devices;
    const char *pci[PLAN_DEVICES];
    sessions_start(&run->sessions, run->plan, devices, reference_on_device(run));
    for (size_t i = 0; i < devices->count; i++)
        pci[i] = devices->list[i].info.pci;
    const struct workers workers = {.count = devices->count,
                                    .pci = pci,
                                    .items = run->list.items,
                                    .item_count = run->list.count,
                                    .units = run->list.unit_count,
                                    .moves = run->sessions.moves,
                                    .context = run,
                                    .work = measure_units,
                                    .report = hear};
    return workers_run(&workers);
}

/* What follows from all units together, once they are there. */
static int finish(struct run *run) {
    const bool complete = work_list_is_complete(&run->list, run->call->run);
    struct rows rows = {0};
    progress_end(&run->progress);
    int status = complete ? rundir_collect(run->call->run, run->json, &rows) : 0;
    if (status == 0)
        status = run_manifest_write(&run->manifest, true, complete ? &rows : NULL);
    rows_free(&rows);
    return status;
}

static void free_run(struct run *run) {
    sessions_end(&run->sessions);
    progress_free(&run->progress);
    reference_free();
    json_decref(run->before);
    json_decref(run->json);
    prepared_set_free(&run->candidates);
    prepared_set_free(&run->previous);
    devices_free(&run->devices);
    work_list_free(&run->list);
    if (run->claim >= 0)
        close(run->claim);
}

int run_plan(const struct plan *plan, const struct run_call *call) {
    static struct run run;
    run = (struct run){.plan = plan, .call = call, .claim = -1};
    int status = devices_find(plan, call->shard, call->shards, &run.devices);
    if (status == EXIT_PASS && open_plan(&run) < 0)
        status = EXIT_TROUBLE;
    if (status == EXIT_PASS) {
        interrupt_catch();
        if (prepare(&run) < 0 || measure(&run) < 0 || finish(&run) < 0)
            status = interrupted ? EXIT_INTERRUPTED : run.unfit ? EXIT_ENVIRONMENT : EXIT_TROUBLE;
    }
    free_run(&run);
    return status;
}
