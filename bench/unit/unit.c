#include "bench/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/checks/checks.h"
#include "bench/context/recordings.h"
#include "bench/context/stage.h"
#include "bench/context/unit_context.h"
#include "bench/context/unit_reference.h"
#include "bench/context/unit_runner.h"
#include "bench/unit/round.h"
#include "bench/unit/unit_kept.h"
#include "correctness/numbers/input.h"
#include "reports/pairs/pairs.h"
#include "reports/rows/derive.h"
#include "reports/rows/device_label.h"

/* Nothing of the unit is left on the device when another unit gets it. */
static void leave_device(struct unit_context *context) {
    const double start = clock_seconds();
    unit_drop_runner(context, &context->process);
    context->start_seconds += clock_seconds() - start;
}

/* The rows name the devices of all rounds. */
static int name_device(struct unit_context *context) {
    const char *label = context->session->label;
    return device_label_add(context->devices, (size_t)context->course.round, label) < 0
               ? error("%s cannot go on with rounds of %s", label, context->devices)
               : 0;
}

/* A runner with the device open and nothing in it. */
static int open_round(struct unit_context *context) {
    leave_device(context);
    if (context->course.round == 0)
        context->rates = context->session->rates;
    return name_device(context) < 0 ? -1 : unit_open_runner(context);
}

/* What has been found so far will be found again, but for what is left out. */
static void forget_findings(struct unit_context *context) {
    struct rows *rows = &context->result->rows;
    const bool left_out = context->unit->previous && !context->course.previous;
    size_t kept = 0;
    for (size_t i = 0; i < rows->audit_count; i++)
        if (left_out && strcmp(rows->audits[i].kernel, RUNDIR_PREVIOUS) == 0)
            rows->audits[kept++] = rows->audits[i];
    rows->audit_count = kept;
    rows->replay_count = 0;
    unit_result_drop_times(context->result);
    context->checked = (struct unit_checked){.candidate = -1, .previous = -1};
    recordings_free(context);
}

static enum unit_event open_unit(struct unit_context *context) {
    forget_findings(context);
    return open_round(context) < 0 || unit_reference_make(context, &context->process) < 0 ||
                   unit_warm_runners(context) < 0
               ? EVENT_TROUBLE
               : EVENT_OK;
}

static enum unit_event set_up_again(struct unit_context *context) {
    if (!round_is_own(context))
        return name_device(context) < 0 ? EVENT_TROUBLE : EVENT_OK;
    return open_round(context) < 0 || unit_warm_next(context) < 0 ? EVENT_TROUBLE
                                                                  : round_set_up_again(context);
}

/* Both kernels have failed together, and the candidate has passed alone: now the earlier release
 * gets its chance. If it passes, nothing is known against either. They cannot be compared, and a
 * gate does not take that for a pass. */
static enum unit_event try_previous_alone(struct unit_context *context);

/* What is done in each state. */
static enum unit_event (*const steps[UNIT_STATES])(struct unit_context *context) = {
    [UNIT_OPEN] = open_unit,
    [UNIT_CHECK_LIBRARIES] = checks_libraries,
    [UNIT_CHECK_PREVIOUS] = checks_previous,
    [UNIT_CHECK_CANDIDATE] = checks_candidate,
    [UNIT_SET_UP_AGAIN] = set_up_again,
    [UNIT_TIME] = round_time,
    [UNIT_CREDIBLE] = credible_look,
    [UNIT_PREVIOUS_ALONE] = try_previous_alone,
};

/* As the system does where memory is short. Nobody is accused of it the first time: the unit is
 * measured anew from its first visit, and no other process is kept beside it. */
static bool begins_anew(struct unit_context *context) {
    struct device_session *session = context->session;
    const bool first = session->killed && !context->begun_anew;
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
    context->begun_anew = true;
    context->course.round = 0;
    context->course.state = UNIT_OPEN;
    return true;
}

/* All states up to the last, or until so many rounds are timed. 0, or -1 after error(). */
static int carry_out(struct unit_context *context, int rounds) {
    struct unit_course *course = &context->course;
    while (course->state != UNIT_DONE && course->state != UNIT_GIVEN_UP &&
           (course->state != UNIT_SET_UP_AGAIN || course->round < rounds)) {
        const enum unit_event event = steps[course->state](context);
        if (!begins_anew(context))
            unit_course_advance(course, event);
    }
    return course->state == UNIT_GIVEN_UP ? -1 : 0;
}

static enum unit_event try_previous_alone(struct unit_context *context) {
    struct unit_result result = {0};
    struct arm_state *left_out = &context->left_out;
    struct unit_context alone = *context;
    unit_drop_runner(context, &context->process);
    memset(alone.recorded, 0, sizeof alone.recorded);
    alone.process = PROCESS_NONE;
    alone.result = &result;
    alone.course = (struct unit_course){
        .state = UNIT_OPEN, .rounds = context->plan->rounds, .previous = true, .alone = true};
    const int status = carry_out(&alone, alone.course.rounds);
    const struct arm_state *previous = unit_previous(&alone);
    const bool passes = alone.course.previous && previous && arm_has_passed(previous);
    unit_drop_runner(&alone, &alone.process);
    recordings_free(&alone);
    unit_result_free(&result);
    if (status < 0)
        return EVENT_TROUBLE;
    if (passes) {
        snprintf(left_out->row.note, sizeof left_out->row.note,
                 "alone it is ok; with the candidate %s", outcome_word(left_out->outcome));
        left_out->outcome = OUTCOME_NOT_COMPARED;
    }
    return EVENT_OK;
}

/* The rows that follow from the samples. */
static int derive(struct unit_context *context) {
    const struct arm_state *candidate = unit_candidate(context);
    struct unit_result *result = context->result;
    const struct derive_about about = {
        .shape = context->unit->shape,
        .candidate = unit_label(context->unit),
        .cache = words_caches[context->plan->cache],
        .device = context->devices,
        .light_seconds = credible_light_seconds(context),
        .deviation = candidate ? candidate->row.deviation : NAN,
        .code_length = candidate ? candidate->row.code_length : NAN,
        .alpha = context->plan->alpha,
        .beta = context->plan->beta,
    };
    for (int i = 0; i < result->series_count; i++)
        if (derive_rows(&result->series[i].samples, &about, &result->rows) < 0)
            return -1;
    return 0;
}

/* The row of the earlier release that was left out. Where the candidate failed alone, too, nothing
 * is known against it. */
static void add_left_out(struct unit_context *context) {
    struct arm_state *arm = &context->left_out;
    const struct arm_state *candidate = unit_candidate(context);
    if (!*arm->row.kernel) /* nothing is */
        return;
    if (candidate && !arm_has_passed(candidate)) {
        arm->outcome = OUTCOME_OK;
        *arm->row.detail = 0;
        snprintf(arm->row.note, sizeof arm->row.note, "not timed: the candidate failed");
    }
    unit_add_check(context, arm);
}

/* The rows of the checks, and in every row the devices, now that all rounds are done. */
static void add_checks(struct unit_context *context) {
    struct rows *rows = &context->result->rows;
    add_left_out(context);
    for (int i = 0; i < context->checked.arm_count; i++)
        unit_add_check(context, &context->checked.arms[i]);
    for (size_t i = 0; i < rows->check_count; i++)
        memcpy(rows->checks[i].device, context->devices, RUNDIR_NAME);
    for (size_t i = 0; i < rows->condition_count; i++)
        memcpy(rows->conditions[i].device, context->devices, RUNDIR_NAME);
}

static struct unit_course start_of(const struct plan *plan, const struct unit *unit) {
    return (struct unit_course){.state = UNIT_OPEN,
                                .rounds = plan->rounds,
                                .candidate = unit->candidate != NULL,
                                .previous = unit->previous != NULL};
}

/* What was kept, or all from the beginning where there is nothing, or where this device cannot go
 * on with it. */
static int begin_unit(struct unit_context *context, json_t **kept) {
    char devices[RUNDIR_NAME];
    int status = *kept ? unit_kept_take(context, *kept) : 0;
    memcpy(devices, context->devices, sizeof devices);
    const bool fits =
        device_label_add(devices, (size_t)context->course.round, context->session->label) == 0;
    json_decref(*kept);
    *kept = NULL;
    if (status == 0 && !fits) {
        rows_free(&context->result->rows);
        context->course = start_of(context->plan, context->unit);
        context->lost_libraries = 0;
        context->left_out = (struct arm_state){0};
        context->start_seconds = context->check_seconds = context->audit_seconds = 0;
    }
    return status;
}

int unit_run(struct device_session *session, const struct unit *unit, int rounds,
             struct unit_result *result, json_t **kept) {
    const struct plan *plan = session->plan;
    struct unit_context context = {.plan = plan,
                                   .unit = unit,
                                   .seed = seed_of_shape(plan->seed, unit->shape),
                                   .course = start_of(plan, unit),
                                   .session = session,
                                   .process = PROCESS_NONE,
                                   .result = result};
    int status = begin_unit(&context, kept);
    if (status == 0)
        status = carry_out(&context, rounds);
    if (status == 0 && context.course.state != UNIT_DONE) {
        status = unit_kept_make(&context, kept);
    } else if (status == 0) {
        status = derive(&context);
        add_checks(&context);
        recordings_remove(&context);
    }
    recordings_free(&context);
    leave_device(&context);
    return status;
}
