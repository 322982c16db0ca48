#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/outcome.h"
#include "bench/base/text.h"
#include "reports/gate/making.h"

size_t making_list_length(const struct making *making, const char *key) {
    return json_array_size(json_object_get(making->of->run.plan, key));
}

const char *making_list_name(const struct making *making, const char *key, size_t i) {
    const char *name =
        json_string_value(json_array_get(json_object_get(making->of->run.plan, key), i));
    return name ? name : "";
}

struct gate_row *making_begin(struct making *making, struct shape shape, const char *candidate,
                              enum gate_status status) {
    struct gate *gate = making->gate;
    struct gate_row *rows = gate->rows = need_more(gate->rows, gate->count, sizeof *rows);
    const struct gate_class *size_class = gate_policy_class(making->policy, shape);
    rows[gate->count] = (struct gate_row){.shape = shape,
                                          .size_class = size_class->name,
                                          .status = status,
                                          .ratio = NAN,
                                          .ci_low = NAN,
                                          .ci_high = NAN,
                                          .reference_seconds = NAN,
                                          .seconds = NAN,
                                          .margin = size_class->margin,
                                          .p = NAN,
                                          .visits = NAN,
                                          .device_ratio = NAN,
                                          .call_ratio = NAN,
                                          .wall_seconds = NAN};
    snprintf(rows[gate->count].candidate, sizeof rows->candidate, "%s", candidate);
    return &rows[gate->count++];
}

void making_add_trial(struct making *making, const struct pair *screening, bool must, double margin,
                      const struct pair *stored) {
    making->evidence[making->trial_count] = (struct gate_evidence){
        .screening = screening,
        .confirming = pairs_find(&making->of->confirm.speeds, screening, screening->reference),
        .stored = stored,
        .margin = margin};
    making->trials[making->trial_count++] = (struct making_trial){making->gate->count - 1, must};
}

const struct pair *making_deciding(const struct making *making, size_t trial) {
    const struct gate_evidence *evidence = &making->evidence[trial];
    return making->decisions[trial].confirmed ? evidence->confirming : evidence->screening;
}

/* What the visits that decide the trial say by another lens, against the same reference. */
static double ratio_by(const struct making *making, size_t trial, const char *lens) {
    const struct gate_case *of = making->of;
    const bool stored = making->evidence[trial].stored != NULL;
    const struct pair *by = making_deciding(making, trial);
    const struct pair like = pairs_key(by->shape, by->candidate, by->reference, by->mode, lens);
    const struct pair *new_ =
        pairs_find(making->decisions[trial].confirmed ? &of->confirm.speeds : &of->run.speeds,
                   &like, like.reference);
    const struct pair *old = stored ? pairs_find(&of->base.speeds, &like, like.reference) : NULL;
    return !new_ || (stored && !old) ? NAN : estimate_over(new_, old).ratio;
}

void making_put_decision(const struct making *making, size_t trial, struct gate_row *row) {
    const struct gate_decision *decision = &making->decisions[trial];
    const struct pair *speed = making_deciding(making, trial);
    row->ratio = decision->is.ratio;
    row->ci_low = decision->is.low;
    row->ci_high = decision->is.high;
    row->seconds = speed->seconds;
    row->reference_seconds = speed->seconds * row->ratio;
    row->p = decision->p;
    row->visits = (double)speed->visits;
    row->left_out = speed->left_out;
    row->timed_visits = speed->timed_visits;
    row->confirmed = decision->confirmed;
    row->device_ratio = ratio_by(making, trial, "device");
    row->call_ratio = ratio_by(making, trial, "call");
}

void making_leave_untimed(struct gate_row *row, const char *why) {
    row->untimed = true;
    snprintf(row->text, sizeof row->text, "%s", why);
}

static bool was_timed(const struct rows *rows, const char *mode, const char *lens) {
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].mode, mode) == 0 && strcmp(rows->times[i].lens, lens) == 0)
            return true;
    return false;
}

static bool is_judged(const struct making *making, const char *mode) {
    return !*making->policy->mode || strcmp(making->policy->mode, mode) == 0;
}

static void note_judged(struct gate *gate, const char *mode, const char *lens) {
    if (gate->judged_count == GATE_MODES)
        return;
    struct gate_judged *judged = &gate->judged[gate->judged_count++];
    snprintf(judged->mode, sizeof judged->mode, "%s", mode);
    snprintf(judged->lens, sizeof judged->lens, "%s", lens);
}

static bool is_planned(const struct making *making, const char *lens) {
    return jsonfile_lists(json_object_get(making->of->run.plan, "lenses"), lens);
}

/* The policy's, or the first of these by which the mode was timed. Where nothing was timed in it,
 * the first of them that was planned. */
static const char *choose_lens(const struct making *making, const char *mode) {
    const char *const order[] = {making->policy->lens, "device", "call", "stream"};
    const size_t count = sizeof order / sizeof *order;
    for (size_t i = 0; i < count; i++)
        if (was_timed(&making->of->run.rows, mode, order[i]))
            return order[i];
    for (size_t i = 0; i < count; i++)
        if (is_planned(making, order[i]))
            return order[i];
    return making_list_name(making, "lenses", 0);
}

static void choose_lenses(struct making *making) {
    const size_t modes = making_list_length(making, "modes");
    making->lenses = need(modes, sizeof *making->lenses);
    for (size_t i = 0; i < modes; i++) {
        const char *mode = making_list_name(making, "modes", i);
        snprintf(making->lenses[i], sizeof making->lenses[i], "%s", choose_lens(making, mode));
        if (is_judged(making, mode))
            note_judged(making->gate, mode, making->lenses[i]);
    }
}

static void add_reference(struct making *making, const char *name) {
    for (size_t i = 0; i < making->reference_count; i++)
        if (strcmp(making->references[i], name) == 0)
            return;
    if (making->reference_count < SAMPLES_COLUMNS && strcmp(name, RUNDIR_PREVIOUS) != 0)
        making->references[making->reference_count++] = name;
}

static void choose_references(struct making *making) {
    const struct pairs *speeds = &making->of->run.speeds;
    if (!making->of->base.stored) {
        making->references[making->reference_count++] = RUNDIR_PREVIOUS;
        return;
    }
    for (size_t i = 0; pairs_preferred[i]; i++)
        add_reference(making, pairs_preferred[i]);
    for (size_t i = 0; i < speeds->count; i++)
        add_reference(making, speeds->list[i].reference);
}

/* The speed of the row against any reference, for what does not depend on which. */
static const struct pair *find_any(const struct making *making, const struct pair *like) {
    const struct pairs *speeds = &making->of->run.speeds;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct pair *speed = &speeds->list[i];
        if (shape_compare(speed->shape, like->shape) == 0 &&
            strcmp(speed->candidate, like->candidate) == 0 &&
            strcmp(speed->mode, like->mode) == 0 && strcmp(speed->lens, like->lens) == 0)
            return speed;
    }
    return NULL;
}

static const struct time_row *find_time(const struct rows *rows, const struct pair *like) {
    return rows_time(rows, like->shape, like->candidate, like->candidate, like->mode, like->lens);
}

/* The row of an earlier kernel that has failed in one of the stages, or NULL. */
static const struct check_row *find_failed(const struct gate_case *of, const struct pair *like) {
    const struct rows *const stages[] = {&of->confirm.rows, &of->run.rows};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const struct check_row *previous =
            rows_check(stages[i], like->shape, like->candidate, RUNDIR_PREVIOUS);
        if (previous && !rows_timed(rows_fate(previous)))
            return previous;
    }
    return NULL;
}

static void put_lacking(struct making *making, const struct check_row *check, const char *whose,
                        struct gate_row *row) {
    const bool unbuilt = rows_fate(check) == ROWS_NOT_BUILT;
    making->about->unbuilt += unbuilt;
    making->about->starved += !unbuilt;
    snprintf(row->text, sizeof row->text, "%s%s: %.400s", whose,
             unbuilt ? "not compiled" : "too little device memory", check->detail);
}

/* Whether the earlier kernel has passed its checks in this run. */
static bool has_earlier(const struct making *making, const struct pair *like) {
    const struct check_row *previous =
        making->of->base.stored
            ? NULL
            : rows_check(&making->of->run.rows, like->shape, like->candidate, RUNDIR_PREVIOUS);
    return previous && rows_timed(rows_fate(previous));
}

/* What becomes of a row without anything to compare with. */
static void leave_alone(struct making *making, const struct pair *like, struct gate_row *row) {
    const struct rundir *run = &making->of->run;
    const struct time_row *time = find_time(&run->rows, like);
    const struct pair *any = find_any(making, like);
    const struct check_row *failed = find_failed(making->of, like);
    const bool timed = time && isfinite(time->median);
    const bool lost = timed && !failed && has_earlier(making, like);
    row->status = timed && !lost && making->of->base.comparable ? GATE_ADDED : GATE_UNDECIDED;
    if (timed) {
        row->seconds = time->median;
        row->visits = time->visits;
    }
    if (any && estimate_disturbed(any))
        row->status = GATE_ENVIRONMENT;
    if (failed && rows_lacks(rows_fate(failed))) {
        row->status = GATE_ENVIRONMENT;
        put_lacking(making, failed, "the earlier kernel: ", row);
    } else if (!timed || lost)
        making_leave_untimed(row, lost ? "the earlier kernel was not timed" : "was not timed");
    else if (!making->of->base.comparable)
        snprintf(row->text, sizeof row->text, "not comparable");
    else if (failed) {
        making->about->failed++;
        snprintf(row->text, sizeof row->text, "the earlier kernel was refused: %.90s%s%.380s",
                 failed->outcome, *failed->detail ? ": " : "", failed->detail);
    }
}

/* Screening visits and, of another run, the reference's speed (NULL: none); false where there is
 * nothing to compare with. */
static bool find_visits(const struct making *making, const struct pair *like,
                        const struct pair **screening, const struct pair **stored) {
    const struct gate_case *of = making->of;
    const bool failed = find_failed(of, like) != NULL;
    *stored = NULL;
    for (size_t i = 0; i < making->reference_count && of->base.comparable; i++) {
        const char *reference = making->references[i];
        *screening = pairs_find(&of->run.speeds, like, reference);
        if (*screening && !of->base.stored && !failed)
            return true;
        if (*screening && (*stored = pairs_find(&of->base.speeds, like, reference)))
            return true;
    }
    return false;
}

/* Whether the kernel or what it is compared with is unrecorded, in this run or in the stored one. */
static bool is_unrecorded(const struct making *making, const struct check_row *check,
                          const char *mode) {
    const struct pair like = pairs_key(check->shape, check->candidate, "", mode, "call");
    const struct pair *screening, *stored;
    return rows_unrecorded(&making->of->run.rows, check->shape, check->candidate,
                           making->of->base.stored ? "" : RUNDIR_PREVIOUS) ||
           (find_visits(making, &like, &screening, &stored) && stored && stored->unrecorded);
}

/* By the lens, unless that is of the device and one of the two kernels is unrecorded. */
static void add_timed(struct making *making, const struct check_row *check, const char *mode,
                      const char *lens) {
    const bool held = words_lens_is((enum lens)words_find(words_lenses, lens), LENS_HELD);
    const bool unrecorded = is_unrecorded(making, check, mode);
    const struct pair like =
        pairs_key(check->shape, check->candidate, "", mode, unrecorded && held ? "call" : lens);
    const struct pair *screening, *stored;
    struct gate_row *row = making_begin(making, check->shape, check->candidate, GATE_UNDECIDED);
    snprintf(row->source, sizeof row->source, "%s", check->source);
    snprintf(row->mode, sizeof row->mode, "%s", mode);
    snprintf(row->lens, sizeof row->lens, "%s", like.lens);
    row->unrecorded = unrecorded;
    if (!find_visits(making, &like, &screening, &stored)) {
        leave_alone(making, &like, row);
        making_add_must(making, &like);
        return;
    }
    if (screening->unrecorded && !unrecorded && !making->policy->unrecorded_allowed) {
        snprintf(row->text, sizeof row->text,
                 "no device work on the stage, of the calls that were timed, bounds a time by %s",
                 like.lens);
        making->about->unbounded++;
        return;
    }
    row->unrecorded |= screening->unrecorded;
    making->about->compared++;
    const struct gate_known *known =
        gate_policy_known(making->policy, check->shape, check->candidate);
    if (known && known->limit > row->margin)
        row->margin = known->limit;
    making_add_trial(making, screening, false, row->margin, stored);
    making_add_must(making, &like);
}

/* Nobody knows what it is worth: that is no fault of the kernel. */
static void add_lacking(struct making *making, const struct check_row *check) {
    struct gate_row *row = making_begin(making, check->shape, check->candidate, GATE_ENVIRONMENT);
    snprintf(row->source, sizeof row->source, "%s", check->source);
    put_lacking(making, check, "", row);
}

static bool is_refused(const struct making *making, enum rows_fate fate) {
    return fate == ROWS_REFUSED || (fate == ROWS_UNRECORDED && !making->policy->unrecorded_allowed);
}

/* Whether a kernel came of it that the gate judges. */
static bool add_unit(struct making *making, const struct check_row *check) {
    const struct gate_case *of = making->of;
    const struct check_row *again =
        rows_check(&of->confirm.rows, check->shape, check->candidate, check->candidate);
    const enum rows_fate fate = rows_fate(check);
    const enum rows_fate fate_again = again ? rows_fate(again) : ROWS_PASSED;
    if (rows_lacks(fate) || rows_lacks(fate_again)) {
        add_lacking(making, rows_lacks(fate) ? check : again);
        return false;
    }
    const struct check_row *refused = is_refused(making, fate)         ? check
                                      : is_refused(making, fate_again) ? again
                                                                       : NULL;
    if (refused) {
        const bool wrong = rows_fate(refused) == ROWS_REFUSED;
        struct gate_row *row = making_begin(making, check->shape, check->candidate,
                                            wrong ? GATE_WRONG : GATE_UNRECORDED);
        snprintf(row->source, sizeof row->source, "%s", check->source);
        snprintf(row->text, sizeof row->text, "%.95s%s%.400s", rows_deed(refused),
                 *refused->detail ? ": " : "", refused->detail);
        return false;
    }
    if (fate == ROWS_UNSUPPORTED) {
        const struct check_row *previous =
            rows_check(&of->run.rows, check->shape, check->candidate, RUNDIR_PREVIOUS);
        if (previous && rows_timed(rows_fate(previous)))
            making_add_missing(making, check->shape, check->candidate,
                               "the kernel says that it does not serve the shape any more");
        return false;
    }
    if (fate_again == ROWS_UNSUPPORTED) {
        making_add_missing(making, check->shape, check->candidate,
                           "the kernel says in some processes that it does not serve the shape");
        return false;
    }
    for (size_t i = 0; i < making_list_length(making, "modes"); i++)
        if (is_judged(making, making_list_name(making, "modes", i)))
            add_timed(making, check, making_list_name(making, "modes", i), making->lenses[i]);
    return true;
}

/* Share of the plan's shapes that are served; of the others some are named. */
static double count_served(const struct making *making, const bool *served,
                           char unserved[RUNDIR_TEXT]) {
    const size_t shapes = making_list_length(making, "shapes"), most = 3;
    size_t left = 0, named = 0;
    for (size_t i = 0; i < shapes; i++)
        left += !served[i];
    for (size_t i = 0; i < shapes && named < most; i++)
        if (!served[i]) {
            const char *before = named == 0 ? "" : named + 1 == left ? " and " : ", ";
            text_append(unserved, RUNDIR_TEXT, "%s%.60s", before,
                        making_list_name(making, "shapes", i));
            named++;
        }
    if (left > named)
        text_append(unserved, RUNDIR_TEXT, " and %zu other%s", left - named,
                    left - named == 1 ? "" : "s");
    return shapes ? (double)(shapes - left) / (double)shapes : 0;
}

static void add_units(struct making *making, struct gate_rows_about *about) {
    const struct rows *rows = &making->of->run.rows;
    bool *served = need(making_list_length(making, "shapes"), sizeof *served);
    size_t at = 0;
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *check = &rows->checks[i];
        if (!*check->candidate || strcmp(check->kernel, check->candidate) != 0)
            continue;
        making->gate->units++;
        if (add_unit(making, check))
            making_mark_served(making, check->shape, served, &at);
    }
    making->gate->coverage = count_served(making, served, about->unserved);
    free(served);
}

void gate_rows_make(const struct gate_case *gate_case, struct gate *gate,
                    struct gate_rows_about *about) {
    struct making making = {
        .of = gate_case, .policy = gate_case->call->policy, .gate = gate, .about = about};
    const size_t most = making_list_length(&making, "units") *
                        (making_list_length(&making, "modes") + 1) *
                        (1 + making.policy->must_count);
    *about = (struct gate_rows_about){0};
    making.trials = need(most, sizeof *making.trials);
    making.evidence = need(most, sizeof *making.evidence);
    making.decisions = need(most, sizeof *making.decisions);
    choose_lenses(&making);
    choose_references(&making);
    add_units(&making, about);
    making_add_removed(&making);
    making_add_unserved(&making);
    about->gone = making_ease_missing(gate);
    making_decide(&making);
    making_put_wall_seconds(&making);
    for (size_t i = making.trial_count; i-- > 0;)
        if (!making.trials[i].must)
            snprintf(about->reference, sizeof about->reference, "%s",
                     making.evidence[i].screening->reference);
    making_judge_must(&making);
    making_examine_known(&making);
    free(making.trials);
    free(making.evidence);
    free(making.decisions);
    free(making.lenses);
}
