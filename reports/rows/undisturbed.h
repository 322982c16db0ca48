/* Visits during which the machine was disturbed are in no number: a visit is left out where more
 * than ROWS_DISTURBED_MOST of its blocks were disturbed, as long as more than half of the visits
 * remain. Which they are is told by the GPU's sensors and never by the times, so that leaving them
 * out does not favour anybody. Pure: no files. */
#ifndef REPORTS_ROWS_UNDISTURBED_H
#define REPORTS_ROWS_UNDISTURBED_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/rows/samples.h"

struct undisturbed {
    struct samples samples; /* a copy without the visits that are left out */
    bool left_out[SAMPLES_VISITS];
    size_t left_out_count, timed_visits; /* timed_visits: of all, these among them */
    size_t end;                          /* one more than the last of their numbers */
};

void undisturbed_take(const struct samples *from, struct undisturbed *undisturbed);
void undisturbed_free(struct undisturbed *undisturbed);

/* "1 of 12 visits left out: disturbed"; "" where none is. */
#define UNDISTURBED_TEXT 80
const char *undisturbed_text(double left_out, double visits, char text[UNDISTURBED_TEXT]);

#endif
