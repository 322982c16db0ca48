#include "bench/jobs/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/checks/checks.h"
#include "bench/checks/credible.h"
#include "bench/checks/finalists.h"
#include "bench/checks/library_work.h"
#include "bench/jobs/processes.h"
#include "bench/jobs/unit_context.h"
#include "bench/jobs/unit_file.h"
#include "bench/jobs/unit_reference.h"
#include "bench/jobs/visit.h"
#include "correctness/numbers/input.h"
#include "reports/pairs/pairs.h"
#include "reports/rows/derive.h"

/* Nothing of the unit is left on the device when another unit gets it. */
static void leave_device(struct unit_context *context) {
    const double start = clock_seconds();
    unit_drop_runner(context, &context->process);
    context->start_seconds += clock_seconds() - start;
}

static void forget_recordings(struct unit_context *context) {
    for (int i = 0; i < UNIT_KERNELS; i++)
        recorded_forget(&context->recorded[i]);
}

/* Nothing is known of the unit. */
static void begin(struct unit_context *context) {
    rows_free(&context->result->rows);
    context->result->rows = (struct rows){0};
    unit_result_drop_times(context->result);
    forget_recordings(context);
    context->checked = (struct unit_checked){.kernel = {-1, -1}};
    context->visit = 0;
    context->start_seconds = context->reference_seconds = 0;
    context->check_seconds = context->audit_seconds = 0;
}

/* What is known of the shape's libraries, of whichever kernel's unit it was found. False: nothing
 * is. */
static bool know_libraries(struct unit_context *context) {
    const struct unit_checked *known = context->session->libraries;
    if (!known || shape_compare(known->shape, context->unit->shape) != 0)
        return false;
    context->checked = *known;
    for (int i = 0; i < known->arm_count; i++)
        snprintf(context->checked.arms[i].row.candidate, RUNDIR_NAME, "%s",
                 unit_label(context->unit));
    return true;
}

/* In a process that loads no kernel. Once a shape. A unit that begins anew behind the checks of
 * all, on another machine than before, has its own ranks. 0 or TROUBLE. */
static int check_libraries(struct unit_context *context) {
    struct device_session *session = context->session;
    const struct shape shape = context->unit->shape;
    if (know_libraries(context))
        return 0;
    if (!finalists_of(session, shape) && finalists_rank(session, &context->unit, 1) < 0)
        return TROUBLE;
    const struct finalists *finalists = finalists_of(session, shape);
    context->start_seconds += finalists ? finalists->seconds : 0;
    if (own_process_take(context, OWN_PROCESS_LIBRARIES, OWN_PROCESS_CHECKS, false) < 0 ||
        unit_reference_make(context, &context->process) < 0 ||
        unit_warm(context, RUNNER_RECORDER) < 0 || checks_libraries(context) == TROUBLE ||
        (own_process_records(context, OWN_PROCESS_LIBRARIES) &&
         library_work_tell(context) == TROUBLE))
        return TROUBLE;
    own_process_leave(context, OWN_PROCESS_LIBRARIES, OWN_PROCESS_CHECKS);
    if (!session->libraries)
        session->libraries = need(1, sizeof *session->libraries);
    *session->libraries = context->checked;
    session->libraries->shape = shape;
    return 0;
}

/* Where another kernel was in the process before it, one that fails is checked once more, alone. 0
 * or TROUBLE. */
static int check_kernel(struct unit_context *context, int which) {
    const struct built *built = unit_built(context, which);
    const struct unit_checked before = context->checked;
    const bool builds = built && built->outcome == BUILD_OK;
    unit_result_begin(context->result);
    for (bool alone = false; built; alone = true) {
        if ((builds && own_process_take(context, which, OWN_PROCESS_CHECKS, alone) < 0) ||
            checks_kernel(context, which) == TROUBLE)
            return TROUBLE;
        if (arm_has_passed(unit_kernel(context, which))) {
            own_process_leave(context, which, OWN_PROCESS_CHECKS);
            return 0;
        }
        unit_drop_runner(context, &context->process);
        if (!builds || context->process_units == 1)
            return 0;
        context->checked = before;
        recorded_forget(&context->recorded[which]);
        unit_result_undo(context->result, NULL);
    }
    return 0;
}

/* All arms are checked. The earlier release comes before the candidate, whose operands lie by its.
 * 0 or TROUBLE. */
static int check(struct unit_context *context) {
    begin(context);
    if (check_libraries(context) == TROUBLE || check_kernel(context, UNIT_PREVIOUS) == TROUBLE ||
        check_kernel(context, UNIT_CANDIDATE) == TROUBLE)
        return TROUBLE;
    if (!visit_was_killed(context))
        return 0;
    context->session->libraries->shape = (struct shape){0};
    return check(context);
}

/* So many visits, or as many as are wanted. 0, or -1 after error(). */
static int make_visits(struct unit_context *context, int visits) {
    int status = 0;
    while (status == 0 && context->visit < visits && visit_is_wanted(context))
        status = visit_make(context);
    return status;
}

/* The rows that follow from the samples. */
static int derive(struct unit_context *context) {
    const struct arm_state *candidate = unit_candidate(context);
    struct unit_result *result = context->result;
    struct samples samples[UNIT_SERIES];
    const struct derive_about about = {
        .shape = context->unit->shape,
        .candidate = unit_label(context->unit),
        .cache = words_caches[context->plan->cache],
        .device = context->device,
        .light_seconds = credible_light_seconds(context),
        .launch_seconds = 1e-6 * context->plan->launch_us,
        .deviation = candidate ? candidate->row.deviation : NAN,
        .code_length = candidate ? candidate->row.code_length : NAN,
        .alpha = context->plan->alpha,
        .beta = context->plan->beta,
    };
    for (int i = 0; i < result->series_count; i++)
        samples[i] = result->series[i].samples;
    return derive_unit(samples, (size_t)result->series_count, &about, &result->rows);
}

/* Goes on with what is stored, where this device has measured it. 1: it begins. -1 after
 * error(). */
static int go_on(struct unit_context *context) {
    const int status = unit_file_read(context);
    const bool here = strcmp(context->device, context->session->label) == 0;
    snprintf(context->device, sizeof context->device, "%s", context->session->label);
    return status != 0 ? status : context->visit > 0 && !here;
}

int unit_run(struct device_session *session, const struct unit *unit, int visits,
             struct unit_result *result, bool *ended) {
    struct unit_context context = {.plan = session->plan,
                                   .unit = unit,
                                   .seed = seed_of_shape(session->plan->seed, unit->shape),
                                   .session = session,
                                   .process = PROCESS_NONE,
                                   .own = -1,
                                   .result = result};
    int status = go_on(&context);
    if (status > 0)
        status = check(&context);
    if (status == 0)
        status = make_visits(&context, visits);
    *ended = status == 0 && !(context.visit < session->plan->visits && visit_is_wanted(&context));
    if (*ended) {
        credible_look(&context);
        status = derive(&context);
    }
    const double measured = clock_seconds();
    if (status == 0)
        status = unit_file_write(&context, *ended);
    session->store_seconds += clock_seconds() - measured;
    forget_recordings(&context);
    leave_device(&context);
    return status;
}
