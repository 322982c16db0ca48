/* Nsight Compute's time of each call of a profile beside what the run measured by the lens
 * `device`. */
#ifndef REPORTS_TABLES_PROFILE_TIMES_H
#define REPORTS_TABLES_PROFILE_TIMES_H

#include <jansson.h>

#include "reports/tables/profile.h"

struct profile_time {
    const struct profile_row *of; /* the first launch of the call */
    size_t launches;
    double ncu;        /* s, gpu__time_duration: the sum over the call's launches */
    double device;     /* s, median by `device`, offline; NaN where the run has none */
    double difference; /* (device - empty interval) / ncu - 1; NaN where either is not known */
};

struct profile_times {
    struct profile_time *list;
    size_t count, compared;
    double median, middle;            /* of the differences, and of their sizes; NaN for none */
    const struct profile_time *worst; /* the largest size; NULL for none */
};

/* An interval by `device` around nothing, which the manifest has, is taken off: Nsight Compute
 * reads no events. Rows, profile and manifest (NULL: nothing is taken off) stay the caller's, who
 * keeps the profile. 0, or -1 after error(). */
int profile_times_make(const struct profile *profile, const struct rows *rows,
                       const json_t *manifest, struct profile_times *times);
void profile_times_free(struct profile_times *times);

/* A sentence with the median and the worst difference; "" where nothing can be compared. */
void profile_times_say(const struct profile_times *times, char *text, size_t size);

#endif
