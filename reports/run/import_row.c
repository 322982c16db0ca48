#include "reports/run/import_row.h"

#include <math.h>
#include <stdio.h>

#include "bench/base/words.h"

struct ratio_row import_row(struct shape shape, const char *mode, const char *lens,
                            const char *note) {
    struct ratio_row row = {.shape = shape,
                            .candidate = IMPORT_CANDIDATE,
                            .speedup = NAN,
                            .ratio = NAN,
                            .ci_low = NAN,
                            .ci_high = NAN,
                            .samples = NAN,
                            .rounds = NAN,
                            .lag1 = NAN,
                            .effective_samples = NAN,
                            .within_sd = NAN,
                            .between_sd = NAN,
                            .round_sd = NAN,
                            .block_error = NAN,
                            .clock_step = NAN,
                            .freedom = NAN,
                            .reward = NAN};
    snprintf(row.mode, sizeof row.mode, "%s", mode);
    snprintf(row.lens, sizeof row.lens, "%s", lens);
    snprintf(row.place, sizeof row.place, "%s", words_places[PLACE_OWN]);
    snprintf(row.note, sizeof row.note, "%s", note);
    return row;
}
