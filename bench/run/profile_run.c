#include "bench/run/profile_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/context/prepared_set.h"
#include "bench/plan/plan.h"
#include "bench/run/devices.h"
#include "bench/unit/nsight.h"
#include "candidates/set/serve.h"
#include "reports/tables/profile_times.h"

#define SETUP_SECONDS 600 /* a candidate's, which ncu makes slower */

struct job {
    struct profile_call call;
    json_t *json; /* the run's plan */
    struct plan plan;
    struct rows rows; /* the run's */
    struct devices devices;
    struct prepared_set release;
    struct device_session session;
    struct unit *units;
    size_t count;
    struct profile profile;
    struct nsight counters;
};

/* Returns an exit status. */
static int take_device(const char *text, struct plan *plan) {
    int end = 0;
    snprintf(plan->device_kind, sizeof plan->device_kind, "cuda");
    plan->device_count = 1;
    if (strcmp(text, "cuda") == 0 ||
        (sscanf(text, "cuda:%d%n", &plan->ordinals[0], &end) == 1 && !text[end]))
        return EXIT_PASS;
    if (strncmp(text, "host", 4) == 0) {
        error("--device %s: only GPUs have counters that Nsight Compute reads", text);
        return EXIT_NO_DEVICE;
    }
    error("--device %s: cuda:N is wanted", text);
    return EXIT_TROUBLE;
}

/* What the run's plan decides of a call. Returns an exit status. */
static int take_plan(struct job *job) {
    struct plan *plan = &job->plan;
    const char *device = json_string_value(json_object_get(job->json, "device"));
    const char *element, *accumulate, *autotune, *seed, *cache;
    json_int_t workspace;
    json_error_t why;
    if (device && strncmp(device, "host", 4) == 0) {
        error("%s was measured on the host: only GPUs have counters that Nsight Compute reads",
              job->call.run);
        return EXIT_NO_DEVICE;
    }
    if (json_unpack_ex(job->json, &why, 0, "{s:s, s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:F}",
                       "element", &element, "accumulate", &accumulate, "autotune", &autotune,
                       "seed", &seed, "cache", &cache, "workspace_bytes", &workspace,
                       "autotune_warmup", &plan->tune_warmup, "autotune_rounds", &plan->tune_rounds,
                       "call_timeout_seconds", &plan->call_timeout_seconds) < 0) {
        error("%s/plan.json: %s; was it measured here?", job->call.run, why.text);
        return EXIT_TROUBLE;
    }
    const int which = words_find(element_words, element);
    if (which < 0) {
        error("%s/plan.json: %.40s is no element", job->call.run, element);
        return EXIT_TROUBLE;
    }
    plan->element = (enum element)which;
    plan->accumulate = strcmp(accumulate, "f16") == 0 ? GEMM_F16 : GEMM_F32;
    plan->halving = strcmp(autotune, "halving") == 0;
    plan->seed = strtoull(seed, NULL, 10);
    plan->cache = strcmp(cache, words_caches[CACHE_COLD]) == 0 ? CACHE_COLD : CACHE_WARM;
    plan->workspace_bytes = (uint64_t)workspace;
    plan->setup_timeout_seconds = SETUP_SECONDS;
    return take_device(job->call.device, plan);
}

/* The counters of another GPU than the run's explain little of its times. */
static void compare_devices(const struct job *job) {
    const char *here = job->devices.list[0].info.name, *there = NULL;
    json_t *manifest = rundir_read_json(job->call.run, "manifest.json"), *entry;
    size_t i;
    bool same = false;
    json_array_foreach(json_object_get(manifest, "devices"), i, entry) {
        there = json_string_value(json_object_get(entry, "name"));
        same |= there && strcmp(there, here) == 0;
    }
    if (there && !same)
        warning("%s was measured on %s, and this is %s", job->call.run, there, here);
    json_decref(manifest);
}

/* Everything before the first runner. Returns an exit status. */
static int prepare(struct job *job) {
    struct plan *plan = &job->plan;
    struct build_options build;
    build_defaults(&build, cores_allowed());
    if (!(job->json = rundir_read_json(job->call.run, "plan.json")))
        return EXIT_TROUBLE;
    int status = take_plan(job);
    if (status != EXIT_PASS)
        return status;
    if (rundir_read(job->call.run, &job->rows) < 0 ||
        suite_parse(job->call.shapes, &plan->suite) < 0 ||
        set_open(job->call.candidates, job->call.cutlass, &plan->set) < 0 ||
        set_serve(&plan->set, plan->element) < 0 || plan_narrow(plan) < 0)
        return EXIT_TROUBLE;
    status = devices_find(plan, 0, 0, &job->devices);
    if (status != EXIT_PASS)
        return status;
    const char *ncu = nsight_find();
    const long count = ncu ? plan_units(plan, &job->units) : -1;
    bool *wanted = calloc(plan->set.count, sizeof *wanted);
    for (long i = 0; wanted && i < count; i++)
        wanted[job->units[i].candidate_index] = true;
    status = count < 0 || !wanted
                 ? -1
                 : prepared_set_make(&job->release, &plan->set, &build, &job->devices.list[0].info,
                                     wanted, !json_is_false(json_object_get(job->json, "sandbox")));
    free(wanted);
    if (status < 0)
        return EXIT_TROUBLE;
    job->count = (size_t)count;
    compare_devices(job);
    warning("kernels that are profiled are not locked into the sandbox");
    job->session = (struct device_session){
        .plan = plan, .ordinal = job->devices.list[0].ordinal, .leaving = PROCESS_NONE};
    memcpy(job->session.label, job->devices.labels[0], sizeof job->session.label);
    job->counters = (struct nsight){.plan = plan,
                                    .session = &job->session,
                                    .run = job->call.run,
                                    .ncu = ncu,
                                    .profile = &job->profile};
    return EXIT_PASS;
}

/* What the run says of the kernel beside the unit's candidate, or NULL. */
static const struct check_row *find_check(const struct job *job, const struct unit *unit,
                                          const char *kernel) {
    for (size_t i = 0; i < job->rows.check_count; i++) {
        const struct check_row *row = &job->rows.checks[i];
        if (shape_compare(row->shape, unit->shape) == 0 &&
            strcmp(row->candidate, unit_label(unit)) == 0 && strcmp(row->kernel, kernel) == 0)
            return row;
    }
    return NULL;
}

/* The same for a kernel that has passed; NULL after error(). */
static const struct check_row *find_passed(const struct job *job, const struct unit *unit,
                                           const char *kernel) {
    const struct check_row *row = find_check(job, unit, kernel);
    const bool beside = strcmp(kernel, unit_label(unit)) != 0;
    char shape[SHAPE_TEXT];
    shape_format(unit->shape, shape);
    if (!row)
        error("%s: %s has no %s%s%s on it", shape, job->call.run, kernel, beside ? " beside " : "",
              beside ? unit_label(unit) : "");
    else if (strcmp(row->outcome, "ok") != 0)
        error("%s: %s is refused in %s: %s%s%s", shape, kernel, job->call.run, row->outcome,
              *row->detail ? ": " : "", row->detail);
    else
        return row;
    return NULL;
}

/* The one of the names STEM-nn and STEM-tn against which the candidate gains least, on the device
 * where that was measured; NULL where the run has neither. */
static const char *faster_layout(const struct job *job, const struct unit *unit, const char *stem,
                                 size_t length) {
    const struct ratio_row *best = NULL;
    for (size_t i = 0; i < job->rows.ratio_count; i++) {
        const struct ratio_row *row = &job->rows.ratios[i];
        if (shape_compare(row->shape, unit->shape) != 0 || isnan(row->ratio) ||
            strcmp(row->candidate, unit_label(unit)) != 0 ||
            strncmp(row->baseline, stem, length) != 0 ||
            (strcmp(row->baseline + length, "-nn") != 0 &&
             strcmp(row->baseline + length, "-tn") != 0))
            continue;
        const bool device = strcmp(row->lens, "device") == 0;
        const bool before = best && strcmp(best->lens, "device") == 0;
        if (!best || device > before || (device == before && row->ratio < best->ratio))
            best = row;
    }
    return best ? best->baseline : NULL;
}

/* NULL after error(). */
static const char *choose_baseline(const struct job *job, const struct unit *unit) {
    const char *name = job->call.baseline;
    const size_t length = strlen(name);
    char shape[SHAPE_TEXT];
    if (length < 4 || strcmp(name + length - 4, "-max") != 0)
        return find_passed(job, unit, name) ? name : NULL;
    const char *found = faster_layout(job, unit, name, length - 4);
    if (!found)
        error("%s: %s has no ratio of %s to %.*s-nn or -tn: name a library that it has with "
              "--baseline",
              shape_format(unit->shape, shape), job->call.run, unit_label(unit), (int)length - 4,
              name);
    return found;
}

/* Whether the candidate can be profiled as it was measured; else after error(). */
static bool is_fit(const struct job *job, const struct unit *unit) {
    const struct built *built = &job->release.built[unit->candidate_index];
    const struct check_row *row = find_passed(job, unit, unit_label(unit));
    char shape[SHAPE_TEXT];
    shape_format(unit->shape, shape);
    if (!row)
        return false;
    if (strcmp(row->source_hash, unit->candidate->source_hash) != 0)
        error("%s: %s is not the file that %s has measured: its hash differs", shape,
              unit->candidate->path, job->call.run);
    else if (built->outcome != BUILD_OK)
        error("%s: %s does not compile: %s", shape, unit->candidate->path, built->message);
    else
        return true;
    return false;
}

/* Returns as nsight_take. */
static int profile_unit(struct job *job, const struct unit *unit) {
    const char *so = job->release.built[unit->candidate_index].so;
    if (!is_fit(job, unit))
        return 1;
    int status = nsight_take(&job->counters, unit, ARM_CANDIDATE, unit_label(unit), so);
    if (status != 0)
        return status;
    const char *baseline = choose_baseline(job, unit);
    return baseline ? nsight_take(&job->counters, unit, ARM_BASELINE, baseline, baseline) : 1;
}

/* Shapes for which the folder has no kernel. Returns how many. */
static size_t list_missing(const struct job *job) {
    size_t missing = 0;
    char shape[SHAPE_TEXT];
    for (size_t s = 0; s < job->plan.suite.count; s++) {
        bool any = false;
        for (size_t i = 0; i < job->count && !any; i++)
            any = shape_compare(job->units[i].shape, job->plan.suite.shapes[s]) == 0;
        if (any)
            continue;
        error("%s: %s has no kernel for it", shape_format(job->plan.suite.shapes[s], shape),
              job->call.candidates);
        missing++;
    }
    return missing;
}

/* How far Nsight Compute's times are from the run's. */
static int print_times(const struct job *job) {
    json_t *manifest = rundir_read_json(job->call.run, "manifest.json");
    struct profile_times times;
    char text[RUNDIR_TEXT];
    const int status =
        manifest ? profile_times_make(&job->profile, &job->rows, manifest, &times) : -1;
    json_decref(manifest);
    if (status < 0)
        return -1;
    profile_times_say(&times, text, sizeof text);
    printf("%s%s", text, *text ? "\n" : "");
    profile_times_free(&times);
    return 0;
}

static int profile_units(struct job *job) {
    bool failed = list_missing(job) > 0;
    int status = 0;
    for (size_t i = 0; i < job->count && status >= 0; i++) {
        char id[UNIT_ID];
        fprintf(stderr, "profiling %s\n", unit_id(&job->units[i], id));
        status = profile_unit(job, &job->units[i]);
        failed |= status != 0;
    }
    if (job->profile.count > 0) {
        failed |= profile_write(job->call.run, &job->profile) < 0;
        printf("%s/" PROFILE_FOLDER "/profile.csv\n", job->call.run);
        failed |= print_times(job) < 0;
    }
    return failed ? EXIT_TROUBLE : EXIT_PASS;
}

int profile_run(const struct profile_call *call) {
    static struct job job;
    job.call = *call;
    job.devices.keeper = PROCESS_NONE;
    int status = prepare(&job);
    if (status == EXIT_PASS)
        status = profile_units(&job);
    profile_free(&job.profile);
    rows_free(&job.rows);
    devices_free(&job.devices);
    prepared_set_free(&job.release);
    plan_free(&job.plan);
    free(job.units);
    json_decref(job.json);
    return status;
}
