#include "bench/unit/visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/checks/last_calls.h"
#include "bench/checks/recording_check.h"
#include "bench/context/arm_calls.h"
#include "bench/context/own_process.h"
#include "bench/context/stage.h"
#include "bench/context/unit_runner.h"
#include "bench/unit/arrange.h"
#include "bench/unit/control_arms.h"
#include "bench/unit/measure.h"
#include "bench/unit/merge.h"
#include "bench/unit/stage_visit.h"
#include "correctness/numbers/input.h"
#include "timing/schedule.h"

/* Whether kernels are seen anew in this visit: in an own process, or recorded once more. */
static bool is_new(struct unit_context *context) {
    return context->course.visit % stage_own_every(context) == 0;
}

/* The number of the own process that the visit has for each kernel, if it has one. */
static int own_number(struct unit_context *context) {
    return context->course.visit / stage_own_every(context);
}

static bool is_own(struct unit_context *context) {
    return is_new(context) && own_number(context) < stage_own_visits(context);
}

/* Libraries alone are in the process of the candidates. */
static int own_set(struct unit_context *context) {
    return context->own < 0 ? UNIT_CANDIDATE
                            : unit_which(context, &context->checked.arms[context->own]);
}

static bool is_last_own(struct unit_context *context) {
    return own_number(context) + 1 >= stage_own_visits(context);
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
    unit_drop_runner(context, &context->process);
    device_session_end_processes(session);
    context->tried_anew = true;
    return true;
}

int visit_set_up(struct unit_context *context, struct arm_state **failed, bool *lost) {
    int order[WIRE_ARMS];
    const int count = arrange_arms(context, order);
    if (own_process_take(context, own_set(context), context->course.visit, is_last_own(context)) <
            0 ||
        unit_warm_next(context) < 0)
        return TROUBLE;
    for (int i = 0; i < count; i++) {
        struct arm_state *arm = *failed = &context->checked.arms[order[i]];
        const enum outcome before = arm->outcome;
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

/* Works on a copy of what is known. Returns OK, the outcome of *failed, or TROUBLE. *lost: a library
 * has failed that no kernel was beside. */
typedef int visit_job(struct unit_context *job, struct arm_state **failed, bool *lost);

/* In a process that has loaded the kernel: what only that can show. The recorder is attached to it behind
 * the last calls. So that process serves one unit. */
static int time_own(struct unit_context *job, struct arm_state **failed, bool *lost) {
    int outcome = visit_set_up(job, failed, lost);
    if (outcome == OUTCOME_OK)
        outcome = control_arms_add(job, failed);
    if (outcome == OUTCOME_OK)
        outcome = measure_visit(job, own_number(job), stage_own_lenses(job), failed);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (is_last_own(job))
        return last_calls_watch(job, failed);
    own_process_leave(job, own_set(job), job->course.visit);
    return OUTCOME_OK;
}

static int record_again(struct unit_context *job, struct arm_state **failed, bool *lost) {
    (void)lost;
    *failed = &job->checked.arms[job->own];
    return recording_check(job, *failed);
}

static void forget_last_calls(struct rows *rows) {
    size_t kept = 0;
    for (size_t i = 0; i < rows->audit_count; i++)
        if (strcmp(rows->audits[i].part, LAST_CALLS_PART) != 0)
            rows->audits[kept++] = rows->audits[i];
    rows->audit_count = kept;
}

/* The visits are made from the first on, without the library. */
static void lose_library(struct unit_context *context) {
    unit_result_drop_times(context->result);
    forget_last_calls(&context->result->rows);
    context->course.visit = 0;
    context->rates = context->session->rates;
    snprintf(context->devices, sizeof context->devices, "%s", context->session->label);
}

/* Its calls are no longer what was recorded of them: it has times of its own process alone. */
static void keep_own_times(struct unit_context *context, struct arm_state *kernel) {
    tell_visit(context, kernel);
    if (kernel != unit_candidate(context))
        unit_result_drop_staged(context->result, kernel->row.kernel);
    else
        for (int lens = 0; lens < LENS_COUNT; lens++)
            if (words_lens_is((enum lens)lens, LENS_HELD))
                unit_result_drop_lens(context->result, (enum lens)lens);
}

/* What comes of a job: the visit goes on; the job is done again; the visit is over, and is not
 * counted. */
enum step { GOES_ON, AGAIN, OVER };

/* The arm has failed, and nothing else is left of the job. */
static enum step settle(struct unit_context *context, struct unit_context *job,
                        const struct arm_state *failed, bool lost) {
    struct arm_state *arm = merge_failed(context, job, failed);
    if (arm)
        tell_visit(context, arm);
    if (arm && arm->built) {
        unit_leave_out(context, arm);
        return arm == unit_candidate(context) ? OVER : job->staged ? AGAIN : GOES_ON;
    }
    if (arm && (lost || !unit_suspect(job))) {
        lose_library(context);
    } else { /* a control, or a library beside a kernel: no more timing */
        unit_result_drop_times(context->result);
        context->course.visit = context->course.visits;
    }
    return OVER;
}

/* Returns enum step or TROUBLE. */
static int end_job(struct unit_context *context, struct unit_context *job, int outcome,
                   struct arm_state *failed, bool lost) {
    const bool fails = outcome != OUTCOME_OK && outcome != TROUBLE;
    context->session->killed &= fails; /* where a second process has passed, all is well */
    if (outcome == TROUBLE)
        return TROUBLE;
    if (fails && (visit_was_killed(context) || job->process_units > 1))
        return AGAIN;
    if (fails && outcome != OUTCOME_UNRECORDED)
        return settle(context, job, failed, lost);
    const ptrdiff_t at = fails ? failed - job->checked.arms : -1;
    if (merge_job(context, job) < 0)
        return TROUBLE;
    if (fails)
        keep_own_times(context, &context->checked.arms[at]);
    recording_check_note_work(context);
    return GOES_ON;
}

/* Once. Returns as end_job. */
static int try_job(struct unit_context *context, visit_job *make, int own) {
    struct unit_context *job = need(1, sizeof *job);
    struct unit_result found = {0};
    struct arm_state *failed = NULL;
    bool lost = false;
    *job = *context;
    job->result = &found;
    job->own = own;
    job->process_units = 0;
    const int outcome = make(job, &failed, &lost);
    unit_drop_runner(job, &job->process);
    memcpy(context->recorded, job->recorded, sizeof context->recorded);
    context->start_seconds = job->start_seconds;
    const int step = end_job(context, job, outcome, failed, lost);
    unit_result_free(&found);
    free(job);
    return step;
}

/* Until it is made. own: the kernel that it is about, as in unit_context. */
static int make_job(struct unit_context *context, visit_job *make, int own) {
    int step;
    do
        step = try_job(context, make, own);
    while (step == AGAIN);
    return step;
}

/* For each kernel that has passed, in an order of the visit's own; for the libraries where there is
 * none. */
static int make_own(struct unit_context *context) {
    const struct unit_checked *checked = &context->checked;
    int drawn[WIRE_ARMS];
    int step = unit_suspect(context) ? GOES_ON : make_job(context, time_own, -1);
    schedule_shuffle(seed_derive(context->seed, SEED_VISIT, (uint64_t)context->course.visit),
                     checked->arm_count, drawn);
    for (int i = 0; i < checked->arm_count && step == GOES_ON; i++) {
        const struct arm_state *arm = &checked->arms[drawn[i]];
        if (arm->built && arm_has_passed(arm))
            step = make_job(context, time_own, drawn[i]);
    }
    return step;
}

static int make_recordings(struct unit_context *context) {
    const struct unit_checked *checked = &context->checked;
    int step = GOES_ON;
    for (int i = 0; i < checked->arm_count && step == GOES_ON; i++)
        if (checked->arms[i].built && recording_check_is_due(context, &checked->arms[i]))
            step = make_job(context, record_again, i);
    return step;
}

/* From so many multiply-adds on a visit takes a second and more, and visits differ by how the card is, far
 * more than their blocks do. Such a shape has times of the stage in every other visit, but not in a gate,
 * and not where the visits would be too few. */
#define HALF_FROM ((int64_t)1 << 36)
#define HALF_LEAST 12

static bool is_left_out(const struct unit_context *context) {
    const struct shape s = context->unit->shape;
    return s.m * s.n * s.k >= HALF_FROM && !context->unit->previous &&
           context->plan->visits >= 2 * HALF_LEAST && context->course.visit % 2 == 1;
}

int visit_make(struct unit_context *context) {
    int step = is_own(context) ? make_own(context) : GOES_ON;
    if (step == GOES_ON && is_new(context) && context->course.visit > 0)
        step = make_recordings(context);
    if (step == GOES_ON && stage_serves(context) && !is_left_out(context))
        step = make_job(context, stage_visit, -1);
    context->course.visit += step == GOES_ON;
    return step == TROUBLE ? TROUBLE : 0;
}
