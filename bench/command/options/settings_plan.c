#include "bench/command/options/settings_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/base/renames.h"
#include "bench/base/secret.h"
#include "bench/command/options/baselines_option.h"
#include "bench/command/options/option_table.h"
#include "candidates/set/set.h"
#include "reports/run/rundir.h"

/* --protocol fast visits a shape more often where device times are taken on the stage: a visit then
 * costs little, and needs the kernel's own process one time in three only. */
#define FAST_VISITS 4
#define STAGED_VISITS 26
#define FAST_SECONDS 4
#define STAGED_VISIT_SECONDS 0.020 /* more blocks narrow no interval; more visits do */

void settings_decide(const struct settings *settings, struct plan *plan) {
    *plan = settings->plan;
    plan->accumulate = settings->accumulate == 0 ? GEMM_F32 : GEMM_F16;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        plan->modes[mode] = settings->modes & 1 << mode;
    plan->precise = ~0;
    plan->precision = settings->precision_percent / 100;
    plan->workspace_bytes = (uint64_t)(settings->workspace_mib * (1 << 20));
    plan->finalists = SETTINGS_GIVEN(settings, autotune) ? settings->autotune == 1
                                                         : plan->protocol != PROTOCOL_PAPER;
    plan->tune_warmup = 50; /* the paper's */
    plan->tune_rounds = 100;
    plan->sandbox = !settings->no_sandbox;
}

int settings_suite(const struct settings *settings, struct plan *plan) {
    if (settings->suite && settings->shapes)
        return error("--suite or --shapes, not both");
    if (!settings->suite && !settings->shapes)
        return error("--suite or --shapes is wanted: `gemmgate list suites` names the suites");
    return settings->suite ? suite_load(settings->suite, &plan->suite)
                           : suite_parse(settings->shapes, &plan->suite);
}

/* The seed of the run to resume. */
static int read_seed(const char *run, uint64_t *seed) {
    json_t *old = rundir_read_json(run, "plan.json");
    const char *text = json_string_value(json_object_get(old, "seed"));
    char *end = NULL;
    if (text)
        *seed = strtoull(text, &end, 10);
    const bool good = text && *text && !*end;
    json_decref(old);
    return good ? 0 : error("%s/plan.json has no seed: it is not a run to resume", run);
}

/* A random seed, unless one is given or the run to resume has one. */
static int find_seed(const struct settings *settings, struct plan *plan) {
    if (SETTINGS_GIVEN(settings, plan.seed))
        return 0;
    if (settings->shard)
        return error("--shard: the parts of a run share its seed: give one with --seed");
    if (settings->resume)
        return read_seed(settings->output, &plan->seed);
    return secret_draw(&plan->seed);
}

static bool has_label(const struct candidate_set *set, const char *label) {
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->list[i].label, label) == 0)
            return true;
    return false;
}

/* Gives an earlier kernel its new name, since kernels of one name are compared. A policy may name
 * kernels that these sets do not have. */
static int rename_kernel(struct plan *plan, const struct renames_pair *pair, bool by_policy) {
    struct candidate_set *set = &plan->previous;
    const bool before = has_label(set, pair->old), now = has_label(&plan->set, pair->new_);
    const bool twice = has_label(set, pair->new_);
    if (by_policy && (!before || !now || twice))
        return 0;
    if (!before || !now)
        return error("--renamed %s=%s: %s has no kernel %s", pair->old, pair->new_,
                     before ? plan->set.folder : set->folder, before ? pair->new_ : pair->old);
    if (twice)
        return error("--renamed %s=%s: %s has a kernel %s, too", pair->old, pair->new_, set->folder,
                     pair->new_);
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->list[i].label, pair->old) == 0)
            snprintf(set->list[i].label, sizeof set->list[i].label, "%s", pair->new_);
    return 0;
}

static int rename_previous(const struct settings *settings, struct plan *plan) {
    struct renames renames;
    if (!settings->renamed || plan->previous.count == 0)
        return 0;
    int status = renames_parse(settings->renamed, &renames);
    for (size_t i = 0; status == 0 && i < renames.count; i++)
        status = rename_kernel(plan, &renames.list[i], settings->renamed_by_policy);
    return status;
}

static int find_sets(const struct settings *settings, struct plan *plan) {
    if (settings->against && !settings->candidates)
        return error("--against %s: the kernels to compare with it are wanted, too: --candidates "
                     "DIR",
                     settings->against);
    if (settings->candidates && set_open(settings->candidates, settings->cutlass, &plan->set) < 0)
        return -1;
    if (settings->against && set_open(settings->against, settings->cutlass, &plan->previous) < 0)
        return -1;
    if ((settings->candidates && set_serve(&plan->set, plan->element) < 0) ||
        (settings->against && set_serve(&plan->previous, plan->element) < 0))
        return -1;
    if (rename_previous(settings, plan) < 0)
        return -1;
    return settings->candidates ? plan_narrow(plan) : 0;
}

/* Libraries choose by the lens that leads the report, or in the paper's way by the paper's lens. */
static void find_tune_lens(struct plan *plan) {
    plan->tune_lens = LENS_CALL;
    if (plan->finalists && plan->lenses & 1 << LENS_DEVICE)
        plan->tune_lens = LENS_DEVICE;
    else if (plan->finalists)
        while (!(plan->lenses & 1 << plan->tune_lens))
            plan->tune_lens++;
}

/* Joules stand beside the times of warm calls by device, offline. */
static int check_energy(const struct plan *plan) {
    if (!plan->energy)
        return 0;
    if (!plan->modes[MODE_OFFLINE] || !(plan->lenses & 1 << LENS_DEVICE))
        return error("--energy: joules belong to times by device, offline, and none is taken; add "
                     "these to --lens and --mode, or leave --energy out");
    return plan->cache == CACHE_WARM
               ? 0
               : error("--energy: calls in a row find their operands warm; leave --cache cold or "
                       "--energy out");
}

/* Modes and lenses. Those that the user has not given follow from the command, the protocol and the
 * device. */
static int find_lenses(const struct settings *settings, struct plan *plan) {
    const bool host = plan_on_host(plan);
    if (settings->command == COMMAND_CHECK)
        memset(plan->modes, 0, sizeof plan->modes);
    else if (!settings->modes)
        plan->modes[MODE_OFFLINE] = true;
    if (SETTINGS_GIVEN(settings, plan.qps) && !plan->modes[MODE_SERVER] &&
        settings->command != COMMAND_CHECK)
        return error("--qps is of server mode: --mode server, or offline,server, is wanted, too");
    if (SETTINGS_GIVEN(settings, plan.launch_us) && host)
        return error("--launch: a call of the host device has no launch; leave --launch out");
    if (host)
        plan->launch_us = 0;
    if (plan->lenses & words_lenses_with(LENS_HELD) && host)
        return error("--lens: the host device has the lenses call and wait only, since its "
                     "calls are synchronous; leave --lens out, or name one of these");
    if (!plan->lenses)
        plan->lenses = plan->protocol == PROTOCOL_PAPER || host
                           ? 1 << LENS_CALL
                           : ((1 << LENS_COUNT) - 1) & ~words_lenses_with(LENS_HOST_CLOCK);
    find_tune_lens(plan);
    for (int mode = 0; mode < MODE_COUNT; mode++)
        if (plan->modes[mode] && !plan_mode_lenses(plan, (enum mode)mode))
            return error("--lens: stream alone makes no sense in %s mode%s", words_modes[mode],
                         plan->cache == CACHE_COLD ? " with a cold cache" : "");
    /* Calls in a row could make products ahead: what one call takes alone bounds them. */
    if (plan->lenses & words_lenses_with(LENS_MANY))
        plan->lenses |= 1 << LENS_DEVICE;
    return check_energy(plan);
}

/* Visits and seconds that were not given. */
static void find_times(const struct settings *settings, struct plan *plan) {
    const bool paper = plan->protocol == PROTOCOL_PAPER, staged = plan_is_staged(plan);
    const bool once = (paper && !settings->judged) || settings->command == COMMAND_CHECK;
    if (plan->visits == 0)
        plan->visits = settings->command == COMMAND_GATE ? settings->judged->screening_visits
                       : once                            ? 1
                       : staged                          ? STAGED_VISITS
                                                         : FAST_VISITS;
    if (!SETTINGS_GIVEN(settings, plan.warmup_seconds))
        plan->warmup_seconds = paper ? 10 : 2;
    if (!SETTINGS_GIVEN(settings, plan.duration_seconds))
        plan->duration_seconds = paper    ? 30
                                 : staged ? plan->visits * STAGED_VISIT_SECONDS
                                          : FAST_SECONDS;
}

static int find_device(const struct settings *settings, struct plan *plan) {
    const int status = device_option(settings->device, plan);
    if (status != EXIT_PASS)
        return status;
    if (plan->memcheck && strcmp(plan->device_kind, "cuda") != 0)
        return error("--memcheck: compute-sanitizer checks GPU kernels, not the host's");
    if (plan->energy && strcmp(plan->device_kind, "cuda") != 0)
        return error("--energy: NVML counts the energy of GPUs, not of the host; leave it out");
    if (plan->peak_tflops > 0 && strcmp(plan->device_kind, "cuda") != 0)
        return error("--peak: it is of a GPU's tensor cores, and the host has none; leave it out");
    if (plan->memcheck && plan->sandbox)
        warning("--memcheck: calls under compute-sanitizer are not locked into the sandbox");
    return 0;
}

static int find_shapes(const struct settings *settings, struct plan *plan) {
    if (settings_suite(settings, plan) < 0 || find_seed(settings, plan) < 0)
        return -1;
    return settings->sample ? suite_sample(&plan->suite, (size_t)settings->sample, plan->seed) : 0;
}

/* Takes what the options alone say, and refuses what no machine could measure. */
static int take_words(const struct settings *settings, struct plan *plan) {
    settings_decide(settings, plan);
    if (plan->element == ELEMENT_BF16 && plan->accumulate == GEMM_F16)
        return error("--accumulate f16: no library keeps partial sums of bf16 in f16, and f32 is "
                     "what is claimed of them: leave --accumulate out");
    if (settings->judged && plan->visits == 1)
        return error("--visits 1: one process does not show what another would find; 2 are the "
                     "least");
    if (!settings->output)
        return error("-o RUN is wanted: the run directory to make");
    return settings->resume ? 0 : rundir_refuse_taken(settings->output);
}

/* Each step reads what the steps before it have found. */
int settings_plan(const struct settings *settings, struct plan *plan) {
    if (take_words(settings, plan) < 0 ||  /* the options alone */
        find_shapes(settings, plan) < 0 || /* the seed draws a sample of them */
        find_sets(settings, plan) < 0)     /* the kernels that serve these shapes */
        return EXIT_TROUBLE;
    const int status = find_device(settings, plan); /* a GPU where a kernel needs one */
    if (status != EXIT_PASS)
        return status < 0 ? EXIT_TROUBLE : status;
    if (baselines_option(settings->baselines, settings->judged, plan) < 0 || /* of the device */
        find_lenses(settings, plan) < 0) /* those that the device has */
        return EXIT_TROUBLE;
    find_times(settings, plan); /* shorter where the lenses are timed on the stage */
    return EXIT_PASS;
}

int settings_shard(const char *text, int *shard, int *shards) {
    int end = 0;
    *shard = *shards = 0;
    if (!text)
        return 0;
    if (sscanf(text, "%d/%d%n", shard, shards, &end) != 2 || text[end] || *shard < 1 ||
        *shard > *shards)
        return error("--shard %s: I/N is wanted, I from 1 to N", text);
    return 0;
}

int settings_call(const struct settings *settings, struct build_options *build,
                  struct run_call *call) {
    build_defaults(build, cores_allowed());
    build->cache = settings->cache_dir;
    build->jobs = settings->jobs ? settings->jobs : build->jobs;
    *call = (struct run_call){.build = build,
                              .run = settings->output,
                              .resume = settings->resume,
                              .command_line = settings->command_line};
    return settings_shard(settings->shard, &call->shard, &call->shards);
}

int settings_refuse_measuring(const struct settings *settings, const char *measured) {
    for (size_t i = 0; i < option_count; i++)
        if (settings->given[i] && !(option_table[i].judging & (uint32_t)1 << settings->command))
            return error("--%s: %s is measured already, and judged by what it holds",
                         option_table[i].name, measured);
    return 0;
}

void settings_margins(const struct settings *settings, struct gate_policy *policy) {
    gate_policy_default(policy);
    if (!SETTINGS_GIVEN(settings, margin_percent))
        return;
    policy->margin = settings->margin_percent / 100;
    for (size_t i = 0; i < policy->class_count; i++)
        policy->classes[i].margin = policy->margin;
}
