/* The devices and libraries of this machine. A runner is asked for them, so that the judge never
 * opens a device. */
#ifndef BENCH_PROCESS_MACHINE_H
#define BENCH_PROCESS_MACHINE_H

#include "bench/process/runner_process.h"

#define MACHINE_DEVICES 64

/* Fills at most `most` rows; returns how many, or -1 after error(). The runner that was asked ends,
 * or becomes the caller's, to end with process_end, where keeper is not NULL. */
int machine_devices(struct wire_device *list, int most, struct runner_process *keeper);

enum { MACHINE_BASELINES = 32 };

/* The same for the baselines compiled in. */
int machine_baselines(struct wire_baseline *list, int most);

#endif
