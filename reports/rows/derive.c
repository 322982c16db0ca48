#include "reports/rows/derive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/rows/apart.h"
#include "reports/rows/derive_controls.h"
#include "reports/rows/kept_text.h"
#include "reports/rows/launch.h"
#include "reports/rows/layouts.h"
#include "reports/rows/undisturbed.h"
#include "timing/stats.h"
#include "timing/tails.h"

/* Fewest samples for a quantile: ten beyond it. */
enum { LEAST_P90 = 100, LEAST_P99 = 1000 };

/* The median of what the arm's launches took the host; NaN by lenses that do not tell. */
static double host_seconds_of(const struct samples *samples, size_t arm) {
    const int column = derive_host_column(samples, arm);
    return column < 0 ? NAN : derive_median(samples, (size_t)column);
}

static void add_time(const struct layouts *with, const struct undisturbed *undisturbed,
                     const struct derive_about *about, size_t column, double *x,
                     struct rows *rows) {
    const struct samples *samples = &with->samples;
    const size_t visits = undisturbed->timed_visits, left_out = undisturbed->left_out_count;
    char text[UNDISTURBED_TEXT], chosen[LAYOUTS_TEXT], note[RUNDIR_TEXT] = "";
    const size_t n = derive_take(samples, column, x);
    struct time_row row = {
        .shape = about->shape, .samples = (double)n, .visits = (double)(visits - left_out)};
    row.candidate = about->candidate;
    row.kernel = samples->columns[column];
    row.mode = samples->mode;
    row.lens = samples->lens;
    row.cache = about->cache;
    row.place = words_places[samples->place];
    row.device = about->device;
    row.marked = derive_marked(samples, column);
    row.host_seconds = host_seconds_of(samples, column);
    row.mean = stats_mean(x, n);
    row.sd = stats_sd(x, n);
    stats_sort(x, n);
    row.median = stats_quantile_sorted(x, n, 0.5);
    row.p05 = stats_quantile_sorted(x, n, 0.05);
    row.p95 = stats_quantile_sorted(x, n, 0.95);
    row.p90 = n >= LEAST_P90 ? stats_quantile_sorted(x, n, 0.9) : NAN;
    row.p99 = n >= LEAST_P99 ? stats_quantile_sorted(x, n, 0.99) : NAN;
    row.tflops = shape_flops(about->shape) / row.median * 1e-12;
    row.sm_mhz = derive_mean(samples, SAMPLES_SM_MHZ);
    row.cycles = row.median * row.sm_mhz * 1e6;
    row.light_seconds = about->light_seconds;
    if (layouts_say(with, column, chosen))
        text_append(note, sizeof note, "%s; ", chosen);
    if (n == 0 && samples->blocks > 0)
        text_append(note, sizeof note, DERIVE_ALL_MARKED "; ");
    if (samples->calls > 1)
        text_append(note, sizeof note, "%llu calls a sample; ", (unsigned long long)samples->calls);
    if (samples->every > 1)
        text_append(note, sizeof note, "%llu blocks timed, every %lluth kept; ",
                    (unsigned long long)samples->seen, (unsigned long long)samples->every);
    if (left_out)
        text_append(note, sizeof note, "%s; ",
                    undisturbed_text((double)left_out, (double)visits, text));
    if (*note)
        note[strlen(note) - 2] = 0;
    row.note = note;
    rows_add_time(rows, &row);
}

int derive_rates(const json_t *manifest, const char *device, struct light_rates *rates) {
    json_error_t wrong;
    const json_t *one = jsonfile_entry(json_object_get(manifest, "devices"), "label", device);
    json_t *limits = json_object_get(one ? one : manifest, "limits");
    *rates = (struct light_rates){0};
    if (!limits)
        return error("manifest.json: no limits of the device '%s'", device);
    if (json_unpack_ex(limits, &wrong, 0, "{s:{s:F, s:F, s:F, s:F}}", "rates", "f16_flops",
                       &rates->f16_flops, "l2_bytes", &rates->l2_bytes, "dram_bytes",
                       &rates->dram_bytes, "l2_size", &rates->l2_size) < 0)
        return error("manifest.json: limits: %s", wrong.text);
    return 0;
}

/* Whom a pair is about: the candidate, or without one the library below. */
static const char *subject(const struct samples *samples, const struct derive_about *about,
                           const size_t pair[2]) {
    return *about->candidate ? about->candidate : samples->columns[pair[1]];
}

/* Appends to what else the note says. */
static void add_note(struct ratio_row *row, const char *text) {
    char note[RUNDIR_TEXT] = "";
    if (row->note && *text)
        text_append(note, sizeof note, "%s; ", row->note);
    text_append(note, sizeof note, "%s", text);
    if (*text)
        row->note = kept_text(note);
}

/* The times as measured, and at the stated launch. The interval reaches at least half a step of the
 * clock to both sides, which the measured times show. */
static struct visits put_ratio(const struct launch *launch, const size_t pair[2],
                               struct ratio_row *row) {
    const struct visits plain = derive_ratio_to_step(launch->plain, pair, &row->clock_step);
    struct visits stated = derive_ratio(&launch->samples, pair[0], pair[1], -1);
    stated.low = fmin(stated.low, stated.estimate - row->clock_step / 2);
    stated.high = fmax(stated.high, stated.estimate + row->clock_step / 2);
    row->launch_seconds = launch->seconds;
    row->launch_slope = launch_slope(launch, pair);
    row->plain_ratio = isnan(launch->seconds) ? NAN : exp(plain.estimate);
    return isnan(launch->seconds) ? plain : stated;
}

/* How a ratio was timed. */
static struct ratio_row begin_ratio(const struct samples *samples, const struct derive_about *about,
                                    const char *candidate, const char *baseline) {
    struct ratio_row row = {.shape = about->shape};
    row.candidate = candidate;
    row.baseline = baseline;
    row.mode = samples->mode;
    row.lens = samples->lens;
    row.cache = about->cache;
    row.place = words_places[samples->place];
    row.device = about->device;
    return row;
}

double derive_variance(const struct ratio_row *row) {
    const double half = log(row->ci_high / row->ci_low) / 2;
    const double error =
        isnan(half) ? NAN
                    : half / tails_student_quantile((1 + VERDICT_CONFIDENCE) / 2, row->freedom);
    return row->visits * error * error;
}

/* What it is; its seconds, speedup and samples are there already. */
static void end_ratio(struct ratio_row row, const struct visits *found,
                      const struct derive_about *about, struct rows *rows) {
    const struct visits r = *found;
    char note[DERIVE_NOTE], text[UNDISTURBED_TEXT];
    row.visits = (double)r.count;
    row.ratio = exp(r.estimate);
    row.ci_low = exp(r.low);
    row.ci_high = exp(r.high);
    derive_put_ends(&r, &row.ci_low, &row.ci_high, note);
    add_note(&row, note);
    add_note(&row, undisturbed_text(row.left_out, row.timed_visits, text));
    row.visit_sd = sqrt(r.own.variance);
    row.block_error = r.block_error;
    row.freedom = isnan(row.ci_low) ? NAN : r.own.freedom;
    row.variance = derive_variance(&row);
    /* The terms may cancel: of the deviation as checks.csv has it, so that the same comes out of
     * the files. */
    row.reward = derive_reward(1 + row.speedup, csv_rounded(about->deviation), about->code_length,
                               about->alpha, about->beta);
    row.baseline_seconds = row.seconds * row.ratio;
    row.verdict = rows_verdict(&row);
    rows_add_ratio(rows, &row);
}

static void add_ratio(const struct launch *launch, const struct derive_about *about,
                      const size_t pair[2], const char *layout,
                      const struct undisturbed *undisturbed, struct rows *rows) {
    const struct samples *samples = launch->plain;
    struct ratio_row row =
        begin_ratio(samples, about, subject(samples, about, pair), samples->columns[pair[0]]);
    const struct visits r = put_ratio(launch, pair, &row);
    row.timed_visits = (double)undisturbed->timed_visits;
    row.left_out = (double)undisturbed->left_out_count;
    for (size_t b = 0; b < samples->blocks; b++)
        row.samples += derive_known(samples, b, pair[0], pair[1]);
    row.speedup = derive_speedup(samples, pair, -1);
    row.seconds = derive_seconds(&launch->samples, pair);
    row.disturbed = derive_mean(samples, SAMPLES_DISTURBED);
    add_note(&row, layout ? layout : "");
    end_ratio(row, &r, about, rows);
}

/* What each visit says by itself; of one that is left out only that it is. */
static void add_visits(const struct launch *launch, const struct derive_about *about,
                       const size_t pair[2], const struct undisturbed *undisturbed,
                       struct rows *rows) {
    const struct samples *samples = launch->plain;
    struct visit_row row = {.shape = about->shape};
    row.candidate = subject(samples, about, pair);
    row.baseline = samples->columns[pair[0]];
    row.mode = samples->mode;
    row.lens = samples->lens;
    for (size_t visit = 0; visit < undisturbed->end; visit++) {
        const double x = derive_ratio(&launch->samples, pair[0], pair[1], (int)visit).estimate;
        row.visit = (double)visit;
        row.ratio = exp(x);
        row.speedup = derive_speedup(samples, pair, (int)visit);
        row.left_out = undisturbed->left_out[visit];
        if (!isnan(x) || undisturbed->left_out[visit])
            rows_add_visit(rows, &row);
    }
}

static void add_ratios(const struct layouts *with, const struct undisturbed *undisturbed,
                       const struct derive_about *about, struct rows *rows) {
    const struct samples *samples = &with->samples;
    size_t pairs[SAMPLES_COLUMNS][2];
    const size_t count = derive_pairs(samples, about->candidate, pairs);
    struct launch launch;
    launch_state(with, about->shape, about->candidate, about->launch_seconds, &launch);
    for (size_t i = 0; i < count; i++) {
        char chosen[LAYOUTS_TEXT];
        if (derive_is_control(samples->columns[pairs[i][1]]) ||
            layouts_is_finalist(samples->columns[pairs[i][0]]))
            continue;
        add_ratio(&launch, about, pairs[i], layouts_say(with, pairs[i][0], chosen), undisturbed,
                  rows);
        add_visits(&launch, about, pairs[i], undisturbed, rows);
    }
    launch_free(&launch);
}

int derive_rows(const struct samples *samples, const struct derive_about *about,
                struct rows *rows) {
    struct undisturbed undisturbed;
    struct layouts with;
    const bool earlier = samples_of_previous(samples);
    undisturbed_take(samples, &undisturbed);
    const int status = layouts_add(&undisturbed.samples, &with);
    double *x = need(samples->blocks, sizeof *x);
    for (size_t i = 0; i < with.samples.column_count && status == 0; i++)
        if (earlier ? strcmp(with.samples.columns[i], RUNDIR_PREVIOUS) == 0
                    : derive_is_own(with.samples.columns[i]) &&
                          !layouts_is_max(with.samples.columns[i]))
            add_time(&with, &undisturbed, about, i, x, rows);
    free(x);
    if (status == 0 && !earlier) {
        add_ratios(&with, &undisturbed, about, rows);
        derive_controls(&with.samples, about, rows);
    }
    layouts_free(&with);
    undisturbed_free(&undisturbed);
    return status;
}

/* What one of two processes has timed, as measured and at the stated launch. */
struct side {
    struct undisturbed undisturbed;
    struct layouts plain;
    struct launch launch;
};

static int side_open(struct side *side, const struct samples *samples, const char *kernel,
                     const struct derive_about *about) {
    undisturbed_take(samples, &side->undisturbed);
    if (layouts_add(&side->undisturbed.samples, &side->plain) < 0)
        return -1;
    launch_state(&side->plain, about->shape, kernel, about->launch_seconds, &side->launch);
    return 0;
}

static void side_close(struct side *side) {
    launch_free(&side->launch);
    layouts_free(&side->plain);
    undisturbed_free(&side->undisturbed);
}

/* An earlier release against the candidate, each in a process of its own. */
struct change {
    struct side candidate, earlier;
    const struct derive_about *about;
    bool stated; /* at a launch */
};

static struct visits change_of(const struct change *change, bool stated, int visit) {
    const struct side *own = &change->candidate, *earlier = &change->earlier;
    return apart_change(stated ? &own->launch.samples : &own->plain.samples,
                        stated ? &earlier->launch.samples : &earlier->plain.samples,
                        change->about->candidate, visit);
}

static bool is_left_out(const struct change *change, size_t visit) {
    return change->candidate.undisturbed.left_out[visit] ||
           change->earlier.undisturbed.left_out[visit];
}

/* One more than the last number of a visit of both. */
static size_t end_of(const struct change *change) {
    const size_t own = change->candidate.undisturbed.end, end = change->earlier.undisturbed.end;
    return own < end ? own : end;
}

static void add_change_visits(const struct change *change, const struct ratio_row *of,
                              struct rows *rows) {
    struct visit_row row = {.shape = of->shape};
    row.candidate = of->candidate;
    row.baseline = of->baseline;
    row.mode = of->mode;
    row.lens = of->lens;
    for (size_t visit = 0; visit < end_of(change); visit++) {
        const double x = change_of(change, change->stated, (int)visit).estimate;
        row.visit = (double)visit;
        row.ratio = exp(x);
        row.speedup = row.ratio - 1;
        row.left_out = is_left_out(change, visit);
        if (!isnan(x) || is_left_out(change, visit))
            rows_add_visit(rows, &row);
    }
}

/* The launch as measured, and how the ratio moves with it. */
static void put_launch(const struct change *change, struct ratio_row *row) {
    const struct launch *own = &change->candidate.launch, *earlier = &change->earlier.launch;
    row->launch_seconds = row->launch_slope = row->plain_ratio = NAN;
    if (!change->stated)
        return;
    const size_t column = (size_t)derive_column(own->plain, change->about->candidate);
    const size_t below = (size_t)derive_column(earlier->plain, RUNDIR_PREVIOUS);
    row->launch_seconds = sqrt(own->seconds * earlier->seconds);
    row->launch_slope = launch_share(earlier, below) - launch_share(own, column);
    row->plain_ratio = exp(change_of(change, false, -1).estimate);
}

/* No block has both times, so the speedup is that of the ratio. */
static void add_change(const struct change *change, struct rows *rows) {
    const struct samples *own = &change->candidate.plain.samples;
    const struct samples *earlier = &change->earlier.plain.samples;
    struct ratio_row row =
        begin_ratio(own, change->about, change->about->candidate, RUNDIR_PREVIOUS);
    struct visits r = change_of(change, change->stated, -1);
    const size_t column = (size_t)derive_column(own, change->about->candidate);
    const size_t below = (size_t)derive_column(earlier, RUNDIR_PREVIOUS);
    if (earlier->place == PLACE_UNBOUNDED)
        row.place = words_places[earlier->place];
    row.timed_visits = fmin((double)change->candidate.undisturbed.timed_visits,
                            (double)change->earlier.undisturbed.timed_visits);
    for (size_t visit = 0; visit < end_of(change); visit++)
        row.left_out += is_left_out(change, visit);
    put_launch(change, &row);
    row.clock_step = derive_clock_step(own, column) + derive_clock_step(earlier, below);
    r.low = fmin(r.low, r.estimate - row.clock_step / 2);
    r.high = fmax(r.high, r.estimate + row.clock_step / 2);
    row.samples = (double)(own->blocks < earlier->blocks ? own->blocks : earlier->blocks);
    row.speedup = exp(r.estimate) - 1;
    row.seconds = derive_seconds(change->stated ? &change->candidate.launch.samples : own,
                                 (size_t[2]){column, column});
    row.disturbed =
        fmax(derive_mean(own, SAMPLES_DISTURBED), derive_mean(earlier, SAMPLES_DISTURBED));
    end_ratio(row, &r, change->about, rows);
    add_change_visits(change, &row, rows);
}

/* The samples of the candidate's own process in the same mode by the same lens, or NULL. */
static const struct samples *find_beside(const struct samples *list, size_t count,
                                         const struct samples *earlier, const char *candidate) {
    for (size_t i = 0; i < count; i++)
        if (&list[i] != earlier && strcmp(list[i].mode, earlier->mode) == 0 &&
            strcmp(list[i].lens, earlier->lens) == 0 && derive_column(&list[i], candidate) >= 0)
            return &list[i];
    return NULL;
}

int derive_unit(const struct samples *list, size_t count, const struct derive_about *about,
                struct rows *rows) {
    for (size_t i = 0; i < count; i++) {
        struct change change = {.about = about};
        if (derive_rows(&list[i], about, rows) < 0)
            return -1;
        const struct samples *own = samples_of_previous(&list[i])
                                        ? find_beside(list, count, &list[i], about->candidate)
                                        : NULL;
        if (!own)
            continue;
        const int status = side_open(&change.candidate, own, about->candidate, about) < 0 ||
                                   side_open(&change.earlier, &list[i], RUNDIR_PREVIOUS, about) < 0
                               ? -1
                               : 0;
        change.stated =
            !isnan(change.candidate.launch.seconds) && !isnan(change.earlier.launch.seconds);
        if (status == 0)
            add_change(&change, rows);
        side_close(&change.candidate);
        side_close(&change.earlier);
        if (status < 0)
            return -1;
    }
    return 0;
}

double derive_reward(double ratio, double deviation, double code_length, double alpha,
                     double beta) {
    return ratio - alpha * deviation - beta * (isnan(code_length) ? 0 : code_length);
}
