/* gemmgate gate: measures, where that is to be done, and judges. */
#include "reports/gate/gate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/base/timed_inputs.h"
#include "bench/base/words.h"
#include "bench/command/commands.h"
#include "bench/command/options/settings_plan.h"
#include "bench/run/changed.h"
#include "bench/run/run.h"
#include "reports/gate/output.h"
#include "reports/store/store.h"

/* A run that was not measured to the end has no verdict. Rows of its screening, or of an earlier
 * call, do not count. */
static void annul(struct gate *verdict, int measured) {
    const char *reason = "it was not measured to the end, or could not be gone on with: the log "
                         "names the cause";
    if (measured == EXIT_ENVIRONMENT) {
        verdict->verdict = GATE_VERDICT_ENVIRONMENT;
        reason = "a device has failed a check of its own: the log names it, and how to go on";
    } else if (measured == EXIT_INTERRUPTED) {
        verdict->verdict = GATE_INTERRUPTED;
        reason = "it was interrupted: the same command with --resume goes on";
    } else if (verdict->verdict == GATE_ERROR) {
        return; /* which says more */
    } else {
        verdict->verdict = GATE_ERROR;
    }
    snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
}

/* Shows the verdict; the program ends with its status. */
static int show(const struct settings *settings, const struct gate *verdict) {
    return output_write(verdict, settings->json) < 0 ? EXIT_TROUBLE
                                                     : gate_verdict_exit(verdict->verdict);
}

/* Judges what was measured, which ended with the status `measured`. Returns an exit status. */
static int judge_run(const struct settings *settings, const struct gate_call *call, int measured) {
    static struct gate verdict;
    gate_judge(call, &verdict);
    if (measured != EXIT_PASS)
        annul(&verdict, measured);
    const int status = show(settings, &verdict);
    if (status == EXIT_INTERRUPTED)
        error("the gate was interrupted: the same command with --resume goes on");
    gate_free(&verdict);
    return status;
}

static int judge_measured(const struct settings *settings, const struct gate_call *call) {
    if (!rundir_is(call->run))
        return error("%s is no run directory: there is no %s/plan.json", call->run, call->run),
               EXIT_TROUBLE;
    return judge_run(settings, call, EXIT_PASS);
}

/* Beside an earlier release only the ratios that are judged are timed to the precision. (Without one
 * all are, since the run may go into a store.) The two releases are equally warm, as they are timed in
 * the same blocks. */
static void narrow_plan(const struct settings *settings, const struct gate_policy *policy,
                        struct plan *plan) {
    const int lens = words_find(words_lenses, policy->lens); /* the others show what cheats */
    plan->precise = 1 << (lens < 0 ? LENS_DEVICE : lens);
    plan->precise_previous = policy->must_count == 0;
    if (plan->precise_previous && plan->protocol == PROTOCOL_FAST &&
        !SETTINGS_GIVEN(settings, plan.warmup_seconds))
        plan->warmup_seconds = 0.5;
}

/* Whether the plan has the lens and the mode that are judged. */
static int check_judged(const struct plan *plan, const struct gate_policy *policy) {
    const int mode = words_find(words_modes, policy->mode);
    const int lens = words_find(words_lenses, policy->lens);
    if (mode >= 0 && !plan->modes[mode])
        return error("the policy judges the mode %s, which is not measured: add --mode %s, or name "
                     "another mode in the policy",
                     policy->mode, policy->mode);
    for (int i = 0; i < MODE_COUNT && lens >= 0; i++)
        if (plan->modes[i] && (mode < 0 || mode == i) &&
            !(plan_mode_lenses(plan, (enum mode)i) & 1 << lens))
            return error("the policy judges the lens %s, by which nothing is timed here in the "
                         "mode %s: see --lens and --device, or name another lens in the policy",
                         policy->lens, words_modes[i]);
    return 0;
}

/* Returns the status that a shard ends with. A shard has no verdict: the gate judges all shards
 * together. */
static int end_shard(const struct settings *settings, const char *run, int measured) {
    if (measured == EXIT_INTERRUPTED)
        error("the gate was interrupted: the same command with --resume goes on");
    if (measured == EXIT_PASS && !settings->json)
        text_print_line(
            stdout,
            "shard %s is measured into %s: make one run of all shards by `gemmgate merge "
            "SHARD... -o RUN`, and go on with that by `gemmgate gate --resume -o RUN`",
            settings->shard, run);
    return measured;
}

/* No kernel that serves a shape of the suite has changed. */
static int pass_unmeasured(const struct settings *settings, size_t carried) {
    static struct gate verdict = {.verdict = GATE_PASS, .coverage = NAN};
    if (settings->resume && rundir_is(settings->output))
        return error("%s exists, and was begun with other options or kernels: choose another -o",
                     settings->output),
               EXIT_TROUBLE;
    verdict.carried = carried;
    verdict.call.run = settings->output;
    snprintf(verdict.base.name, sizeof verdict.base.name, "%s", settings->changed);
    snprintf(verdict.reason, sizeof verdict.reason,
             "no kernel of the shapes asked for has changed since %.300s: nothing was measured",
             settings->changed);
    gate_open(&verdict);
    const int status = show(settings, &verdict);
    gate_free(&verdict);
    return status;
}

/* A gate whose measuring has begun and failed is judged, too, so that CI shows what happened. A run
 * that was there before and cannot be resumed, by other options say, keeps its verdict. */
static int measure_and_judge(const struct settings *settings, struct gate_call *call) {
    struct plan plan = {0};
    struct build_options build;
    struct run_call run;
    int measured = EXIT_TROUBLE;
    if (settings_call(settings, &build, &run) == 0)
        measured = settings_plan(settings, &plan);
    if (measured == EXIT_PASS && settings->changed)
        measured = changed_keep(&plan, &run);
    if (measured == EXIT_PASS && plan.carried && !plan.only_count) {
        const int status = pass_unmeasured(settings, plan.carried);
        plan_free(&plan);
        return status;
    }
    if (measured == EXIT_PASS && check_judged(&plan, call->policy) < 0)
        measured = EXIT_TROUBLE;
    if (measured != EXIT_PASS) {
        plan_free(&plan);
        return measured;
    }
    if (settings->against)
        narrow_plan(settings, call->policy, &plan);
    bool begun = false;
    run.begun = &begun;
    measured = gate_run(&plan, &run, call);
    plan_free(&plan);
    if (run.shards)
        return end_shard(settings, call->run, measured);
    return measured == EXIT_PASS || begun ? judge_run(settings, call, measured) : measured;
}

/* Sees before anything is measured whether the store has the entry. */
static int check_entry(const char *store, const char *name) {
    char entry[PATH_MAX], why[1024];
    if (!name)
        return 0;
    if (!store || !store_is(store))
        return error("--entry %s: of which store? --against STORE is wanted", name);
    const int found = store_find(store, name, NULL, entry, why, sizeof why);
    return found == 0 ? error("--entry %s: %s: %s", name, store, why) : found < 0 ? -1 : 0;
}

/* Sees before anything is measured whether there is anything to compare with. With --absolute the
 * earlier kernels need not be there yet. */
static int check_compared(struct settings *settings, const struct gate_call *call) {
    if (settings->against && access(settings->against, F_OK) < 0) {
        if (!settings->absolute)
            return error("--against %s: %s; where there is no earlier kernel yet, --absolute lets "
                         "the checks alone decide",
                         settings->against, strerror(errno));
        warning("--against %s: %s; the checks alone decide (--absolute)", settings->against,
                strerror(errno));
        settings->against = settings->changed = NULL;
    }
    if (settings->against || call->against || settings->absolute || call->policy->must_count > 0 ||
        !settings->candidates)
        return 0;
    return error("gate: there is nothing to compare with: name the earlier kernels (--against), or "
                 "a library that must be beaten ([gate.must] of the policy), or ask for the checks "
                 "alone (--absolute)");
}

/* Refuses options that do not go together. A run or a store that --against names moves from the
 * settings to the call. 0, or -1 after error(). */
static int check_options(struct settings *settings, struct gate_call *call) {
    const char *run = settings->arguments[0];
    if (settings->changed && settings->against)
        return error("--changed %s is what to compare with, too: leave --against out",
                     settings->changed);
    if (settings->changed)
        settings->against = settings->changed;
    if (settings->against && (rundir_is(settings->against) || store_is(settings->against))) {
        call->against = settings->against;
        settings->against = NULL;
    }
    if (!run == !settings->candidates)
        return error("gate: the kernels to measure are wanted (--candidates NEW), or a run to "
                     "judge");
    if (run && settings->against)
        return error("--against %s: neither a run directory nor a store; %s is measured already, "
                     "and judged by what it holds",
                     settings->against, run);
    if (check_entry(call->against, settings->entry) < 0)
        return -1;
    if (check_compared(settings, call) < 0)
        return -1;
    call->run = run ? run : settings->output;
    const char *inputs = timed_inputs_words[settings->plan.inputs],
               *why = timed_inputs_unjudged(inputs);
    if (why)
        return error("--inputs %s: a gate cannot judge times on these: %s; take normal or uniform",
                     inputs, why);
    return run ? settings_refuse_measuring(settings, run) : 0;
}

int command_gate(struct settings *settings) {
    struct gate_policy policy;
    struct gate_call call = {.store_entry = settings->entry,
                             .policy = &policy,
                             .policy_file = settings->policy,
                             .absolute = settings->absolute,
                             .renamed = settings->renamed,
                             .for_release = settings->release};
    if (gate_policy_read(settings->policy, &policy) < 0)
        return EXIT_TROUBLE;
    if (!settings->renamed && *policy.renamed) {
        call.renamed = settings->renamed = policy.renamed;
        settings->renamed_by_policy = true;
    }
    settings->judged = &policy;
    int status = EXIT_TROUBLE;
    if (check_options(settings, &call) == 0)
        status = settings->argument_count ? judge_measured(settings, &call)
                                          : measure_and_judge(settings, &call);
    gate_policy_free(&policy);
    return status;
}
