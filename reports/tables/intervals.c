#include "reports/tables/intervals.h"

#include <math.h>

bool intervals_within(const struct ratio_row *row) {
    return isfinite(row->ci_low) && isnan(row->round_sd);
}

const char *intervals_words(const struct rows *rows) {
    bool within = false, over = false;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        within = within || intervals_within(row);
        over = over || (isfinite(row->ci_low) && !intervals_within(row));
    }
    return !within ? "95 % interval over rounds"
           : over  ? "95 % interval over rounds (of a row of one round: within one process)"
                   : "95 % interval within one process";
}
