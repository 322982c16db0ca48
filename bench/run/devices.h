/* The devices that a run is measured on. */
#ifndef BENCH_RUN_DEVICES_H
#define BENCH_RUN_DEVICES_H

#include <jansson.h>

#include "bench/plan/plan.h"
#include "bench/process/machine.h"
#include "reports/run/rundir.h"
#include "timing/light.h"

struct devices {
    struct machine_device list[PLAN_DEVICES];
    char labels[PLAN_DEVICES][RUNDIR_NAME]; /* "cuda:0"; of a shard "2/8 node7 cuda:0" */
    json_t *limits[PLAN_DEVICES];           /* least times and best rates, as in the manifest */
    struct light_rates rates[PLAN_DEVICES];
    size_t count;
    int visible; /* how many of their kind there are, asked for or not */
    /* The runner that has described the GPUs, all that are visible, which stays: what CUDA's driver
     * sets up for a GPU's first process, and takes down after its last, is then there for all
     * others. It has no context and never runs anything. */
    struct runner_process keeper;
};

/* Those that the plan asks for, all of one name; for the shard-th part of a run of so many, or for
 * all of it (shards 0). Returns an exit status; what it found is freed with devices_free whatever
 * that is. */
int devices_find(const struct plan *plan, int shard, int shards, struct devices *devices);

/* Whether every shape of the plan fits into their memory and the host's, where every device has a
 * worker with products of its own. 0, or -1 after error(). */
int devices_have_room(const struct plan *plan, const struct devices *devices);

/* For a runner that is to see this GPU alone, where there are others: that starts sooner, and keeps
 * a kernel from them. Returns the GPU's ordinal then. */
int devices_alone(const struct devices *devices, size_t which, struct gpu_alone *alone);

/* What each does at best and its clock at least: measured, or as the manifest of the run that is
 * resumed (NULL: none) has it, so that all rows have the same. 0, or -1 after error(). */
int devices_measure(const struct plan *plan, const json_t *manifest, struct devices *devices);

/* For manifest.json: the entries of `before` for other devices, and these. New reference. */
json_t *devices_json(const struct devices *devices, const json_t *before);

void devices_free(struct devices *devices);

#endif
