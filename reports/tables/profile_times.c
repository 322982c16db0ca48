#include "reports/tables/profile_times.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "timing/stats.h"

static bool same_call(const struct profile_row *a, const struct profile_row *b) {
    return shape_compare(a->shape, b->shape) == 0 && strcmp(a->candidate, b->candidate) == 0 &&
           strcmp(a->kernel, b->kernel) == 0;
}

static const struct time_row *find_time(const struct rows *rows, const struct profile_row *of) {
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (shape_compare(row->shape, of->shape) == 0 &&
            strcmp(row->candidate, of->candidate) == 0 && strcmp(row->kernel, of->kernel) == 0 &&
            strcmp(row->mode, "offline") == 0 && strcmp(row->lens, "device") == 0)
            return row;
    }
    return NULL;
}

/* What `device` reads of nothing, on the device of the row; 0 where the manifest does not tell. */
static double empty_seconds(const json_t *manifest, const char *device) {
    const json_t *one = jsonfile_entry(json_object_get(manifest, "devices"), "label", device);
    const json_t *lenses =
        json_object_get(json_object_get(one ? one : manifest, "limits"), "lenses");
    return json_number_value(json_object_get(json_object_get(lenses, "device"), "empty_seconds"));
}

static void compare(struct profile_time *time, const struct rows *rows, const json_t *manifest) {
    const struct time_row *row = find_time(rows, time->of);
    time->device = row ? row->median : NAN;
    time->difference =
        row ? (row->median - empty_seconds(manifest, row->device)) / time->ncu - 1 : NAN;
}

static void summarise(struct profile_times *times, double *scratch) {
    times->median = times->middle = NAN;
    for (size_t i = 0; i < times->count; i++) {
        const struct profile_time *time = &times->list[i];
        if (!isfinite(time->difference))
            continue;
        scratch[times->compared++] = time->difference;
        if (!times->worst || fabs(time->difference) > fabs(times->worst->difference))
            times->worst = time;
    }
    if (times->compared == 0)
        return;
    times->median = stats_median(scratch, times->compared);
    for (size_t i = 0; i < times->compared; i++)
        scratch[i] = fabs(scratch[i]);
    times->middle = stats_median(scratch, times->compared);
}

int profile_times_make(const struct profile *profile, const struct rows *rows,
                       const json_t *manifest, struct profile_times *times) {
    double *scratch = malloc((profile->count + 1) * sizeof *scratch);
    *times = (struct profile_times){.list = calloc(profile->count + 1, sizeof *times->list)};
    if (!scratch || !times->list) {
        free(scratch);
        profile_times_free(times);
        return error("no memory for the times of %zu kernels", profile->count);
    }
    for (size_t i = 0; i < profile->count; i++) {
        const struct profile_row *row = &profile->rows[i];
        if (i == 0 || !same_call(row, &profile->rows[i - 1]))
            times->list[times->count++].of = row;
        struct profile_time *time = &times->list[times->count - 1];
        time->launches++;
        time->ncu += row->launch.values[NCU_SECONDS];
    }
    for (size_t i = 0; i < times->count; i++)
        compare(&times->list[i], rows, manifest);
    summarise(times, scratch);
    free(scratch);
    return 0;
}

void profile_times_free(struct profile_times *times) {
    free(times->list);
    *times = (struct profile_times){0};
}

void profile_times_say(const struct profile_times *times, char *text, size_t size) {
    char shape[SHAPE_TEXT];
    *text = 0;
    if (times->compared > 0)
        snprintf(text, size,
                 "Of %zu kernels and libraries, the time by device, less an empty interval, "
                 "differs from Nsight Compute's gpu__time_duration by %+.1f %% (median; of the "
                 "sizes %.1f %%), and by %+.1f %% at worst (%s, %s).",
                 times->compared, 100 * times->median, 100 * times->middle,
                 100 * times->worst->difference, times->worst->of->kernel,
                 shape_format(times->worst->of->shape, shape));
}
