/* What the units that one device measures share. */
#ifndef BENCH_JOBS_DEVICE_SESSION_H
#define BENCH_JOBS_DEVICE_SESSION_H

#include "bench/device/nvml.h"
#include "bench/plan/plan.h"
#include "bench/process/runner_process.h"
#include "bench/process/warm_runners.h"
#include "candidates/build/build.h"
#include "correctness/numbers/input.h"
#include "reports/rows/columns.h"
#include "timing/light.h"

/* The kernels under test of a unit: the candidate, and its earlier release. */
enum { UNIT_CANDIDATE, UNIT_PREVIOUS, UNIT_KERNELS };

/* bench/jobs/processes.h: it serves units, each in one visit. */
struct shared_process {
    struct runner_process process;
    int units; /* that it has served; 0: there is none */
    int visit;
};

/* bench/checks/finalists.h: of each of the plan's baselines the algorithms that are arms. */
enum { FINALISTS_PROCESSES = 3, FINALISTS_BEST = 3 };
struct finalists {
    struct shape shape;
    double seconds; /* that ranking took */
    struct {
        int count; /* 0: it has none to choose from, or none was ranked */
        int variant[FINALISTS_BEST + 1];
    } of[WIRE_ARMS];
};

struct unit_checked; /* bench/jobs/unit_context.h */

struct device_session {
    const struct plan *plan;
    const char *run;         /* the folder (the caller's); NULL: units are not stored */
    uint64_t secret;         /* drawn at its start, and in no file: what is timed and recorded
                                cannot be known before */
    int ordinal;             /* of the device ... */
    struct gpu_alone alone;  /* ... for a process that sees this one alone, if any */
    char label[RUNDIR_NAME]; /* what rows call it */
    const struct built *built[UNIT_KERNELS]; /* of the plan's two sets */
    struct nvml *nvml; /* what it tells while units are timed; NULL: nothing */
    struct warm_runners warm;
    double timed_at;     /* when it was timed last, on clock_seconds */
    size_t visits_ahead; /* that this session will likely measure after the one in hand */
    struct shared_process stage;
    struct shared_process own[3];  /* that wait for another unit, by set */
    struct runner_process leaving; /* a runner that has been killed and may not be gone yet */
    int64_t memory_bytes;          /* of the device; 0 where not known */
    int side_by_side; /* processes that can hold what the largest shape needs; 1: the device takes
                         one process at a time */
    struct light_rates rates; /* the same */
    bool reference_on_device; /* reference products are made there, else on the processor */
    struct {
        struct shape shape; /* of those that were made last, and on the device checked */
        float *product[INPUT_KINDS];
    } reference;
    struct finalists *finalists;    /* of the shapes that were ranked last, */
    size_t finalist_count;          /* so many */
    struct unit_checked *libraries; /* of the shape that was checked last; NULL: there is none */
    char no_recorder[WIRE_TEXT];    /* why no calls can be recorded there; "": they may be */
    bool killed;                    /* a process was, by SIGKILL, and not by the judge */
    bool unfit;                     /* the device has failed in that: it is no place to measure */

    double store_seconds; /* that storing units took */

    char sandbox[WIRE_TEXT]; /* what locks candidates in, as the first one's runner said */
};

#endif
