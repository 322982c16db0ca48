/* For tests: one thing of a run directory. */
#ifndef TESTS_SUPPORT_READ_RUN_H
#define TESTS_SUPPORT_READ_RUN_H

#include "reports/run/opened.h"
#include "reports/run/verify.h"

/* The rows, which the caller frees. 0, or -1 after error(). */
__attribute__((unused)) static int read_rows(const char *folder, struct rows *rows) {
    struct rundir run;
    const int status = rundir_open(folder, &run) < 0 ? -1 : rundir_read(&run);
    *rows = status == 0 ? run.rows : (struct rows){0};
    run.rows = status == 0 ? (struct rows){0} : run.rows;
    rundir_close(&run);
    return status;
}

__attribute__((unused)) static int read_fingerprint(const char *folder,
                                                    struct fingerprint *fingerprint) {
    struct rundir run;
    const int status = rundir_open(folder, &run);
    *fingerprint = run.fingerprint;
    rundir_close(&run);
    return status;
}

__attribute__((unused)) static int read_counts(const char *folder, struct verify_counts *counts) {
    struct rundir run;
    const int status = rundir_open(folder, &run) < 0 ? -1 : verify_count(&run, counts);
    rundir_close(&run);
    return status;
}

#endif
