/* The judge: carries out a plan, unit by unit, into a run directory. */
#ifndef BENCH_JUDGE_H
#define BENCH_JUDGE_H

#include <stdbool.h>

#include "bench/leash.h"
#include "bench/plan.h"
#include "candidates/build.h"

/* What this machine can measure on: one row a device, and one for a kind that has none. Asked of a
 * runner that ends with the answer or, where keeper is not NULL, becomes the caller's, to end with
 * leash_end. Fills at most `most` rows; returns how many, or -1 after error(). */
#define JUDGE_DEVICES 64
struct judge_device {
    char kind[16];
    int ordinal; /* -1: none of this kind; then why says it */
    char why[512];
    struct device_info info;
};
int judge_devices(struct judge_device *list, int most, struct leash *keeper);

/* The same for the baselines compiled in. */
struct judge_baseline {
    char name[64];
    int device, accumulate; /* enum gemm_device; bits of enum gemm_accumulate */
    bool autotuned;
};
int judge_baselines(struct judge_baseline *list, int most);

/* The time in UTC, as it stands in manifests: 2026-01-31T23:59:59Z. */
void judge_now(char text[32]);

struct gate_call;

/* How a plan is carried out, which has no part in what comes out. */
struct judge_call {
    const struct build_options *build;
    const char *run; /* the folder */
    bool resume;
    int shard, shards; /* only the shard-th of so many parts, from 1; 0: the whole */

    const struct gate_call *gate; /* asked of the run, see gate_foresee; NULL: none */
};

/* Carries out the plan. Returns an exit status. */
int judge_run(const struct plan *plan, const struct judge_call *call);

#endif
