/* Whether the numbers of a run are those that its samples give. */
#ifndef REPORTS_VERIFY_H
#define REPORTS_VERIFY_H

/* Derives the times, ratios and controls of every unit again from its raw samples and compares them
 * with the unit's CSV files, and those with the CSV files of the run. Prints what was compared to
 * stdout and every difference to stderr. Returns an exit status (bench/error.h): EXIT_PASS where
 * all agree, EXIT_TROUBLE otherwise. */
int verify_run(const char *run);

#endif
