/* The device that a run is measured on. */
#ifndef BENCH_RUN_RUN_DEVICE_H
#define BENCH_RUN_RUN_DEVICE_H

#include <jansson.h>

#include "bench/jobs/device_session.h"
#include "bench/plan/plan.h"
#include "bench/process/machine.h"
#include "reports/run/rundir.h"

struct run_device {
    struct wire_device about;
    char label[RUNDIR_NAME]; /* "cuda:0"; of a shard "2/8 node7 cuda:0" */
    int visible;             /* how many of its kind there are */
    /* The runner that has described the GPUs, all that are visible, which stays: what CUDA's driver
     * sets up for a GPU's first process, and takes down after its last, is then there for all
     * others. It has no context and never runs anything. */
    struct runner_process keeper;
};

/* The one that the plan asks for; for the shard-th part of a run of so many, or for all of it
 * (shards 0). Returns an exit status; what it found is freed with run_device_free whatever that is.
 */
int run_device_find(const struct plan *plan, int shard, int shards, struct run_device *device);

/* Whether every shape of the plan fits into its memory and the host's. 0, or -1 after error(). */
int run_device_has_room(const struct plan *plan, const struct run_device *device);

/* What it does at best, for manifest.json. New reference. */
json_t *run_device_limits(const struct run_device *device);

/* For manifest.json: its entry, and those of `before` for other devices. New reference. */
json_t *run_device_list(const struct run_device *device, const json_t *before);

void run_device_free(struct run_device *device);

/* What units share that are measured on it. Runners see this GPU alone, where there are others. 0, or
 * -1 after error(). */
int run_device_session(const struct run_device *device, const struct plan *plan,
                       struct device_session *session);
void run_device_session_end(struct device_session *session);

#endif
