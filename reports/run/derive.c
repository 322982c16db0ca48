#include "reports/run/derive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "reports/run/device_label.h"
#include "timing/modality.h"
#include "timing/stats.h"

/* Fewest samples for a quantile: ten beyond it. */
enum { LEAST_P90 = 100, LEAST_P99 = 1000 };

static double value(const struct samples *samples, size_t block, size_t column) {
    return (double)samples->values[block * samples->column_count + column];
}

int derive_column(const struct samples *samples, const char *name) {
    for (size_t i = 0; i < samples->column_count; i++)
        if (strcmp(samples->columns[i], name) == 0)
            return (int)i;
    return -1;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

bool derive_is_control(const char *name) {
    return begins(name, DERIVE_AA) || begins(name, DERIVE_DELAY);
}

bool derive_is_arm(const char *name) {
    return *name != '@';
}

/* The baseline that a control doubles. */
static const char *doubled(const char *control) {
    return strchr(control, ':') + 1;
}

size_t derive_pairs(const struct samples *samples, const char *candidate,
                    size_t pairs[SAMPLES_COLUMNS][2]) {
    const int bottom = derive_column(samples, candidate);
    size_t count = 0;
    for (size_t i = 0; i < samples->column_count; i++) {
        const char *name = samples->columns[i];
        int top = derive_is_control(name) ? derive_column(samples, doubled(name)) : (int)i;
        int below = derive_is_control(name) ? (int)i : bottom;
        if (!derive_is_arm(name) || top < 0 || below < 0 || top == below)
            continue;
        pairs[count][0] = (size_t)top;
        pairs[count++][1] = (size_t)below;
    }
    return count;
}

static int round_of(const struct samples *samples, size_t block) {
    int column = derive_column(samples, SAMPLES_ROUND);
    return column < 0 ? 0 : (int)value(samples, block, (size_t)column);
}

/* A marked sample holds the host's time, too: it is in no estimate. */
static bool is_marked(const struct samples *samples, size_t block, size_t column) {
    return value(samples, block, column) < 0;
}

/* The column's values that are not marked into out. Returns how many. */
static size_t take_column(const struct samples *samples, size_t column, double *out) {
    size_t n = 0;
    for (size_t b = 0; b < samples->blocks; b++)
        if (!is_marked(samples, b, column))
            out[n++] = value(samples, b, column);
    return n;
}

/* Whether the block has a ratio of the two. */
static bool are_known(const struct samples *samples, size_t block, size_t top, size_t bottom) {
    return !is_marked(samples, block, top) && !is_marked(samples, block, bottom);
}

/* The least distance between two samples that differ: the step of the clock, or more. */
static double tick_of(const double *sorted, size_t n) {
    double tick = INFINITY;
    for (size_t i = 1; i < n; i++)
        if (sorted[i] > sorted[i - 1] && sorted[i] - sorted[i - 1] < tick)
            tick = sorted[i] - sorted[i - 1];
    return isfinite(tick) ? tick : 0;
}

/* Which rounds: that one; those that `places` has on the device; or all. */
struct part {
    int round; /* -1: not only one */
    const char *places, *device;
};

static const struct part whole = {.round = -1};

static bool is_in(const struct part *part, int round) {
    char device[RUNDIR_NAME];
    if (part->device)
        device_label_of(part->places, (size_t)round, device);
    return part->round >= 0 ? round == part->round
                            : !part->device || strcmp(device, part->device) == 0;
}

/* pooled: all of the part's rounds as if they were one. */
static struct rounds ratio_of(const struct samples *samples, size_t top, size_t bottom,
                              const struct part *part, bool pooled) {
    struct rounds result = rounds_combine(NULL, NULL, 0, 0.95); /* nothing */
    double *x = malloc(samples->blocks * sizeof *x + 1);
    size_t *sizes = calloc(samples->blocks + 1, sizeof *sizes), n = 0, rounds = 0;
    int last = -1;
    for (size_t b = 0; x && sizes && b < samples->blocks; b++) {
        int mine = round_of(samples, b);
        if (!is_in(part, mine) || !are_known(samples, b, top, bottom))
            continue;
        rounds += pooled ? rounds == 0 : mine != last;
        last = mine;
        sizes[rounds - 1]++;
        x[n++] = log(value(samples, b, top) / value(samples, b, bottom));
    }
    if (x && sizes && n > 0)
        result = rounds_combine(x, sizes, rounds, 0.95);
    free(x);
    free(sizes);
    return result;
}

bool derive_all_marked(const struct samples *samples, size_t top, size_t bottom, int round) {
    bool any = false;
    for (size_t b = 0; b < samples->blocks; b++) {
        if (round_of(samples, b) != round)
            continue;
        if (are_known(samples, b, top, bottom))
            return false;
        any = true;
    }
    return any;
}

struct rounds derive_ratio(const struct samples *samples, size_t top, size_t bottom, int round) {
    const struct part part = {.round = round};
    return ratio_of(samples, top, bottom, &part, false);
}

/* The step of the clock as the arm's samples show it, the least distance between two that differ,
 * as a share of their median. 0 where all are equal or memory is short. */
static double clock_step(const struct samples *samples, size_t column) {
    double *x = malloc(samples->blocks * sizeof *x + 1);
    double step = 0;
    if (x) {
        const size_t n = take_column(samples, column, x);
        stats_sort(x, n);
        step = n > 0 ? tick_of(x, n) / stats_quantile_sorted(x, n, 0.5) : 0;
    }
    free(x);
    return step;
}

/* As ratio_of, and the interval no narrower than the steps of the clock, together, allow. */
static struct rounds ratio_to_step(const struct samples *samples, const size_t pair[2],
                                   const struct part *part, bool pooled, double *step) {
    struct rounds result = ratio_of(samples, pair[0], pair[1], part, pooled);
    *step = clock_step(samples, pair[0]) + clock_step(samples, pair[1]);
    result.low = fmin(result.low, result.estimate - *step / 2);
    result.high = fmax(result.high, result.estimate + *step / 2);
    return result;
}

double derive_quantile(const struct samples *samples, size_t column, double p) {
    double *x = malloc(samples->blocks * sizeof *x + 1), quantile = NAN;
    const size_t n = x ? take_column(samples, column, x) : 0;
    if (n > 0) {
        stats_sort(x, n);
        quantile = stats_quantile_sorted(x, n, p);
    }
    free(x);
    return quantile;
}

double derive_median(const struct samples *samples, size_t column) {
    return derive_quantile(samples, column, 0.5);
}

double derive_mean(const struct samples *samples, const char *name) {
    int column = derive_column(samples, name);
    double sum = 0;
    size_t known = 0;
    for (size_t b = 0; column >= 0 && b < samples->blocks; b++) {
        double x = value(samples, b, (size_t)column);
        known += !isnan(x);
        sum += isnan(x) ? 0 : x;
    }
    return known ? sum / (double)known : NAN;
}

size_t derive_rounds(const struct samples *samples) {
    return samples->blocks ? (size_t)round_of(samples, samples->blocks - 1) + 1 : 0;
}

/* Why there is no number. */
#define ALL_MARKED                                                                                 \
    "all samples hold host time: a call waits for the device, or takes the host longer than a "    \
    "hold; "

/* The median of what the arm's launches took the host; NaN by lenses that do not tell. */
static double host_seconds_of(const struct samples *samples, size_t arm) {
    char name[sizeof SAMPLES_HOST + RUNDIR_NAME];
    snprintf(name, sizeof name, SAMPLES_HOST "%s", samples->columns[arm]);
    const int column = derive_column(samples, name);
    return column < 0 ? NAN : derive_median(samples, (size_t)column);
}

static int add_time(const struct samples *samples, const struct derive_about *about, size_t column,
                    double *x, struct rows *rows) {
    const size_t n = take_column(samples, column, x);
    struct time_row row = {
        .shape = about->shape, .samples = (double)n, .rounds = (double)derive_rounds(samples)};
    size_t used = 0;
    snprintf(row.candidate, sizeof row.candidate, "%s", about->candidate);
    snprintf(row.kernel, sizeof row.kernel, "%s", samples->columns[column]);
    snprintf(row.mode, sizeof row.mode, "%s", samples->mode);
    snprintf(row.lens, sizeof row.lens, "%s", samples->lens);
    snprintf(row.cache, sizeof row.cache, "%s", about->cache);
    snprintf(row.device, sizeof row.device, "%s", about->device ? about->device : "");
    row.marked = samples->blocks ? 1 - (double)n / (double)samples->blocks : NAN;
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
    struct modality modes = modality_split(x, n, tick_of(x, n));
    row.upper_mode = modes.bimodal ? modes.upper_share : NAN;
    row.sm_mhz = derive_mean(samples, SAMPLES_SM_MHZ);
    row.cycles = row.median * row.sm_mhz * 1e6;
    row.light_seconds = about->light_seconds;
    if (n == 0 && samples->blocks > 0)
        used += (size_t)snprintf(row.note, sizeof row.note, ALL_MARKED);
    if (samples->calls > 1)
        used += (size_t)snprintf(row.note + used, sizeof row.note - used, "%llu calls a sample; ",
                                 (unsigned long long)samples->calls);
    if (samples->every > 1)
        used += (size_t)snprintf(
            row.note + used, sizeof row.note - used, "%llu blocks timed, every %lluth kept; ",
            (unsigned long long)samples->seen, (unsigned long long)samples->every);
    if (modes.bimodal)
        used +=
            (size_t)snprintf(row.note + used, sizeof row.note - used,
                             "two modes, %.4g and %.4g s; ", modes.lower_mean, modes.upper_mean);
    if (used)
        row.note[used - 2] = 0;
    return rows_add_time(rows, &row);
}

int derive_rates(const json_t *manifest, const char *device, struct light_rates *rates) {
    json_error_t wrong;
    char first[RUNDIR_NAME];
    device_label_of(device, 0, first);
    const json_t *one = jsonfile_entry(json_object_get(manifest, "devices"), "label", first);
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

/* The interval's ends as ratios, or NaN with a note where there is none. */
static void put_interval(const struct rounds *r, double *ratio, double *low, double *high,
                         char *note, size_t size) {
    *ratio = exp(r->estimate);
    *low = exp(r->low);
    *high = exp(r->high);
    if (isnan(r->estimate))
        snprintf(note, size, "%.*s", (int)strlen(ALL_MARKED) - 2, ALL_MARKED);
    if (isinf(r->low) || isinf(r->high)) {
        *low = *high = NAN;
        snprintf(note, size, "too few blocks for an interval");
    } else if (r->within_one_process && !isnan(r->estimate))
        snprintf(note, size, DERIVE_WITHIN);
}

/* The paper's speedup is the mean over blocks of t_baseline / t_candidate, minus 1 (section 3.1).
 */
static double speedup_of(const struct samples *samples, size_t top, size_t bottom, double *x) {
    size_t n = 0;
    for (size_t b = 0; b < samples->blocks; b++)
        if (are_known(samples, b, top, bottom))
            x[n++] = value(samples, b, top) / value(samples, b, bottom);
    return stats_mean(x, n) - 1;
}

static int add_ratio(const struct samples *samples, const struct derive_about *about,
                     const size_t pair[2], double *x, struct rows *rows) {
    struct ratio_row row = {.shape = about->shape,
                            .samples = (double)samples->blocks,
                            .rounds = (double)derive_rounds(samples)};
    const double disturbed = derive_mean(samples, SAMPLES_DISTURBED);
    struct rounds r = ratio_to_step(samples, pair, &whole, false, &row.clock_step);
    snprintf(row.candidate, sizeof row.candidate, "%s", about->candidate);
    snprintf(row.baseline, sizeof row.baseline, "%s", samples->columns[pair[0]]);
    snprintf(row.mode, sizeof row.mode, "%s", samples->mode);
    snprintf(row.lens, sizeof row.lens, "%s", samples->lens);
    snprintf(row.cache, sizeof row.cache, "%s", about->cache);
    snprintf(row.device, sizeof row.device, "%s", about->device ? about->device : "");
    row.speedup = speedup_of(samples, pair[0], pair[1], x);
    put_interval(&r, &row.ratio, &row.ci_low, &row.ci_high, row.note, sizeof row.note);
    row.lag1 = r.lag1;
    row.effective_samples = r.effective;
    row.within_sd = r.within_sd;
    row.between_sd = r.between_sd;
    row.round_sd = sqrt(r.own.variance);
    row.block_error = r.plain_error;
    row.freedom = isnan(row.ci_low) ? NAN : r.used.freedom;
    /* The terms may cancel: of the deviation as checks.csv has it, so that the same comes out of
     * the files. */
    row.reward = derive_reward(1 + row.speedup, csv_rounded(about->deviation), about->code_length,
                               about->alpha, about->beta);
    snprintf(row.verdict, sizeof row.verdict, "%s",
             disturbed > DERIVE_DISTURBED_MOST ? "environment"
                                               : rows_verdict(row.ci_low, row.ci_high));
    return rows_add_ratio(rows, &row);
}

/* A delay is seen when the control is slower beyond doubt and by at least half of what was put in;
 * it may cost more than that, since the delay is a launch of its own. It is put into every call, so
 * that its interval is over the blocks of all rounds: what differs between processes is not asked.
 */
static const char *judge_control(const struct control_row *row) {
    if (strcmp(row->control, "aa") == 0)
        return row->ci_low <= 1 + DERIVE_AA_MARGIN && row->ci_high >= 1 - DERIVE_AA_MARGIN ? "ok"
                                                                                           : "off";
    return row->ci_high < 1 && row->found >= row->planted / 2 ? "ok" : "missed";
}

static int add_control(const struct samples *samples, const struct derive_about *about,
                       const size_t pair[2], const struct part *part, double *x,
                       struct rows *rows) {
    const char *name = samples->columns[pair[1]];
    const bool aa = begins(name, DERIVE_AA);
    struct control_row row = {.shape = about->shape,
                              .planted = aa ? NAN : samples->planted_seconds};
    double step;
    struct rounds r = ratio_to_step(samples, pair, part, !aa, &step);
    size_t n = 0;
    int last = -1;
    snprintf(row.candidate, sizeof row.candidate, "%s", about->candidate);
    snprintf(row.control, sizeof row.control, "%s", aa ? "aa" : "delay");
    snprintf(row.device, sizeof row.device, "%s",
             part->device    ? part->device
             : about->device ? about->device
                             : "");
    snprintf(row.baseline, sizeof row.baseline, "%s", doubled(name));
    snprintf(row.mode, sizeof row.mode, "%s", samples->mode);
    snprintf(row.lens, sizeof row.lens, "%s", samples->lens);
    put_interval(&r, &row.ratio, &row.ci_low, &row.ci_high, row.note, sizeof row.note);
    for (size_t b = 0; b < samples->blocks; b++)
        if (is_in(part, round_of(samples, b)) && are_known(samples, b, pair[0], pair[1])) {
            x[n++] = value(samples, b, pair[1]) - value(samples, b, pair[0]);
            row.rounds += round_of(samples, b) != last;
            last = round_of(samples, b);
        }
    row.samples = (double)n;
    row.found = stats_median(x, n);
    snprintf(row.verdict, sizeof row.verdict, "%s", judge_control(&row));
    return rows_add_control(rows, &row);
}

/* The noise floor is that of a device: where rounds were on several, each has a row of its own. */
static int add_controls(const struct samples *samples, const struct derive_about *about,
                        const size_t pair[2], double *x, struct rows *rows) {
    const bool aa = begins(samples->columns[pair[1]], DERIVE_AA);
    const size_t rounds = derive_rounds(samples);
    if (!aa || !about->device || device_label_count(about->device) == 1)
        return add_control(samples, about, pair, &whole, x, rows);
    for (size_t i = 0; i < rounds; i++) {
        char device[RUNDIR_NAME], before[RUNDIR_NAME] = "";
        bool again = false;
        device_label_of(about->device, i, device);
        for (size_t j = 0; j < i && !again; j++) {
            device_label_of(about->device, j, before);
            again = strcmp(before, device) == 0;
        }
        const struct part part = {-1, about->device, device};
        if (!again && add_control(samples, about, pair, &part, x, rows) < 0)
            return -1;
    }
    return 0;
}

/* Whether the names are X-nn and X-tn; if so, name becomes X-max. */
static bool are_layouts(const char *nn, const char *tn, char name[RUNDIR_NAME]) {
    size_t stem = strlen(nn);
    if (stem < 3 || strcmp(nn + stem - 3, "-nn") != 0)
        return false;
    stem -= 3;
    if (strncmp(nn, tn, stem) != 0 || strcmp(tn + stem, "-tn") != 0)
        return false;
    snprintf(name, RUNDIR_NAME, "%.*s-max", (int)stem, nn);
    return true;
}

int derive_max(const struct samples *samples, const char *candidate,
               struct derive_max list[SAMPLES_COLUMNS]) {
    size_t pairs[SAMPLES_COLUMNS][2];
    const size_t pair_count = derive_pairs(samples, candidate, pairs);
    const int bottom = derive_column(samples, candidate);
    int count = 0;
    double *x = malloc(samples->blocks * sizeof *x + 1);
    if (!x)
        return error("no memory for the statistics of %zu blocks", samples->blocks);
    for (size_t i = 0; i < pair_count; i++)
        for (size_t j = 0; j < pair_count; j++) {
            const size_t nn = pairs[i][0], tn = pairs[j][0];
            if ((int)pairs[i][1] != bottom || (int)pairs[j][1] != bottom ||
                !are_layouts(samples->columns[nn], samples->columns[tn], list[count].name))
                continue;
            const bool first = speedup_of(samples, nn, (size_t)bottom, x) <=
                               speedup_of(samples, tn, (size_t)bottom, x);
            list[count].column = first ? nn : tn;
            list[count++].layout = first ? "nn" : "tn";
        }
    free(x);
    return count;
}

/* Appends the -max baselines, copies of ratios from `first` on. */
static int add_max(const struct samples *samples, const struct derive_about *about,
                   struct rows *rows, size_t first) {
    struct derive_max list[SAMPLES_COLUMNS];
    const int count = derive_max(samples, about->candidate, list);
    const size_t last = rows->ratio_count;
    for (int i = 0; i < count; i++)
        for (size_t j = first; j < last; j++) {
            struct ratio_row max = rows->ratios[j];
            if (strcmp(max.baseline, samples->columns[list[i].column]) != 0)
                continue;
            memcpy(max.baseline, list[i].name, sizeof max.baseline);
            snprintf(max.note, sizeof max.note, "%s is the faster layout%s%.400s", list[i].layout,
                     *rows->ratios[j].note ? "; " : "", rows->ratios[j].note);
            if (rows_add_ratio(rows, &max) < 0)
                return -1;
        }
    return count < 0 ? -1 : 0;
}

int derive_rows(const struct samples *samples, const struct derive_about *about,
                struct rows *rows) {
    size_t pairs[SAMPLES_COLUMNS][2], first = rows->ratio_count;
    const size_t count = derive_pairs(samples, about->candidate, pairs);
    double *x = malloc(samples->blocks * sizeof *x + 1);
    int status = x ? 0 : error("no memory for the statistics of %zu blocks", samples->blocks);
    for (size_t i = 0; i < samples->column_count && status == 0; i++)
        if (derive_is_arm(samples->columns[i]) && !derive_is_control(samples->columns[i]))
            status = add_time(samples, about, i, x, rows);
    for (size_t i = 0; i < count && status == 0; i++)
        status = (derive_is_control(samples->columns[pairs[i][1]]) ? add_controls : add_ratio)(
            samples, about, pairs[i], x, rows);
    free(x);
    return status < 0 ? -1 : add_max(samples, about, rows, first);
}

double derive_reward(double ratio, double deviation, double code_length, double alpha,
                     double beta) {
    return ratio - alpha * deviation - beta * (isnan(code_length) ? 0 : code_length);
}
