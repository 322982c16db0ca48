#include "bench/context/unit_result.h"

#include <string.h>

#include "bench/base/error.h"
#include "reports/rows/derive_values.h"

/* By mode, lens and kernel: rows have the same order whatever was timed first. */
static int order_of(const struct sample_buffer *series) {
    return 2 * ((int)series->mode * LENS_COUNT + (int)series->lens) +
           samples_of_previous(&series->samples);
}

void unit_result_add(struct unit_result *result, struct sample_buffer *series) {
    int at = result->series_count++;
    for (; at > 0 && order_of(&result->series[at - 1]) > order_of(series); at--)
        result->series[at] = result->series[at - 1];
    result->series[at] = *series;
    *series = (struct sample_buffer){.mode = MODE_COUNT};
}

int unit_result_take(struct unit_result *result, struct samples *samples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const int mode = words_find(words_modes, samples[i].mode);
        const int lens = words_find(words_lenses, samples[i].lens);
        struct sample_buffer series = {.mode = (enum mode)mode, .lens = (enum lens)lens};
        if (mode < 0 || lens < 0 || result->series_count == UNIT_SERIES)
            return error("samples of a mode or lens that this version does not know");
        if (sample_buffer_take(&series, &samples[i]) < 0)
            return -1;
        unit_result_add(result, &series);
    }
    return 0;
}

struct sample_buffer *unit_result_series(const struct unit_result *result,
                                         const struct sample_buffer *like, const char *kernel) {
    const bool staged = like->samples.place == PLACE_STAGE;
    for (int i = 0; i < result->series_count; i++) {
        const struct sample_buffer *series = &result->series[i];
        if (series->mode == like->mode && series->lens == like->lens &&
            (series->samples.place == PLACE_STAGE) == staged &&
            (staged || !*kernel || derive_column(&series->samples, kernel) >= 0))
            return (struct sample_buffer *)series;
    }
    return NULL;
}

static void drop_series(struct unit_result *result, int which) {
    sample_buffer_free(&result->series[which]);
    for (int i = which + 1; i < result->series_count; i++)
        result->series[i - 1] = result->series[i];
    result->series_count--;
}

void unit_result_drop_lens(struct unit_result *result, enum lens lens) {
    for (int i = result->series_count - 1; i >= 0; i--)
        if (result->series[i].lens == lens)
            drop_series(result, i);
}

void unit_result_drop_own(struct unit_result *result, const char *kernel) {
    for (int i = result->series_count - 1; i >= 0; i--)
        if (result->series[i].samples.place != PLACE_STAGE &&
            derive_column(&result->series[i].samples, kernel) >= 0)
            drop_series(result, i);
}

void unit_result_drop_staged(struct unit_result *result, const char *kernel) {
    for (int i = 0; i < result->series_count; i++)
        if (result->series[i].samples.place == PLACE_STAGE)
            sample_buffer_drop_arm(&result->series[i], kernel);
}

void unit_result_drop_times(struct unit_result *result) {
    for (int i = 0; i < result->series_count; i++)
        sample_buffer_free(&result->series[i]);
    result->series_count = 0;
    result->rows.condition_count = 0;
}

void unit_result_free(struct unit_result *result) {
    rows_free(&result->rows);
    for (int i = 0; i < result->series_count; i++)
        sample_buffer_free(&result->series[i]);
    memset(result, 0, sizeof *result);
}
