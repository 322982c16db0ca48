#include "bench/unit/unit_result.h"

#include <string.h>

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
