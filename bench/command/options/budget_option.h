/* What --budget says. */
#ifndef BENCH_COMMAND_OPTIONS_BUDGET_OPTION_H
#define BENCH_COMMAND_OPTIONS_BUDGET_OPTION_H

/* "90s", "10m", "1.5h" or a number of seconds. 0, or -1 after error(). */
int budget_option(const char *text, double *seconds);

#endif
