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
#include "bench/base/words.h"
#include "reports/gate/gate_rows.h"
#include "reports/rows/launch.h"
#include "reports/run/rundir.h"

static int compare_rows(const void *left, const void *right) {
    const struct gate_row *a = left, *b = right;
    int order = (a->status > b->status) - (a->status < b->status);
    order = order ? order : shape_compare(a->shape, b->shape);
    order = order ? order : strcmp(a->candidate, b->candidate);
    order = order ? order : strcmp(a->mode, b->mode);
    return order ? order : strcmp(a->lens, b->lens);
}

static void sort_rows(struct gate *gate) {
    memset(gate->statuses, 0, sizeof gate->statuses);
    if (gate->count)
        qsort(gate->rows, gate->count, sizeof *gate->rows, compare_rows);
    for (size_t i = 0; i < gate->count; i++)
        gate->statuses[gate->rows[i].status]++;
}

/* A total counts what became of its rows in the gate, not what the screening says alone. */
static void count_rows(const struct gate *gate, struct comparison_total *total) {
    size_t *counts = total->verdicts;
    memset(total->verdicts, 0, sizeof total->verdicts);
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (strcmp(row->mode, total->mode) != 0 || strcmp(row->lens, total->lens) != 0 ||
            (*total->size_class && strcmp(row->size_class, total->size_class) != 0))
            continue;
        counts[VERDICT_FASTER] += row->status == GATE_FASTER;
        counts[VERDICT_SAME] += row->status == GATE_SAME;
        counts[VERDICT_SLOWER] += row->status == GATE_SLOWER || row->status == GATE_KNOWN;
        counts[VERDICT_UNDECIDED] += row->status == GATE_UNDECIDED;
        counts[VERDICT_DISTURBED] += row->status == GATE_ENVIRONMENT;
        total->maybe_faster += row->status == GATE_MAYBE_FASTER;
        total->behind += row->status == GATE_BEHIND;
    }
    total->judged = total->maybe_faster + total->behind;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        total->judged += counts[verdict];
}

/* Whether the gate has numbers of the kernel by the row's mode and lens or, where these are not
 * judged, by those that are: not of one that was refused in either stage. */
static bool has_numbers(const struct gate *gate, const struct comparison_row *of) {
    bool found = false;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (shape_compare(row->shape, of->pair->shape) != 0 ||
            strcmp(row->candidate, of->pair->candidate) != 0)
            continue;
        if (strcmp(row->mode, of->pair->mode) == 0 && strcmp(row->lens, of->pair->lens) == 0)
            return isfinite(row->ratio);
        found |= isfinite(row->ratio);
    }
    return found;
}

/* Leaves the rows that are not refused: totals are of these. */
static void keep_judged(const struct gate *gate, struct comparison *comparison) {
    size_t kept = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct comparison_row *row = &comparison->rows[i];
        if (has_numbers(gate, row))
            comparison->rows[kept++] = *row;
    }
    comparison->count = kept;
}

static int add_totals(const struct gate_case *of, const struct gate_rows_about *about,
                      struct gate *gate) {
    struct comparison comparison = {0};
    if (!about->compared)
        return 0;
    if (of->base.stored)
        comparison_crossed(&of->base.speeds, &of->run.speeds, about->reference, of->call->policy,
                           &comparison);
    else
        comparison_paired(&of->run.speeds, of->call->policy, &comparison);
    keep_judged(gate, &comparison);
    const int totals = comparison_totals(&comparison, gate->totals);
    gate->total_count = totals < 0 ? 0 : (size_t)totals;
    /* What is common to a card does not shrink with the number of shapes. */
    for (size_t i = 0; i < gate->total_count && *of->base.card; i++)
        gate->totals[i].low = gate->totals[i].high = NAN;
    comparison_free(&comparison);
    return totals < 0 ? -1 : 0;
}

static void copy_about(const struct gate_case *of, struct gate *gate) {
    const struct about *about = &of->run.about;
    const char *commit = json_string_value(rundir_find(of->run.manifest, "gemmgate.git_commit"));
    snprintf(gate->set, sizeof gate->set, "%.95s", about->set);
    snprintf(gate->previous, sizeof gate->previous, "%s", of->base.name);
    const char *folder = json_string_value(rundir_find(of->run.manifest, "folder"));
    snprintf(gate->folder, sizeof gate->folder, "%.510s", folder ? folder : "");
    snprintf(gate->device, sizeof gate->device, "%s", about->device);
    snprintf(gate->plan_hash, sizeof gate->plan_hash, "%s", about->hash);
    snprintf(gate->commit, sizeof gate->commit, "%.63s", commit ? commit : "");
    double measured;
    if (launch_stated(&of->run.rows, &measured) > 0)
        gate->launch_us = json_number_value(json_object_get(of->run.plan, "launch_us"));
    gate->carried = (size_t)json_integer_value(json_object_get(of->run.plan, "carried"));
    snprintf(gate->kernels_commit, sizeof gate->kernels_commit, "%.63s",
             jsonfile_text(of->run.manifest, "kernels_commit"));
    snprintf(gate->previous_commit, sizeof gate->previous_commit, "%.63s",
             jsonfile_text(of->run.manifest, "previous_commit"));
    snprintf(gate->start, sizeof gate->start, "%.31s", about->start);
    snprintf(gate->end, sizeof gate->end, "%.31s", about->end);
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
static int read_confirm(struct gate_case *of, char why[RUNDIR_TEXT]) {
    if (files_join(of->confirm_folder, of->call->run, "confirm") < 0)
        return -1;
    return access(of->confirm_folder, F_OK) < 0 ||
                   (gate_run_read(of->confirm_folder, true, &of->confirm, why) == 0 &&
                    gate_run_fits(&of->confirm, &of->run, why) == 0)
               ? 0
               : -1;
}

static int read_case(const struct gate_call *call, bool judged, struct gate_case *of,
                     char why[RUNDIR_TEXT]) {
    *of = (struct gate_case){.call = call};
    if (gate_run_read(call->run, judged, &of->run, why) < 0 ||
        gate_run_serves(&of->run, call->policy, why) < 0 || (judged && read_confirm(of, why) < 0))
        return -1;
    if (gate_base_read(call, &of->run, &of->base) == 0)
        return 0;
    snprintf(why, RUNDIR_TEXT, "%s", of->base.why);
    return -1;
}

static void free_case(struct gate_case *of) {
    rundir_close(&of->run);
    rundir_close(&of->confirm);
    gate_base_free(&of->base);
}

void gate_judge(const struct gate_call *call, struct gate *gate) {
    struct gate_rows_about about;
    struct gate_case of;
    char why[RUNDIR_TEXT];
    *gate = (struct gate){.for_release = call->for_release, .verdict = GATE_ERROR};
    snprintf(gate->run, sizeof gate->run, "%s", call->run);
    put_again(call, gate);
    if (read_case(call, true, &of, why) < 0) {
        snprintf(gate->reason, sizeof gate->reason, "%s", why);
    } else {
        gate_rows_make(&of, gate, &about);
        sort_rows(gate);
        if (add_totals(&of, &about, gate) < 0)
            snprintf(gate->reason, sizeof gate->reason,
                     "the totals over the set cannot be made: the log names the cause");
        else
            gate->verdict = gate_verdict_find(&of, &about, gate);
        sort_rows(gate); /* the verdict may acquit some */
        for (size_t i = 0; i < gate->total_count; i++)
            count_rows(gate, &gate->totals[i]);
    }
    if (of.run.plan)
        copy_about(&of, gate);
    free_case(&of);
}

void gate_free(struct gate *gate) {
    free(gate->rows);
    *gate = (struct gate){0};
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

/* Rows of a unit follow each other. */
static void add_suspect(const struct gate_row *row, struct gate_suspects *suspects) {
    char id[RUNDIR_UNIT];
    rundir_unit_id(row->shape, row->candidate, id);
    if (suspects->count == 0 || strcmp(suspects->ids[suspects->count - 1], id) != 0)
        suspects->ids[suspects->count++] = need_copy(id);
}

/* Rows of a unit follow each other, and so do the suspects. A row that was refused has no visits of
 * its own; it was visited as often as the run says. 0 without suspects. */
static double seconds_again(const struct gate *gate, double run_visits,
                            const struct gate_suspects *suspects) {
    double sum = 0;
    char id[RUNDIR_UNIT];
    for (size_t i = 0, at = 0; i < gate->count && at < suspects->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (strcmp(rundir_unit_id(row->shape, row->candidate, id), suspects->ids[at]) != 0)
            at += at + 1 < suspects->count && strcmp(id, suspects->ids[at + 1]) == 0;
        const double visits = isfinite(row->visits) ? row->visits : run_visits;
        if (strcmp(id, suspects->ids[at]) == 0 && isfinite(row->wall_seconds))
            sum +=
                row->wall_seconds + row->visits_seconds * ((double)suspects->visits / visits - 1);
    }
    return suspects->count ? sum / (double)suspects->count : 0;
}

int gate_screen(const struct gate_call *call, struct gate_suspects *suspects) {
    struct gate gate = {0};
    struct gate_rows_about about;
    struct gate_case of;
    char why[RUNDIR_TEXT];
    *suspects = (struct gate_suspects){0};
    const int status = read_case(call, false, &of, why);
    if (status == 0) {
        gate_rows_make(&of, &gate, &about);
        const char *unfit = gate_run_unfit(&of.run);
        if (unfit)
            warning("the controls failed, and no kernel is measured again: %s", unfit);
        suspects->ids = need(gate.count, sizeof *suspects->ids);
        for (size_t i = 0; i < gate.count && !unfit; i++)
            if (gate.rows[i].suspect)
                add_suspect(&gate.rows[i], suspects);
        suspects->rows = gate.suspects;
        suspects->visits = gate.confirm_visits;
        suspects->seconds = seconds_again(
            &gate, (double)json_integer_value(json_object_get(of.run.plan, "visits")), suspects);
    }
    gate_free(&gate);
    free_case(&of);
    return status;
}

void gate_suspects_free(struct gate_suspects *suspects) {
    for (size_t i = 0; i < suspects->count; i++)
        free(suspects->ids[i]);
    free(suspects->ids);
    *suspects = (struct gate_suspects){0};
}
