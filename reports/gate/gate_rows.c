/* Which rows there are: those of kernels that were timed, refused or not built, and those of kernels that
 * are gone. */
#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/rows/unserved.h"

static const json_t *plan_list(const struct gate *gate, const char *key) {
    return json_object_get(gate->run.plan, key);
}

/* The i-th name of a list of the plan; "" where it is no text. */
static const char *name_at(const json_t *list, size_t i) {
    const char *name = json_string_value(json_array_get(list, i));
    return name ? name : "";
}

bool gate_was_timed(const struct rows *rows, const char *mode, const char *lens) {
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].mode, mode) == 0 && strcmp(rows->times[i].lens, lens) == 0)
            return true;
    return false;
}

static void note_judged(struct gate *gate, const char *mode, const char *lens) {
    if (gate->judged_count == GATE_JUDGED)
        return;
    struct gate_judged *judged = &gate->judged[gate->judged_count++];
    snprintf(judged->mode, sizeof judged->mode, "%s", mode);
    snprintf(judged->lens, sizeof judged->lens, "%s", lens);
}

/* The policy's, or the first of these by which the mode was timed. Where nothing was timed in it,
 * the first of them that was planned. */
static const char *choose_lens(const struct gate *gate, const char *mode) {
    const char *const order[] = {gate->call.policy->lens, "device", "call", "stream"};
    const size_t count = sizeof order / sizeof *order;
    for (size_t i = 0; i < count; i++)
        if (gate_was_timed(&gate->run.rows, mode, order[i]))
            return order[i];
    for (size_t i = 0; i < count; i++)
        if (jsonfile_lists(plan_list(gate, "lenses"), order[i]))
            return order[i];
    return name_at(plan_list(gate, "lenses"), 0);
}

/* A gate judges a mode by one lens, a comparison shows all. */
static void choose_judged(struct gate *gate) {
    const json_t *modes = plan_list(gate, "modes");
    for (size_t i = 0; i < json_array_size(modes); i++) {
        const char *mode = name_at(modes, i), *wanted = gate->call.policy->mode;
        if (*wanted && strcmp(wanted, mode) != 0)
            continue;
        if (!gate->compares)
            note_judged(gate, mode, choose_lens(gate, mode));
        for (int lens = 0; lens < LENS_COUNT && gate->compares; lens++)
            if (gate_was_timed(&gate->run.rows, mode, words_lenses[lens]))
                note_judged(gate, mode, words_lenses[lens]);
    }
}

static void add_reference(struct gate *gate, const char *name) {
    for (size_t i = 0; i < gate->reference_count; i++)
        if (strcmp(gate->references[i], name) == 0)
            return;
    if (gate->reference_count < SAMPLES_COLUMNS)
        gate->references[gate->reference_count++] = name;
}

static void choose_references(struct gate *gate) {
    const struct pairs *speeds = &gate->run.speeds;
    if (!gate->base.stored || gate->library) {
        add_reference(gate, gate->library ? gate->library : RUNDIR_PREVIOUS);
        return;
    }
    for (size_t i = 0; pairs_preferred[i]; i++)
        add_reference(gate, pairs_preferred[i]);
    for (size_t i = 0; i < speeds->count; i++)
        if (strcmp(speeds->list[i].reference, RUNDIR_PREVIOUS) != 0)
            add_reference(gate, speeds->list[i].reference);
}

/* Whether the machine was disturbed while the row was timed, which is the same against any reference. */
static bool was_disturbed(const struct gate *gate, const struct pair *like) {
    const struct ratio_row *row = NULL;
    while ((row = rows_next(&gate->run.rows, ROWS_RATIOS, like->shape, row)))
        if (strcmp(row->candidate, like->candidate) == 0 && strcmp(row->mode, like->mode) == 0 &&
            strcmp(row->lens, like->lens) == 0)
            return row->disturbed > ROWS_DISTURBED_MOST;
    return false;
}

/* The same kernel in an earlier run: a gate asks only whether it was refused, since what another machine
 * lacked is nothing to it. NULL: not known. */
static const struct check_row *find_stored(const struct gate *gate, const struct check_row *check) {
    const bool is_set = strcmp(check->candidate, gate->run.about.set) == 0;
    const char *name = is_set ? gate->base.run.about.set : check->candidate;
    const struct check_row *row = rows_check(&gate->base.run.rows, check->shape, name, name);
    return row && (gate->compares || rows_fate(row) == ROWS_REFUSED) ? row : NULL;
}

/* The earlier kernel of the unit: one that failed in a stage or in its own run before one that passed;
 * NULL where there is none, or it says that it does not serve the shape. */
static const struct check_row *find_earlier(const struct gate *gate,
                                            const struct check_row *check) {
    const struct check_row *const rows[] = {
        rows_check(&gate->confirm.rows, check->shape, check->candidate, RUNDIR_PREVIOUS),
        rows_check(&gate->run.rows, check->shape, check->candidate, RUNDIR_PREVIOUS),
        gate->base.stored ? find_stored(gate, check) : NULL};
    const struct check_row *passed = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const enum rows_fate fate = rows[i] ? rows_fate(rows[i]) : ROWS_UNSUPPORTED;
        if (rows_timed(fate))
            passed = rows[i];
        else if (fate != ROWS_UNSUPPORTED)
            return rows[i];
    }
    return passed;
}

static bool has_failed(const struct check_row *earlier) {
    return earlier && !rows_timed(rows_fate(earlier));
}

/* The machine lacks what the kernel, or the earlier one, needs. */
static void put_lacking(const struct check_row *check, const char *whose, struct gate_row *row) {
    row->why = rows_fate(check) == ROWS_NOT_BUILT ? GATE_UNBUILT : GATE_STARVED;
    row->status = GATE_ENVIRONMENT;
    snprintf(row->text, sizeof row->text, "%s%s: %.400s", whose,
             row->why == GATE_UNBUILT ? "not compiled" : "too little device memory", check->detail);
}

/* What becomes of a row without anything to compare with. */
static void leave_alone(const struct gate *gate, const struct pair *like,
                        const struct check_row *earlier, struct gate_row *row) {
    const struct time_row *time = rows_time(&gate->run.rows, like->shape, like->candidate,
                                            like->candidate, like->mode, like->lens);
    const struct check_row *failed = has_failed(earlier) ? earlier : NULL;
    const bool timed = time && isfinite(time->median);
    const bool lost = timed && !failed && earlier && !gate->base.stored;
    row->status = timed && !lost && gate->base.comparable ? GATE_ADDED : GATE_UNDECIDED;
    if (timed) {
        row->seconds = time->median;
        row->visits = time->visits;
    }
    if (was_disturbed(gate, like))
        row->status = GATE_ENVIRONMENT;
    if (failed && rows_lacks(rows_fate(failed))) {
        put_lacking(failed, "the earlier kernel: ", row);
    } else if (!timed || lost) {
        row->why = GATE_UNTIMED;
        snprintf(row->text, sizeof row->text, "%s",
                 lost ? "the earlier kernel was not timed" : "was not timed");
    } else if (!gate->base.comparable) {
        snprintf(row->text, sizeof row->text, "not comparable");
    } else if (failed) {
        row->why = GATE_EARLIER_REFUSED;
        snprintf(row->text, sizeof row->text, "the earlier kernel was refused: %.90s%s%.380s",
                 failed->outcome, *failed->detail ? ": " : "", failed->detail);
    }
}

/* Screening visits and, of another run, the reference's speed (NULL: none); false where there is
 * nothing to compare with. */
static bool find_visits(const struct gate *gate, const struct pair *like,
                        const struct check_row *earlier, const struct pair **screening,
                        const struct pair **stored) {
    *stored = NULL;
    for (size_t i = 0; i < gate->reference_count && gate->base.comparable; i++) {
        const char *reference = gate->references[i];
        *screening = pairs_find(&gate->run.speeds, like, reference);
        if (*screening && !gate->base.stored && !has_failed(earlier))
            return true;
        if (*screening && (*stored = pairs_find(&gate->base.run.speeds, like, reference)))
            return true;
    }
    return false;
}

/* Whether the kernel or what it is compared with is unrecorded, in this run or in the stored one. */
static bool is_unrecorded(const struct gate *gate, const struct check_row *check,
                          const struct check_row *earlier, const char *mode) {
    const struct pair like = pairs_key(check->shape, check->candidate, "", mode, "call");
    const struct pair *screening, *stored;
    return rows_unrecorded(&gate->run.rows, check->shape, check->candidate,
                           gate->base.stored ? "" : RUNDIR_PREVIOUS) ||
           (find_visits(gate, &like, earlier, &screening, &stored) && stored && stored->unrecorded);
}

static struct gate_row *add_row(struct gate *gate, const struct check_row *check,
                                enum gate_status status) {
    struct gate_row *row = gate_add_row(gate, check->shape, check->candidate, status);
    snprintf(row->source, sizeof row->source, "%s", check->source);
    return row;
}

static void add_missing(struct gate *gate, struct shape shape, const char *candidate,
                        const char *why) {
    struct gate_row *row = gate_add_row(gate, shape, candidate, GATE_MISSING);
    snprintf(row->text, sizeof row->text, "%s", why);
}

void gate_add_evidence(struct gate *gate, const struct pair *screening, bool must, double margin,
                       const struct pair *stored) {
    gate->evidence = need_more(gate->evidence, gate->evidence_count, sizeof *gate->evidence);
    gate->evidence[gate->evidence_count++] = (struct gate_evidence){
        .screening = screening,
        .confirming = pairs_find(&gate->confirm.speeds, screening, screening->reference),
        .stored = stored,
        .margin = margin,
        .row = gate->count - 1,
        .must = must};
}

/* Holds the row against the earlier kernel; false where the policy asks for device work that bounds it,
 * and there is none. */
static bool compare(struct gate *gate, const struct pair *screening, const struct pair *stored) {
    struct gate_row *row = &gate->rows[gate->count - 1];
    const struct gate_known *known =
        gate_policy_known(gate->call.policy, row->shape, row->candidate);
    if (screening->unrecorded && !row->unrecorded && !gate->call.policy->unrecorded_allowed) {
        snprintf(row->text, sizeof row->text,
                 "no device work on the stage, of the calls that were timed, bounds a time by %s",
                 row->lens);
        row->why = GATE_UNBOUNDED;
        return false;
    }
    if (known && known->limit > row->margin)
        row->margin = known->limit;
    row->unrecorded |= screening->unrecorded || (stored && stored->unrecorded);
    row->now = screening;
    row->before = stored;
    gate->compared++;
    gate_add_evidence(gate, screening, false, row->margin, stored);
    return true;
}

/* A gate judges an unrecorded kernel, which has no time by a lens of the device, by call. A
 * comparison has rows by call anyway. */
static void add_timed(struct gate *gate, const struct check_row *check,
                      const struct check_row *earlier, const struct gate_judged *judged) {
    const bool held = words_lens_is((enum lens)words_find(words_lenses, judged->lens), LENS_HELD);
    const bool unrecorded = is_unrecorded(gate, check, earlier, judged->mode);
    const char *lens = unrecorded && held ? "call" : judged->lens;
    const struct pair like = pairs_key(check->shape, check->candidate, "", judged->mode, lens);
    const struct pair *screening, *stored;
    if (gate->compares && lens != judged->lens)
        return;
    struct gate_row *row = add_row(gate, check, GATE_UNDECIDED);
    strcpy(row->mode, judged->mode);
    strcpy(row->lens, lens);
    row->unrecorded = unrecorded;
    const bool found = find_visits(gate, &like, earlier, &screening, &stored);
    if (!found)
        leave_alone(gate, &like, earlier, row);
    if (!found || compare(gate, screening, stored))
        gate_add_must(gate, &like);
}

static bool is_refused(const struct gate *gate, enum rows_fate fate) {
    return fate == ROWS_REFUSED ||
           (fate == ROWS_UNRECORDED && !gate->call.policy->unrecorded_allowed);
}

/* A kernel that says that it does not serve the shape, in the run or in the confirmation alone. */
static void add_unsupported(struct gate *gate, const struct check_row *check, bool at_once) {
    const struct check_row *previous =
        rows_check(&gate->run.rows, check->shape, check->candidate, RUNDIR_PREVIOUS);
    if (!at_once)
        add_missing(gate, check->shape, check->candidate,
                    "the kernel says in some processes that it does not serve the shape");
    else if (previous && rows_timed(rows_fate(previous)))
        add_missing(gate, check->shape, check->candidate,
                    "the kernel says that it does not serve the shape any more");
}

/* What either stage finds of the kernel: the machine lacks something, it is refused, it does not serve
 * the shape; else it was timed. */
static void add_unit(struct gate *gate, const struct check_row *check) {
    const struct check_row *again =
        rows_check(&gate->confirm.rows, check->shape, check->candidate, check->candidate);
    const enum rows_fate fate = rows_fate(check);
    const enum rows_fate fate_again = again ? rows_fate(again) : ROWS_PASSED;
    const struct check_row *refused = is_refused(gate, fate)         ? check
                                      : is_refused(gate, fate_again) ? again
                                                                     : NULL;
    gate->units++;
    if (rows_lacks(fate) || rows_lacks(fate_again)) {
        put_lacking(rows_lacks(fate) ? check : again, "", add_row(gate, check, GATE_ENVIRONMENT));
    } else if (refused) {
        const bool wrong = rows_fate(refused) == ROWS_REFUSED;
        struct gate_row *row = add_row(gate, check, wrong ? GATE_WRONG : GATE_UNRECORDED);
        snprintf(row->text, sizeof row->text, "%.95s%s%.400s", rows_deed(refused),
                 *refused->detail ? ": " : "", refused->detail);
    } else if (fate == ROWS_UNSUPPORTED || fate_again == ROWS_UNSUPPORTED) {
        add_unsupported(gate, check, fate == ROWS_UNSUPPORTED);
    } else {
        const struct check_row *earlier = find_earlier(gate, check);
        for (size_t i = 0; i < gate->judged_count; i++)
            add_timed(gate, check, earlier, &gate->judged[i]);
    }
}

static void add_units(struct gate *gate) {
    const struct rows *rows = &gate->run.rows;
    for (size_t i = 0; i < rows->check_count; i++)
        if (*rows->checks[i].candidate &&
            strcmp(rows->checks[i].kernel, rows->checks[i].candidate) == 0)
            add_unit(gate, &rows->checks[i]);
}

static void add_removed(struct gate *gate) {
    size_t count;
    struct unserved_removed *removed = unserved_removed(gate->run.plan, &count);
    for (size_t i = 0; i < count; i++)
        add_missing(gate, removed[i].shape, removed[i].label, "the earlier set had this kernel");
    free(removed);
}

/* What the earlier run timed on a shape of this one, and this one does not serve. */
static void add_unserved(struct gate *gate) {
    const struct pairs *old = &gate->base.run.speeds;
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < old->count; i++) {
        const struct pair *speed = &old->list[i];
        const struct check_row *check =
            rows_check(&gate->run.rows, speed->shape, speed->candidate, speed->candidate);
        if (pairs_begin_unit(old, i) && (!check || rows_fate(check) == ROWS_UNSUPPORTED) &&
            jsonfile_lists(plan_list(gate, "shapes"), shape_format(speed->shape, text)))
            add_missing(gate, speed->shape, speed->candidate, "the earlier run had it");
    }
}

/* The row of a kernel that serves the shape and was timed, or should have been; or NULL. */
static const struct gate_row *find_serving(const struct gate *gate, struct shape shape) {
    for (size_t i = 0; i < gate->count; i++)
        if (*gate->rows[i].lens && shape_compare(gate->rows[i].shape, shape) == 0)
            return &gate->rows[i];
    return NULL;
}

/* A shape is missing where nothing serves it. Where another kernel does, what may be lost is speed,
 * and nothing has shown that it is not. */
static void ease_missing(struct gate *gate) {
    for (size_t i = 0; i < gate->count; i++) {
        struct gate_row *row = &gate->rows[i];
        const struct gate_row *other =
            row->status == GATE_MISSING ? find_serving(gate, row->shape) : NULL;
        if (!other)
            continue;
        row->status = GATE_UNDECIDED;
        row->why = GATE_GONE;
        text_append(row->text, sizeof row->text,
                    "; %.95s serves the shape, and nothing shows whether it is as fast",
                    other->candidate);
    }
}

/* The share of the plan's shapes that are served; of the others some are named. */
static void count_served(struct gate *gate) {
    enum { NAMED = 3 };
    const json_t *shapes = plan_list(gate, "shapes");
    const size_t count = json_array_size(shapes);
    const char **left = need(count, sizeof *left);
    size_t left_count = 0;
    struct shape shape;
    for (size_t i = 0; i < count; i++)
        if (shape_parse(name_at(shapes, i), &shape) || !find_serving(gate, shape))
            left[left_count++] = name_at(shapes, i);
    for (size_t i = 0; i < left_count && i < NAMED; i++)
        text_append(gate->unserved, sizeof gate->unserved, "%s%.60s",
                    i == 0                ? ""
                    : i + 1 == left_count ? " and "
                                          : ", ",
                    left[i]);
    if (left_count > NAMED)
        text_append(gate->unserved, sizeof gate->unserved, " and %zu other%s", left_count - NAMED,
                    left_count - NAMED == 1 ? "" : "s");
    free(left);
    gate->coverage = count ? (double)(count - left_count) / (double)count : 0;
}

/* Adds what a run's rows say of the seconds that the row took. */
static void add_seconds(const struct rows *rows, struct gate_row *row) {
    enum { OF_VISITS = 3 };
    const struct condition_row *at = NULL;
    while ((at = rows_next(rows, ROWS_CONDITIONS, row->shape, at))) {
        const double parts[] = {at->start_seconds, at->warmup_seconds, at->wall_seconds,
                                at->check_seconds, at->audit_seconds};
        if (strcmp(at->candidate, row->candidate) != 0 || strcmp(at->mode, row->mode) != 0)
            continue;
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
            if (!isfinite(parts[j]))
                continue;
            row->wall_seconds = (isnan(row->wall_seconds) ? 0 : row->wall_seconds) + parts[j];
            row->visits_seconds += j < OF_VISITS ? parts[j] : 0;
        }
    }
}

void gate_rows_make(struct gate *gate) {
    choose_judged(gate);
    choose_references(gate);
    add_units(gate);
    count_served(gate);
    add_removed(gate);
    add_unserved(gate);
    if (!gate->compares)
        ease_missing(gate);
    gate_decide_rows(gate);
    for (size_t i = 0; i < gate->count; i++) {
        add_seconds(&gate->run.rows, &gate->rows[i]);
        add_seconds(&gate->confirm.rows, &gate->rows[i]);
    }
}
