/* gemmgate compare: measures folders of kernels, where they are given, and compares. */
#include "reports/compare/compare.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/command/commands.h"
#include "bench/command/measure.h"
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

/* More than two are all run directories, or all folders of kernels. As check. */
static int check_several(const struct settings *settings) {
    const char *const *given = settings->arguments;
    for (size_t i = 1; i < settings->argument_count; i++)
        if (is_measured(given[i]) != is_measured(given[0]))
            return refuse_mixed(given[is_measured(given[0]) ? i : 0],
                                given[is_measured(given[0]) ? 0 : i]);
    if (settings->baseline)
        return error("--baseline %s: more than two are compared through the strongest library of "
                     "each shape",
                     settings->baseline);
    if (is_measured(given[0]))
        return settings_refuse_measuring(settings, given[0]);
    if (settings->resume || settings->renamed)
        return error(
            "--%s: of more than two sets each is a run of its own under FOLDER: go on with "
            "that by `gemmgate run --resume -o FOLDER/1-SET`, and compare the runs",
            settings->resume ? "resume" : "renamed");
    return settings->output ? 1
                            : error("-o FOLDER is wanted, for a run of each set and what comes of "
                                    "the comparison");
}

/* Whether the arguments and options go together. 1 where kernels are to be measured, 0 where all is
 * measured already, -1 after error(). */
static int check(const struct settings *settings) {
    const char *const *given = settings->arguments;
    if (settings->argument_count == 0)
        return error("compare: two arguments are wanted, OLD and NEW: folders of kernels, or run "
                     "directories; or one run that was made with --against");
    const bool two = settings->argument_count == 2;
    if (settings->argument_count > 2)
        return check_several(settings);
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

/* FOLDER/1-NAME: the run of the first set. */
static int name_run(const char *folder, const char *set, size_t index, char path[PATH_MAX]) {
    size_t length = strlen(set);
    while (length > 1 && set[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && set[start - 1] != '/' && set[start - 1] != ':')
        start--;
    return snprintf(path, PATH_MAX, "%s/%zu-%.*s", folder, index + 1, (int)(length - start),
                    set + start) < PATH_MAX
               ? 0
               : error("%s: the path is too long", folder);
}

/* Each set by itself, one after the other. Returns an exit status; runs are the caller's to free.
 */
static int measure_several(struct settings *settings, const struct gate_policy *policy,
                           const char **runs) {
    const char *folder = settings->output;
    char path[PATH_MAX];
    int status = files_make_folder(folder) < 0 ? EXIT_TROUBLE : EXIT_PASS;
    for (size_t i = 0; i < settings->argument_count && status == EXIT_PASS; i++) {
        if (name_run(folder, settings->arguments[i], i, path) < 0 || !(runs[i] = strdup(path)))
            return EXIT_TROUBLE;
        settings->candidates = settings->arguments[i];
        settings->output = runs[i];
        status = measure_run(settings, policy);
    }
    settings->output = folder;
    return status;
}

static int compare_more(struct settings *settings, bool to_measure,
                        const struct gate_policy *policy) {
    const size_t count = settings->argument_count;
    const char **runs = calloc(count, sizeof *runs);
    int status = EXIT_PASS;
    if (!runs)
        return error("no memory for %zu runs", count), EXIT_TROUBLE;
    if (to_measure)
        status = measure_several(settings, policy, runs);
    if (status == EXIT_PASS)
        status = compare_several(
            &(struct compare_several_call){.runs = to_measure ? runs : settings->arguments,
                                           .count = count,
                                           .weights = settings->weights,
                                           .policy = policy,
                                           .json = settings->json,
                                           .folder = settings->output});
    for (size_t i = 0; i < count; i++)
        free((char *)runs[i]);
    free(runs);
    return status;
}

static int compare_two(struct settings *settings, bool to_measure,
                       const struct gate_policy *policy) {
    const char *const *given = settings->arguments;
    const bool two = !to_measure && given[1];
    const struct compare_call call = {.run = to_measure ? settings->output
                                             : two      ? given[1]
                                                        : given[0],
                                      .old = two ? given[0] : NULL,
                                      .baseline = settings->baseline,
                                      .weights = settings->weights,
                                      .policy = policy,
                                      .json = settings->json,
                                      .folder = to_measure ? NULL : settings->output};
    settings->against = to_measure ? given[0] : NULL;
    settings->candidates = to_measure ? given[1] : NULL;
    const int status = to_measure ? measure_run(settings, policy) : EXIT_PASS;
    return status == EXIT_PASS ? compare_make(&call) : status;
}

int command_compare(struct settings *settings) {
    struct gate_policy policy;
    const int to_measure = check(settings);
    if (to_measure < 0)
        return EXIT_TROUBLE;
    settings_margins(settings, &policy);
    const int status = settings->argument_count > 2 ? compare_more(settings, to_measure, &policy)
                                                    : compare_two(settings, to_measure, &policy);
    gate_policy_free(&policy);
    return status;
}
