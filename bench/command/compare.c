/* gemmgate compare: measures folders of kernels, where they are given, and compares. */
#include "reports/gate/compare.h"

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

/* One of the two arguments is a run, and the other is not. */
static int refuse_mixed(const char *other, const char *run) {
    return access(other, F_OK) < 0
               ? error("%s: %s; a run directory is wanted, as %s is", other, strerror(errno), run)
               : error("compare: %s is measured already and %s is no run directory; two runs are "
                       "compared, or two folders of kernels, which are measured now",
                       run, other);
}

/* Whether the arguments and options go together. 1 where kernels are to be measured, 0 where all is
 * measured already, -1 after error(). */
static int check_arguments(const struct settings *settings) {
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

static int compare(struct settings *settings, bool to_measure, const struct gate_policy *policy) {
    const char *const *given = settings->arguments;
    const bool two = !to_measure && given[1];
    const struct compare_call call = {.run = to_measure ? settings->output
                                             : two      ? given[1]
                                                        : given[0],
                                      .old = two ? given[0] : NULL,
                                      .baseline = settings->baseline,
                                      .policy = policy,
                                      .json = settings->json,
                                      .fail_on_refused = settings->fail_on,
                                      .folder = to_measure ? NULL : settings->output};
    settings->judged = policy;
    settings->against = to_measure ? given[0] : NULL;
    settings->candidates = to_measure ? given[1] : NULL;
    const int status = to_measure ? measure_run(settings) : EXIT_PASS;
    return status == EXIT_PASS ? compare_make(&call) : status;
}

int command_compare(struct settings *settings) {
    struct gate_policy policy;
    const int to_measure = check_arguments(settings);
    if (to_measure < 0)
        return EXIT_TROUBLE;
    settings_margins(settings, &policy);
    const int status = compare(settings, to_measure, &policy);
    gate_policy_free(&policy);
    return status;
}
