#include "reports/gate/gate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/gate/gate_rows.h"

static void copy_about(const struct gate_case *of, struct gate *gate) {
    const struct about *about = &of->run.about;
    const json_t *plan = of->run.plan, *manifest = of->run.manifest;
    const char *commit = json_string_value(rundir_find(manifest, "gemmgate.git_commit"));
    double measured;
    snprintf(gate->set, sizeof gate->set, "%.95s", about->set);
    snprintf(gate->previous, sizeof gate->previous, "%s", of->base.name);
    snprintf(gate->folder, sizeof gate->folder, "%.510s", jsonfile_text(manifest, "folder"));
    snprintf(gate->device, sizeof gate->device, "%s", about->device);
    snprintf(gate->plan_hash, sizeof gate->plan_hash, "%s", about->hash);
    snprintf(gate->commit, sizeof gate->commit, "%.63s", commit ? commit : "");
    snprintf(gate->kernels_commit, sizeof gate->kernels_commit, "%.63s",
             jsonfile_text(manifest, "kernels_commit"));
    snprintf(gate->previous_commit, sizeof gate->previous_commit, "%.63s",
             jsonfile_text(manifest, "previous_commit"));
    snprintf(gate->start, sizeof gate->start, "%.31s", about->start);
    snprintf(gate->end, sizeof gate->end, "%.31s", about->end);
    if (rows_stated_launch(&of->run.rows, &measured) > 0)
        gate->launch_us = json_number_value(json_object_get(plan, "launch_us"));
    gate->carried = (size_t)json_integer_value(json_object_get(plan, "carried"));
}

static void put_option(FILE *out, const char *option, const char *value) {
    if (!value)
        return;
    fprintf(out, " --%s ", option);
    text_quote(out, value);
}

/* Cut off, and so of no use, where it is longer than any command line. */
static void put_again(const struct gate_call *call, struct gate *gate) {
    FILE *out = fmemopen(gate->again, sizeof gate->again - 1, "w");
    gate->again[0] = gate->again[sizeof gate->again - 1] = 0;
    if (!out)
        return;
    fputs("gemmgate gate ", out);
    text_quote(out, call->run);
    put_option(out, "policy", call->policy_file);
    put_option(out, "against", call->against);
    put_option(out, "entry", call->store_entry);
    put_option(out, "renamed", call->renamed);
    fputs(call->for_release ? " --release" : "", out);
    fputs(call->absolute ? " --absolute" : "", out);
    fclose(out);
}

/* The confirmation, where there is one. */
static int read_confirm(const struct gate_call *call, struct gate_case *of, char why[RUNDIR_TEXT]) {
    if (files_join(of->confirm_folder, call->run, "confirm") < 0)
        return -1;
    return access(of->confirm_folder, F_OK) < 0 ||
                   (gate_run_read(of->confirm_folder, true, &of->confirm, why) == 0 &&
                    gate_run_fits(&of->confirm, &of->run, why) == 0)
               ? 0
               : -1;
}

static int read_case(const struct gate_call *call, bool judged, struct gate_case *of,
                     char why[RUNDIR_TEXT]) {
    *of = (struct gate_case){.policy = call->policy};
    if (gate_run_read(call->run, judged, &of->run, why) < 0 ||
        gate_run_serves(&of->run, call->policy, why) < 0 ||
        (judged && read_confirm(call, of, why) < 0))
        return -1;
    if (gate_base_read(call, &of->run, &of->base) == 0)
        return 0;
    snprintf(why, RUNDIR_TEXT, "%s", of->base.why);
    return -1;
}

void gate_judge(const struct gate_call *call, struct gate *gate) {
    struct gate_case of;
    *gate = (struct gate){.for_release = call->for_release, .verdict = GATE_ERROR};
    snprintf(gate->run, sizeof gate->run, "%s", call->run);
    put_again(call, gate);
    if (read_case(call, true, &of, gate->reason) == 0) {
        *gate->reason = 0;
        gate_rows_make(&of, gate);
        gate_sort(gate);
        gate->verdict = gate_verdict_find(&of, call, gate);
        gate_add_totals(gate);
        /* What is common to a card does not shrink with the number of shapes. */
        for (size_t i = 0; i < gate->total_count && *of.base.card; i++)
            gate->totals[i].ci_low = gate->totals[i].ci_high = NAN;
    }
    if (of.run.plan)
        copy_about(&of, gate);
    gate_case_free(&of);
}

int gate_foresee(const struct gate_call *call, const struct fingerprint *here) {
    struct gate_base base;
    const int status = gate_base_find(call, here, "", &base);
    if (status == 0 && !base.comparable)
        warning("nothing can be compared with %s: %s; the run can still show wrong kernels and be "
                "promoted, but nothing else: stop it if that is not wanted",
                base.name, base.why);
    gate_base_free(&base);
    return status;
}

/* The seconds that so many visits of the row's kernel take. A row that was refused has no visits of
 * its own; it was visited as often as the run says. */
static double seconds_again(const struct gate_row *row, double run_visits, double visits) {
    const double before = isfinite(row->visits) ? row->visits : run_visits;
    return isfinite(row->wall_seconds)
               ? row->wall_seconds + row->visits_seconds * (visits / before - 1)
               : 0;
}

static bool is_suspect(const struct gate *gate, size_t first, size_t end) {
    for (size_t i = first; i < end; i++)
        if (gate->rows[i].suspect)
            return true;
    return false;
}

/* The units with a suspect. Rows of a unit follow each other; all of them are measured again. */
static void list_suspects(const struct gate *gate, double run_visits,
                          struct gate_suspects *suspects) {
    char id[RUNDIR_UNIT];
    for (size_t first = 0, end; first < gate->count; first = end) {
        const struct gate_row *unit = &gate->rows[first];
        for (end = first + 1; end < gate->count &&
                              strcmp(gate->rows[end].candidate, unit->candidate) == 0 &&
                              shape_compare(gate->rows[end].shape, unit->shape) == 0;)
            end++;
        if (!is_suspect(gate, first, end))
            continue;
        suspects->ids[suspects->count++] =
            need_copy(rundir_unit_id(unit->shape, unit->candidate, id));
        for (size_t i = first; i < end; i++)
            suspects->seconds +=
                seconds_again(&gate->rows[i], run_visits, (double)suspects->visits);
    }
    suspects->seconds = suspects->count ? suspects->seconds / (double)suspects->count : 0;
}

int gate_screen(const struct gate_call *call, struct gate_suspects *suspects) {
    struct gate gate = {0};
    struct gate_case of;
    char why[RUNDIR_TEXT];
    *suspects = (struct gate_suspects){0};
    const int status = read_case(call, false, &of, why);
    if (status == 0) {
        gate_rows_make(&of, &gate);
        const char *unfit = gate_run_unfit(&of.run);
        suspects->ids = need(gate.count, sizeof *suspects->ids);
        suspects->rows = gate.suspects;
        suspects->visits = gate.confirm_visits;
        if (unfit)
            warning("the controls failed, and no kernel is measured again: %s", unfit);
        else
            list_suspects(&gate, (double)json_integer_value(json_object_get(of.run.plan, "visits")),
                          suspects);
    }
    gate_free(&gate);
    gate_case_free(&of);
    return status;
}

void gate_suspects_free(struct gate_suspects *suspects) {
    for (size_t i = 0; i < suspects->count; i++)
        free(suspects->ids[i]);
    free(suspects->ids);
    *suspects = (struct gate_suspects){0};
}
