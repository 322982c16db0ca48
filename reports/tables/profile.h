/* RUN/profile: what Nsight Compute counts of chosen kernels of a run.
 *
 *   RUN/profile/profile.csv   a row for each kernel on the device that a call has launched
 *   RUN/profile/NAME.log      what ncu wrote of one arm, as it is
 *
 * Functions return 0, or -1 after error(). */
#ifndef REPORTS_TABLES_PROFILE_H
#define REPORTS_TABLES_PROFILE_H

#include <stddef.h>

#include "bench/base/shape.h"
#include "reports/run/rundir.h"
#include "reports/tables/ncu.h"

#define PROFILE_FOLDER "profile"

struct profile_row {
    struct shape shape;
    char candidate[RUNDIR_NAME]; /* of the unit */
    char kernel[RUNDIR_NAME];    /* whom the row is about: the candidate or a baseline */
    double number;               /* of the launch in the call: 1, 2, ... */
    struct ncu_launch launch;
    char device[RUNDIR_NAME];
};

/* Zeroed by the caller, freed with profile_free. */
struct profile {
    struct profile_row *rows;
    size_t count;
};

int profile_add(struct profile *profile, const struct profile_row *row);

/* Replaces what RUN has of an earlier profile. */
int profile_write(const char *run, const struct profile *profile);

/* A run that was not profiled has no rows. */
int profile_read(const char *run, struct profile *profile);
void profile_free(struct profile *profile);

#endif
