#include "bench/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/jobs/built_set.h"
#include "bench/jobs/unit.h"
#include "bench/process/interrupt.h"
#include "bench/process/sandbox.h"
#include "bench/run/examine.h"
#include "bench/run/manifest.h"
#include "bench/run/progress.h"
#include "bench/run/run_device.h"
#include "bench/run/work_list.h"
#include "reports/gate/gate.h"
#include "reports/run/opened.h"

/* Visits are the outer loop: all units are measured once, then all again. */
struct run {
    const struct plan *plan;
    const struct run_call *call;
    struct run_device device;
    struct work_list list;
    json_t *json;   /* plan.json */
    json_t *before; /* the manifest of the run that is resumed; NULL: there is none */
    char start[CLOCK_UTC];
    struct built *built[UNIT_KERNELS];
    struct run_manifest manifest;
    struct device_session session;
    struct progress progress;
    int claim;  /* of the folder, -1: none */
    bool unfit; /* the device turned out to be no place to measure */
};

/* What can be known of a gate before its run is measured, and before there is one. */
static int foresee_gate(const struct run *run) {
    struct fingerprint here;
    if (!run->call->gate)
        return 0;
    run_manifest_foresee(run->json, &run->device.about, &here);
    return gate_foresee(run->call->gate, &here);
}

/* The units of the plan, and whether they can be measured here at all. 0, or -1 after error(). */
static int open_plan(struct run *run) {
    const struct plan *plan = run->plan;
    if (!plan->set.count && !plan->baseline_count)
        return error("nothing to measure: no candidates, and no baseline of this device "
                     "accumulates in %s",
                     plan->accumulate == GEMM_F16 ? "f16" : "f32");
    if (work_list_open(&run->list, plan) < 0 || run_device_has_room(plan, &run->device) < 0)
        return -1;
    run->json = plan_json(plan);
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
        jsonfile_write(call->run, "command.json", call->command_line) < 0)
        return -1;
    run->before = call->resume ? run_manifest_read(call->run) : NULL;
    if (run->before && run_manifest_refuse_other_machine(call->run, run->json, run->before,
                                                         &run->device.about) < 0)
        return -1;
    if (call->begun)
        *call->begun = true;
    return 0;
}

/* Makes both sets ready: of each the kernels of the units that are to be measured. */
static int prepare_sets(struct run *run) {
    const struct plan *plan = run->plan;
    const struct build_options *build = run->call->build;
    const struct device_info *device = &run->device.about.info;
    bool *wanted = need(plan->set.count + plan->previous.count, sizeof *wanted);
    bool *before = wanted + plan->set.count;
    for (size_t i = 0; i < run->list.count; i++) {
        const struct unit *unit = &run->list.units[run->list.items[i].unit];
        if (unit->candidate)
            wanted[unit->candidate_index] = true;
        if (unit->previous)
            before[unit->previous_index] = true;
    }
    int status = built_set_make(&plan->set, build, device, wanted, plan->sandbox,
                                &run->built[UNIT_CANDIDATE]);
    if (status == 0)
        status = built_set_make(&plan->previous, build, device, before, plan->sandbox,
                                &run->built[UNIT_PREVIOUS]);
    free(wanted);
    return status;
}

/* Everything that is done once, before the first unit: what is to be measured, compiled kernels,
 * what the device can do, and the manifest's first half. 0, or -1 after error(). */
static int prepare_run(struct run *run) {
    const struct run_call *call = run->call;
    if (run->plan->sandbox)
        sandbox_shut_memory();
    if (open_folder(run) < 0 ||
        work_list_add(&run->list, run->plan, call->run, call->shard, call->shards) < 0)
        return -1;
    const double start = clock_seconds();
    progress_start(&run->progress, &run->list, run->plan->visits);
    if (prepare_sets(run) < 0)
        return -1;
    const double built = clock_seconds();
    run->manifest = (struct run_manifest){.plan = run->plan,
                                          .run = call->run,
                                          .shard = call->shard,
                                          .shards = call->shards,
                                          .device = &run->device,
                                          .json = run->json,
                                          .before = run->before,
                                          .adds = run->list.count > 0,
                                          .start = run->start,
                                          .seconds = {.began = start, .compile = built - start}};
    return run_manifest_write(&run->manifest, false, NULL);
}

/* What became of a visit of a unit, for the manifest and the terminal. */
static void tell_visit(struct run *run, const struct work_item *item,
                       const struct unit_result *result, bool ended, double seconds) {
    const struct unit *unit = &run->list.units[item->unit];
    char id[UNIT_ID], summary[RUNDIR_TEXT] = "measured";
    const bool refused = ended && progress_summary(unit, &result->rows, summary);
    progress_step(&run->progress, &(struct progress_turn){.unit = unit_id(unit, id),
                                                          .result = summary,
                                                          .visit = item->visit,
                                                          .ended = ended,
                                                          .refused = refused,
                                                          .seconds = seconds});
}

/* One visit of a unit. *ended: it has no more visits. 0, or -1 after error(). */
static int carry_out(struct run *run, const struct work_item *item, bool *ended) {
    const struct unit *unit = &run->list.units[item->unit];
    const double start = clock_seconds();
    struct unit_result result = {0};
    char id[UNIT_ID];
    progress_unit(&run->progress, unit_id(unit, id), item->visit);
    const int status = unit_run(&run->session, unit, item->visit + 1, &result, ended);
    run->unfit |= run->session.unfit;
    if (status < 0)
        error("stopped at %s; what is measured is kept: run again with --resume", id);
    else
        tell_visit(run, item, &result, *ended, clock_seconds() - start);
    unit_result_free(&result);
    return status;
}

/* More visits than processes are started for ahead. */
#define MOST_AHEAD 64

/* How many visits there are behind the first of the items, but for those of units that have ended:
 * MOST_AHEAD at most. */
static size_t count_ahead(const struct work_list *list, size_t first, const bool *ended) {
    size_t ahead = 0;
    for (size_t i = first + 1; i < list->count && ahead < MOST_AHEAD; i++)
        ahead += !ended[list->items[i].unit];
    return ahead;
}

/* 0, or -1 after error(). */
static int measure(struct run *run) {
    const struct work_list *list = &run->list;
    struct device_session *session = &run->session;
    if (run_device_session(&run->device, run->plan, session) < 0)
        return -1;
    session->run = run->call->run;
    for (int i = 0; i < UNIT_KERNELS; i++)
        session->built[i] = run->built[i];
    bool *ended = need(list->unit_count, sizeof *ended);
    const double start = clock_seconds();
    int status = examine(session, list, &run->progress, ended);
    run->unfit |= session->unfit;
    run->manifest.seconds.checks = clock_seconds() - start;
    if (status < 0)
        error("stopped at the checks; what is measured is kept: run again with --resume");
    for (size_t i = list->checks; i < list->count && status == 0; i++) {
        if (ended[list->items[i].unit])
            continue;
        session->visits_ahead = count_ahead(list, i, ended);
        status = carry_out(run, &list->items[i], &ended[list->items[i].unit]);
    }
    free(ended);
    run->manifest.seconds.write = session->store_seconds;
    if (*session->sandbox)
        snprintf(run->manifest.sandbox, sizeof run->manifest.sandbox, "%s", session->sandbox);
    run_device_session_end(session);
    return status;
}

/* What follows from all units together, once they are there. */
static int finish(struct run *run) {
    const bool complete = work_list_is_complete(&run->list, run->call->run);
    struct rundir whole = {0};
    progress_end(&run->progress);
    int status = 0;
    if (complete)
        status = rundir_open(run->call->run, &whole) < 0 ? -1 : rundir_collect(&whole);
    if (status == 0)
        status = run_manifest_write(&run->manifest, true, complete ? &whole.rows : NULL);
    rundir_close(&whole);
    return status;
}

static void free_run(struct run *run) {
    progress_free(&run->progress);
    json_decref(run->before);
    json_decref(run->json);
    for (int i = 0; i < UNIT_KERNELS; i++)
        free(run->built[i]);
    run_device_free(&run->device);
    work_list_free(&run->list);
    if (run->claim >= 0)
        close(run->claim);
}

int run_plan(const struct plan *plan, const struct run_call *call) {
    static struct run run;
    run = (struct run){.plan = plan, .call = call, .claim = -1};
    int status = run_device_find(plan, call->shard, call->shards, &run.device);
    if (status == EXIT_PASS && open_plan(&run) < 0)
        status = EXIT_TROUBLE;
    if (status == EXIT_PASS) {
        interrupt_catch();
        if (prepare_run(&run) < 0 || measure(&run) < 0 || finish(&run) < 0)
            status = interrupted ? EXIT_INTERRUPTED : run.unfit ? EXIT_ENVIRONMENT : EXIT_TROUBLE;
    }
    free_run(&run);
    return status;
}
