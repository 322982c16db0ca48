/* manifest.json: where, when and with what a run was done. */
#ifndef BENCH_RUN_MANIFEST_H
#define BENCH_RUN_MANIFEST_H

#include <jansson.h>
#include <stdbool.h>

#include "bench/run/run_device.h"
#include "reports/rows/rows.h"
#include "reports/run/fingerprint.h"

/* What a session of a run has cost beside its units, in seconds. */
struct run_seconds {
    double began;   /* on clock_seconds: when it had found what to measure */
    double compile; /* both sets made ready */
    double checks;  /* before the first visit, whatever was made side by side */
    double write;   /* all visits stored, over all devices */
};

struct run_manifest {
    const struct plan *plan;
    const char *run;   /* the folder */
    int shard, shards; /* the shard-th of so many parts; 0: the whole */
    const struct run_device *device;
    const json_t *json;      /* plan.json */
    const json_t *before;    /* manifest of the run that is resumed, or NULL */
    bool adds;               /* units are measured now */
    const char *start;       /* clock_utc */
    char sandbox[WIRE_TEXT]; /* what locks candidates in */
    struct run_seconds seconds;
};

/* What the run will be compared by, if it is measured by this plan on this device. */
void run_manifest_foresee(const json_t *plan, const struct wire_device *device,
                          struct fingerprint *here);

/* A run is not resumed on a machine that it could not be compared with (reports/run/fingerprint.h):
 * before is its manifest, device what is to go on. 0, or -1 after error(). */
int run_manifest_refuse_other_machine(const char *run, const json_t *plan, const json_t *before,
                                      const struct wire_device *device);

/* That of a run which is gone on with: new reference, or NULL where there is none. */
json_t *run_manifest_read(const char *run);

/* Writes it as it stands: once at the start, once at the end. all: the rows of all units, which were
 * collected; NULL where a unit of the plan is not there. 0, or -1 after error(). */
int run_manifest_write(const struct run_manifest *record, bool ended, const struct rows *all);

#endif
