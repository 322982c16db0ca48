/* Raw samples of a unit, read and made into rows: samples.json, where HASH stands for the hash of
 * the values, and the values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/rows/derive.h"
#include "reports/run/rundir.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/hash.h"

static const struct derive_about about = {.shape = {64, 64, 64},
                                          .candidate = "mine",
                                          .cache = "warm",
                                          .light_seconds = 1e-6,
                                          .deviation = 0.5,
                                          .code_length = 1000,
                                          .alpha = 1,
                                          .beta = 1};

static void promise_samples(const struct samples *samples) {
    const int visit = derive_column(samples, SAMPLES_VISIT);
    struct rows rows = {0};
    fuzz_promise(*samples->mode && *samples->lens);
    fuzz_promise(samples->column_count > 0 && samples->column_count <= SAMPLES_COLUMNS);
    for (size_t b = 0; b < samples->blocks && visit >= 0; b++) {
        const float value = samples->values[b * samples->column_count + (size_t)visit];
        fuzz_promise(value >= 0 && value == floorf(value) && value < SAMPLES_VISITS);
    }
    if (derive_unit(samples, 1, &about, &rows) == 0)
        fuzz_promise(rows.time_count + rows.control_count <= samples->column_count);
    fuzz_read += rows.ratio_count > 0;
    rows_free(&rows);
}

void fuzz_samples(const uint8_t *data, size_t size) {
    static const char *const names[] = {"units/u/samples.json", "units/u/offline.call.f32"};
    struct fuzz_part parts[2];
    const struct rows none = {0};
    struct rundir_unit unit;
    mkdir(fuzz_path("units"), 0777);
    mkdir(fuzz_path("units/u"), 0777);
    fuzz_split(data, size, parts, 2);
    uint8_t *index = hash_put_of(&parts[0], &parts[1]);
    fuzz_put_parts(names, parts, 2);
    fuzz_promise(rows_csv_write(fuzz_path("units/u"), ROWS_CSV_UNIT, &none) == 0);
    if (rundir_read_unit(fuzz_folder(), "u", &unit) == RUNDIR_WHOLE)
        for (size_t i = 0; i < unit.sample_count; i++)
            promise_samples(&unit.samples[i]);
    rundir_free_unit(&unit);
    free(index);
}
