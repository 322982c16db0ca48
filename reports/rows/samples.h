/* The raw samples in a unit's folder: MODE.LENS.f32, of the process of an earlier release
 * MODE.LENS.previous.f32, and samples.json that says what is in them. */
#ifndef REPORTS_ROWS_SAMPLES_H
#define REPORTS_ROWS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/base/words.h"
#include "reports/rows/columns.h"

/* Raw samples of one unit, mode and lens, and of one kernel where its own process has timed it: float32, blocks x columns, block-major. A column is an
 * arm's seconds (negative: marked, see time_row) or, with a name that begins with @, something
 * known of the block. */
#define SAMPLES_COLUMNS 88
#define SAMPLES_VISITS 100        /* of a unit at most, as of --visits */
#define SAMPLES_VISIT "@visit"    /* 0, 1, ... */
#define SAMPLES_HOST "@host:"     /* and an arm's name: seconds its launch took the host */
#define SAMPLES_JOULES "@joules:" /* and an arm's name: what a call drew, once a visit; else NaN */
#define SAMPLES_EMPTY "@empty"    /* seconds of a call that does nothing, on the stage */
#define SAMPLES_SM_MHZ "@sm_mhz"  /* NaN where not known */
#define SAMPLES_DISTURBED "@disturbed" /* 1 where the machine was, else 0 */
#define SAMPLES_DOUBLES "@doubles"     /* 1: of the first library and its doubles alone, else 0 */
struct samples {
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    char columns[SAMPLES_COLUMNS][RUNDIR_NAME];
    enum place place;
    size_t column_count, blocks;
    float *values;
    uint64_t calls;         /* in one interval, which the samples are divided by */
    double planted_seconds; /* of the delay control */
};

/* Whether they are of a process that has loaded the earlier release, and not the candidate. */
bool samples_of_previous(const struct samples *samples);

/* rundir.c writes and reads them with their unit. Both return 0, or -1 after error(). */
int samples_write(const char *folder, const struct samples *list, size_t count);
int samples_read(const char *folder, struct samples **list, size_t *count);
void samples_free(struct samples *list, size_t count);

#endif
