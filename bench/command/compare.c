/* gemmgate compare: measures two folders of kernels, where they are given, and compares. */
#include "reports/compare/compare.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/command/options/settings_plan.h"
#include "reports/run/rundir.h"
#include "reports/store/store.h"

static bool is_measured(const char *folder) {
    return rundir_is(folder) || store_is(folder);
}

/* Of two that are to be compared one is a run. */
static int refuse_mixed(const char *other, const char *run) {
    return access(other, F_OK) < 0
               ? error("%s: %s; a run directory is wanted, as %s is", other, strerror(errno), run)
               : error("compare: %s is measured already and %s is no run directory; two runs are "
                       "compared, or two folders of kernels, which are measured now",
                       run, other);
}

/* Whether the arguments and options go together. 1 where kernels are to be measured, 0 where all is
 * measured already, -1 after error(). */
static int check(const struct settings *settings) {
    const char *const *given = settings->arguments;
    if (settings->argument_count == 0)
        return error("compare: two arguments are wanted, OLD and NEW: folders of kernels, or run "
                     "directories; or one run that was made with --against");
    const bool two = settings->argument_count == 2;
    if (!two && !rundir_is(given[0]))
        return error(
            "compare %s: it is no run directory; give two folders of kernels, OLD and NEW, "
            "or a run that was made with --against",
            given[0]);
    const bool to_measure = two && !is_measured(given[0]);
    if (settings->baseline && (to_measure || !two))
        return error("--baseline %s: two runs are compared through a library; what is in one run "
                     "is compared without",
                     settings->baseline);
    if (two && is_measured(given[0]) != is_measured(given[1]))
        return refuse_mixed(given[is_measured(given[0])], given[!is_measured(given[0])]);
    return to_measure ? 1 : settings_refuse_measuring(settings, given[0]);
}

static int measure(struct settings *settings, const struct gate_policy *policy) {
    struct plan plan = {0};
    struct build_options build;
    struct run_call call;
    int status = EXIT_TROUBLE;
    settings->against = settings->arguments[0];
    settings->candidates = settings->arguments[1];
    if (settings_call(settings, &build, &call) == 0)
        status = settings_plan(settings, policy, &plan);
    if (status == EXIT_PASS)
        status = run_plan(&plan, &call);
    plan_free(&plan);
    return status;
}

int command_compare(struct settings *settings) {
    const char *const *given = settings->arguments;
    struct gate_policy policy;
    const int to_measure = check(settings);
    if (to_measure < 0)
        return EXIT_TROUBLE;
    gate_policy_default(&policy);
    for (size_t i = 0; i < policy.class_count && SETTINGS_GIVEN(settings, margin_percent); i++)
        policy.classes[i].margin = settings->margin_percent / 100;
    const bool two = !to_measure && given[1];
    const struct compare_call call = {.run = to_measure ? settings->output
                                             : two      ? given[1]
                                                        : given[0],
                                      .old = two ? given[0] : NULL,
                                      .baseline = settings->baseline,
                                      .weights = settings->weights,
                                      .policy = &policy,
                                      .folder = to_measure ? NULL : settings->output};
    int status = to_measure ? measure(settings, &policy) : EXIT_PASS;
    if (status == EXIT_PASS)
        status = compare_make(&call);
    gate_policy_free(&policy);
    return status;
}
