#include "reports/gate/gate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/gate/gate_decide.h"
#include "reports/gate/gate_rows.h"
#include "reports/run/controls.h"

/* Appends what printf would, cut where the reason is full. */
__attribute__((format(printf, 2, 3))) static void say(struct gate *gate, const char *format, ...) {
    const size_t used = strlen(gate->reason);
    va_list args;
    va_start(args, format);
    vsnprintf(gate->reason + used, sizeof gate->reason - used, format, args);
    va_end(args);
}

/* After parts that were said before it. */
static const char *comma(const struct gate *gate) {
    return *gate->reason ? ", " : "";
}

static int compare_rows(const void *left, const void *right) {
    const struct gate_row *a = left, *b = right;
    int order = (a->status > b->status) - (a->status < b->status);
    order = order ? order : shape_compare(a->shape, b->shape);
    order = order ? order : strcmp(a->candidate, b->candidate);
    order = order ? order : strcmp(a->mode, b->mode);
    return order ? order : strcmp(a->lens, b->lens);
}

static void sort_rows(struct gate *gate) {
    if (gate->count)
        qsort(gate->rows, gate->count, sizeof *gate->rows, compare_rows);
    for (size_t i = 0; i < gate->count; i++)
        gate->statuses[gate->rows[i].status]++;
}

/* The slowest of the status, or its first where none has a ratio; NULL without any. */
static const struct gate_row *worst_of(const struct gate *gate, enum gate_status status) {
    const struct gate_row *worst = NULL;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (row->status == status &&
            (!worst || row->ratio < worst->ratio || (isnan(worst->ratio) && !isnan(row->ratio))))
            worst = row;
    }
    return worst;
}

static void say_worst(struct gate *gate, enum gate_status status, const char *title) {
    const struct gate_row *row = worst_of(gate, status);
    char shape[SHAPE_TEXT];
    if (!row)
        return;
    say(gate, "; %s %s %.60s", title, shape_format(row->shape, shape), row->candidate);
    if (*row->lens)
        say(gate, " (%s, %s)", row->mode, row->lens);
    if (!isnan(row->ratio))
        say(gate, " takes %+.2f %% time against %.60s", 100 * (1 / row->ratio - 1), row->reference);
    if (*row->text)
        say(gate, ": %.150s", row->text);
}

static void say_count(struct gate *gate, enum gate_status status) {
    if (gate->statuses[status])
        say(gate, "%s%zu %s", comma(gate), gate->statuses[status], gate_status_word(status));
}

/* Rows that were timed or should have been: they have a lens. */
static size_t timed_rows(const struct gate *gate) {
    size_t count = 0;
    for (size_t i = 0; i < gate->count; i++)
        count += *gate->rows[i].lens != 0;
    return count;
}

static bool is_wrong(struct gate *gate) {
    if (!gate->statuses[GATE_WRONG])
        return false;
    say(gate, "%zu of %zu kernels wrong or dishonest", gate->statuses[GATE_WRONG], gate->units);
    say_worst(gate, GATE_WRONG, "the first:");
    return true;
}

static bool controls_failed(const struct gate_run *run, struct gate *gate) {
    const char *verdict = json_string_value(rundir_find(run->manifest, "controls.verdict"));
    const char *why = json_string_value(rundir_find(run->manifest, "controls.why"));
    if (!verdict || strcmp(verdict, controls_word(CONTROLS_FAILED)) != 0)
        return false;
    say(gate, "the controls of %.200s failed, its timings cannot be trusted: %.200s", run->folder,
        why ? why : "");
    return true;
}

/* Disturbed rounds do not convict, but that they would have is not to go unheard. */
static void warn_slower(const struct gate_policy *policy, struct gate *gate) {
    const struct gate_row *worst = NULL;
    char shape[SHAPE_TEXT];
    size_t slower = 0;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (row->status != GATE_ENVIRONMENT || !row->confirmed || !(row->p <= policy->alpha))
            continue;
        slower++;
        if (!worst || row->ratio < worst->ratio)
            worst = row;
    }
    if (worst)
        gate_warn(
            gate,
            "%zu of the disturbed rows would be confirmed slowdowns, and do not fail the gate; "
            "the worst: %s %.60s (%.60s, %.60s) takes %+.2f %% time against %.60s: gate again "
            "on a quiet machine",
            slower, shape_format(worst->shape, shape), worst->candidate, worst->mode, worst->lens,
            100 * (1 / worst->ratio - 1), worst->reference);
}

static bool is_disturbed(const struct gate_policy *policy, struct gate *gate) {
    const size_t rows = timed_rows(gate), disturbed = gate->statuses[GATE_ENVIRONMENT];
    if ((double)disturbed > policy->disturbed * (double)rows) {
        say(gate, "the machine was disturbed while %zu of %zu rows were timed", disturbed, rows);
        return true;
    }
    if (disturbed)
        gate_warn(gate, "%zu of %zu rows were disturbed, which the policy lets pass", disturbed,
                  rows);
    warn_slower(policy, gate);
    return false;
}

static bool is_regression(const struct gate_policy *policy, const char *unserved,
                          struct gate *gate) {
    static const enum gate_status bad[] = {GATE_SLOWER, GATE_BEHIND, GATE_MISSING};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        say_count(gate, bad[i]);
    if (*gate->reason)
        say(gate, " of %zu rows", gate->count);
    if (gate->coverage < policy->coverage)
        say(gate,
            "%s%.4g %% of the shapes have an honest kernel where the policy's coverage asks for "
            "%.4g %%: none for %s",
            comma(gate), 100 * gate->coverage, 100 * policy->coverage,
            *unserved ? unserved : "any");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (gate->statuses[bad[i]]) {
            say_worst(gate, bad[i], "the worst:");
            break;
        }
    return *gate->reason;
}

static bool is_inconclusive(const struct gate_call *call, const struct gate_rows_about *about,
                            struct gate *gate) {
    const enum gate_undecided undecided =
        call->for_release ? call->policy->on_release : call->policy->on_merge;
    if (gate->count == 0)
        say(gate, "no kernel was timed: there is nothing to judge");
    if (about->unmeasured)
        say(gate, "%s%zu rows lack a baseline that they must beat", comma(gate), about->unmeasured);
    if (about->apart)
        say(gate,
            "%s%zu of %zu rows cannot be compared: the earlier kernel fails when it is timed "
            "beside the new one, but not when it is timed alone",
            comma(gate), about->apart, gate->count);
    if (about->gone)
        say(gate,
            "%s%zu kernel%s gone: nothing shows whether the kernel that serves the shape now is as "
            "fast; a kernel with the name of the earlier one would be compared with it",
            comma(gate), about->gone, about->gone == 1 ? " is" : "s are");
    if (gate->statuses[GATE_UNDECIDED] && undecided == GATE_UNDECIDED_FAIL) {
        say(gate, "%s%zu of %zu rows are undecided", comma(gate), gate->statuses[GATE_UNDECIDED],
            gate->count);
        say_worst(gate, GATE_UNDECIDED, "the worst:");
    } else if (gate->statuses[GATE_UNDECIDED] && undecided == GATE_UNDECIDED_WARN) {
        gate_warn(gate, "%zu of %zu rows are undecided, which the policy lets pass",
                  gate->statuses[GATE_UNDECIDED], gate->count);
    }
    return *gate->reason;
}

static void say_pass(size_t compared, struct gate *gate) {
    for (int status = GATE_STATUS_COUNT - 1; status >= 0; status--)
        say_count(gate, (enum gate_status)status);
    say(gate, "%s%zu rows%s", *gate->reason ? " of " : "", gate->count,
        compared ? "" : ": there was nothing to compare with");
}

/* The first of these that holds. */
static enum gate_verdict judge(const struct gate_case *of, const struct gate_rows_about *about,
                               struct gate *gate) {
    const struct gate_policy *policy = of->call->policy;
    if (is_wrong(gate))
        return GATE_VERDICT_WRONG;
    if (controls_failed(&of->run, gate) || controls_failed(&of->confirm, gate) ||
        is_disturbed(policy, gate))
        return GATE_VERDICT_ENVIRONMENT;
    if (!of->base.comparable) {
        say(gate, "not measured under the conditions of %.150s: %.300s", of->base.name,
            of->base.why);
        return GATE_NOT_COMPARABLE;
    }
    if (is_regression(policy, about->unserved, gate))
        return GATE_REGRESSION;
    if (is_inconclusive(of->call, about, gate))
        return GATE_INCONCLUSIVE;
    if (!about->compared && policy->must_count == 0)
        gate_warn(gate,
                  "all %zu rows are new: there was nothing to compare with, and the policy "
                  "asks for no baseline to beat",
                  gate->count);
    say_pass(about->compared, gate);
    return GATE_PASS;
}

/* A total counts what became of its rows in the gate, not what the screening says alone. */
static void count_rows(const struct gate *gate, struct comparison_total *total) {
    total->faster = total->same = total->slower = total->undecided = 0;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (strcmp(row->mode, total->mode) != 0 || strcmp(row->lens, total->lens) != 0 ||
            (*total->size_class && strcmp(row->size_class, total->size_class) != 0))
            continue;
        total->faster += row->status == GATE_FASTER;
        total->same += row->status == GATE_SAME;
        total->slower += row->status == GATE_SLOWER || row->status == GATE_KNOWN;
        total->undecided += row->status == GATE_UNDECIDED;
    }
}

static int add_totals(const struct gate_case *of, const struct gate_rows_about *about,
                      struct gate *gate) {
    struct comparison comparison = {0};
    if (!about->compared)
        return 0;
    int status = of->base.stored
                     ? comparison_crossed(&of->base.speeds, &of->run.speeds, about->reference,
                                          of->call->policy, &comparison)
                     : comparison_paired(&of->run.speeds, of->call->policy, &comparison);
    int totals = status < 0 ? -1 : comparison_totals(&comparison, NULL, gate->totals);
    gate->total_count = totals < 0 ? 0 : (size_t)totals;
    for (size_t i = 0; i < gate->total_count; i++)
        count_rows(gate, &gate->totals[i]);
    comparison_free(&comparison);
    return totals < 0 ? -1 : 0;
}

static void describe(const struct gate_case *of, struct gate *gate) {
    const struct about *about = &of->run.about;
    const char *commit = json_string_value(rundir_find(of->run.manifest, "gemmgate.git_commit"));
    snprintf(gate->set, sizeof gate->set, "%.95s", about->set);
    snprintf(gate->previous, sizeof gate->previous, "%s", of->base.name);
    const char *folder = json_string_value(rundir_find(of->run.manifest, "folder"));
    snprintf(gate->folder, sizeof gate->folder, "%.510s", folder ? folder : "");
    snprintf(gate->device, sizeof gate->device, "%s", about->device);
    snprintf(gate->plan_hash, sizeof gate->plan_hash, "%s", about->hash);
    snprintf(gate->commit, sizeof gate->commit, "%.63s", commit ? commit : "");
    snprintf(gate->start, sizeof gate->start, "%.31s", about->start);
    snprintf(gate->end, sizeof gate->end, "%.31s", about->end);
}

static int read_case(const struct gate_call *call, bool judged, struct gate_case *of,
                     char why[RUNDIR_TEXT]) {
    *of = (struct gate_case){.call = call};
    if (gate_run_read(call->run, judged, &of->run, why) < 0 ||
        files_join(of->confirm_folder, call->run, "confirm") < 0)
        return -1;
    if (judged && access(of->confirm_folder, F_OK) == 0 &&
        (gate_run_read(of->confirm_folder, true, &of->confirm, why) < 0 ||
         gate_run_fits(&of->confirm, &of->run, why) < 0))
        return -1;
    if (gate_base_read(call, &of->run, &of->base) == 0)
        return 0;
    snprintf(why, RUNDIR_TEXT, "%s", of->base.why);
    return -1;
}

static void free_case(struct gate_case *of) {
    gate_run_free(&of->run);
    gate_run_free(&of->confirm);
    gate_base_free(&of->base);
}

int gate_judge(const struct gate_call *call, struct gate *gate) {
    struct gate_rows_about about;
    struct gate_case of;
    char why[RUNDIR_TEXT];
    int status = 0;
    *gate = (struct gate){.for_release = call->for_release, .verdict = GATE_ERROR};
    snprintf(gate->run, sizeof gate->run, "%s", call->run);
    if (read_case(call, true, &of, why) < 0) {
        snprintf(gate->reason, sizeof gate->reason, "%s", why);
    } else if ((status = gate_rows_make(&of, gate, &about)) == 0) {
        sort_rows(gate);
        if (add_totals(&of, &about, gate) < 0)
            say(gate, "the totals over the set cannot be made: the log names the cause");
        else
            gate->verdict = judge(&of, &about, gate);
    }
    if (of.run.plan)
        describe(&of, gate);
    free_case(&of);
    return status;
}

void gate_free(struct gate *gate) {
    free(gate->rows);
    *gate = (struct gate){0};
}

int gate_foresee(const struct gate_call *call, const struct fingerprint *here) {
    struct gate_base base;
    const int status = gate_base_find(call, here, &base);
    if (status == 0 && !base.comparable)
        warning("nothing can be compared with %s: %s; the run can still show wrong kernels and be "
                "promoted, but nothing else: stop it if that is not wanted",
                base.name, base.why);
    gate_base_free(&base);
    return status;
}

/* Rows of a unit follow each other. */
static int add_suspect(const struct gate_row *row, struct gate_suspects *suspects) {
    char shape[SHAPE_TEXT], id[SHAPE_TEXT + RUNDIR_NAME];
    snprintf(id, sizeof id, "%s.%s", shape_format(row->shape, shape), row->candidate);
    suspects->rows++;
    if (suspects->count && strcmp(suspects->ids[suspects->count - 1], id) == 0)
        return 0;
    if (!(suspects->ids[suspects->count] = strdup(id)))
        return error("no memory for %zu suspects", suspects->rows);
    suspects->count++;
    return 0;
}

int gate_screen(const struct gate_call *call, struct gate_suspects *suspects) {
    struct gate gate = {0};
    struct gate_rows_about about;
    struct gate_case of;
    char why[RUNDIR_TEXT];
    *suspects = (struct gate_suspects){0};
    int status = read_case(call, false, &of, why);
    if (status == 0)
        status = gate_rows_make(&of, &gate, &about);
    if (status == 0 && !(suspects->ids = calloc(gate.count + 1, sizeof *suspects->ids)))
        status = error("no memory for %zu suspects", gate.count);
    for (size_t i = 0; i < gate.count && status == 0; i++)
        if (!isnan(gate.rows[i].p))
            status = add_suspect(&gate.rows[i], suspects);
    suspects->rounds =
        gate_confirm_rounds(suspects->rows, call->policy->alpha, call->policy->confirm_rounds);
    if (status < 0)
        gate_suspects_free(suspects);
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
