#include "bench/context/unit_result.h"

#include <string.h>

#include "bench/base/error.h"

static int find_word(const char *const *words, int count, const char *word) {
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return count;
}

int unit_result_take(struct unit_result *result, struct samples *samples, size_t count) {
    size_t taken = 0;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        for (int lens = 0; lens < LENS_COUNT; lens++)
            for (size_t i = 0; i < count; i++)
                if (find_word(words_modes, MODE_COUNT, samples[i].mode) == mode &&
                    find_word(words_lenses, LENS_COUNT, samples[i].lens) == lens) {
                    struct sample_buffer *series = &result->series[result->series_count];
                    *series = (struct sample_buffer){.mode = mode, .lens = lens};
                    if (sample_buffer_take(series, &samples[i]) < 0)
                        return -1;
                    result->series_count++;
                    taken++;
                }
    return taken == count ? 0 : error("samples of a mode or lens that this version does not know");
}

void unit_result_drop_lens(struct unit_result *result, enum lens lens) {
    int kept = 0;
    for (int i = 0; i < result->series_count; i++)
        if (result->series[i].lens == lens)
            sample_buffer_free(&result->series[i]);
        else
            result->series[kept++] = result->series[i];
    result->series_count = kept;
}

void unit_result_drop_arm(struct unit_result *result, const char *kernel) {
    for (int i = 0; i < result->series_count; i++)
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
