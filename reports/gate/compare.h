/* `gemmgate compare`, once all is measured: the rows of a gate for two releases of a kernel set, without
 * a threshold and without a second stage. A row is what its 95 % interval shows. */
#ifndef REPORTS_GATE_COMPARE_H
#define REPORTS_GATE_COMPARE_H

#include <stdbool.h>

#include "reports/gate/gate_policy.h"
#include "reports/run/opened.h"

struct compare_call {
    const char *run;      /* made with --against; or the new one of two runs */
    const char *old;      /* the other run; NULL: none */
    const char *baseline; /* through which two runs are compared; NULL: the best that both have */
    const struct gate_policy *policy; /* margins */
    bool json;                        /* what is printed to stdout is JSON */
    bool fail_on_refused; /* EXIT_REFUSED where a kernel of the new release was refused */
    const char *folder;   /* for compare.csv, .md and .html; NULL: RUN/compare, of two runs none */
};

/* Compares, writes the files and prints a summary to stdout. Returns an exit status:
 * EXIT_NOT_COMPARABLE for two runs whose fingerprints differ. */
int compare_make(const struct compare_call *call);

#endif
