#include "reports/rows/undisturbed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/derive_values.h"
#include "reports/rows/rows.h"

struct visit {
    size_t blocks, disturbed;
};

static size_t visit_of(const struct samples *samples, size_t block, int column) {
    return column < 0 ? 0 : (size_t)derive_value(samples, block, (size_t)column);
}

/* Fills in which visits are left out. */
static void judge(const struct visit *visits, struct undisturbed *undisturbed) {
    size_t count = 0;
    for (size_t i = 0; i < SAMPLES_VISITS; i++) {
        undisturbed->left_out[i] =
            (double)visits[i].disturbed > ROWS_DISTURBED_MOST * (double)visits[i].blocks;
        undisturbed->timed_visits += visits[i].blocks > 0;
        count += undisturbed->left_out[i];
    }
    if (2 * count < undisturbed->timed_visits)
        undisturbed->left_out_count = count;
    else
        memset(undisturbed->left_out, 0, sizeof undisturbed->left_out);
}

void undisturbed_take(const struct samples *from, struct undisturbed *undisturbed) {
    const int column = derive_column(from, SAMPLES_VISIT);
    const int disturbed = derive_column(from, SAMPLES_DISTURBED);
    const size_t columns = from->column_count;
    struct visit visits[SAMPLES_VISITS] = {0};
    *undisturbed = (struct undisturbed){.samples = *from, .end = derive_visits(from)};
    struct samples *to = &undisturbed->samples;
    for (size_t b = 0; b < from->blocks; b++) {
        struct visit *visit = &visits[visit_of(from, b, column)];
        visit->blocks++;
        visit->disturbed += disturbed >= 0 && derive_value(from, b, (size_t)disturbed) > 0;
    }
    judge(visits, undisturbed);
    to->blocks = 0;
    to->values = need(from->blocks * columns, sizeof *to->values);
    for (size_t b = 0; b < from->blocks; b++)
        if (!undisturbed->left_out[visit_of(from, b, column)])
            memcpy(to->values + to->blocks++ * columns, from->values + b * columns,
                   columns * sizeof *to->values);
}

void undisturbed_free(struct undisturbed *undisturbed) {
    free(undisturbed->samples.values);
    *undisturbed = (struct undisturbed){0};
}

const char *undisturbed_text(double left_out, double visits, char text[UNDISTURBED_TEXT]) {
    *text = 0;
    if (left_out > 0)
        snprintf(text, UNDISTURBED_TEXT, "%.0f of %.0f visits left out: disturbed", left_out,
                 visits);
    return text;
}
