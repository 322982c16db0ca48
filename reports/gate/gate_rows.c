#include "reports/gate/gate_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/outcome.h"
#include "bench/base/text.h"
#include "reports/gate/rows_making.h"
#include "reports/rows/replays.h"

static bool was_timed(const struct rows *rows, const char *mode, const char *lens) {
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].mode, mode) == 0 && strcmp(rows->times[i].lens, lens) == 0)
            return true;
    return false;
}

static bool is_judged(const struct rows_making *making, const char *mode) {
    return !*making->policy->mode || strcmp(making->policy->mode, mode) == 0;
}

/* Where every kernel was refused no lens was used, and the first that was planned is named. */
static void note_judged(struct rows_making *making, const char *mode, const char *lens) {
    static const char *const order[] = {"device", "call", "latency", "stream"};
    struct gate *gate = making->gate;
    const char *planned = *lens ? lens : making->policy->lens;
    if (gate->judged_count == GATE_MODES)
        return;
    for (size_t i = 0; i < sizeof order / sizeof *order && !*planned; i++)
        for (size_t j = 0; j < rows_list_length(making, "lenses") && !*planned; j++)
            if (strcmp(rows_list_name(making, "lenses", j), order[i]) == 0)
                planned = order[i];
    struct gate_judged *judged = &gate->judged[gate->judged_count++];
    snprintf(judged->mode, sizeof judged->mode, "%s", mode);
    snprintf(judged->lens, sizeof judged->lens, "%s", planned);
}

/* The lens that is judged in each mode: the policy's, or the first of these that was used. */
static int choose_lenses(struct rows_making *making) {
    const char *wanted = making->policy->lens;
    const char *const order[] = {wanted, "device", "call", "latency", "stream"};
    const size_t modes = rows_list_length(making, "modes");
    making->lenses = calloc(modes + 1, sizeof *making->lenses);
    if (!making->lenses)
        return error("no memory for %zu modes", modes);
    for (size_t i = 0; i < modes; i++) {
        const char *mode = rows_list_name(making, "modes", i);
        for (size_t j = 0; j < sizeof order / sizeof *order && !*making->lenses[i]; j++)
            if (*order[j] && was_timed(&making->of->run.rows, mode, order[j]))
                snprintf(making->lenses[i], sizeof making->lenses[i], "%s", order[j]);
        if (is_judged(making, mode))
            note_judged(making, mode, making->lenses[i]);
    }
    return 0;
}

static void add_reference(struct rows_making *making, const char *name) {
    for (size_t i = 0; i < making->reference_count; i++)
        if (strcmp(making->references[i], name) == 0)
            return;
    if (making->reference_count < SAMPLES_COLUMNS && strcmp(name, RUNDIR_PREVIOUS) != 0)
        making->references[making->reference_count++] = name;
}

static void choose_references(struct rows_making *making) {
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
static const struct pair *find_any(const struct rows_making *making, const struct pair *like) {
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

/* The row of an earlier kernel that has failed in one of the stages, or NULL. */
static const struct check_row *find_failed(const struct gate_case *of, const struct pair *like) {
    const struct rows *const stages[] = {&of->confirm.rows, &of->run.rows};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const struct check_row *previous =
            rows_find_check(stages[i], like->shape, like->candidate, RUNDIR_PREVIOUS);
        if (previous && strcmp(previous->outcome, "ok") != 0)
            return previous;
    }
    return NULL;
}

static bool is_unbuilt(const struct check_row *check) {
    return strcmp(check->outcome, outcome_word(OUTCOME_NOT_BUILT)) == 0;
}

/* Whether the machine lacked what the kernel needs. */
static bool is_lacking(const struct check_row *check) {
    return is_unbuilt(check) || strcmp(check->outcome, outcome_word(OUTCOME_NO_MEMORY)) == 0;
}

static void put_lacking(struct rows_making *making, const struct check_row *check,
                        const char *whose, struct gate_row *row) {
    making->unbuilt += is_unbuilt(check);
    making->starved += !is_unbuilt(check);
    snprintf(row->text, sizeof row->text, "%s%s: %.400s", whose,
             is_unbuilt(check) ? "not compiled" : "too little device memory", check->detail);
}

/* What becomes of a row without anything to compare with. */
static void leave_alone(struct rows_making *making, const struct pair *like, struct gate_row *row) {
    const struct rundir *run = &making->of->run;
    const struct time_row *time = find_time(&run->rows, like);
    const struct pair *any = find_any(making, like);
    const struct check_row *failed = find_failed(making->of, like);
    row->status = time && making->of->base.comparable ? GATE_ADDED : GATE_UNDECIDED;
    if (time) {
        row->seconds = time->median;
        row->place = words_places[words_find(words_places, time->place)];
        row->rounds = time->rounds;
    }
    if (any && estimate_disturbed(any))
        row->status = GATE_ENVIRONMENT;
    const bool apart = failed && strcmp(failed->outcome, outcome_word(OUTCOME_NOT_COMPARED)) == 0;
    if (apart && row->status == GATE_ADDED)
        row->status = GATE_UNDECIDED;
    making->apart += apart;
    if (failed && is_lacking(failed)) {
        row->status = GATE_ENVIRONMENT;
        put_lacking(making, failed, "the earlier kernel: ", row);
    } else if (!time)
        snprintf(row->text, sizeof row->text, "was not timed");
    else if (!making->of->base.comparable)
        snprintf(row->text, sizeof row->text, "not comparable");
    else if (apart)
        snprintf(row->text, sizeof row->text, "the earlier kernel: %.400s", failed->note);
    else if (failed) {
        making->failed++;
        snprintf(row->text, sizeof row->text, "the earlier kernel was refused: %.90s%s%.380s",
                 failed->outcome, *failed->detail ? ": " : "", failed->detail);
    }
}

/* Screening rounds and, of another run, the reference's speed (NULL: none); false where there is
 * nothing to compare with. */
static bool find_rounds(const struct rows_making *making, const struct pair *like,
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

/* In either stage. */
static bool is_native(const struct gate_case *of, const struct pair *like) {
    const struct time_row *first = find_time(&of->run.rows, like);
    const struct time_row *again = find_time(&of->confirm.rows, like);
    return (first && *words_place_mark(first->place)) || (again && *words_place_mark(again->place));
}

/* What is known of the kernel of the row that could not be recorded, or of its earlier release. */
static const struct replay_row *find_unrecorded(const struct rows *rows,
                                                const struct gate_row *row) {
    const char *const kernels[] = {row->candidate, RUNDIR_PREVIOUS};
    for (int i = 0; i < 2; i++) {
        const struct replay_row *replay =
            replays_last(rows, row->shape, row->candidate, kernels[i]);
        if (replay && !replays_right(replay))
            return replay;
    }
    return NULL;
}

/* Its numbers have no say; why its work cannot be recorded is what there is to tell. By lenses of
 * its own process it can, and was other work. */
static void refuse_native(const struct rows_making *making, struct gate_row *row) {
    const bool held = words_lens_is((enum lens)words_find(words_lenses, row->lens), LENS_HELD);
    const struct replay_row *replay = find_unrecorded(&making->of->run.rows, row);
    row->status = GATE_NATIVE;
    row->place = words_places[PLACE_NATIVE];
    snprintf(row->text, sizeof row->text, "%s%s%.400s",
             held ? "its work cannot be recorded"
                  : "its timed calls launch other kernels than were recorded",
             held && replay ? ": " : "", held && replay ? replay->why : "");
}

static int add_timed(struct rows_making *making, const struct check_row *check, const char *mode,
                     const char *lens) {
    const struct gate_case *of = making->of;
    struct pair like = {.shape = check->shape};
    const struct pair *screening, *stored;
    struct gate_row *row = rows_begin(making, check->shape, check->candidate, GATE_UNDECIDED);
    if (!row)
        return -1;
    snprintf(like.candidate, sizeof like.candidate, "%s", check->candidate);
    snprintf(like.mode, sizeof like.mode, "%s", mode);
    snprintf(like.lens, sizeof like.lens, "%s", lens);
    snprintf(row->source, sizeof row->source, "%s", check->source);
    snprintf(row->mode, sizeof row->mode, "%s", mode);
    snprintf(row->lens, sizeof row->lens, "%s", lens);
    if (making->policy->native_refused && is_native(of, &like)) {
        refuse_native(making, row);
        return 0;
    }
    if (!find_rounds(making, &like, &screening, &stored)) {
        leave_alone(making, &like, row);
        rows_add_must(making, &like);
        return 0;
    }
    making->compared++;
    const struct gate_known *known =
        gate_policy_known(making->policy, check->shape, check->candidate, of->call->today);
    if (known && known->limit > row->margin)
        row->margin = known->limit;
    rows_add_trial(making, screening, false, row->margin, stored);
    rows_add_must(making, &like);
    return 0;
}

/* Nobody knows what it is worth: that is no fault of the kernel. */
static int add_lacking(struct rows_making *making, const struct check_row *check) {
    struct gate_row *row = rows_begin(making, check->shape, check->candidate, GATE_ENVIRONMENT);
    if (!row)
        return -1;
    snprintf(row->source, sizeof row->source, "%s", check->source);
    put_lacking(making, check, "", row);
    return 0;
}

/* Whether an honest kernel came of it: 1, 0, or -1 after error(). */
static int add_unit(struct rows_making *making, const struct check_row *check) {
    const struct gate_case *of = making->of;
    const struct check_row *again =
        rows_find_check(&of->confirm.rows, check->shape, check->candidate, check->candidate);
    if (is_lacking(check) || (again && is_lacking(again)))
        return add_lacking(making, is_lacking(check) ? check : again);
    const struct check_row *refused = rows_refused(check)            ? check
                                      : again && rows_refused(again) ? again
                                                                     : NULL;
    if (refused) {
        struct gate_row *row = rows_begin(making, check->shape, check->candidate, GATE_WRONG);
        if (!row)
            return -1;
        snprintf(row->source, sizeof row->source, "%s", check->source);
        snprintf(row->text, sizeof row->text, "%.95s%s%.400s", refused->outcome,
                 *refused->detail ? ": " : "", refused->detail);
        return 0;
    }
    if (strcmp(check->outcome, "ok") != 0) {
        const struct check_row *previous =
            rows_find_check(&of->run.rows, check->shape, check->candidate, RUNDIR_PREVIOUS);
        return previous && strcmp(previous->outcome, "ok") == 0
                   ? rows_add_missing(making, check->shape, check->candidate,
                                      "the kernel says that it does not serve the shape any more")
                   : 0;
    }
    if (again && strcmp(again->outcome, "ok") != 0)
        return rows_add_missing(
            making, check->shape, check->candidate,
            "the kernel says in some processes that it does not serve the shape");
    /* The lenses are freed by gate_rows_make. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    for (size_t i = 0; i < rows_list_length(making, "modes"); i++)
        if (is_judged(making, rows_list_name(making, "modes", i)) &&
            add_timed(making, check, rows_list_name(making, "modes", i), making->lenses[i]) < 0)
            return -1;
    return 1;
}

/* Share of the plan's shapes that are served; of the others some are named. */
static double count_served(const struct rows_making *making, const bool *served,
                           char unserved[RUNDIR_TEXT]) {
    const size_t shapes = rows_list_length(making, "shapes"), most = 3;
    size_t left = 0, named = 0;
    for (size_t i = 0; i < shapes; i++)
        left += !served[i];
    for (size_t i = 0; i < shapes && named < most; i++)
        if (!served[i]) {
            const char *before = named == 0 ? "" : named + 1 == left ? " and " : ", ";
            text_append(unserved, RUNDIR_TEXT, "%s%.60s", before,
                        rows_list_name(making, "shapes", i));
            named++;
        }
    if (left > named)
        text_append(unserved, RUNDIR_TEXT, " and %zu other%s", left - named,
                    left - named == 1 ? "" : "s");
    return shapes ? (double)(shapes - left) / (double)shapes : 0;
}

static int add_units(struct rows_making *making, struct gate_rows_about *about) {
    const struct rows *rows = &making->of->run.rows;
    bool *served = calloc(rows_list_length(making, "shapes") + 1, sizeof *served);
    size_t at = 0;
    int honest = served ? 0 : error("no memory for the plan's shapes");
    for (size_t i = 0; i < rows->check_count && honest >= 0; i++) {
        const struct check_row *check = &rows->checks[i];
        if (!*check->candidate || strcmp(check->kernel, check->candidate) != 0)
            continue;
        making->gate->units++;
        honest = add_unit(making, check);
        if (honest > 0)
            rows_mark_served(making, check->shape, served, &at);
    }
    if (honest >= 0)
        making->gate->coverage = count_served(making, served, about->unserved);
    free(served);
    return honest < 0 ? -1 : 0;
}

int gate_rows_make(const struct gate_case *gate_case, struct gate *gate,
                   struct gate_rows_about *about) {
    struct rows_making making = {.of = gate_case, .policy = gate_case->call->policy, .gate = gate};
    const size_t most = rows_list_length(&making, "units") *
                            (rows_list_length(&making, "modes") + 1) *
                            (1 + making.policy->must_count) +
                        1;
    int status = -1;
    *about = (struct gate_rows_about){0};
    making.trials = calloc(most, sizeof *making.trials);
    making.evidence = calloc(most, sizeof *making.evidence);
    making.decisions = calloc(most, sizeof *making.decisions);
    if (!making.trials || !making.evidence || !making.decisions)
        error("no memory for %zu rows", most);
    else if (choose_lenses(&making) == 0) {
        choose_references(&making);
        if (add_units(&making, about) == 0 && rows_add_removed(&making) == 0 &&
            rows_add_unserved(&making) == 0) {
            about->gone = rows_ease_missing(gate);
            rows_decide(&making);
            rows_put_wall_seconds(&making);
            status = 0;
        }
    }
    if (status == 0) {
        about->compared = making.compared;
        for (size_t i = making.trial_count; i-- > 0;)
            if (!making.trials[i].must)
                snprintf(about->reference, sizeof about->reference, "%s",
                         making.evidence[i].screening->reference);
        rows_judge_must(&making, about->beaten);
        about->unmeasured = making.unmeasured;
        about->apart = making.apart;
        about->failed = making.failed;
        about->unbuilt = making.unbuilt;
        about->starved = making.starved;
        rows_examine_known(&making);
    }
    free(making.trials);
    free(making.evidence);
    free(making.decisions);
    free(making.lenses);
    return status;
}
