#include "bench/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/unit/checks.h"
#include "bench/unit/device_rotation.h"
#include "bench/unit/measure.h"
#include "bench/unit/work.h"
#include "correctness/numbers/input.h"
#include "reports/compare/round_speeds.h"
#include "reports/run/derive.h"
#include "reports/run/device_label.h"

static int open_runner(struct work *work) {
    const double start = clock_seconds();
    const int status = work_open(work, &work->process);
    work->start_seconds += clock_seconds() - start;
    return status;
}

/* Nothing of the unit is left on the device when another unit gets it. */
static void leave_device(struct work *work) {
    work_part(work, &work->process);
    if (!work->turns)
        return;
    work_settle(work);
    device_rotation_give(work->turns, work->session);
    work->session = NULL;
}

/* The device whose turn it is. */
static int take_device(struct work *work, int round, const struct device_session *last) {
    work->session = device_rotation_take(work->turns, last);
    if (!work->session)
        return -1;
    if (round == 0) {
        work->first = work->session;
        *work->places = 0;
    }
    device_label_add(work->places, work->session->label);
    return 0;
}

/* Starts a runner with the arms in it: checked in the first round, as they were in later ones. */
static int start_round(struct work *work, int round) {
    int again;
    const struct device_session *last = work->session;
    const double end = clock_seconds();
    if (last)
        leave_device(work);
    work->start_seconds += clock_seconds() - end;
    if (work->turns && take_device(work, round, last) < 0)
        return -1;
    if (round > 0)
        return open_runner(work) < 0 ? -1 : checks_again(work);
    do {
        work->arm_count = 0;
        work->candidate = work->previous = -1;
        work->largest = 0;
        again = -1;
        if (open_runner(work) == 0 && work_stock(work) == 0) {
            again = checks_baselines(work);
            if (again == 0 && work->unit->previous && !work->no_previous)
                again = checks_previous(work);
        }
        if (again == 1)
            work_part(work, &work->process);
    } while (again == 1);
    return again < 0                                      ? -1
           : work->unit->candidate && !work->no_candidate ? checks_candidate(work)
                                                          : 0;
}

/* Whether there is a point in timing: the candidate has passed, or there is none and a baseline
 * has. */
static bool worth_timing(const struct work *work) {
    bool any = false;
    for (int i = 0; i < work->arm_count; i++)
        any |= work->arms[i].outcome == OUTCOME_OK;
    return any && (work->plan->modes[MODE_OFFLINE] || work->plan->modes[MODE_SERVER]) &&
           (work->candidate < 0 || work->arms[work->candidate].outcome == OUTCOME_OK);
}

static double light(const struct work *work) {
    struct shape s = work->unit->shape;
    return light_seconds(s.m, s.n, s.k, &work->first->rates);
}

/* A kernel that beats the speed of light by any lens has not done the work while it was timed. */
static void check_light(struct work *work, struct arm_state *arm) {
    for (int i = 0; i < work->result->series_count; i++) {
        const struct samples *samples = &work->result->series[i].samples;
        int column = derive_column(samples, arm->row.kernel);
        double median = column < 0 ? NAN : derive_median(samples, (size_t)column);
        if (!(median < LIGHT_MARGIN * light(work)))
            continue;
        arm->outcome = OUTCOME_TOO_FAST;
        work_describe(arm, "",
                      "%.4g us by the %s lens in %s mode; this device needs at least %.4g us",
                      1e6 * median, samples->lens, samples->mode, 1e6 * light(work));
        return;
    }
}

/* Of the offline samples by the lens; NaN where they are too few to tell how they scatter. */
static double quantile_of(const struct work *work, enum lens lens, const char *kernel, double p) {
    const size_t least = 5;
    for (int i = 0; i < work->result->series_count; i++) {
        const struct sample_buffer *series = &work->result->series[i];
        int column = derive_column(&series->samples, kernel);
        if (series->mode == MODE_OFFLINE && series->lens == lens && column >= 0 &&
            series->samples.blocks >= least)
            return derive_quantile(&series->samples, (size_t)column, p);
    }
    return NAN;
}

/* Calls in a row on the same operands cost a kernel about what one does. One that gains more than
 * twice what a library gains, in three calls of four on either side, has not done them all. Of
 * short kernels a launch's own cost, which a stream hides, is much of a call. */
static void check_stream(struct work *work, struct arm_state *arm) {
    const double long_enough = 20e-6;
    const char *mine = arm->row.kernel, *library = NULL;
    for (int i = 0; i < work->arm_count && !library; i++)
        if (!work->arms[i].built && work->arms[i].outcome == OUTCOME_OK)
            library = work->arms[i].row.kernel;
    if (!library)
        return;
    const double alone = quantile_of(work, LENS_DEVICE, mine, 0.25);
    const double busy = quantile_of(work, LENS_STREAM, mine, 0.75);
    const double usual =
        quantile_of(work, LENS_STREAM, library, 0.5) / quantile_of(work, LENS_DEVICE, library, 0.5);
    if (!(alone > long_enough && busy / alone < usual / 2))
        return;
    arm->outcome = OUTCOME_REPLAYED;
    work_describe(
        arm, "",
        "three calls in four take %.4g us or more alone, and %.4g us or less among calls on the "
        "same operands, %.2g of it; of %s %.2g: calls were skipped",
        1e6 * alone, 1e6 * busy, busy / alone, library, usual);
}

/* Whether the times of a kernel under test can be those of its work. */
static bool is_credible(struct work *work, int which) {
    struct arm_state *arm = &work->arms[which];
    if (arm->outcome == OUTCOME_OK)
        check_light(work, arm);
    if (arm->outcome == OUTCOME_OK)
        check_stream(work, arm);
    return arm->outcome == OUTCOME_OK;
}

static void drop_times(struct unit_result *result) {
    for (int i = 0; i < result->series_count; i++)
        sample_buffer_free(&result->series[i]);
    result->series_count = 0;
    result->rows.condition_count = 0;
}

/* Two kernels under test share a process. When it dies, lies or writes where it must not, either
 * may have brought that about: the unit is timed again without the earlier release, and what
 * happens then is the candidate's doing. */
static bool blames_previous(const struct work *work, const struct arm_state *failed, int outcome) {
    if (work->previous < 0)
        return false;
    const struct arm_state *previous = &work->arms[work->previous];
    if (failed == previous)
        return true;
    if (previous->outcome != OUTCOME_OK)
        return false;
    return outcome == OUTCOME_WROTE_OUTSIDE || !work_survives((enum outcome)outcome);
}

/* Nothing has been timed. What was found in kernels will be found again, but for what is left out
 * from now on. */
static void start_over(struct work *work) {
    struct rows *rows = &work->result->rows;
    size_t kept = 0;
    for (size_t i = 0; i < rows->audit_count; i++)
        if (work->no_previous && strcmp(rows->audits[i].kernel, ROUND_SPEEDS_PREVIOUS) == 0)
            rows->audits[kept++] = rows->audits[i];
    rows->audit_count = kept;
    drop_times(work->result);
}

/* Leaves the earlier release out from now on. */
static void leave_out(struct work *work, const struct arm_state *failed, int outcome) {
    struct arm_state *previous = &work->arms[work->previous];
    work->no_previous = true;
    start_over(work);
    work->left_out = *previous;
    if (failed == previous)
        return;
    work->left_out.outcome = (enum outcome)outcome;
    work_describe(&work->left_out, "", "timed in one process with the candidate: %.400s",
                  failed ? failed->row.detail : "");
}

/* Its row. Where the candidate failed alone, too, nothing is known against it. */
static int add_left_out(struct work *work) {
    struct arm_state *arm = &work->left_out;
    if (!*arm->row.kernel) /* nothing is */
        return 0;
    if (work->candidate >= 0 && work->arms[work->candidate].outcome != OUTCOME_OK) {
        arm->outcome = OUTCOME_OK;
        *arm->row.detail = 0;
        snprintf(arm->row.note, sizeof arm->row.note, "not timed: the candidate failed");
    }
    snprintf(arm->row.outcome, sizeof arm->row.outcome, "%s", outcome_word(arm->outcome));
    return rows_add_check(&work->result->rows, &arm->row);
}

/* Of the arms in hand. Returns an outcome, with *failed, or TROUBLE. */
static int time_round(struct work *work, int round, struct arm_state **failed) {
    if (work->candidate >= 0 && work->arms[work->candidate].outcome != OUTCOME_OK) {
        *failed = &work->arms[work->candidate]; /* in a later round */
        return (int)(*failed)->outcome;
    }
    const int outcome = checks_controls(work, failed);
    return outcome != OUTCOME_OK ? outcome : measure_round(work, round, failed);
}

/* Every round. A kernel that fails while timed takes its unit's times with it: a mean over what it
 * did before failing would be a number without a meaning. 0, 1 for another attempt without the arm
 * that was lost or the earlier release, or -1. */
static int time_rounds(struct work *work) {
    for (int round = 0; round < work->plan->rounds; round++) {
        struct arm_state *failed = NULL;
        const int again = start_round(work, round);
        if (again == 1)
            start_over(work);
        if (again != 0)
            return again;
        if (round == 0 && !worth_timing(work))
            return 0;
        const int outcome = time_round(work, round, &failed);
        if (outcome == TROUBLE)
            return -1;
        if (outcome == OUTCOME_OK)
            continue;
        drop_times(work->result);
        if (!blames_previous(work, failed, outcome))
            return 0;
        leave_out(work, failed, outcome);
        work->beside = true;
        return 1;
    }
    return 0;
}

/* Where both have failed together and the candidate has passed alone, the earlier release gets its
 * chance, too. If it passes, nothing is known against either: they cannot be compared, and a gate
 * does not take that for a pass. 0 or -1. */
static int try_previous(struct work *work) {
    struct unit_result result = {0};
    struct arm_state *left_out = &work->left_out;
    struct work alone = *work;
    work_part(work, &work->process);
    alone.process = PROCESS_NONE;
    alone.result = &result;
    alone.no_previous = false;
    alone.no_candidate = true;
    int status;
    do
        status = time_rounds(&alone);
    while (status == 1 && !alone.no_previous); /* a library was lost */
    const bool passes =
        status == 0 && alone.previous >= 0 && alone.arms[alone.previous].outcome == OUTCOME_OK;
    work_part(&alone, &alone.process);
    work->session = alone.session;
    unit_result_free(&result);
    if (status < 0 || !passes)
        return status < 0 ? -1 : 0;
    snprintf(left_out->row.note, sizeof left_out->row.note, "alone it is ok; with the candidate %s",
             outcome_word(left_out->outcome));
    left_out->outcome = OUTCOME_NOT_COMPARED;
    return 0;
}

static int time_unit(struct work *work) {
    int again;
    do {
        again = time_rounds(work);
        if (again == 0 && work->previous >= 0 && work->arms[work->previous].outcome == OUTCOME_OK &&
            !is_credible(work, work->previous)) {
            leave_out(work, &work->arms[work->previous], 0);
            again = 1;
        }
    } while (again == 1);
    if (again < 0)
        return -1;
    if (work->candidate >= 0 && !is_credible(work, work->candidate))
        drop_times(work->result);
    else if (work->beside)
        return try_previous(work);
    return 0;
}

static int derive(struct work *work) {
    const struct check_row none = {.deviation = NAN, .code_length = NAN};
    const struct check_row *check = work->candidate >= 0 ? &work->arms[work->candidate].row : &none;
    const struct derive_about about = {.shape = work->unit->shape,
                                       .candidate = unit_label(work->unit),
                                       .cache = words_caches[work->plan->cache],
                                       .device = work->places,
                                       .light_seconds = light(work),
                                       .deviation = check->deviation,
                                       .code_length = check->code_length,
                                       .alpha = work->plan->alpha,
                                       .beta = work->plan->beta};
    for (int i = 0; i < work->result->series_count; i++)
        if (derive_rows(&work->result->series[i].samples, &about, &work->result->rows) < 0)
            return -1;
    return 0;
}

/* In every row, now that all rounds are done. */
static void tell_places(const struct work *work) {
    struct rows *rows = &work->result->rows;
    for (size_t i = 0; i < rows->check_count; i++)
        memcpy(rows->checks[i].device, work->places, RUNDIR_NAME);
    for (size_t i = 0; i < rows->condition_count; i++)
        memcpy(rows->conditions[i].device, work->places, RUNDIR_NAME);
}

int unit_run(struct device_session *session, const struct device_rotation *turns,
             const struct unit *unit, struct unit_result *result) {
    const struct plan *plan = turns ? turns->sessions->plan : session->plan;
    struct work work = {.session = session,
                        .turns = turns,
                        .first = session,
                        .plan = plan,
                        .seed = seed_of_shape(plan->seed, unit->shape),
                        .unit = unit,
                        .result = result,
                        .process = PROCESS_NONE,
                        .candidate = -1,
                        .previous = -1};
    if (session)
        memcpy(work.places, session->label, RUNDIR_NAME);
    int status = time_unit(&work);
    if (status == 0)
        status = derive(&work);
    if (status == 0)
        status = add_left_out(&work);
    for (int i = 0; i < work.arm_count && status == 0; i++) {
        struct check_row *row = &work.arms[i].row;
        snprintf(row->outcome, sizeof row->outcome, "%s", outcome_word(work.arms[i].outcome));
        status = rows_add_check(&result->rows, row);
    }
    tell_places(&work);
    if (work.session)
        leave_device(&work);
    return status;
}

void unit_result_free(struct unit_result *result) {
    rows_free(&result->rows);
    for (int i = 0; i < result->series_count; i++)
        sample_buffer_free(&result->series[i]);
    memset(result, 0, sizeof *result);
}
