/* manifest.json: where, when and with what a run was done. */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include <jansson.h>
#include <stdbool.h>

#include "bench/devices.h"
#include "bench/release.h"
#include "reports/store/fingerprint.h"

struct record {
    const struct plan *plan;
    const struct judge_call *call;
    const struct devices *devices;
    const struct release *candidates, *previous;
    const json_t *before;    /* manifest of the run that is resumed, or NULL */
    bool adds;               /* units are measured now */
    const char *start;       /* judge_now */
    char sandbox[WIRE_TEXT]; /* what locks candidates in */
};

/* What the run will be compared by, if it is measured by this plan on this device. 0, or -1 after
 * error(). */
int record_foresee(const json_t *plan, const struct judge_device *device, struct fingerprint *here);

/* A run is not resumed on a machine that it could not be compared with (store/fingerprint.h):
 * before is its manifest, device the first that is to go on. 0, or -1 after error(). */
int record_refuse_other_machine(const char *run, const json_t *plan, const json_t *before,
                                const struct judge_device *device);

/* Writes it as it stands: once at the start, once at the end. complete: every unit of the plan is
 * there and collected. 0, or -1 after error(). */
int record_write(const struct record *record, bool ended, bool complete);

#endif
