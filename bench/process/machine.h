/* What this machine can measure on and beside: asked of a runner, so that the judge never opens a
 * device. */
#ifndef BENCH_PROCESS_MACHINE_H
#define BENCH_PROCESS_MACHINE_H

#include "bench/process/runner_process.h"

#define MACHINE_DEVICES 64

/* Fills at most `most` rows; returns how many, or -1 after error(). The runner that was asked ends,
 * or becomes the caller's, to end with process_end, where keeper is not NULL. */
int machine_devices(struct wire_device *list, int most, struct runner_process *keeper);

enum { MACHINE_BASELINES = 160 };

/* A release of a library beside those that the program is linked with. */
struct machine_library {
    char given[WIRE_FOLDER];              /* the folder that a user names */
    char library[16], release[WIRE_NAME]; /* "cuBLAS", "12.4.5" */
    char folder[WIRE_FOLDER];             /* for wire_open */
};

/* The same for the baselines compiled in, and behind them those of these releases, of which `given`
 * is set and the rest is filled. Copies of libraries are made in the cache folder
 * (baselines/release.h). -1 also where one cannot be had. */
int machine_baselines(struct machine_library *libraries, int library_count, const char *cache,
                      struct wire_baseline *list, int most);

#endif
