#include "bench/checks/credible.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "reports/rows/derive.h"
#include "timing/stats.h"
#include "timing/verdict.h"

double credible_light_seconds(const struct unit_context *context) {
    struct shape s = context->unit->shape;
    return light_seconds(s.m, s.n, s.k, &context->session->rates);
}

/* The least and the most of what rows say of an arm by a mode and lens: the median, the estimates of
 * the visits, and the means that a speedup is made of, of t and of 1 / t. A kernel that forges less
 * than half of its samples moves no median, with 29 % it moves an estimate, and a mean with one. NaN
 * where the samples are too few to tell how they scatter. */
struct told {
    double least, most;
};

/* Logarithms of the column's samples that are not marked, from the block on to the end of its visit,
 * behind which *block is then. Returns how many. */
static size_t take_visit(const struct samples *samples, size_t column, size_t *block, double *out) {
    const int visit = derive_visit_of(samples, *block);
    size_t n = 0;
    for (; *block < samples->blocks && derive_visit_of(samples, *block) == visit; ++*block)
        if (derive_known(samples, *block, column, column))
            out[n++] = log(derive_value(samples, *block, column));
    return n;
}

static void stretch(struct told *told, double seconds) {
    told->least = fmin(told->least, seconds);
    told->most = fmax(told->most, seconds);
}

static void stretch_to_means(struct told *told, const double *logs, size_t n) {
    double sum = 0, inverse = 0;
    for (size_t i = 0; i < n; i++) {
        sum += exp(logs[i]);
        inverse += exp(-logs[i]);
    }
    stretch(told, sum / (double)n);
    stretch(told, (double)n / inverse);
}

static struct told told_by(const struct samples *samples, const char *kernel) {
    const size_t fewest = 5;
    const int column = derive_column(samples, kernel);
    double *logs = need(samples->blocks, sizeof *logs);
    struct told told = {INFINITY, 0};
    size_t n = 0;
    for (size_t block = 0; column >= 0 && block < samples->blocks;) {
        const size_t more = take_visit(samples, (size_t)column, &block, logs + n);
        if (more > 0)
            stretch(&told, exp(stats_hodges_lehmann(logs + n, more)));
        n += more;
    }
    if (n == 0 || samples->blocks < fewest) {
        told = (struct told){NAN, NAN};
    } else {
        stretch(&told, exp(stats_median(logs, n)));
        stretch_to_means(&told, logs, n);
    }
    free(logs);
    return told;
}

/* The same on the stage, whose samples no kernel's code can reach. */
static struct told told_on_stage(const struct unit_context *context, enum mode mode, enum lens lens,
                                 const char *kernel) {
    const struct sample_buffer *series =
        unit_result_series(context->result, mode, lens, !plan_on_host(context->plan), kernel);
    return series ? told_by(&series->samples, kernel) : (struct told){NAN, NAN};
}

/* A kernel that beats the speed of light by any lens has not done the work while it was timed. */
static void check_light(struct unit_context *context, struct arm_state *arm) {
    const double light = credible_light_seconds(context);
    for (int i = 0; i < context->result->series_count; i++) {
        const struct samples *samples = &context->result->series[i].samples;
        const double seconds = told_by(samples, arm->row.kernel).least;
        if (!(seconds < LIGHT_MARGIN * light))
            continue;
        arm->outcome = OUTCOME_TOO_FAST;
        arm_describe(arm, "",
                     "%.4g us by the %s lens in %s mode; this device needs at least %.4g us",
                     1e6 * seconds, samples->lens, samples->mode, 1e6 * light);
        return;
    }
}

/* A stream hides what launching costs a call alone: 1.4 us, or 2.6 us of a dependent launch (H100).
 * Of 640 arms on an H100 and an H200 none saved more than 2.7 us of a call of up to 60 us, and none
 * more than 6 % of a longer one, whose clock is another alone. */
#define ROW_SAVES 6e-6
#define ROW_SHARE 0.9

/* Of a call that takes as long as this, launching is no half. */
#define LONG_CALL 8e-6

/* Calls in a row cost a kernel about what one does, less what launching costs. The first could make
 * the products of the others, whose operands are there, or begin before the call in front of it has
 * made what it would wait for elsewhere. One that gains more than launching and clocks explain, or
 * more than twice what a library gains, by anything that rows say of it, is accused of nothing. It has
 * no times by stream. */
static void check_stream(struct unit_context *context, struct arm_state *arm) {
    const struct arm_state *library = unit_library(context);
    if (!library)
        return;
    const char *mine = arm->row.kernel, *its = library->row.kernel;
    const double alone = told_on_stage(context, MODE_OFFLINE, LENS_DEVICE, mine).least;
    const double busy = told_on_stage(context, MODE_OFFLINE, LENS_STREAM, mine).least;
    const double usual = told_on_stage(context, MODE_OFFLINE, LENS_STREAM, its).least /
                         told_on_stage(context, MODE_OFFLINE, LENS_DEVICE, its).least;
    if (!(busy < ROW_SHARE * fmin(usual, 1) * alone - ROW_SAVES) &&
        !(alone > LONG_CALL && busy < usual / 2 * alone))
        return;
    unit_drop_times(context, arm, 1 << LENS_STREAM);
    snprintf(arm->row.note, sizeof arm->row.note,
             "a call takes %.4g us alone, and %.4g us among calls in a row: launching does not "
             "explain that, so it has no times by stream",
             1e6 * alone, 1e6 * busy);
}

/* Nothing bears out what its own process says of a kernel whose timed calls are not known to be
 * those that were recorded. */
static bool is_other_work(const struct unit_context *context, struct arm_state *arm) {
    const struct recording_row *recording =
        rows_recording(&context->result->rows, arm->row.kernel);
    const bool known = recording && *recording->kernels && *recording->own_kernels;
    if (known && strcmp(recording->kernels, recording->own_kernels) == 0)
        return false;
    if (known)
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

/* Nothing bounds a call, or calls in a row, whose device work has no time: then they have none,
 * either. */
static void drop_unbounded(struct unit_context *context, struct arm_state *arm) {
    unit_drop_times(context, arm, ~(1 << LENS_DEVICE));
    snprintf(arm->row.note, sizeof arm->row.note,
             "its device work has no time on the stage, so that nothing bounds its other times: it "
             "has none");
}

/* A call of its own process is not shorter than its device work on the stage, but for what lies in
 * the caches. The stage sweeps memory of the kernel out of the L2, and its own calls find it there.
 * Below this share nothing bounds the number: of 640 arms on an H100 and an H200 none was below 0.87
 * of the median, nor a visit below 0.95 of the fastest. */
#define CALL_SHARE 0.75

/* No cache explains less: a line comes from an L2 some three times as fast as from memory, whether
 * one waits for it or for many. */
#define CACHE_SHARE 0.25

/* Whether the device work bounds the call. */
static bool is_bounded(struct arm_state *arm, const char *lens, double call, double device) {
    const bool bounded = call >= CALL_SHARE * device;
    if (call < CACHE_SHARE * device) {
        arm->outcome = OUTCOME_TOO_FAST;
        arm_describe(arm, "",
                     "a %s takes %.4g us in its own process, and its device work alone %.4g us on "
                     "the stage: calls were skipped, or their times are not true",
                     lens, 1e6 * call, 1e6 * device);
    } else if (call < device && (!bounded || !*arm->row.note)) {
        snprintf(arm->row.note, sizeof arm->row.note,
                 "a %s takes %.4g us in its own process and %.4g us on the stage: the caches hold "
                 "other things%s",
                 lens, 1e6 * call, 1e6 * device,
                 bounded ? "" : ", or its times are not true; nothing bounds them");
    }
    return bounded;
}

/* A launch adds so much to a library's call at most: of 1,036 medians on H200s none was above 15 us
 * and 1.06 times the device work. Nothing that rows say of 640 arms on an H100 and an H200 was more
 * than 9.6 us above device work / CALL_SHARE. It is no number of the run: what launches take is
 * measured by call alone, in processes that the kernels can forge. */
#define LAUNCH_SECONDS 20e-6

/* Whether the ratios to the libraries of its process are bounded. On the stage a kernel cannot have a
 * library make detours, or forge its times: no library takes longer beside it than a launch and its
 * device work in that mode explain.
 *
 * The mean of the ratios of the blocks is a number of both. A single block in which a library is slow
 * and the kernel fast can make it a hundred, while what rows say of either alone is within its
 * bounds. It is no more than these bounds allow. Of 1,120 means on an H100 and an H200 none was above
 * 0.6 of that. */
static bool are_ratios_bounded(const struct unit_context *context, struct arm_state *arm,
                               const struct sample_buffer *own, double device) {
    const struct samples *samples = &own->samples;
    const int mine = derive_column(samples, arm->row.kernel);
    for (int i = 0; i < context->checked.arm_count; i++) {
        const char *library = context->checked.arms[i].row.kernel;
        const int column = derive_column(samples, library);
        if (context->checked.arms[i].built || column < 0)
            continue;
        const double work = told_on_stage(context, own->mode, LENS_DEVICE, library).most;
        const double most = work / CALL_SHARE + LAUNCH_SECONDS;
        const double call = told_by(samples, library).most;
        const size_t pair[2] = {(size_t)column, (size_t)mine};
        const double mean = derive_speedup(samples, pair);
        if (call > most)
            snprintf(arm->row.note, sizeof arm->row.note,
                     "%s takes %.4g us by %s beside it, %s, and %.4g us on the stage: nothing "
                     "bounds these ratios",
                     library, 1e6 * call, samples->lens, samples->mode, 1e6 * work);
        else if (mean > most / (CALL_SHARE * device) - 1)
            snprintf(arm->row.note, sizeof arm->row.note,
                     "its mean speedup over %s is %.4g by %s, %s, and by the stage it is at most "
                     "%.4g: nothing bounds these ratios",
                     library, mean, samples->lens, samples->mode, most / (CALL_SHARE * device) - 1);
        else
            continue;
        return false;
    }
    return true;
}

/* Each series of its own process is bounded by the device work in the same mode, its own and that of
 * the libraries, or by nothing. */
static void check_own(struct unit_context *context, struct arm_state *arm) {
    const char *kernel = arm->row.kernel;
    const bool other = is_other_work(context, arm);
    if (unit_is_staged(context) && is_all_marked(context, kernel))
        drop_unbounded(context, arm);
    for (int i = 0; i < context->result->series_count && arm_has_passed(arm); i++) {
        struct sample_buffer *own = &context->result->series[i];
        if (own->samples.place == PLACE_STAGE || derive_column(&own->samples, kernel) < 0)
            continue;
        const double call = told_by(&own->samples, kernel).least;
        const double device = told_on_stage(context, own->mode, LENS_DEVICE, kernel).least;
        if (isnan(device) && unit_is_staged(context) && !*arm->row.note)
            snprintf(arm->row.note, sizeof arm->row.note,
                     "its device work in %s mode has no time on the stage: nothing bounds its "
                     "other times",
                     own->samples.mode);
        if (other || isnan(call) || isnan(device) ||
            !is_bounded(arm, own->samples.lens, call, device) ||
            !are_ratios_bounded(context, arm, own, device))
            own->samples.place = PLACE_UNBOUNDED;
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
