#include "bench/run/manifest.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/run/environment.h"
#include "reports/run/about.h"
#include "reports/run/rundir.h"
#include "reports/tables/controls.h"

#define SET_COMMIT 65
enum { GIT_SECONDS = 5 };

/* What `git rev-parse HEAD` says in the folder of a set; "" where it is in no repository, or in one
 * that does not have it (a folder that a project around it ignores), or there is no git. */
static void find_commit(const char *folder, char commit[SET_COMMIT]) {
    char git[PATH_MAX];
    *commit = 0;
    if (!child_find("git", NULL, git))
        return;
    const char *const arguments[] = {git, "-C", folder, "rev-parse", "HEAD", "HEAD:./", NULL};
    const struct child_program program = {.arguments = arguments, .quiet = true};
    char *said = child_output(program, GIT_SECONDS);
    if (said)
        snprintf(commit, SET_COMMIT, "%.*s", (int)strspn(said, "0123456789abcdef"), said);
    free(said);
}

/* What the controls of the collected run say of it. */
static void put_controls(json_t *manifest, const json_t *plan, const struct rows *rows) {
    char why[512];
    if (controls_record(rows, plan, manifest, why, sizeof why) == CONTROLS_FAILED)
        warning("the run's controls failed: %s", why);
}

/* A resumed run keeps the start of its first session. */
static json_t *start_of(const struct run_manifest *record) {
    json_t *first = json_object_get(record->before, "start");
    return json_is_string(first) ? json_incref(first) : json_string(record->start);
}

/* A resumed run keeps who has measured before. */
static json_t *versions(const struct run_manifest *record, const json_t *manifest) {
    json_t *all = json_array();
    about_add_versions(all, record->before);
    if (record->adds || !record->before)
        about_add_versions(all, manifest);
    return all;
}

void run_manifest_foresee(const json_t *plan, const struct wire_device *device,
                          struct fingerprint *here) {
    json_t *now = environment_describe(device->kind, &device->info);
    fingerprint_take(plan, now, here);
    json_decref(now);
}

int run_manifest_refuse_other_machine(const char *run, const json_t *plan, const json_t *before,
                                      const struct wire_device *device) {
    struct fingerprint there, here;
    char text[1024];
    run_manifest_foresee(plan, device, &here);
    fingerprint_take(plan, before, &there);
    return fingerprint_differ(&here, &there, text, sizeof text) > 0
               ? error("%s was begun on another machine, or with other settings of it: %s; go on "
                       "there, or measure what is left in a run of its own",
                       run, text)
               : 0;
}

static double spent(const json_t *before, const char *what) {
    return json_number_value(json_object_get(json_object_get(before, "seconds"), what));
}

/* Over all sessions. */
static json_t *seconds_json(const struct run_manifest *record) {
    const struct run_seconds *seconds = &record->seconds;
    const json_t *before = record->before;
    return json_pack("{s:f, s:f, s:f, s:f}", "compile", spent(before, "compile") + seconds->compile,
                     "checks", spent(before, "checks") + seconds->checks, "write",
                     spent(before, "write") + seconds->write, "whole",
                     spent(before, "whole") + clock_seconds() - seconds->began);
}

json_t *run_manifest_read(const char *run) {
    char path[PATH_MAX];
    if (files_join(path, run, "manifest.json") < 0 || access(path, R_OK) < 0)
        return NULL;
    return rundir_read_json(run, "manifest.json");
}

/* null for kernels that are in no repository. */
static void put_commit(json_t *manifest, const char *member, const struct candidate_set *set) {
    char commit[SET_COMMIT] = "";
    if (set->count > 0)
        find_commit(set->folder, commit);
    json_object_set_new(manifest, member, *commit ? json_string(commit) : json_null());
}

int run_manifest_write(const struct run_manifest *record, bool ended, const struct rows *all) {
    const struct wire_device *device = &record->device->about;
    json_t *manifest = environment_describe(device->kind, &device->info);
    char now[CLOCK_UTC];
    clock_utc(now);
    json_object_set_new(manifest, "measured_by", versions(record, manifest));
    json_object_set_new(manifest, "folder", json_string(record->plan->set.folder));
    put_commit(manifest, "kernels_commit", &record->plan->set);
    put_commit(manifest, "previous_commit", &record->plan->previous);
    json_object_set_new(manifest, "previous_folder",
                        record->plan->previous.count ? json_string(record->plan->previous.folder)
                                                     : json_null());
    json_object_set_new(manifest, "limits", run_device_limits(record->device));
    json_object_set_new(manifest, "devices", run_device_list(record->device, record->before));
    json_object_set_new(manifest, "shard",
                        record->shards ? json_sprintf("%d/%d", record->shard, record->shards)
                                       : json_null());
    json_object_set_new(manifest, "sandbox",
                        *record->sandbox ? json_string(record->sandbox) : json_null());
    json_object_set_new(manifest, "seconds", seconds_json(record));
    if (all)
        put_controls(manifest, record->json, all);
    json_object_set_new(manifest, "start", start_of(record));
    json_object_set_new(manifest, "end", ended ? json_string(now) : json_null());
    json_object_set_new(manifest, "complete", json_boolean(all != NULL));
    int status = digests_write_manifest(record->run, record->json, manifest);
    json_decref(manifest);
    return status;
}
