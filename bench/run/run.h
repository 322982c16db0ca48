/* The judge: carries out a plan, unit by unit, into a run directory. */
#ifndef BENCH_RUN_RUN_H
#define BENCH_RUN_RUN_H

#include <stdbool.h>

#include "bench/plan/plan.h"
#include "bench/process/runner_process.h"
#include "candidates/build/build.h"

/* What this machine can measure on: one row a device, and one for a kind that has none. Asked of a
 * runner that ends with the answer or, where keeper is not NULL, becomes the caller's, to end with
 * process_end. Fills at most `most` rows; returns how many, or -1 after error(). */
#define RUN_DEVICES 64
struct run_device {
    char kind[16];
    int ordinal; /* -1: none of this kind; then why says it */
    char why[512];
    struct device_info info;
};
int run_devices(struct run_device *list, int most, struct runner_process *keeper);

/* The same for the baselines compiled in. */
struct run_baseline {
    char name[64];
    int device, accumulate; /* enum gemm_device; bits of enum gemm_accumulate */
    bool autotuned;
};
int run_baselines(struct run_baseline *list, int most);

/* The time in UTC, as it stands in manifests: 2026-01-31T23:59:59Z. */
void run_now(char text[32]);

struct gate_call;

/* How a plan is carried out, which has no part in what comes out. */
struct run_call {
    const struct build_options *build;
    const char *run; /* the folder */
    bool resume;
    int shard, shards; /* only the shard-th of so many parts, from 1; 0: the whole */

    const struct gate_call *gate; /* asked of the run, see gate_foresee; NULL: none */
};

/* Carries out the plan. Returns an exit status. */
int run_plan(const struct plan *plan, const struct run_call *call);

#endif
