/* What Nsight Compute (ncu --csv --page raw) says of the kernels it has watched. */
#ifndef REPORTS_TABLES_NCU_H
#define REPORTS_TABLES_NCU_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/run/rundir.h"

enum ncu_metric {
    NCU_SECONDS,
    NCU_DRAM,       /* of its peak, per cent */
    NCU_DRAM_BYTES, /* a second */
    NCU_SM,         /* throughput, per cent of its peak */
    NCU_OCCUPANCY,  /* warps, per cent of the most that an active SM holds */
    NCU_TENSOR,     /* cycles in which the tensor pipe works, per cent of an active SM's */
    NCU_L1,         /* hit rate, per cent */
    NCU_L2,         /* hit rate, per cent */
    NCU_REGISTERS,  /* a thread */
    NCU_SHARED,     /* bytes a block */
    NCU_METRICS
};

/* As ncu calls them. */
extern const char *const ncu_metric_names[NCU_METRICS];

/* One kernel that ran. */
struct ncu_launch {
    char function[RUNDIR_TEXT];
    char grid[48], block[48];   /* "128x1x1"; "" where not told */
    double values[NCU_METRICS]; /* NaN where not known; note says so */
    char note[RUNDIR_TEXT];
};

struct ncu_log {
    struct ncu_launch *launches;
    size_t count;
    char complaint[RUNDIR_TEXT]; /* the first line that ncu calls an error; "" without one */
    bool forbidden;              /* this user may not read the counters: ERR_NVGPUCTRPERM */
    unsigned refused;            /* bits 1 << enum ncu_metric: those that ncu's own lines name */
};

/* Reads what ncu has written to its --log-file: its own lines, which begin with ==, and, when there
 * was a kernel, a table whose second row holds units. A file that is not there is an empty one: ncu
 * did not get that far. 0, or -1 after error() with nothing to free. */
int ncu_read(const char *file, struct ncu_log *log);
void ncu_free(struct ncu_log *log);

#endif
