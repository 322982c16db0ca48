#include "bench/judge.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/environment.h"
#include "bench/error.h"
#include "bench/floor.h"
#include "bench/leash.h"
#include "bench/progress.h"
#include "bench/unit.h"
#include "correctness/reference.h"
#include "reports/controls.h"
#include "reports/derive.h"
#include "reports/rundir.h"

/* Asks a runner of its own for the rows 0, 1, ... of a list, so that the judge never opens a
 * device. Returns how many there are, at most `most`, or -1. */
static int ask_list(uint32_t verb, int most, struct wire_reply *replies) {
    struct leash leash;
    int code = 0, count = 0;
    if (leash_start(&leash, 4096) < 0)
        return -1;
    for (; count >= 0 && count < most; count++) {
        struct wire_request request = {.verb = verb, .index = count};
        struct wire_reply *reply = &replies[count];
        if (leash_ask(&leash, &request, 120, reply, &code) != LEASH_ANSWERED)
            count = error("the runner died (%d) when asked about this machine: %s", code,
                          leash.printed);
        else if (reply->status < 0)
            count = error("the runner cannot describe this machine: %s", leash.printed);
        else if (reply->status == 1)
            break;
        if (count < 0)
            break;
    }
    leash_end(&leash);
    return count;
}

int judge_devices(struct judge_device *list, int most) {
    struct wire_reply *replies = calloc((size_t)most, sizeof *replies);
    int count = replies ? ask_list(WIRE_DEVICE, most, replies) : error("no memory");
    for (int i = 0; i < count; i++) {
        list[i] = (struct judge_device){.ordinal = replies[i].ordinal, .info = replies[i].info};
        snprintf(list[i].kind, sizeof list[i].kind, "%s", replies[i].device_kind);
        snprintf(list[i].why, sizeof list[i].why, "%s", replies[i].text);
    }
    free(replies);
    return count;
}

int judge_baselines(struct judge_baseline *list, int most) {
    struct wire_reply *replies = calloc((size_t)most, sizeof *replies);
    int count = replies ? ask_list(WIRE_BASELINE, most, replies) : error("no memory");
    for (int i = 0; i < count; i++) {
        list[i] = (struct judge_baseline){.device = replies[i].device,
                                          .accumulate = replies[i].accumulate,
                                          .autotuned = replies[i].variants != 0};
        snprintf(list[i].name, sizeof list[i].name, "%s", replies[i].name);
    }
    free(replies);
    return count;
}

static int find_device(const struct plan *plan, struct judge_device *found) {
    struct judge_device list[JUDGE_DEVICES];
    int count = judge_devices(list, JUDGE_DEVICES);
    if (count < 0)
        return EXIT_TROUBLE;
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i].kind, plan->device_kind) != 0)
            continue;
        *found = list[i];
        if (list[i].ordinal == plan->ordinal)
            return EXIT_PASS;
        if (list[i].ordinal < 0) {
            error("no %s device: %s", plan->device_kind, list[i].why);
            return EXIT_NO_DEVICE;
        }
    }
    error("no device %s:%d; `gemmgate devices` lists what there is", plan->device_kind,
          plan->ordinal);
    return EXIT_NO_DEVICE;
}

/* Shapes that cannot fit are refused before anything is measured. */
static int fits(const struct plan *plan, const struct judge_device *device) {
    const double gib = 1 << 30;
    double host = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < plan->suite.count; i++) {
        struct shape shape = plan->suite.shapes[i];
        double here = plan_host_bytes(plan, shape), there = plan_device_bytes(plan, shape);
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

void judge_now(char text[32]) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static json_t *kernels_json(const struct release *release) {
    const struct built *built = release->built;
    json_t *list = json_array();
    for (size_t i = 0; built && i < release->set->count; i++) {
        const struct candidate *c = &release->set->list[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:b, s:b, s:f}", "label", c->label,
                                              "file", c->file, "hash", c->source_hash, "built",
                                              built[i].outcome == BUILD_OK, "from_cache",
                                              built[i].cached, "build_seconds", built[i].seconds));
    }
    return list;
}

/* What the controls of the collected run say of it. */
static int put_controls(json_t *manifest, const char *run) {
    struct rows rows = {0};
    char why[512];
    if (rundir_read_rows(run, &rows) < 0)
        return -1;
    const enum controls_verdict verdict = controls_judge(&rows, why, sizeof why);
    if (verdict == CONTROLS_FAILED)
        warning("the run's controls failed: %s", why);
    json_object_set_new(manifest, "controls",
                        json_pack("{s:s, s:s}", "verdict", controls_word(verdict), "why", why));
    rows_free(&rows);
    return 0;
}

/* manifest.json as it stands: written once at the start and once, complete, at the end. A resumed
 * run keeps the start of its first session. */
static int write_manifest(const struct plan *plan, const struct judge_device *device,
                          const struct session *session, bool resume, json_t *device_limits,
                          const char *run, bool complete) {
    static char start[32];
    char end[32];
    judge_now(end);
    if (!*start) {
        snprintf(start, sizeof start, "%s", end);
        char path[4096];
        snprintf(path, sizeof path, "%s/manifest.json", run);
        json_t *old =
            resume && access(path, R_OK) == 0 ? rundir_read_json(run, "manifest.json") : NULL;
        const char *first = json_string_value(json_object_get(old, "start"));
        if (first)
            snprintf(start, sizeof start, "%.31s", first);
        json_decref(old);
    }
    json_t *manifest = environment_describe(device->kind, &device->info);
    if (!manifest)
        return error("no memory for the manifest");
    json_object_set_new(manifest, "folder", json_string(plan->set.folder));
    json_object_set_new(manifest, "kernels", kernels_json(session->candidates));
    json_object_set_new(manifest, "previous_kernels", kernels_json(session->previous));
    json_object_set(manifest, "limits", device_limits);
    json_object_set_new(manifest, "sandbox",
                        *session->sandbox ? json_string(session->sandbox) : json_null());
    if (complete && put_controls(manifest, run) < 0) {
        json_decref(manifest);
        return -1;
    }
    json_object_set_new(manifest, "start", json_string(start));
    json_object_set_new(manifest, "end", complete ? json_string(end) : json_null());
    json_object_set_new(manifest, "complete", json_boolean(complete));
    int status = rundir_write_json(run, "manifest.json", manifest);
    json_decref(manifest);
    return status;
}

static void interrupt(int signal_number) {
    (void)signal_number;
    unit_interrupted = 1;
}

/* The first signal lets the unit's last batch end, a second one ends the program at once. */
static void catch_interrupts(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
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
        snprintf(text, RUNDIR_TEXT, "%+.1f %% against %s", 100 * last->speedup, last->baseline);
    }
}

/* What the device does at best and its clock at least, from the manifest of a resumed run, so that
 * all rows have the same. New reference, or NULL after error(). */
static json_t *device_limits(struct session *session, bool resume, const char *run) {
    struct light_rates *rates = &session->rates;
    char path[4096];
    snprintf(path, sizeof path, "%s/manifest.json", run);
    json_t *old = resume && access(path, R_OK) == 0 ? rundir_read_json(run, "manifest.json") : NULL;
    json_t *limits = json_incref(json_object_get(old, "limits")), *floors = NULL;
    json_decref(old);
    if (limits) {
        if (derive_rates(limits, rates) == 0)
            return limits;
        json_decref(limits);
        return NULL;
    }
    if (floor_measure(session->plan, rates, &floors) < 0)
        return NULL;
    limits = json_pack("{s:{s:f, s:f, s:f, s:f}, s:o}", "rates", "f16_flops", rates->f16_flops,
                       "l2_bytes", rates->l2_bytes, "dram_bytes", rates->dram_bytes, "l2_size",
                       rates->l2_size, "lenses", floors);
    if (!limits)
        error("no memory for the device's limits");
    return limits;
}

/* One unit, measured and stored whole. */
static int run_unit(struct session *session, const struct unit *unit, const char *run,
                    const char *id, char summary[RUNDIR_TEXT]) {
    struct unit_result result = {0};
    struct samples samples[MODE_COUNT * LENS_COUNT];
    int status = unit_run(session, unit, &result);
    for (int i = 0; i < result.series_count; i++)
        samples[i] = result.series[i].samples;
    if (status == 0)
        status = rundir_write_unit(run, id, &result.rows, samples, (size_t)result.series_count);
    if (status == 0)
        summarise(unit, &result.rows, summary);
    unit_result_free(&result);
    return status;
}

static int run_units(struct session *session, const struct unit *units, size_t count,
                     const char *run) {
    struct progress progress;
    char id[UNIT_ID], summary[RUNDIR_TEXT];
    size_t skipped = 0;
    for (size_t i = 0; i < count; i++)
        skipped += rundir_has_unit(run, unit_id(&units[i], id)) == 1;
    progress_start(&progress, count, skipped);
    for (size_t i = 0; i < count; i++) {
        if (rundir_has_unit(run, unit_id(&units[i], id)) == 1)
            continue;
        progress_unit(&progress, id);
        if (run_unit(session, &units[i], run, id, summary) < 0)
            return error("stopped at %s; what is measured is kept: run again with --resume", id);
        progress_step(&progress, id, summary);
    }
    progress_end(&progress);
    return 0;
}

/* Makes both sets ready: of each the kernels of the units that are still to be measured. */
static int prepare(const struct plan *plan, const struct build_options *build,
                   const struct judge_device *device, const struct unit *units, size_t count,
                   const char *run, struct release *candidates, struct release *previous) {
    bool *wanted = calloc(plan->set.count + plan->previous.count + 1, sizeof *wanted);
    bool *wanted_before = wanted + plan->set.count;
    char id[UNIT_ID];
    if (!wanted)
        return error("no memory for %zu kernels", plan->set.count);
    for (size_t i = 0; i < count; i++) {
        const bool missing = rundir_has_unit(run, unit_id(&units[i], id)) != 1;
        if (units[i].candidate)
            wanted[units[i].candidate_index] |= missing;
        if (units[i].previous)
            wanted_before[units[i].previous_index] |= missing;
    }
    int status =
        release_prepare(candidates, &plan->set, build, &device->info, wanted, plan->sandbox);
    if (status == 0)
        status = release_prepare(previous, &plan->previous, build, &device->info, wanted_before,
                                 plan->sandbox);
    free(wanted);
    return status;
}

int judge_run(const struct plan *plan, const struct build_options *build, bool resume,
              const char *run) {
    struct judge_device device;
    struct unit *units = NULL;
    struct release candidates = {0}, previous = {0};
    json_t *json = NULL, *limits = NULL;
    struct session session = {.plan = plan, .candidates = &candidates, .previous = &previous};
    int status = find_device(plan, &device);
    if (status != EXIT_PASS)
        return status;
    if (!plan->set.count && !plan->baseline_count) {
        error("nothing to measure: no candidates and no baseline for this device");
        return EXIT_TROUBLE;
    }
    status = EXIT_TROUBLE;
    long count = plan_units(plan, &units);
    if (count < 0 || fits(plan, &device) < 0 || !(json = plan_json(plan, units, (size_t)count)))
        goto done;
    catch_interrupts();
    if (rundir_create(run, json, resume) < 0)
        goto done;
    if (prepare(plan, build, &device, units, (size_t)count, run, &candidates, &previous) < 0)
        goto done;
    if (!(session.watch = watch_open(device.info.uuid, device.info.pci))) {
        error("no memory");
        goto done;
    }
    if (!(limits = device_limits(&session, resume, run)) ||
        write_manifest(plan, &device, &session, resume, limits, run, false) < 0 ||
        run_units(&session, units, (size_t)count, run) < 0 || rundir_collect(run) < 0 ||
        write_manifest(plan, &device, &session, resume, limits, run, true) < 0)
        goto done;
    status = EXIT_PASS;
done:
    watch_close(session.watch);
    reference_free();
    json_decref(limits);
    json_decref(json);
    release_free(&candidates);
    release_free(&previous);
    free(units);
    return status;
}
