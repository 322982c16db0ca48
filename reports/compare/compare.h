/* `gemmgate compare`, once all is measured. */
#ifndef REPORTS_COMPARE_COMPARE_H
#define REPORTS_COMPARE_COMPARE_H

#include <stdbool.h>

#include "reports/gate/gate_policy.h"

struct compare_call {
    const char *run; /* made with --against; or the new one of two runs */
    const char *old; /* the other run; NULL: none */
    const char
        *baseline; /* through which two runs are compared; NULL: what comparison_baseline says */
    const struct gate_policy *policy; /* margins */
    bool json;                        /* what is printed to stdout is JSON */
    bool fail_on_refused; /* EXIT_REFUSED where a kernel of the new release was refused */
    const char *folder;   /* for compare.csv and compare.md; NULL: RUN/compare, of two runs none */
};

/* Compares, writes the files and prints a summary to stdout. Returns an exit status:
 * EXIT_NOT_COMPARABLE for two runs whose fingerprints differ. */
int compare_make(const struct compare_call *call);

#endif
