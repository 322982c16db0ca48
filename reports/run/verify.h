/* Whether the numbers of a run are those that its samples give. */
#ifndef REPORTS_RUN_VERIFY_H
#define REPORTS_RUN_VERIFY_H

#include "reports/run/opened.h"

struct verify_counts {
    size_t units, timed, missing; /* of the plan: there, there with samples, not there */
    size_t lost;                  /* the missing ones of a run that is said to be complete */
    size_t rows, samples;         /* derived again, and from how many */
    size_t differences;           /* rows */
    size_t changed;               /* 1: a file is not as it was when the run was complete */
};

/* EXIT_TROUBLE where anything differs or is lost, else EXIT_PASS. */
int verify_status(const struct verify_counts *counts);

/* A run in a store has no samples: that its files are as they were promoted is all that is asked.
 *
 * verify_run without a word on stdout. 0, or -1 after error() where the run cannot be read. */
int verify_count(struct rundir *run, struct verify_counts *counts);

/* 0, or -1 after error() where the run cannot be read, has lost units, or a number of it is not
 * what its samples give; what the caller makes of that ends the message. */
int verify_clean(struct rundir *run, const char *conclusion);

/* Reads the rows and speeds of an opened run, which must be measured, complete and what its samples
 * give, without the speeds of kernels that have failed a check, also later than they were timed. 0, or -1
 * after error(). */
int verify_speeds(struct rundir *run);

/* Derives the times, ratios and controls of every unit again from its raw samples and compares its
 * rows with the CSV files of a complete run where none is lost. Prints what was compared to stdout, and
 * to stderr the first differences and the first units that are lost. Returns an exit status
 * (bench/base/error.h): EXIT_PASS where all agree, EXIT_TROUBLE otherwise. */
int verify_run(struct rundir *run);

#endif
