#include "bench/unit/visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/checks/last_calls.h"
#include "bench/checks/recording_check.h"
#include "bench/context/arm_calls.h"
#include "bench/context/stage.h"
#include "bench/context/unit_runner.h"
#include "bench/unit/arrange.h"
#include "bench/unit/control_arms.h"
#include "bench/unit/measure.h"
#include "bench/unit/stage_visit.h"

/* Whether kernels are seen anew in this visit: in an own process, or recorded once more. */
static bool is_new(struct unit_context *context) {
    return context->course.visit % stage_own_every(context) == 0;
}

/* The number of the own process that the visit has, if it has one. */
static int own_number(struct unit_context *context) {
    return context->course.visit / stage_own_every(context);
}

static bool is_own(struct unit_context *context) {
    return is_new(context) && own_number(context) < stage_own_visits(context);
}

/* What a visit that fails is to leave as it was. */
struct before {
    struct unit_checked checked;
    struct condition_row conditions[MODE_COUNT];
    size_t condition_count, audit_count, recording_count;
    double timed_seconds[MODE_COUNT * LENS_COUNT]; /* by series */
};

static struct before *remember(const struct unit_context *context) {
    struct before *before = need(1, sizeof *before);
    const struct rows *rows = &context->result->rows;
    before->checked = context->checked;
    before->condition_count = rows->condition_count;
    for (size_t i = 0; i < rows->condition_count; i++)
        before->conditions[i] = rows->conditions[i];
    before->audit_count = rows->audit_count;
    before->recording_count = rows->recording_count;
    for (int i = 0; i < context->result->series_count; i++)
        before->timed_seconds[i] = context->result->series[i].timed_seconds;
    return before;
}

/* What was found in the visit is found again. What was found of the arm that failed stays. */
static void forget_findings(struct rows *rows, const struct before *before, const char *failed) {
    size_t audits = before->audit_count, recordings = before->recording_count;
    for (size_t i = audits; i < rows->audit_count; i++)
        if (strcmp(rows->audits[i].kernel, failed) == 0)
            rows->audits[audits++] = rows->audits[i];
    for (size_t i = recordings; i < rows->recording_count; i++)
        if (strcmp(rows->recordings[i].kernel, failed) == 0)
            rows->recordings[recordings++] = rows->recordings[i];
    rows->audit_count = audits;
    rows->recording_count = recordings;
}

/* Nothing of the visit is left but the outcome of the arm that failed, and what was found of it.
 * failed: its name; "" where none has. */
static void take_back(struct unit_context *context, const struct before *before,
                      const char *failed) {
    struct rows *rows = &context->result->rows;
    forget_findings(rows, before, failed);
    rows->condition_count = before->condition_count;
    for (size_t i = 0; i < before->condition_count; i++)
        rows->conditions[i] = before->conditions[i];
    for (int i = 0; i < context->result->series_count; i++) {
        struct sample_buffer *series = &context->result->series[i];
        const bool staged = series->samples.place == PLACE_STAGE;
        if (staged || is_own(context))
            sample_buffer_drop_visit(series, staged ? context->course.visit : own_number(context));
        series->timed_seconds = before->timed_seconds[i];
    }
    if (context->course.visit == 0)
        unit_result_drop_times(context->result);
    unit_drop_runner(context, &context->process);
}

/* In the first visit a kernel has only just been checked: a failure there needs no number. */
static void tell_visit(const struct unit_context *context, struct arm_state *failed) {
    const struct unit_course *course = &context->course;
    char said[RUNDIR_TEXT];
    memcpy(said, failed->row.detail, sizeof said);
    if (course->visit > 0)
        snprintf(failed->row.detail, sizeof failed->row.detail, "visit %d of %d: %.480s",
                 course->visit + 1, course->visits, said);
}

bool visit_was_killed(struct unit_context *context) {
    struct device_session *session = context->session;
    const bool first = session->killed && !context->tried_anew;
    session->killed = false;
    if (!first)
        return false;
    warning("%s: a process of it was killed by a signal that came from elsewhere: is there memory? "
            "The shape is tried once more, alone",
            unit_label(context->unit));
    stage_drop(context);
    unit_drop_runner(context, &context->process);
    process_end(&session->leaving);
    warm_runners_end(&session->warm);
    context->tried_anew = true;
    return true;
}

/* Two kernels under test share a process, or a stage. When that dies, lies or writes where it must
 * not, either may have brought it about; and the candidate may have what the earlier release does. */
static bool may_be_both(struct unit_context *context, const struct unit_checked *before,
                        const struct arm_state *failed) {
    const bool both = before->previous >= 0 && arm_has_passed(&before->arms[before->previous]);
    return both && (failed == unit_previous(context) || failed->outcome == OUTCOME_WROTE_OUTSIDE ||
                    !unit_runner_survives(failed->outcome));
}

/* Both have passed their checks alone. They cannot be compared, and nothing is known against either.
 */
static void set_previous_apart(struct unit_context *context, const struct unit_checked *before,
                               struct arm_state *failed) {
    struct arm_state *previous = unit_previous(context);
    const struct arm_state told = *failed;
    *failed = before->arms[failed - context->checked.arms];
    previous->outcome = OUTCOME_NOT_COMPARED;
    arm_describe(
        previous, "", "%s%.400s",
        failed == previous ? "" : "timed in one process with the candidate: ", told.row.detail);
    snprintf(previous->row.note, sizeof previous->row.note, "alone it is ok; with the candidate %s",
             outcome_word(told.outcome));
    unit_leave_out(context, previous);
}

/* Its calls are no longer what was recorded of them: it has times of its own process alone. */
static void keep_own_times(struct unit_context *context, struct arm_state *candidate) {
    tell_visit(context, candidate);
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (words_lens_is((enum lens)lens, LENS_HELD))
            unit_result_drop_lens(context->result, (enum lens)lens);
}

/* The visits are made from the first on, without the library. */
static void lose_library(struct unit_context *context) {
    unit_result_drop_times(context->result);
    context->course.visit = 0;
    context->rates = context->session->rates;
    snprintf(context->devices, sizeof context->devices, "%s", context->session->label);
}

int visit_set_up(struct unit_context *context, struct arm_state **failed, bool *lost) {
    int order[WIRE_ARMS];
    const bool fresh = context->process.pid == PROCESS_NONE.pid;
    const int count = arrange_arms(context, order);
    if (fresh && (unit_open_runner(context) < 0 || unit_warm_next(context) < 0))
        return TROUBLE;
    for (int i = 0; i < count; i++) {
        struct arm_state *arm = *failed = &context->checked.arms[order[i]];
        const enum outcome before = arm->outcome;
        if (!arm_has_passed(arm) || !(fresh || arm == unit_previous(context)))
            continue;
        const int outcome = arm->built ? arm_add(context, arm, ARM_CANDIDATE, arm->built->so)
                                       : arm_add(context, arm, ARM_BASELINE, arm->row.kernel);
        *lost = outcome != OUTCOME_OK && !arm->built;
        if (outcome != OUTCOME_OK)
            return outcome;
        arm->outcome = before;
    }
    return OUTCOME_OK;
}

bool visit_is_wanted(struct unit_context *context) {
    const struct plan *plan = context->plan;
    const struct arm_state *candidate = unit_candidate(context);
    bool any = false;
    for (int i = 0; i < context->checked.arm_count; i++)
        any |= arm_has_passed(&context->checked.arms[i]);
    return any && (plan->modes[MODE_OFFLINE] || plan->modes[MODE_SERVER]) &&
           (!candidate || arm_has_passed(candidate));
}

/* In the kernels' own process, which this visit has: what only that can show. Returns as visit_set_up. */
static int time_own(struct unit_context *context, struct arm_state **failed, bool *lost) {
    int outcome = visit_set_up(context, failed, lost);
    if (outcome == OUTCOME_OK)
        outcome = control_arms_add(context, failed);
    if (outcome == OUTCOME_OK)
        outcome =
            measure_visit(context, own_number(context), stage_own_lenses(context), false, failed);
    if (outcome != OUTCOME_OK || own_number(context) + 1 < stage_own_visits(context))
        return outcome;
    return last_calls_watch(context, failed);
}

/* All of the visit, once. Returns as visit_set_up. */
static int try_visit(struct unit_context *context, struct arm_state **failed, bool *lost) {
    int outcome = OUTCOME_OK;
    if (is_own(context))
        outcome = time_own(context, failed, lost);
    if (outcome == OUTCOME_OK && is_new(context) && context->course.visit > 0)
        outcome = recording_check_again(context, failed);
    recording_check_note_work(context);
    if (outcome != OUTCOME_OK || !stage_serves(context))
        return outcome;
    /* No process with a kernel's code is left beside the stage. */
    unit_drop_runner(context, &context->process);
    return stage_visit(context, failed, lost);
}

static bool is_control(const struct unit_context *context, const struct arm_state *arm) {
    return arm >= context->controls && arm < context->controls + UNIT_CONTROLS;
}

/* The arm has failed, and the visit is taken back. */
static void settle(struct unit_context *context, const struct unit_checked *before,
                   struct arm_state *failed, bool lost) {
    tell_visit(context, failed);
    const bool library = !failed->built && !is_control(context, failed);
    if (library && (lost || !unit_suspect(context))) {
        lose_library(context);
    } else if (!failed->built) { /* a control, or a library beside a kernel: no more timing */
        unit_result_drop_times(context->result);
        context->course.visit = context->course.visits;
    } else if (may_be_both(context, before, failed)) {
        set_previous_apart(context, before, failed);
    } else {
        unit_leave_out(context, failed);
    }
}

int visit_make(struct unit_context *context) {
    const struct unit_course *course = &context->course;
    int outcome;
    do {
        struct arm_state *failed = NULL;
        struct before *before = remember(context);
        bool lost = false;
        outcome = try_visit(context, &failed, &lost);
        const bool fails = outcome != OUTCOME_OK && outcome != TROUBLE;
        context->session->killed &= fails; /* where a second process has passed, all is well */
        if (fails && visit_was_killed(context)) {
            take_back(context, before, "");
            context->checked = before->checked;
        } else if (outcome == OUTCOME_UNRECORDED && failed == unit_candidate(context)) {
            keep_own_times(context, failed);
            outcome = OUTCOME_OK;
        } else if (fails) {
            take_back(context, before, failed->row.kernel);
            settle(context, &before->checked, failed, lost);
        }
        free(before);
    } while (outcome != OUTCOME_OK && outcome != TROUBLE && visit_is_wanted(context) &&
             course->visit < course->visits);
    unit_drop_runner(context, &context->process);
    context->course.visit += outcome == OUTCOME_OK;
    return outcome == TROUBLE ? TROUBLE : 0;
}
