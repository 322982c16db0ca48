/* gemmgate compare and gate: measure, where that is to be done, and judge. */
#include "bench/command/commands.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/command/options.h"
#include "bench/run/run.h"
#include "correctness/numbers/input.h"
#include "reports/compare/compare.h"
#include "reports/gate/gate.h"
#include "reports/gate/output.h"
#include "reports/run/rundir.h"

/* gate: what is to be foreseen, or NULL. */
static int measure(const struct options *options, const struct plan *plan, const char *run,
                   const struct gate_call *gate) {
    const struct run_call call = {
        .build = &options->build, .run = run, .resume = options->resume, .gate = gate};
    return run_plan(plan, &call);
}

static int compare(const struct options *options) {
    const char *const *given = options->arguments;
    const bool two = !options->measure && given[1];
    const struct compare_call call = {.run = options->measure ? options->run
                                             : two            ? given[1]
                                                              : given[0],
                                      .old = two ? given[0] : NULL,
                                      .baseline = options->baseline,
                                      .weights = options->weights,
                                      .policy = &options->gate,
                                      .folder = options->measure ? NULL : options->run};
    int status =
        options->measure ? measure(options, &options->plan, options->run, NULL) : EXIT_PASS;
    return status == EXIT_PASS ? compare_make(&call) : status;
}

int command_compare(int argc, char **argv) {
    struct options options;
    int status = EXIT_TROUBLE;
    if (options_parse(argc, argv, OPTIONS_COMPARE, &options) == 0)
        status = compare(&options);
    options_free(&options);
    return status;
}

/* Fresh rounds of the suspects alone, on other inputs and in another order: what made them suspects
 * does not count again. Their libraries are those that were audited; what the earlier release asks
 * of CUDA is recorded now: where it is faster by cheating, it is no measure for one that does not.
 */
static int confirm(const struct options *options, const struct gate_suspects *suspects) {
    struct plan plan = options->plan;
    char folder[PATH_MAX];
    plan.only = suspects->ids;
    plan.only_count = suspects->count;
    plan.rounds = (int)suspects->rounds;
    /* Times are those of all rounds: a round has as long as it had. */
    plan.duration_seconds *= (double)plan.rounds / options->plan.rounds;
    if (plan.protocol == PROTOCOL_FAST)
        plan.warmup_seconds *= (double)plan.rounds / options->plan.rounds;
    plan.seed = seed_derive(plan.seed, SEED_CONFIRM, 0);
    plan.audit_previous = plan.audit;
    plan.audit = false;
    if (files_join(folder, options->run, "confirm") < 0)
        return EXIT_TROUBLE;
    fprintf(stderr, "%zu of the kernels are not shown to be as fast as before: %zu fresh rounds\n",
            suspects->count, suspects->rounds);
    return measure(options, &plan, folder, NULL);
}

/* Both stages. Returns EXIT_PASS, or what ended the work. */
static int measure_stages(const struct options *options, const struct gate_call *call) {
    struct gate_suspects suspects = {0};
    int status = measure(options, &options->plan, options->run, options->against ? call : NULL);
    if (status != EXIT_PASS)
        return status;
    if (gate_screen(call, &suspects) < 0)
        return EXIT_TROUBLE;
    if (suspects.count > 0)
        status = confirm(options, &suspects);
    gate_suspects_free(&suspects);
    return status;
}

/* What was not measured to the end has no verdict, whatever is there: of one stage, or of an
 * earlier call. */
static void annul(struct gate *verdict) {
    if (verdict->verdict == GATE_ERROR)
        return;
    verdict->verdict = GATE_ERROR;
    snprintf(
        verdict->reason, sizeof verdict->reason,
        "it was not measured to the end, or could not be gone on with: the log names the cause");
}

/* Judges even where measuring has failed, as long as it has made a run: CI is to show what
 * happened. A run that was there before keeps its verdict, unless it was to be gone on with. */
static int gate(const struct options *options) {
    static struct gate verdict;
    char now[CLOCK_UTC];
    clock_utc(now);
    now[strlen("YYYY-MM-DD")] = 0;
    const struct gate_call call = {.run = options->measure ? options->run : options->arguments[0],
                                   .against = options->against,
                                   .store_entry = options->entry,
                                   .policy = &options->gate,
                                   .release = options->release,
                                   .today = now};
    if (!options->measure && !rundir_is(call.run)) {
        error("%s is no run directory: there is no %s/plan.json", call.run, call.run);
        return EXIT_TROUBLE;
    }
    const bool foreign = options->measure && !options->resume && rundir_is(call.run);
    int measured = options->measure ? measure_stages(options, &call) : EXIT_PASS;
    if (measured == EXIT_NO_DEVICE || (measured != EXIT_PASS && (foreign || !rundir_is(call.run))))
        return measured;
    if (gate_judge(&call, &verdict) < 0)
        return EXIT_TROUBLE;
    if (measured != EXIT_PASS)
        annul(&verdict);
    int status = gate_verdict_exit(verdict.verdict);
    if (output_write(&verdict) < 0 || (measured != EXIT_PASS && measured != EXIT_INTERRUPTED)) {
        status = EXIT_TROUBLE;
    } else if (measured == EXIT_INTERRUPTED) {
        /* Schedulers start anew what ends so; RUN/gate says that there is no verdict yet. */
        error("the gate was interrupted: the same command with --resume goes on");
        status = EXIT_INTERRUPTED;
    }
    gate_free(&verdict);
    return status;
}

int command_gate(int argc, char **argv) {
    struct options options;
    int status = EXIT_TROUBLE;
    if (options_parse(argc, argv, OPTIONS_GATE, &options) == 0)
        status = gate(&options);
    options_free(&options);
    return status;
}
