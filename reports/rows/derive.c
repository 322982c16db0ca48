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
#include "reports/rows/series.h"
#include "timing/stats.h"
#include "timing/tails.h"

/* Fewest samples for a quantile: ten beyond it. */
enum { LEAST_P90 = 100, LEAST_P99 = 1000 };

/* The median of what the arm's launches took the host; NaN by lenses that do not tell. */
static double host_seconds_of(const struct samples *samples, size_t arm) {
    const int column = derive_column_of(samples, SAMPLES_HOST, arm);
    return column < 0 ? NAN : derive_median(samples, (size_t)column);
}

/* Of a library that was chosen from several arms, that of the arm. */
static void add_joules(const struct series *series, size_t column, struct time_row *row) {
    const struct samples *samples = &series->plain;
    const int joules =
        derive_column_of(samples, SAMPLES_JOULES, layouts_arm(&series->layouts, column));
    double *x = need(samples->blocks, sizeof *x);
    size_t n = 0;
    for (size_t b = 0; b < samples->blocks && joules >= 0; b++) {
        x[n] = derive_value(samples, b, (size_t)joules);
        n += !isnan(x[n]);
    }
    row->joules_rows = n > 0 ? (double)n : NAN;
    row->joules = stats_mean(x, n);
    row->joules_sd = stats_sd(x, n);
    free(x);
}

static void add_time(const struct series *series, const struct derive_about *about, size_t column,
                     struct rows *rows) {
    const struct samples *samples = &series->plain;
    const size_t visits = series->timed_visits, left_out = series->left_out_count;
    char text[SERIES_LEFT_OUT_TEXT], chosen[LAYOUTS_TEXT], note[RUNDIR_TEXT] = "";
    double *x = need(samples->blocks, sizeof *x);
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
    add_joules(series, column, &row);
    row.sm_mhz = derive_mean(samples, SAMPLES_SM_MHZ);
    row.cycles = row.median * row.sm_mhz * 1e6;
    row.light_seconds = about->light_seconds;
    if (layouts_say(samples, &series->layouts, column, chosen))
        text_append(note, sizeof note, "%s; ", chosen);
    if (n == 0 && samples->blocks > 0)
        text_append(note, sizeof note, DERIVE_ALL_MARKED "; ");
    if (samples->calls > 1)
        text_append(note, sizeof note, "%llu calls a sample; ", (unsigned long long)samples->calls);
    if (left_out)
        text_append(note, sizeof note, "%s; ",
                    series_left_out_text((double)left_out, (double)visits, text));
    if (*note)
        note[strlen(note) - 2] = 0;
    row.note = note;
    rows_add_time(rows, &row);
    free(x);
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

/* Appends to what else the note says. */
static void add_note(struct ratio_row *row, const char *text) {
    char note[RUNDIR_TEXT] = "";
    if (row->note && *text)
        text_append(note, sizeof note, "%s; ", row->note);
    text_append(note, sizeof note, "%s", text);
    if (*text)
        row->note = kept_text(note);
}

double derive_variance(const struct ratio_row *row) {
    const double half = log(row->ci_high / row->ci_low) / 2;
    const double error =
        isnan(half) ? NAN
                    : half / tails_student_quantile((1 + VERDICT_CONFIDENCE) / 2, row->freedom);
    return row->visits * error * error;
}

/* One process: its columns of the kernel, and of the libraries that the other one has, too. */
struct process {
    size_t kernel, libraries[SAMPLES_COLUMNS], library_count;
};

/* Arms that were timed stand before the first note. What stands behind the notes is derived of them. */
static struct process process_of(const struct samples *samples, const char *kernel,
                                 const struct samples *other) {
    struct process process = {.kernel = (size_t)derive_column(samples, kernel)};
    for (size_t i = 0; i < samples->column_count && derive_is_arm(samples->columns[i]); i++)
        if (i != process.kernel && derive_is_own(samples->columns[i]) &&
            derive_column(other, samples->columns[i]) >= 0)
            process.libraries[process.library_count++] = i;
    return process;
}

/* NaN where one of the times is marked. what: the process. */
static double log_speed(const struct samples *samples, size_t block, const void *what) {
    const struct process *process = what;
    const double kernel = derive_value(samples, block, process->kernel);
    double sum = 0;
    for (size_t i = 0; i < process->library_count; i++)
        sum += log(derive_value(samples, block, process->libraries[i]));
    const double count = process->library_count > 0 ? (double)process->library_count : 1;
    return sum / count - log(kernel);
}

/* How the speeds of two kernels compare that were timed in processes of their own. In each block of
 * either process: ln(geometric mean of the libraries' times / the kernel's time), of the libraries that
 * both processes have. A visit's estimate is that of the candidate's process minus that of the earlier
 * release's. This is ln(earlier release's time / candidate's time) where the libraries are as fast in
 * both. each: derive_ratio. */
static struct visits change_of(const struct samples *candidates, const struct samples *earlier,
                               const char *candidate, double each[SAMPLES_VISITS]) {
    const struct process new = process_of(candidates, candidate, earlier);
    const struct process old = process_of(earlier, RUNDIR_PREVIOUS, candidates);
    size_t sizes[2][SAMPLES_VISITS];
    double *x = derive_blocks(candidates, -1, log_speed, &new, sizes[0]);
    double *y = derive_blocks(earlier, -1, log_speed, &old, sizes[1]);
    const struct visits result = visits_difference(&(struct visits_values){x, sizes[0], each},
                                                   &(struct visits_values){y, sizes[1], NULL},
                                                   SAMPLES_VISITS, VERDICT_CONFIDENCE);
    free(x);
    free(y);
    return result;
}

/* Two arms that are compared, and the processes that have timed them: one, or of an earlier release
 * in a process of its own two. */
struct pair {
    const struct series *own, *other; /* of the arm below, and of that on top */
    size_t top, bottom;
    const struct derive_about *about;
};

static bool is_apart(const struct pair *pair) {
    return pair->own != pair->other;
}

/* Whether both are stated at a launch. */
static bool is_stated(const struct pair *pair) {
    return !isnan(pair->own->launch_seconds) && !isnan(pair->other->launch_seconds);
}

/* each: derive_ratio. */
static struct visits estimate_of(const struct pair *pair, bool stated,
                                 double each[SAMPLES_VISITS]) {
    const struct samples *own = stated ? &pair->own->stated : &pair->own->plain;
    const struct samples *other = stated ? &pair->other->stated : &pair->other->plain;
    return is_apart(pair) ? change_of(own, other, pair->about->candidate, each)
                          : derive_ratio(own, pair->top, pair->bottom, -1, each);
}

/* No block has the times of both processes, so the speedup is that of the ratio there. */
static double speedup_of(const struct pair *pair, double estimate) {
    return is_apart(pair) ? exp(estimate) - 1
                          : derive_speedup(&pair->own->plain, (size_t[2]){pair->top, pair->bottom});
}

static bool is_left_out(const struct pair *pair, size_t visit) {
    return pair->own->left_out[visit] || pair->other->left_out[visit];
}

/* One more than the last number of a visit of both. */
static size_t end_of(const struct pair *pair) {
    return pair->own->end < pair->other->end ? pair->own->end : pair->other->end;
}

static double count_samples(const struct pair *pair) {
    const struct samples *own = &pair->own->plain;
    double count = 0;
    if (is_apart(pair))
        return fmin((double)own->blocks, (double)pair->other->plain.blocks);
    for (size_t b = 0; b < own->blocks; b++)
        count += derive_known(own, b, pair->top, pair->bottom);
    return count;
}

/* How the ratio was timed. */
static struct ratio_row begin_ratio(const struct pair *pair) {
    const struct samples *own = &pair->own->plain, *other = &pair->other->plain;
    struct ratio_row row = {.shape = pair->about->shape, .candidate = pair->about->candidate};
    row.baseline = other->columns[pair->top];
    row.mode = own->mode;
    row.lens = own->lens;
    row.cache = pair->about->cache;
    row.place =
        words_places[other->place == PLACE_UNBOUNDED ? (int)PLACE_UNBOUNDED : (int)own->place];
    row.device = pair->about->device;
    row.timed_visits = fmin((double)pair->own->timed_visits, (double)pair->other->timed_visits);
    for (size_t visit = 0; visit < end_of(pair); visit++)
        row.left_out += is_left_out(pair, visit);
    row.samples = count_samples(pair);
    row.disturbed =
        fmax(derive_mean(own, SAMPLES_DISTURBED), derive_mean(other, SAMPLES_DISTURBED));
    row.clock_step = derive_clock_step(other, pair->top) + derive_clock_step(own, pair->bottom);
    return row;
}

/* The launch as measured, and how the ratio moves with it. */
static void put_launch(const struct pair *pair, struct ratio_row *row) {
    row->launch_seconds = row->launch_slope = row->plain_ratio = NAN;
    if (!is_stated(pair))
        return;
    row->launch_seconds = sqrt(pair->own->launch_seconds * pair->other->launch_seconds);
    row->launch_slope =
        series_launch_share(pair->other, pair->top) - series_launch_share(pair->own, pair->bottom);
    row->plain_ratio = exp(estimate_of(pair, false, NULL).estimate);
}

static void put_interval(struct visits *r, struct ratio_row *row) {
    char note[DERIVE_NOTE], text[SERIES_LEFT_OUT_TEXT];
    derive_widen(r, row->clock_step);
    row->visits = (double)r->count;
    row->ratio = exp(r->estimate);
    row->ci_low = exp(r->low);
    row->ci_high = exp(r->high);
    derive_put_ends(r, &row->ci_low, &row->ci_high, note);
    add_note(row, note);
    add_note(row, series_left_out_text(row->left_out, row->timed_visits, text));
    row->visit_sd = sqrt(r->own.variance);
    row->block_error = r->block_error;
    row->freedom = isnan(row->ci_low) ? NAN : r->own.freedom;
    row->variance = derive_variance(row);
}

/* The paper's equation 3. The terms may cancel: of the deviation as checks.csv has it, so that the
 * same comes out of the files. */
static double reward_of(const struct derive_about *about, double speedup) {
    return 1 + speedup - about->alpha * csv_rounded(about->deviation) -
           about->beta * (isnan(about->code_length) ? 0 : about->code_length);
}

static void add_ratio(const struct pair *pair, double each[SAMPLES_VISITS], struct rows *rows) {
    struct ratio_row row = begin_ratio(pair);
    const bool stated = is_stated(pair);
    struct visits r = estimate_of(pair, stated, each);
    const struct samples *own = stated ? &pair->own->stated : &pair->own->plain;
    char text[LAYOUTS_TEXT];
    const char *chosen = layouts_say(&pair->other->plain, &pair->other->layouts, pair->top, text);
    put_launch(pair, &row);
    add_note(&row, chosen ? chosen : "");
    put_interval(&r, &row);
    row.speedup = speedup_of(pair, r.estimate);
    row.reward = reward_of(pair->about, row.speedup);
    row.seconds =
        derive_seconds(own, (size_t[2]){is_apart(pair) ? pair->bottom : pair->top, pair->bottom});
    row.baseline_seconds = row.seconds * row.ratio;
    row.verdict = rows_verdict(&row);
    rows_add_ratio(rows, &row);
}

/* What each visit says by itself; of one that is left out only that it is. */
static void add_visits(const struct pair *pair, const double each[SAMPLES_VISITS],
                       struct rows *rows) {
    struct visit_row row = {.shape = pair->about->shape, .candidate = pair->about->candidate};
    row.baseline = pair->other->plain.columns[pair->top];
    row.mode = pair->own->plain.mode;
    row.lens = pair->own->plain.lens;
    for (size_t visit = 0; visit < end_of(pair); visit++) {
        row.visit = (double)visit;
        row.ratio = exp(each[visit]);
        row.left_out = is_left_out(pair, visit);
        if (!isnan(row.ratio) || is_left_out(pair, visit))
            rows_add_visit(rows, &row);
    }
}

static void add_pair(const struct pair *pair, struct rows *rows) {
    double each[SAMPLES_VISITS];
    add_ratio(pair, each, rows);
    add_visits(pair, each, rows);
}

static void add_ratios(const struct series *series, const struct derive_about *about,
                       struct rows *rows) {
    const struct samples *samples = &series->plain;
    size_t pairs[SAMPLES_COLUMNS][2];
    const size_t count = derive_pairs(samples, about->candidate, pairs);
    for (size_t i = 0; i < count; i++)
        if (!derive_is_control(samples->columns[pairs[i][1]]) &&
            !layouts_is_finalist(samples->columns[pairs[i][0]]))
            add_pair(&(struct pair){series, series, pairs[i][0], pairs[i][1], about}, rows);
}

/* That of the candidate's own process in the same mode by the same lens, or NULL. */
static const struct series *find_beside(const struct series *list, size_t count,
                                        const struct series *earlier, const char *candidate) {
    for (size_t i = 0; i < count; i++)
        if (&list[i] != earlier && strcmp(list[i].plain.mode, earlier->plain.mode) == 0 &&
            strcmp(list[i].plain.lens, earlier->plain.lens) == 0 &&
            derive_column(&list[i].plain, candidate) >= 0)
            return &list[i];
    return NULL;
}

/* An earlier release that a process of its own has timed. */
static void add_earlier(const struct series *earlier, const struct series *own,
                        const struct derive_about *about, struct rows *rows) {
    const size_t top = (size_t)derive_column(&earlier->plain, RUNDIR_PREVIOUS);
    add_time(earlier, about, top, rows);
    if (own) {
        const size_t bottom = (size_t)derive_column(&own->plain, about->candidate);
        add_pair(&(struct pair){own, earlier, top, bottom, about}, rows);
    }
}

static void add_all(const struct series *series, const struct derive_about *about,
                    struct rows *rows) {
    for (size_t i = 0; i < series->plain.column_count; i++)
        if (derive_is_own(series->plain.columns[i]) && !layouts_is_max(series->plain.columns[i]))
            add_time(series, about, i, rows);
    add_ratios(series, about, rows);
    derive_controls(series, about, rows);
}

int derive_unit(const struct samples *list, size_t count, const struct derive_about *about,
                struct rows *rows) {
    struct series *series = need(count, sizeof *series);
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++)
        status = series_open(&list[i], about, &series[i]);
    for (size_t i = 0; i < count && status == 0; i++)
        if (samples_of_previous(&list[i]))
            add_earlier(&series[i], find_beside(series, count, &series[i], about->candidate), about,
                        rows);
        else
            add_all(&series[i], about, rows);
    for (size_t i = 0; i < count; i++)
        series_close(&series[i]);
    free(series);
    return status;
}
