#include "bench/run/unit_store.h"

#include "reports/run/rundir.h"

int unit_store(const char *run, const char *id, const struct unit_result *result,
               const json_t *kept) {
    struct samples samples[UNIT_SERIES];
    const size_t count = (size_t)result->series_count;
    for (size_t i = 0; i < count; i++)
        samples[i] = result->series[i].samples;
    return kept ? rundir_write_visits(run, id, &result->rows, samples, count, kept)
                : rundir_write_unit(run, id, &result->rows, samples, count);
}

int unit_fetch(const char *run, const char *id, struct unit_result *result, json_t **kept) {
    struct samples *samples;
    size_t count;
    int status = rundir_read_visits(run, id, &result->rows, &samples, &count, kept);
    if (status == 0)
        status = unit_result_take(result, samples, count);
    samples_free(samples, count);
    return status;
}
