/* One arm of a unit under Nsight Compute. */
#ifndef BENCH_COUNTERS_H
#define BENCH_COUNTERS_H

#include "bench/unit.h"
#include "bench/wire.h"
#include "reports/profile.h"

struct counters {
    const struct plan *plan; /* sandbox: false, for ncu's own library is in the runner */
    struct session *session;
    const char *run;   /* the folder */
    const char *ncu;   /* the program */
    unsigned left_out; /* bits 1 << enum ncu_metric: those that this ncu or device does not have */
    struct profile *profile; /* where the rows go */
};

/* Nsight Compute's command line program, on PATH or where CUDA is installed; NULL after error(). */
const char *counters_find(void);

/* Counts the second of two calls on fresh inputs in a runner of its own. Returns 0; 1 after error()
 * for an arm that has no row now; -1 after error() where no other will have one either. */
int counters_take(struct counters *counters, const struct unit *unit, enum wire_arm kind,
                  const char *kernel, const char *name);

#endif
