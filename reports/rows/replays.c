#include "reports/rows/replays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/words.h"
#include "reports/rows/derive_values.h"

struct replay_row replays_row(struct shape shape, const char *candidate, int number) {
    struct replay_row row = {.shape = shape, .number = number, .result = "no"};
    row.calls = row.same_calls = row.streams = row.side_by_side = NAN;
    row.device_seconds = row.stream_seconds = row.ratio = row.error = NAN;
    row.native_seconds = row.native_ratio = row.native_sd = row.native_error = NAN;
    row.native_rounds = row.clock_step = row.faster = row.allowed = row.seconds = NAN;
    snprintf(row.candidate, sizeof row.candidate, "%s", candidate);
    return row;
}

bool replays_right(const struct replay_row *row) {
    return strcmp(row->result, "same") == 0 || strcmp(row->result, "right") == 0;
}

bool replays_same_work(const struct replay_row *row) {
    return *row->kernels && strcmp(row->kernels, row->native_kernels) == 0;
}

/* Whether it is known to have launched others: a kernel that tunes itself chooses in each process,
 * and being recorded disturbs its choice. */
static bool other_work(const struct replay_row *row) {
    return *row->kernels && *row->native_kernels && !replays_same_work(row);
}

enum replayed_verdict replays_judge(struct replay_row *row) {
    const struct replayed_times times = {.native = row->native_ratio,
                                         .replayed = row->ratio,
                                         .native_sd = row->native_sd,
                                         .native_error = row->native_error,
                                         .rounds = row->native_rounds,
                                         .replayed_error = row->error,
                                         .clock_step = row->clock_step,
                                         .side_by_side = row->side_by_side};
    const enum replayed_verdict verdict =
        replays_right(row) && !other_work(row) ? replayed_judge(&times) : REPLAYED_UNKNOWN;
    const bool known = verdict != REPLAYED_UNKNOWN;
    row->faster = known ? row->native_ratio / row->ratio - 1 : NAN;
    row->allowed = known ? exp(replayed_half(&times)) * (1 + REPLAYED_MARGIN) - 1 : NAN;
    snprintf(row->verdict, sizeof row->verdict, "%s", replayed_word(verdict));
    return verdict;
}

/* Which of the two took another time where it was carried out. */
static void tell_difference(struct replay_row *row) {
    const double kernel = row->native_seconds, kernel_there = row->device_seconds;
    const double library = kernel * row->native_ratio, library_there = kernel_there * row->ratio;
    const bool by_library = fabs(log(library / library_there)) > fabs(log(kernel / kernel_there));
    snprintf(
        row->note, sizeof row->note,
        "times: its ratio natively is %.1f %% %s than replayed (%.1f %% may be chance), mostly "
        "by %.60s: natively %.4g us, replayed %.4g us",
        100 * fabs(row->faster), row->faster > 0 ? "higher" : "lower", 100 * row->allowed,
        by_library ? row->baseline : "the kernel", 1e6 * (by_library ? library : kernel),
        1e6 * (by_library ? library_there : kernel_there));
}

bool replays_is_native(const struct samples *samples) {
    return strcmp(samples->mode, words_modes[MODE_OFFLINE]) == 0 &&
           strcmp(samples->lens, words_lenses[LENS_DEVICE]) == 0;
}

void replays_compare(const struct samples *samples, struct replay_row *row) {
    const int library = derive_column(samples, row->baseline);
    const int kernel = derive_column(samples, row->candidate);
    if (library < 0 || kernel < 0)
        return;
    const size_t pair[2] = {(size_t)library, (size_t)kernel};
    double step = NAN;
    const struct rounds native = derive_ratio_to_step(samples, pair, &derive_whole, &step);
    row->native_seconds = derive_median(samples, pair[1]);
    row->native_ratio = exp(native.estimate);
    row->native_sd = native.count > 1 ? sqrt(native.own.variance) : NAN;
    row->native_error = native.plain_error;
    row->native_rounds = (double)native.count;
    row->clock_step = step;
    if (isnan(row->native_ratio) && !*row->note)
        snprintf(row->note, sizeof row->note, "times: natively %s", DERIVE_ALL_MARKED);
    if (other_work(row) && !*row->note)
        snprintf(row->note, sizeof row->note,
                 "times: natively it launches other kernels than when it was recorded");
    if (replays_judge(row) == REPLAYED_DIFFERS && !*row->note)
        tell_difference(row);
}

static bool is_of(const struct replay_row *row, struct shape shape, const char *candidate) {
    return shape_compare(row->shape, shape) == 0 && strcmp(row->candidate, candidate) == 0;
}

const struct replay_row *replays_last(const struct rows *rows, struct shape shape,
                                      const char *candidate) {
    const struct replay_row *last = NULL;
    for (size_t i = 0; i < rows->replay_count; i++) {
        const struct replay_row *row = &rows->replays[i];
        if (is_of(row, shape, candidate) && (!last || replays_right(row) || !replays_right(last)))
            last = row;
    }
    return last;
}

const char *replays_accuse(const struct rows *rows, struct shape shape, const char *candidate) {
    size_t bits = 0, wrong = 0, right = 0;
    for (size_t i = 0; i < rows->replay_count; i++) {
        const struct replay_row *row = &rows->replays[i];
        if (!is_of(row, shape, candidate))
            continue;
        bits += strcmp(row->result, "bits") == 0;
        wrong += strcmp(row->result, "wrong") == 0;
        right += replays_right(row);
    }
    if (bits + wrong < REPLAYED_TRIES || right > 0)
        return "";
    return wrong > 0 ? "wrong" : "bits";
}
