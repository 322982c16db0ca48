#include "bench/checks/credible.h"

#include <math.h>

#include "bench/context/stage.h"
#include "reports/rows/derive.h"
#include "reports/rows/recording_rows.h"

double credible_light_seconds(const struct unit_context *context) {
    struct shape s = context->unit->shape;
    return light_seconds(s.m, s.n, s.k, &context->rates);
}

/* A kernel that beats the speed of light by any lens has not done the work while it was timed. */
static void check_light(struct unit_context *context, struct arm_state *arm) {
    for (int i = 0; i < context->result->series_count; i++) {
        const struct samples *samples = &context->result->series[i].samples;
        int column = derive_column(samples, arm->row.kernel);
        double median = column < 0 ? NAN : derive_median(samples, (size_t)column);
        if (!(median < LIGHT_MARGIN * credible_light_seconds(context)))
            continue;
        arm->outcome = OUTCOME_TOO_FAST;
        arm_describe(
            arm, "", "%.4g us by the %s lens in %s mode; this device needs at least %.4g us",
            1e6 * median, samples->lens, samples->mode, 1e6 * credible_light_seconds(context));
        return;
    }
}

/* Of the samples by the lens; NaN where they are too few to tell how they scatter. */
static double quantile_of(const struct unit_context *context, enum mode mode, enum lens lens,
                          const char *kernel, double p) {
    const size_t least = 5;
    for (int i = 0; i < context->result->series_count; i++) {
        const struct sample_buffer *series = &context->result->series[i];
        int column = derive_column(&series->samples, kernel);
        if (series->mode == mode && series->lens == lens && column >= 0 &&
            series->samples.blocks >= least)
            return derive_quantile(&series->samples, (size_t)column, p);
    }
    return NAN;
}

/* Calls in a row cost a kernel about what one does. The first could make the products of the others,
 * whose operands are there. One that gains more than twice what a library gains, in three calls of
 * four on either side, has not done them all. Of short kernels a launch's own
 * cost, which a stream hides, is much of a call: 1.4 us, or 2.6 us of a dependent launch (H100), so
 * that one that takes 8 us alone may take 5.4 us. */
static void check_stream(struct unit_context *context, struct arm_state *arm) {
    const double long_enough = 8e-6;
    const struct arm_state *passed = unit_library(context);
    if (!passed)
        return;
    const char *mine = arm->row.kernel, *library = passed->row.kernel;
    const double alone = quantile_of(context, MODE_OFFLINE, LENS_DEVICE, mine, 0.25);
    const double busy = quantile_of(context, MODE_OFFLINE, LENS_STREAM, mine, 0.75);
    const double usual = quantile_of(context, MODE_OFFLINE, LENS_STREAM, library, 0.5) /
                         quantile_of(context, MODE_OFFLINE, LENS_DEVICE, library, 0.5);
    if (!(alone > long_enough && busy / alone < usual / 2))
        return;
    arm->outcome = OUTCOME_REPLAYED;
    arm_describe(
        arm, "",
        "three calls in four take %.4g us or more alone, and %.4g us or less among calls in a "
        "row, %.2g of it; of %s %.2g: calls were skipped",
        1e6 * alone, 1e6 * busy, busy / alone, library, usual);
}

/* Nothing bears out what its own process says of a kernel whose timed calls are not known to be
 * those that were recorded. */
static bool is_other_work(const struct unit_context *context, struct arm_state *arm) {
    const struct recording_row *recording = recording_rows_last(
        &context->result->rows, context->unit->shape, unit_label(context->unit), arm->row.kernel);
    if (recording && recording_rows_same_work(recording))
        return false;
    if (recording && *recording->kernels && *recording->own_kernels)
        snprintf(arm->row.note, sizeof arm->row.note,
                 "its timed calls launch other kernels than were recorded of it: times by device "
                 "and stream are of those that were recorded, times by call are not");
    return true;
}

/* Whether the stage has seen the kernel's calls, and cannot time any of them. */
static bool is_all_marked(const struct unit_context *context, const char *kernel) {
    for (int i = 0; i < context->result->series_count; i++) {
        const struct samples *samples = &context->result->series[i].samples;
        const int column = derive_column(samples, kernel);
        if (context->result->series[i].lens == LENS_DEVICE && column >= 0)
            return isnan(derive_median(samples, (size_t)column));
    }
    return false;
}

/* Nothing bounds a call whose device work has no time: then the call has none, either. Without the
 * candidate's there is nothing to compare. */
static void drop_unbounded(struct unit_context *context, struct arm_state *arm) {
    struct unit_result *result = context->result;
    if (arm == unit_candidate(context)) {
        for (int lens = 0; lens < LENS_COUNT; lens++)
            if (!words_lens_is((enum lens)lens, LENS_HELD))
                unit_result_drop_lens(result, (enum lens)lens);
    } else {
        for (int i = 0; i < result->series_count; i++)
            if (result->series[i].samples.place != PLACE_STAGE)
                sample_buffer_drop_arm(&result->series[i], arm->row.kernel);
    }
    snprintf(arm->row.note, sizeof arm->row.note,
             "its device work has no time on the stage, so that nothing bounds a time by call: it "
             "has none");
}

/* A call of its own process cannot be shorter than its device work is on the stage, but for what
 * lies in the caches: a quarter is more than was ever seen (17 % of a library's call on an H200). */
#define CALL_SHARE 0.75

static void compare_call(struct arm_state *arm, const char *lens, double call, double device) {
    if (call >= device)
        return;
    if (call >= CALL_SHARE * device) {
        if (!*arm->row.note)
            snprintf(arm->row.note, sizeof arm->row.note,
                     "a %s takes %.4g us in its own process and %.4g us on the stage: the caches "
                     "hold other things",
                     lens, 1e6 * call, 1e6 * device);
        return;
    }
    arm->outcome = OUTCOME_TOO_FAST;
    arm_describe(arm, "",
                 "a %s takes %.4g us in its own process, and its device work alone %.4g us on the "
                 "stage: calls were skipped, or their times are not true",
                 lens, 1e6 * call, 1e6 * device);
}

/* A launch adds so much to a library's call at most: of 1,036 medians on H200s none was above 15 us
 * and 1.06 times the device work. */
#define LAUNCH_SECONDS 20e-6

/* A kernel can have the libraries of its own process make detours. On the stage it cannot. Returns
 * whether one takes longer for a call than a launch and its device work explain. */
static bool slows_library(const struct unit_context *context, struct arm_state *arm) {
    for (int i = 0; i < context->checked.arm_count; i++) {
        const char *library = context->checked.arms[i].row.kernel;
        const double call = quantile_of(context, MODE_OFFLINE, LENS_CALL, library, 0.5);
        const double device = quantile_of(context, MODE_OFFLINE, LENS_DEVICE, library, 0.5);
        if (context->checked.arms[i].built || !(call > device / CALL_SHARE + LAUNCH_SECONDS))
            continue;
        snprintf(arm->row.note, sizeof arm->row.note,
                 "%s takes %.4g us by call beside it, and %.4g us on the stage: nothing bounds "
                 "ratios by call",
                 library, 1e6 * call, 1e6 * device);
        return true;
    }
    return false;
}

/* Each series of its own process is bounded by its device work in the same mode, or by nothing. */
static void check_own(struct unit_context *context, struct arm_state *arm) {
    const char *kernel = arm->row.kernel;
    const bool other = is_other_work(context, arm) || slows_library(context, arm);
    if (stage_serves(context) && is_all_marked(context, kernel))
        drop_unbounded(context, arm);
    for (int i = 0; i < context->result->series_count && arm_has_passed(arm); i++) {
        struct sample_buffer *own = &context->result->series[i];
        if (own->samples.place == PLACE_STAGE)
            continue;
        const double call = quantile_of(context, own->mode, own->lens, kernel, 0.5);
        const double device = quantile_of(context, own->mode, LENS_DEVICE, kernel, 0.5);
        if (other || isnan(call) || isnan(device))
            own->samples.place = PLACE_UNBOUNDED;
        else
            compare_call(arm, own->samples.lens, call, device);
    }
}

/* Whether the times of a kernel under test can be those of its work. */
static bool is_credible(struct unit_context *context, struct arm_state *arm) {
    if (arm_has_passed(arm))
        check_light(context, arm);
    if (arm_has_passed(arm))
        check_stream(context, arm);
    if (arm_has_passed(arm) && !plan_on_host(context->plan))
        check_own(context, arm);
    return arm_has_passed(arm);
}

void credible_look(struct unit_context *context) {
    struct arm_state *const kernels[] = {unit_previous(context), unit_candidate(context)};
    for (int i = 0; i < UNIT_KERNELS; i++)
        if (kernels[i] && arm_has_passed(kernels[i]) && !is_credible(context, kernels[i]))
            unit_leave_out(context, kernels[i]);
}
