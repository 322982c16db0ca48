#include "bench/jobs/visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/checks/last_calls.h"
#include "bench/checks/recording_check.h"
#include "bench/jobs/measure.h"
#include "bench/jobs/processes.h"
#include "bench/jobs/set_up.h"
#include "correctness/numbers/input.h"
#include "timing/schedule.h"

/* Whether kernels are seen anew in this visit: in an own process, or recorded once more. */
static bool is_new(struct unit_context *context) {
    return context->visit % unit_own_every(context) == 0;
}

/* The number of the own process that the visit has for each kernel, if it has one. */
static int own_number(struct unit_context *context) {
    return context->visit / unit_own_every(context);
}

static bool is_own(struct unit_context *context) {
    return is_new(context) && own_number(context) < unit_own_visits(context);
}

/* Libraries alone are in the process of the candidates. */
static int own_set(struct unit_context *context) {
    return context->own < 0 ? UNIT_CANDIDATE
                            : unit_which(context, &context->checked.arms[context->own]);
}

static bool is_last_own(struct unit_context *context) {
    return own_number(context) + 1 >= unit_own_visits(context);
}

/* In the first visit a kernel has only just been checked: a failure there needs no number. */
static void tell_visit(const struct unit_context *context, struct arm_state *failed) {
    char said[RUNDIR_TEXT];
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a job that fails names its arm */
    memcpy(said, failed->row.detail, sizeof said);
    if (context->visit > 0)
        snprintf(failed->row.detail, sizeof failed->row.detail, "visit %d of %d: %.480s",
                 context->visit + 1, context->plan->visits, said);
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
    processes_end(session);
    context->tried_anew = true;
    return true;
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

/* Returns OK, the outcome of *failed, or TROUBLE. *lost: a library has failed that no kernel was
 * beside. */
typedef int visit_job(struct unit_context *context, struct arm_state **failed, bool *lost);

/* In a process that has loaded the kernel: what only that can show. The recorder is attached to it
 * behind the last calls. So that process serves one unit. */
static int time_own(struct unit_context *context, struct arm_state **failed, bool *lost) {
    const int set = own_set(context);
    if (own_process_take(context, set, context->visit, is_last_own(context)) < 0 ||
        unit_warm(context, RUNNER_PLAIN) < 0)
        return TROUBLE;
    int outcome = set_up_arms(context, failed, lost);
    if (outcome == OUTCOME_OK)
        outcome =
            measure_visit(context, own_number(context), unit_own_lenses(context->plan), failed);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (is_last_own(context))
        return last_calls_watch(context, failed);
    own_process_leave(context, set, context->visit);
    return OUTCOME_OK;
}

static int record_again(struct unit_context *context, struct arm_state **failed, bool *lost) {
    (void)lost;
    *failed = &context->checked.arms[context->own];
    return recording_check(context, *failed);
}

/* Of the arm that failed on the stage. */
static void tell_place(struct arm_state *arm) {
    char said[RUNDIR_TEXT];
    memcpy(said, arm->row.detail, sizeof said);
    snprintf(arm->row.detail, sizeof arm->row.detail, "on the stage: %.480s", said);
}

/* A process of ours, in which no code of the kernel runs, has ended: that accuses nobody. Its device
 * work cannot be carried out, and it keeps its own times. */
static int excuse(struct arm_state *arm, int outcome) {
    const bool ended = outcome == OUTCOME_CRASHED || outcome == OUTCOME_EXITED;
    return ended && arm->built ? (int)(arm->outcome = OUTCOME_UNRECORDED) : outcome;
}

/* By the lenses behind a hold that are not known yet. A recording that fails on the stage fails its
 * kernel. A library that cannot be set up there, or takes the stage down, is *lost; the kernels
 * have failed nothing then. */
static int time_staged(struct unit_context *context, struct arm_state **failed, bool *lost) {
    struct runner_process *stage = &context->session->stage.process;
    const int lenses =
        words_lenses_with(LENS_HELD) & context->plan->lenses & ~measure_known(context);
    if (!lenses)
        return OUTCOME_OK;
    const double start = clock_seconds();
    const int status = stage_take(context);
    context->start_seconds += clock_seconds() - start;
    if (status < 0)
        return TROUBLE;
    context->staged = true;
    context->process = *stage;
    int outcome = set_up_arms(context, failed, lost);
    if (outcome == OUTCOME_OK)
        outcome = measure_visit(context, context->visit, lenses, failed);
    *stage = context->process;
    context->process = PROCESS_NONE;
    if (outcome == OUTCOME_OK)
        return outcome;
    stage_drop(context);
    if (outcome == TROUBLE)
        return TROUBLE;
    tell_place(*failed);
    return excuse(*failed, outcome);
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
    context->visit = 0;
}

/* What comes of a job: the visit goes on; the job is done again; the visit is over, and is not
 * counted. */
enum step { GOES_ON, AGAIN, OVER };

/* Of a job that has failed nothing is left but what was found of that arm of the unit (NULL: a
 * control has failed). */
static void undo_job(struct unit_context *context, const struct unit_checked *before,
                     const struct arm_state *failed) {
    const ptrdiff_t at = failed ? failed - context->checked.arms : -1;
    const struct arm_state kept = failed ? *failed : (struct arm_state){0};
    unit_result_undo(context->result, failed ? failed->row.kernel : NULL);
    context->checked = *before;
    if (failed)
        context->checked.arms[at] = kept;
}

/* The arm has failed, and nothing else is left of the job. */
static enum step settle(struct unit_context *context, const struct unit_checked *before,
                        struct arm_state *failed, bool lost) {
    const struct unit_checked *checked = &context->checked;
    const bool alone = !unit_suspect(context);
    struct arm_state *arm =
        failed >= checked->arms && failed < checked->arms + checked->arm_count ? failed : NULL;
    undo_job(context, before, arm);
    if (arm)
        tell_visit(context, arm);
    if (arm && arm->built) {
        unit_leave_out(context, arm);
        return arm == unit_candidate(context) ? OVER : context->staged ? AGAIN : GOES_ON;
    }
    if (arm && (lost || alone)) {
        lose_library(context);
    } else { /* a control, or a library beside a kernel: no more timing */
        unit_result_drop_times(context->result);
        context->visit = context->plan->visits;
    }
    return OVER;
}

/* Returns enum step or TROUBLE. */
static int end_job(struct unit_context *context, const struct unit_checked *before, int outcome,
                   struct arm_state *failed, bool lost) {
    const bool fails = outcome != OUTCOME_OK && outcome != TROUBLE;
    context->session->killed &= fails; /* where a second process has passed, all is well */
    if (outcome == TROUBLE)
        return TROUBLE;
    if (fails && (visit_was_killed(context) || context->process_units > 1)) {
        undo_job(context, before, NULL);
        return AGAIN;
    }
    if (fails && outcome != OUTCOME_UNRECORDED)
        return settle(context, before, failed, lost);
    if (fails) { /* its calls are no longer what was recorded of them: it keeps its own times */
        if (context->staged)
            undo_job(context, before, failed);
        tell_visit(context, failed);
        unit_leave_out(context, failed);
        if (context->staged && failed != unit_candidate(context))
            return AGAIN;
    }
    recording_check_note_work(context);
    return GOES_ON;
}

/* Until it is made. own: the kernel that it is about, as in unit_context. */
static int make_job(struct unit_context *context, visit_job *make, int own) {
    struct unit_checked *before = need(1, sizeof *before);
    int step = AGAIN;
    while (step == AGAIN) {
        struct arm_state *failed = NULL;
        bool lost = false;
        *before = context->checked;
        unit_result_begin(context->result);
        context->own = own;
        context->process_units = 0;
        const int outcome = make(context, &failed, &lost);
        unit_drop_runner(context, &context->process);
        step = end_job(context, before, outcome, failed, lost);
        context->own = -1;
        context->staged = false;
    }
    free(before);
    return step;
}

/* For each kernel that has passed, in an order of the visit's own; for the libraries where there is
 * none. */
static int make_own(struct unit_context *context) {
    const struct unit_checked *checked = &context->checked;
    int drawn[WIRE_ARMS];
    int step = unit_suspect(context) ? GOES_ON : make_job(context, time_own, -1);
    schedule_shuffle(seed_derive(context->seed, SEED_VISIT, (uint64_t)context->visit),
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

int visit_make(struct unit_context *context) {
    int step = is_own(context) ? make_own(context) : GOES_ON;
    if (step == GOES_ON && is_new(context) && context->visit > 0)
        step = make_recordings(context);
    if (step == GOES_ON && unit_is_staged(context) &&
        context->visit % plan_staged_every(context->plan, context->unit) == 0)
        step = make_job(context, time_staged, -1);
    context->visit += step == GOES_ON;
    return step == TROUBLE ? TROUBLE : 0;
}
