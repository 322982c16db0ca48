/* One arm of a unit under Nsight Compute. */
#ifndef BENCH_UNIT_NSIGHT_H
#define BENCH_UNIT_NSIGHT_H

#include "bench/process/wire.h"
#include "bench/unit/unit.h"
#include "reports/tables/profile.h"

struct nsight {
    const struct plan *plan; /* sandbox: false, for ncu's own library is in the runner */
    struct device_session *session;
    const char *run;   /* the folder */
    const char *ncu;   /* the program */
    unsigned left_out; /* bits 1 << enum ncu_metric: those that this ncu or device does not have */
    struct profile *profile; /* where the rows go */
};

/* Nsight Compute's command line program, on PATH or where CUDA is installed; NULL after error(). */
const char *nsight_find(void);

/* Counts the second of two calls on fresh inputs in a runner of its own. Returns 0; 1 after error()
 * for an arm that has no row now; -1 after error() where no other will have one either. */
int nsight_take(struct nsight *counters, const struct unit *unit, enum wire_arm kind,
                const char *kernel, const char *name);

#endif
