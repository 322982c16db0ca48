#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/outcome.h"
#include "reports/gate/gate_decide.h"
#include "reports/run/derive.h"

/* A row that has something to be compared with. */
struct trial {
    size_t row;
    const struct round_speed *screening, *confirming; /* confirming NULL: not measured again */
};

struct making {
    const struct gate_case *of;
    const struct gate_policy *policy;
    struct gate *gate;
    struct trial *trials;
    struct gate_evidence *evidence; /* of the trials */
    size_t trial_count;
    size_t apart;                            /* as gate_rows_about */
    const char *references[SAMPLES_COLUMNS]; /* what stored runs are compared through, the best
                                              * first */
    size_t reference_count;
    char (*lenses)[RUNDIR_NAME]; /* judged in each of the plan's modes */
};

void gate_warn(struct gate *gate, const char *format, ...) {
    va_list args;
    if (gate->warning_count == GATE_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(gate->warnings[gate->warning_count++], sizeof gate->warnings[0], format, args);
    va_end(args);
}

static size_t list_length(const struct making *making, const char *key) {
    return json_array_size(json_object_get(making->of->run.plan, key));
}

/* The element of a list of names in the plan; "" where it is no text. */
static const char *list_name(const struct making *making, const char *key, size_t i) {
    const char *name =
        json_string_value(json_array_get(json_object_get(making->of->run.plan, key), i));
    return name ? name : "";
}

static bool was_timed(const struct rows *rows, const char *mode, const char *lens) {
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].mode, mode) == 0 && strcmp(rows->times[i].lens, lens) == 0)
            return true;
    return false;
}

/* The lens that is judged in each mode: the policy's, or the first of these that was used. */
static int choose_lenses(struct making *making) {
    const char *wanted = making->policy->lens;
    const char *const order[] = {wanted, "device", "call", "latency", "stream"};
    const size_t modes = list_length(making, "modes");
    making->lenses = calloc(modes + 1, sizeof *making->lenses);
    if (!making->lenses)
        return error("no memory for %zu modes", modes);
    for (size_t i = 0; i < modes; i++) {
        const char *mode = list_name(making, "modes", i);
        for (size_t j = 0; j < sizeof order / sizeof *order && !*making->lenses[i]; j++)
            if (*order[j] && was_timed(&making->of->run.rows, mode, order[j]))
                snprintf(making->lenses[i], sizeof making->lenses[i], "%s", order[j]);
        if (*wanted && strcmp(making->lenses[i], wanted) != 0)
            gate_warn(making->gate,
                      "the lens %s that the policy asks for was not used in %s mode: %s", wanted,
                      mode, *making->lenses[i] ? making->lenses[i] : "nothing is judged");
    }
    return 0;
}

static void add_reference(struct making *making, const char *name) {
    for (size_t i = 0; i < making->reference_count; i++)
        if (strcmp(making->references[i], name) == 0)
            return;
    if (making->reference_count < SAMPLES_COLUMNS && strcmp(name, ROUND_SPEEDS_PREVIOUS) != 0)
        making->references[making->reference_count++] = name;
}

static void choose_references(struct making *making) {
    const struct round_speeds *levels = &making->of->run.levels;
    if (!making->of->base.stored) {
        making->references[making->reference_count++] = ROUND_SPEEDS_PREVIOUS;
        return;
    }
    for (size_t i = 0; levels_preferred[i]; i++)
        add_reference(making, levels_preferred[i]);
    for (size_t i = 0; i < levels->count; i++)
        add_reference(making, levels->list[i].reference);
}

static const struct check_row *find_check(const struct rows *rows, struct shape shape,
                                          const char *candidate, const char *kernel) {
    for (size_t i = 0; i < rows->check_count; i++)
        if (shape_compare(rows->checks[i].shape, shape) == 0 &&
            strcmp(rows->checks[i].candidate, candidate) == 0 &&
            strcmp(rows->checks[i].kernel, kernel) == 0)
            return &rows->checks[i];
    return NULL;
}

/* A new row about the kernel; NULL after error(). */
static struct gate_row *add_row(struct making *making, struct shape shape, const char *candidate,
                                enum gate_status status) {
    struct gate *gate = making->gate;
    struct gate_row *rows = realloc(gate->rows, (gate->count + 1) * sizeof *rows);
    if (!rows) {
        error("no memory for %zu rows", gate->count + 1);
        return NULL;
    }
    gate->rows = rows;
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
                                          .detectable = NAN,
                                          .rounds = NAN};
    snprintf(rows[gate->count].candidate, sizeof rows->candidate, "%s", candidate);
    return &rows[gate->count++];
}

static int add_missing(struct making *making, struct shape shape, const char *candidate,
                       const char *why) {
    struct gate_row *row = add_row(making, shape, candidate, GATE_MISSING);
    if (!row)
        return -1;
    snprintf(row->text, sizeof row->text, "%s", why);
    return 0;
}

/* The level of the row against any reference, for what does not depend on which. */
static const struct round_speed *find_any(const struct making *making,
                                          const struct round_speed *like) {
    const struct round_speeds *levels = &making->of->run.levels;
    for (size_t i = 0; i < levels->count; i++) {
        const struct round_speed *level = &levels->list[i];
        if (shape_compare(level->shape, like->shape) == 0 &&
            strcmp(level->candidate, like->candidate) == 0 &&
            strcmp(level->mode, like->mode) == 0 && strcmp(level->lens, like->lens) == 0)
            return level;
    }
    return NULL;
}

static const struct time_row *find_time(const struct rows *rows, const struct round_speed *like) {
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (shape_compare(row->shape, like->shape) == 0 &&
            strcmp(row->candidate, like->candidate) == 0 &&
            strcmp(row->kernel, like->candidate) == 0 && strcmp(row->mode, like->mode) == 0 &&
            strcmp(row->lens, like->lens) == 0)
            return row;
    }
    return NULL;
}

static bool is_disturbed(const struct round_speed *level) {
    return level->disturbed > DERIVE_DISTURBED_MOST;
}

/* The row of an earlier kernel that has failed in one of the stages, or NULL. */
static const struct check_row *find_failed(const struct gate_case *of,
                                           const struct round_speed *like) {
    const struct rows *const stages[] = {&of->confirm.rows, &of->run.rows};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const struct check_row *previous =
            find_check(stages[i], like->shape, like->candidate, ROUND_SPEEDS_PREVIOUS);
        if (previous && strcmp(previous->outcome, "ok") != 0)
            return previous;
    }
    return NULL;
}

/* What becomes of a row without anything to compare with. */
static void leave_alone(struct making *making, const struct round_speed *like,
                        struct gate_row *row) {
    const struct gate_run *run = &making->of->run;
    const struct time_row *time = find_time(&run->rows, like);
    const struct round_speed *any = find_any(making, like);
    const struct check_row *failed = find_failed(making->of, like);
    row->status = time && making->of->base.comparable ? GATE_ADDED : GATE_UNDECIDED;
    if (time) {
        row->seconds = time->median;
        row->rounds = time->rounds;
    }
    if (any && is_disturbed(any))
        row->status = GATE_ENVIRONMENT;
    const bool apart = failed && strcmp(failed->outcome, outcome_word(OUTCOME_NOT_COMPARED)) == 0;
    if (apart && row->status == GATE_ADDED)
        row->status = GATE_UNDECIDED;
    making->apart += apart;
    if (!time)
        snprintf(row->text, sizeof row->text, "was not timed");
    else if (!making->of->base.comparable)
        snprintf(row->text, sizeof row->text, "not comparable");
    else if (apart)
        snprintf(row->text, sizeof row->text, "the earlier kernel: %.400s", failed->note);
    else if (failed)
        snprintf(row->text, sizeof row->text, "the earlier kernel failed its checks: %.90s",
                 failed->outcome);
}

/* Screening rounds and, of another run, the reference's level; false where there is nothing to
 * compare with. */
static bool find_rounds(const struct making *making, const struct round_speed *like,
                        const struct round_speed **screening, struct significance_bounds *stored) {
    const struct gate_case *of = making->of;
    const bool failed = find_failed(of, like) != NULL;
    *stored = (struct significance_bounds){0, 0, 0, 0};
    for (size_t i = 0; i < making->reference_count && of->base.comparable; i++) {
        const char *reference = making->references[i];
        *screening = round_speeds_find(&of->run.levels, like, reference);
        if (*screening && !of->base.stored && !failed)
            return true;
        const struct round_speed *old =
            *screening ? round_speeds_find(&of->base.levels, like, reference) : NULL;
        if (!old)
            continue;
        *stored = significance_bounds(old->x, old->rounds, (1 + COMPARISON_CONFIDENCE) / 2);
        return true;
    }
    return false;
}

static int add_timed(struct making *making, const struct check_row *check, const char *mode,
                     const char *lens) {
    const struct gate_case *of = making->of;
    struct round_speed like = {.shape = check->shape};
    struct significance_bounds stored;
    const struct round_speed *screening;
    struct gate_row *row = add_row(making, check->shape, check->candidate, GATE_UNDECIDED);
    if (!row)
        return -1;
    snprintf(like.candidate, sizeof like.candidate, "%s", check->candidate);
    snprintf(like.mode, sizeof like.mode, "%s", mode);
    snprintf(like.lens, sizeof like.lens, "%s", lens);
    snprintf(row->source, sizeof row->source, "%s", check->source);
    snprintf(row->mode, sizeof row->mode, "%s", mode);
    snprintf(row->lens, sizeof row->lens, "%s", lens);
    if (!find_rounds(making, &like, &screening, &stored)) {
        leave_alone(making, &like, row);
        return 0;
    }
    const struct gate_known *known =
        gate_policy_known(making->policy, check->shape, check->candidate, of->call->today);
    if (known && known->limit > row->margin)
        row->margin = known->limit;
    const struct round_speed *confirming =
        round_speeds_find(&of->confirm.levels, screening, screening->reference);
    making->evidence[making->trial_count] =
        (struct gate_evidence){.screening = screening->x,
                               .screening_count = screening->rounds,
                               .confirming = confirming ? confirming->x : NULL,
                               .confirming_count = confirming ? confirming->rounds : 0,
                               .disturbed = is_disturbed(screening),
                               .margin = row->margin,
                               .stored = stored};
    making->trials[making->trial_count++] =
        (struct trial){making->gate->count - 1, screening, confirming};
    return 0;
}

/* Whether an honest kernel came of it: 1, 0, or -1 after error(). */
static int add_unit(struct making *making, const struct check_row *check) {
    const struct gate_case *of = making->of;
    const struct check_row *again =
        find_check(&of->confirm.rows, check->shape, check->candidate, check->candidate);
    const struct check_row *refused = rows_refused(check)            ? check
                                      : again && rows_refused(again) ? again
                                                                     : NULL;
    if (refused) {
        struct gate_row *row = add_row(making, check->shape, check->candidate, GATE_WRONG);
        if (!row)
            return -1;
        snprintf(row->source, sizeof row->source, "%s", check->source);
        snprintf(row->text, sizeof row->text, "%.95s%s%.400s", refused->outcome,
                 *refused->detail ? ": " : "", refused->detail);
        return 0;
    }
    if (strcmp(check->outcome, "ok") != 0) {
        const struct check_row *previous =
            find_check(&of->run.rows, check->shape, check->candidate, ROUND_SPEEDS_PREVIOUS);
        return previous && strcmp(previous->outcome, "ok") == 0
                   ? add_missing(making, check->shape, check->candidate,
                                 "the kernel says that it does not serve the shape any more")
                   : 0;
    }
    if (again && strcmp(again->outcome, "ok") != 0)
        return add_missing(making, check->shape, check->candidate,
                           "the kernel says in some processes that it does not serve the shape");
    /* The lenses are freed by gate_rows_make. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    for (size_t i = 0; i < list_length(making, "modes"); i++)
        if (add_timed(making, check, list_name(making, "modes", i), making->lenses[i]) < 0)
            return -1;
    return 1;
}

/* Marks the shape's place in the plan. Looks from *at on, where the last one was: both are in about
 * the same order. */
static void mark_served(const struct making *making, struct shape shape, bool *served, size_t *at) {
    const size_t shapes = list_length(making, "shapes");
    struct shape planned;
    for (size_t i = 0; i < shapes; i++, *at = (*at + 1) % shapes)
        if (!shape_parse(list_name(making, "shapes", *at), &planned) &&
            shape_compare(planned, shape) == 0) {
            served[*at] = true;
            return;
        }
}

/* Share of the plan's shapes that are served; of the others some are named. */
static double count_served(const struct making *making, const bool *served,
                           char unserved[RUNDIR_TEXT]) {
    const size_t shapes = list_length(making, "shapes"), most = 3;
    size_t left = 0, named = 0, used = 0;
    for (size_t i = 0; i < shapes; i++)
        left += !served[i];
    for (size_t i = 0; i < shapes && named < most; i++)
        if (!served[i]) {
            const char *before = named == 0 ? "" : named + 1 == left ? " and " : ", ";
            used += (size_t)snprintf(unserved + used, RUNDIR_TEXT - used, "%s%.60s", before,
                                     list_name(making, "shapes", i));
            named++;
        }
    if (left > named)
        snprintf(unserved + used, RUNDIR_TEXT - used, " and %zu other%s", left - named,
                 left - named == 1 ? "" : "s");
    return shapes ? (double)(shapes - left) / (double)shapes : 0;
}

static int add_units(struct making *making, struct gate_rows_about *about) {
    const struct rows *rows = &making->of->run.rows;
    bool *served = calloc(list_length(making, "shapes") + 1, sizeof *served);
    size_t at = 0;
    int honest = served ? 0 : error("no memory for the plan's shapes");
    for (size_t i = 0; i < rows->check_count && honest >= 0; i++) {
        const struct check_row *check = &rows->checks[i];
        if (!*check->candidate || strcmp(check->kernel, check->candidate) != 0)
            continue;
        making->gate->units++;
        honest = add_unit(making, check);
        if (honest > 0)
            mark_served(making, check->shape, served, &at);
    }
    if (honest >= 0)
        making->gate->coverage = count_served(making, served, about->unserved);
    free(served);
    return honest < 0 ? -1 : 0;
}

/* A removed kernel is "MxNxK.label", or "label" where it served every shape. */
static int add_removed(struct making *making) {
    static const char why[] = "the earlier set had this kernel";
    for (size_t i = 0; i < list_length(making, "removed"); i++) {
        const char *name = list_name(making, "removed", i), *dot = strchr(name, '.');
        char text[SHAPE_TEXT];
        struct shape shape;
        snprintf(text, sizeof text, "%.*s", dot ? (int)(dot - name) : 0, name);
        if (!shape_parse(text, &shape)) {
            if (add_missing(making, shape, dot + 1, why) < 0)
                return -1;
            continue;
        }
        for (size_t j = 0; j < list_length(making, "shapes"); j++)
            if (!shape_parse(list_name(making, "shapes", j), &shape) &&
                add_missing(making, shape, name, why) < 0)
                return -1;
    }
    return 0;
}

static bool is_planned(const struct making *making, struct shape shape) {
    struct shape planned;
    for (size_t i = 0; i < list_length(making, "shapes"); i++)
        if (!shape_parse(list_name(making, "shapes", i), &planned) &&
            shape_compare(planned, shape) == 0)
            return true;
    return false;
}

/* What the earlier run timed on a shape of this one, and this one does not serve. */
static int add_unserved(struct making *making) {
    const struct round_speeds *old = &making->of->base.levels;
    for (size_t i = 0; i < old->count; i++) {
        const struct round_speed *level = &old->list[i];
        if (i > 0 && shape_compare(level[-1].shape, level->shape) == 0 &&
            strcmp(level[-1].candidate, level->candidate) == 0)
            continue;
        const struct check_row *check =
            find_check(&making->of->run.rows, level->shape, level->candidate, level->candidate);
        if ((!check || strcmp(check->outcome, "unsupported") == 0) &&
            is_planned(making, level->shape) &&
            add_missing(making, level->shape, level->candidate, "the earlier run had it") < 0)
            return -1;
    }
    return 0;
}

/* The row of another kernel that serves the shape and was timed, or NULL. */
static const struct gate_row *find_other(const struct gate *gate, struct shape shape) {
    for (size_t i = 0; i < gate->count; i++)
        if (*gate->rows[i].lens && shape_compare(gate->rows[i].shape, shape) == 0)
            return &gate->rows[i];
    return NULL;
}

/* A shape is missing where nothing serves it. Where another kernel does, what may be lost is speed,
 * and nothing has shown that it is not. Returns how many such there are. */
static size_t ease_missing(struct gate *gate) {
    size_t eased = 0;
    for (size_t i = 0; i < gate->count; i++) {
        struct gate_row *row = &gate->rows[i];
        const struct gate_row *other =
            row->status == GATE_MISSING ? find_other(gate, row->shape) : NULL;
        const size_t used = strlen(row->text);
        if (!other)
            continue;
        row->status = GATE_UNDECIDED;
        snprintf(row->text + used, sizeof row->text - used,
                 "; %.95s serves the shape, and nothing shows whether it is as fast",
                 other->candidate);
        eased++;
    }
    return eased;
}

static void put_ratio(struct gate_row *row, double mean, double low, double high) {
    row->ratio = exp(-mean);
    row->ci_low = isinf(high) ? NAN : exp(-high);
    row->ci_high = isinf(low) ? NAN : exp(-low);
}

/* A shape that is allowed to be slower for a while has the status GATE_KNOWN where it is. */
static void judge_known(const struct making *making, const struct gate_decision *decision,
                        struct gate_row *row) {
    const struct gate_policy *policy = making->policy;
    const double ordinary = gate_policy_class(policy, row->shape)->margin;
    const struct gate_known *known =
        gate_policy_known(policy, row->shape, row->candidate, making->of->call->today);
    if (!known || row->status != GATE_SAME || decision->low <= log1p(ordinary))
        return;
    row->status = GATE_KNOWN;
    snprintf(row->text, sizeof row->text, "%.255s%s%.200s", known->reason, *known->link ? ", " : "",
             known->link);
}

static const char unsure_text[] = "the second stage did not measure it again: run the gate with "
                                  "--candidates, or measure the suspects into RUN/confirm";

static void put_decision(const struct making *making, const struct trial *trial,
                         const struct gate_decision *decision, struct gate_row *row) {
    const struct round_speed *level = decision->confirmed ? trial->confirming : trial->screening;
    const bool stored = making->of->base.stored;
    row->status = decision->status;
    snprintf(row->reference, sizeof row->reference, stored ? "stored, by %.80s" : "%.80s",
             level->reference);
    put_ratio(row, decision->mean, decision->low, decision->high);
    row->seconds = level->seconds;
    /* The reference's time as it would be here, by the library that both have. */
    row->reference_seconds = stored ? level->seconds * row->ratio : level->reference_seconds;
    row->p = decision->p;
    row->rounds = (double)decision->rounds;
    row->confirmed = decision->confirmed;
    if (is_disturbed(level)) {
        row->status = GATE_ENVIRONMENT;
        snprintf(row->text, sizeof row->text, "%.0f %% of its blocks were disturbed%s",
                 100 * level->disturbed,
                 decision->status == GATE_SLOWER ? "; what they show is a confirmed slowdown" : "");
    } else if (decision->suspect && !decision->confirmed) {
        snprintf(row->text, sizeof row->text, "%s", unsure_text);
    }
    judge_known(making, decision, row);
}

/* What tests of so many rounds, one of this gate's, detect: it is linear in the deviation, and most
 * rows have the same number of rounds. */
static void put_detectable(const struct making *making, const struct gate_decision *decisions) {
    const struct gate_policy *policy = making->policy;
    const size_t suspects = making->gate->suspects;
    const size_t planned = gate_confirm_rounds(suspects, policy->alpha, policy->confirm_rounds);
    double deviations = NAN;
    size_t known = 0;
    for (size_t i = 0; i < making->trial_count; i++) {
        const struct gate_decision *decision = &decisions[i];
        const struct significance_bounds *stored = &making->evidence[i].stored;
        const size_t rounds = decision->confirmed ? decision->rounds : planned;
        if (rounds != known)
            deviations = significance_detectable(0, 1, rounds,
                                                 policy->alpha / (suspects ? (double)suspects : 1));
        known = rounds;
        if (isfinite(deviations))
            making->gate->rows[making->trials[i].row].detectable =
                expm1(log1p(making->evidence[i].margin) + stored->high - stored->mean +
                      deviations * decision->sd);
    }
}

static int decide(struct making *making) {
    struct gate_decision *decisions = calloc(making->trial_count + 1, sizeof *decisions);
    int status = decisions ? gate_decide(making->evidence, making->trial_count,
                                         making->policy->alpha, decisions)
                           : error("no memory for %zu rows", making->trial_count);
    for (size_t i = 0; i < making->trial_count && status == 0; i++) {
        const struct trial *trial = &making->trials[i];
        put_decision(making, trial, &decisions[i], &making->gate->rows[trial->row]);
        making->gate->suspects += decisions[i].suspect;
    }
    if (status == 0)
        put_detectable(making, decisions);
    free(decisions);
    return status;
}

/* The row against a baseline that it must beat, one of so many: that it is behind is said with
 * Bonferroni's share of the policy's alpha, so that all of them together raise a false alarm no
 * more often than that. */
static void judge_must(const struct round_speed *level, double alpha, size_t asked,
                       struct gate_row *row) {
    const struct significance_bounds bounds =
        significance_bounds(level->x, level->rounds, (1 + COMPARISON_CONFIDENCE) / 2);
    const struct significance_bounds sure =
        significance_bounds(level->x, level->rounds, 1 - alpha / (double)asked);
    const enum gate_status status = sure.low > 0      ? GATE_BEHIND
                                    : bounds.high < 0 ? GATE_STATUS_COUNT
                                                      : GATE_UNDECIDED;
    if (status >= row->status)
        return;
    row->status = status;
    row->margin = 0;
    row->detectable = NAN;
    row->rounds = (double)level->rounds;
    row->seconds = level->seconds;
    row->reference_seconds = level->reference_seconds;
    put_ratio(row, bounds.mean, bounds.low, bounds.high);
    snprintf(row->reference, sizeof row->reference, "%s", level->reference);
    snprintf(row->text, sizeof row->text,
             status == GATE_BEHIND ? "must beat %s and is slower" : "must beat %s, not shown to",
             level->reference);
}

static bool must_beat(const struct making *making, const struct gate_row *row,
                      const char *baseline) {
    return *row->lens && gate_policy_must(making->policy, baseline, row->size_class);
}

static size_t run_baseline(struct making *making, const char *baseline, size_t all) {
    const struct gate_case *of = making->of;
    size_t asked = 0, unmeasured = 0;
    for (size_t i = 0; i < making->gate->count; i++) {
        struct gate_row *row = &making->gate->rows[i];
        struct round_speed like = {.shape = row->shape};
        if (!must_beat(making, row, baseline))
            continue;
        snprintf(like.candidate, sizeof like.candidate, "%s", row->candidate);
        snprintf(like.mode, sizeof like.mode, "%s", row->mode);
        snprintf(like.lens, sizeof like.lens, "%s", row->lens);
        const struct round_speed *level = round_speeds_find(
            row->confirmed ? &of->confirm.levels : &of->run.levels, &like, baseline);
        asked++;
        if (!level)
            unmeasured++;
        else if (row->status != GATE_ENVIRONMENT)
            judge_must(level, making->policy->alpha, all, row);
    }
    if (unmeasured)
        gate_warn(
            making->gate,
            "%s must be beaten and was not measured beside %zu of %zu rows: add it to --baselines",
            baseline, unmeasured, asked);
    return unmeasured;
}

/* The i-th baseline that must be beaten, or NULL where an earlier line names it, too. */
static const char *new_baseline(const struct gate_policy *policy, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (strcmp(policy->must[j].baseline, policy->must[i].baseline) == 0)
            return NULL;
    return policy->must[i].baseline;
}

static size_t run_baselines(struct making *making) {
    const struct gate_policy *policy = making->policy;
    size_t unmeasured = 0, all = 0;
    for (size_t i = 0; i < policy->must_count; i++)
        for (size_t j = 0; new_baseline(policy, i) && j < making->gate->count; j++)
            all += must_beat(making, &making->gate->rows[j], policy->must[i].baseline);
    for (size_t i = 0; i < policy->must_count; i++)
        if (new_baseline(policy, i))
            unmeasured += run_baseline(making, policy->must[i].baseline, all);
    return unmeasured;
}

/* Whether the entry covers a row that is, or may be, slower than the ordinary margin allows. */
static bool is_needed(const struct making *making, const struct gate_known *known) {
    for (size_t i = 0; i < making->gate->count; i++) {
        const struct gate_row *row = &making->gate->rows[i];
        const double ordinary = gate_policy_class(making->policy, row->shape)->margin;
        const bool cleared = (row->status == GATE_SAME || row->status == GATE_FASTER) &&
                             row->ci_low > 1 / (1 + ordinary);
        if (!cleared && gate_policy_known(making->policy, row->shape, row->candidate,
                                          making->of->call->today) == known)
            return true;
    }
    return false;
}

static void examine_known(struct making *making) {
    const struct gate_policy *policy = making->policy;
    const struct rows *rows = &making->of->run.rows;
    for (size_t i = 0; i < policy->known_count; i++) {
        const struct gate_known *known = &policy->known[i];
        const bool expired = gate_known_expired(known, making->of->call->today);
        bool matches = false;
        for (size_t j = 0; j < rows->check_count && !matches; j++)
            matches = *rows->checks[j].candidate &&
                      gate_known_matches(known, rows->checks[j].shape, rows->checks[j].candidate);
        if (expired && matches)
            gate_warn(making->gate,
                      "%.200s:%d: [%s] expired on %s and is not applied: remove or renew it",
                      policy->known_file, known->line, known->pattern, known->expires);
        else if (!expired && !is_needed(making, known))
            gate_warn(making->gate, "%.200s:%d: [%s] covers %s: remove it", policy->known_file,
                      known->line, known->pattern,
                      matches ? "nothing that is slower" : "no kernel of this run");
    }
}

int gate_rows_make(const struct gate_case *gate_case, struct gate *gate,
                   struct gate_rows_about *about) {
    struct making making = {.of = gate_case, .policy = gate_case->call->policy, .gate = gate};
    const size_t most = list_length(&making, "units") * (list_length(&making, "modes") + 1) + 1;
    int status = -1;
    *about = (struct gate_rows_about){0};
    making.trials = calloc(most, sizeof *making.trials);
    making.evidence = calloc(most, sizeof *making.evidence);
    if (!making.trials || !making.evidence)
        error("no memory for %zu rows", most);
    else if (choose_lenses(&making) == 0) {
        choose_references(&making);
        if (add_units(&making, about) == 0 && add_removed(&making) == 0 &&
            add_unserved(&making) == 0) {
            about->gone = ease_missing(gate);
            status = decide(&making);
        }
    }
    if (status == 0) {
        about->compared = making.trial_count;
        if (making.trial_count)
            snprintf(about->reference, sizeof about->reference, "%s",
                     making.trials[0].screening->reference);
        about->unmeasured = run_baselines(&making);
        about->apart = making.apart;
        examine_known(&making);
    }
    free(making.trials);
    free(making.evidence);
    free(making.lenses);
    return status;
}
