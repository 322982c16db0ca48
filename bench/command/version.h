/* gemmgate --version. */
#ifndef BENCH_COMMAND_VERSION_H
#define BENCH_COMMAND_VERSION_H

/* Prints the version, the commit, what it was built with, the kinds of devices that it can measure
 * on, and the libraries that the runner has loaded. Returns an exit status. */
int version_print(void);

#endif
