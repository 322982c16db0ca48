/* The raw samples in a unit's folder: MODE.LENS.f32, and samples.json that says what is in them.
 * For rundir.c, whose header declares the samples and what others call. */
#ifndef REPORTS_RUN_SAMPLES_H
#define REPORTS_RUN_SAMPLES_H

#include "reports/run/rundir.h"

/* Both return 0, or -1 after error(). */
int samples_write(const char *folder, const struct samples *list, size_t count);
int samples_read(const char *folder, struct samples **list, size_t *count);

#endif
