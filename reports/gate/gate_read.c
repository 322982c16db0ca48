#include "reports/gate/gate_rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/renames.h"
#include "bench/base/timed_inputs.h"
#include "reports/query/query.h"
#include "reports/run/verify.h"
#include "reports/store/store.h"
#include "reports/tables/controls.h"

/* Says it on stderr and keeps it. */
__attribute__((format(printf, 2, 3))) static int refuse(char why[RUNDIR_TEXT], const char *format,
                                                        ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why, RUNDIR_TEXT, format, args);
    va_end(args);
    return error("%s", why);
}

static int check_samples(struct rundir *run, char why[RUNDIR_TEXT]) {
    struct verify_counts counts;
    if (verify_count(run, &counts) < 0)
        return -1;
    if (counts.missing)
        return refuse(why, "%.300s: %zu units of its plan are missing", run->folder,
                      counts.missing);
    if (counts.changed && !counts.differences)
        return refuse(why, "%.300s: was changed after it was measured; measure it again",
                      run->folder);
    if (counts.differences)
        return refuse(why,
                      "%.300s: %zu of its rows are not what its samples give; it was edited or "
                      "damaged, measure it again",
                      run->folder, counts.differences);
    return 0;
}

/* A gate is about candidates, one a unit. */
static int check_units(const struct rundir *run, char why[RUNDIR_TEXT]) {
    const size_t units = json_array_size(json_object_get(run->plan, "units"));
    size_t checked = 0;
    for (size_t i = 0; i < run->rows.check_count; i++) {
        const struct check_row *check = &run->rows.checks[i];
        checked += *check->candidate && strcmp(check->kernel, check->candidate) == 0;
    }
    if (checked == units && units > 0)
        return 0;
    return refuse(why,
                  "%.300s: %zu of its %zu units have a candidate that was checked; a gate "
                  "needs all",
                  run->folder, checked, units);
}

/* A complete run, with its rows and speeds; verified: one whose numbers are those of its samples. */
static int read_run(const char *folder, bool verified, struct rundir *run, char why[RUNDIR_TEXT]) {
    snprintf(why, RUNDIR_TEXT, "%.300s cannot be read: the log names the file and the cause",
             folder);
    if (rundir_open(folder, run) < 0)
        return -1;
    if (!run->about.complete)
        return refuse(why, "%.300s is not complete: %s", folder, about_remedy(&run->about));
    return (verified && check_samples(run, why) < 0) || rundir_speeds(run) < 0
               ? -1
               : check_units(run, why);
}

const char *gate_run_unfit(const struct rundir *run) {
    const char *verdict = json_string_value(jsonfile_find(run->manifest, "controls.verdict"));
    const char *why = json_string_value(jsonfile_find(run->manifest, "controls.why"));
    return !verdict || strcmp(verdict, controls_word(CONTROLS_FAILED)) != 0 ? NULL : why ? why : "";
}

/* Whether times on the run's inputs judge a kernel. */
static int check_inputs(const struct rundir *run, char why[RUNDIR_TEXT]) {
    const char *unjudged = timed_inputs_unjudged(run->about.inputs);
    return unjudged ? refuse(why,
                             "%.300s was timed on %s, which a gate cannot judge: %s; measure with "
                             "--inputs normal or uniform",
                             run->folder, run->about.inputs, unjudged)
                    : 0;
}

/* Loads the run, called so; whether it has what it must have (gate_refused.sql). */
static int load_run(struct gate *gate, const char *name, const struct rundir *run) {
    const struct gate_policy *policy = gate->call.policy;
    gate_load_run(gate, name, run);
    sqlite3_stmt *why =
        query_ask(gate->db, query_gate_refused, name, policy->mode, policy->lens, NULL);
    if (!query_next(why))
        return 0;
    refuse(gate->reason, "%s", query_text(why, "text"));
    sqlite3_finalize(why);
    return -1;
}

/* Whether `confirm` was measured as the run was. */
static int check_fits(const struct rundir *confirm, const struct rundir *run,
                      char why[RUNDIR_TEXT]) {
    char differing[300];
    return fingerprint_differ(&confirm->fingerprint, &run->fingerprint, differing,
                              sizeof differing) > 0
               ? refuse(why, "mixed plans: %.150s was measured under other conditions: %s",
                        confirm->folder, differing)
               : 0;
}

/* Fewest visits of an earlier run. Twelve are better: against six, 6 or 7 of 100 simulated gates of
 * kernels at their margin have a false alarm, because Welch's t does not hold so far out with few
 * degrees of freedom. */
enum { STORED_LEAST = 4 };

static int check_visits(const struct rundir *run, char why[RUNDIR_TEXT]) {
    const json_int_t visits = json_integer_value(json_object_get(run->plan, "visits"));
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)visits);
    return visits >= STORED_LEAST
               ? 0
               : refuse(why,
                        "%.300s has %s visit%s, which does not show how much processes differ, so "
                        "that nothing can be decided against it; measure it with --visits %d, or "
                        "better 12",
                        run->folder, visits == 1 ? "one" : number, visits == 1 ? "" : "s",
                        STORED_LEAST);
}

/* A run, which may be of a store. */
static int read_other(const char *folder, const struct fingerprint *here, const char *cards,
                      struct gate_base *base) {
    struct rundir *run = &base->run;
    if (read_run(folder, true, run, base->why) < 0 || check_visits(run, base->why) < 0)
        return -1;
    base->comparable =
        fingerprint_differ(here, &run->fingerprint, base->why, sizeof base->why) == 0;
    base->other_card = *cards && *run->about.cards && strcmp(cards, run->about.cards) != 0;
    pairs_keep_passed(&run->speeds);
    return 0;
}

int gate_base_find(const struct gate_call *call, const struct fingerprint *here, const char *cards,
                   struct gate_base *base) {
    *base = (struct gate_base){.stored = true};
    snprintf(base->name, sizeof base->name, "%s", call->against);
    if (!store_is(call->against))
        return read_other(call->against, here, cards, base);
    const int found = store_find(call->against, call->store_entry, here, base->folder, base->why,
                                 sizeof base->why);
    if (found < 0)
        snprintf(base->why, sizeof base->why,
                 "%.300s cannot be read: the log names the file and the cause", call->against);
    if (found <= 0)
        return found;
    snprintf(base->name, sizeof base->name, "%.*s", (int)sizeof base->name - 1, base->folder);
    return read_other(base->folder, here, cards, base);
}

/* What the run is compared with, by the names of the run. */
static int read_base(struct gate *gate) {
    const struct gate_call *call = &gate->call;
    const struct rundir *run = &gate->run;
    struct gate_base *base = &gate->base;
    struct renames renames;
    *base = (struct gate_base){.comparable = true};
    if (!call->against) {
        const char *set = json_string_value(jsonfile_find(run->plan, "previous.set"));
        snprintf(base->name, sizeof base->name, "%s", set ? set : "");
        return 0;
    }
    if (gate_base_find(call, &run->fingerprint, run->about.cards, base) < 0)
        return snprintf(gate->reason, sizeof gate->reason, "%s", base->why), -1;
    pairs_rename_set(&base->run.speeds, base->run.about.set, run->about.set);
    if (renames_parse(call->renamed, &renames) < 0)
        return -1;
    for (size_t i = 0; i < renames.count; i++)
        pairs_rename_set(&base->run.speeds, renames.list[i].old, renames.list[i].new_);
    return 0;
}

static int read_confirm(struct gate *gate) {
    char *folder = gate->confirm_folder;
    if (files_join(folder, gate->call.run, "confirm") < 0)
        return -1;
    if (access(folder, F_OK) < 0)
        return 0;
    return read_run(folder, true, &gate->confirm, gate->reason) < 0 ||
                   load_run(gate, "confirm", &gate->confirm) < 0
               ? -1
               : check_fits(&gate->confirm, &gate->run, gate->reason);
}

int gate_read(struct gate *gate, bool judged) {
    if (read_run(gate->call.run, judged, &gate->run, gate->reason) < 0 ||
        check_inputs(&gate->run, gate->reason) < 0 || load_run(gate, "run", &gate->run) < 0 ||
        (judged && read_confirm(gate) < 0) || read_base(gate) < 0)
        return -1;
    gate_load_run(gate, "base", &gate->base.run);
    gate->carried = (size_t)json_integer_value(json_object_get(gate->run.plan, "carried"));
    *gate->reason = 0;
    return 0;
}
