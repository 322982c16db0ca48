/* The rows of a gate, from the runs. */
#ifndef REPORTS_GATE_GATE_ROWS_H
#define REPORTS_GATE_GATE_ROWS_H

#include "reports/gate/gate_read.h"

struct gate_rows_about {
    size_t compared;   /* rows that had something to be compared with */
    size_t unmeasured; /* rows without a baseline that they must beat */
    size_t apart;      /* rows whose earlier kernel fails beside the new one, but not alone */
    size_t unbuilt;    /* kernels that this machine could not compile */
    size_t starved;    /* kernels for which it had too little device memory */
    size_t failed;     /* rows whose earlier kernel was refused */
    size_t gone;       /* rows whose earlier kernel is gone, while another serves the shape */
    char reference[RUNDIR_NAME]; /* of the first that was compared */
    char beaten[RUNDIR_TEXT];    /* how far the rows beat what they must beat; "": nothing, or one
                                  * does not */
    char unserved[RUNDIR_TEXT];  /* shapes of the plan without an honest kernel: "64x64x64,
                                  * 64x64x128, 64x64x256 and 5 others"; "": none */
};

/* Adds to the (zeroed) gate its rows in the plan's order, units, suspects, coverage and warnings.
 */
void gate_rows_make(const struct gate_case *gate_case, struct gate *gate,
                    struct gate_rows_about *about);

/* The first verdict on the whole that holds, in the order of enum gate_verdict. Writes gate->reason,
 * which was "", and adds warnings. The rows are sorted and counted. */
enum gate_verdict gate_verdict_find(const struct gate_case *of, const struct gate_rows_about *about,
                                    struct gate *gate);

#endif
