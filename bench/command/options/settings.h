/* A command line, read: the fields into which the option table puts the values. option_parse fills
 * it; settings_plan.h makes a plan of it, and the commands read the rest. */
#ifndef BENCH_COMMAND_OPTIONS_SETTINGS_H
#define BENCH_COMMAND_OPTIONS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "bench/command/options/command_table.h"
#include "bench/plan/plan.h"

#define SETTINGS_OPTIONS 64 /* rows in the option table, at most */

struct gate_policy;
struct settings {
    enum command_id command;
    const json_t *command_line;   /* for the run's command.json; NULL in tests */
    bool given[SETTINGS_OPTIONS]; /* by row of the table: on the command line, not by default */
    const char *const *arguments; /* the words that are neither options nor values; NULL after */
    size_t argument_count;

    const struct gate_policy
        *judged;      /* by which the run that is measured will be judged: it decides
                                       * the libraries and visits that were not given; NULL: it is
                                       * not judged */
    struct plan plan; /* the options that are a member of it; all else in it is 0 */

    /* Texts are NULL where nothing was given. */
    const char *device, *suite, *shapes, *candidates, *against, *cutlass, *baselines;
    int sample;     /* shapes; 0: all */
    int accumulate; /* as settings_accumulates has them */
    int modes;      /* bits 1 << enum mode; 0: by default */
    double precision_percent, workspace_mib;
    int autotune; /* 1: finalists */

    const char *policy;
    bool no_sandbox;

    double margin_percent;
    const char *baseline, *entry;
    bool release, absolute;
    const char *force;
    int fail_on; /* 1: refused; where it is not given, a check fails on it */
    const char *renamed, *changed;
    bool renamed_by_policy; /* where a set lacks a kernel that it names, the pair is passed over */

    const char *output, *cache_dir, *arch, *shard;
    int jobs; /* 0: by default */
    bool resume, json;
    const char *claims, *published, *again, *sqlite, *offline, *server, *store, *name;
};

/* Whether the option that fills the field was on the command line. */
#define SETTINGS_GIVEN(from, field) option_is_given(from, offsetof(struct settings, field))
bool option_is_given(const struct settings *settings, size_t offset);

#endif
