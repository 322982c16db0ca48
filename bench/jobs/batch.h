/* One batch of timed blocks: asking for it, and examining what the runner claims. The runner shares
 * its process with the kernel under test, so that what it says is a claim. */
#ifndef BENCH_JOBS_BATCH_H
#define BENCH_JOBS_BATCH_H

#include "bench/jobs/gpu_monitor.h"
#include "bench/jobs/unit_context.h"
#include "timing/stopping.h"

/* The last readings of a warm-up. */
struct warmth {
    double sm_mhz[STOPPING_STEADY], power_w[STOPPING_STEADY];
    double speed[STOPPING_STEADY]; /* blocks a second */
    bool capped;                   /* the card has met its power cap */
};

/* One mode of a unit being timed. */
struct timing {
    struct unit_context *context;
    enum mode mode;
    int visit;
    int lenses; /* bits still wanted */
    struct wire_time request;
    struct wire_time_reply reply;       /* to the last batch */
    float *samples;                     /* the judge's own of the last batch; the caller frees */
    size_t samples_room;                /* in floats */
    double wall;                        /* seconds of the last batch, by the judge's clock */
    struct arm_state *slots[WIRE_ARMS]; /* in the order of request.arms */
    int timed[WIRE_ARMS];               /* the slot whose samples are this one's, too */
    struct gpu_monitor_reading reading;
    struct gpu_monitor_summary summary;
    struct warmth warmth;
    size_t disturbed, blocks; /* of this visit */
    struct arm_state **failed;
};

/* The arms that passed and the controls, in the order of the request; the kernels under test are
 * the suspects, and their C is compared with the first library's. The library's doubles are left
 * out: an arm whose code the device has just run is faster, by 0.2 us of a call of 5 us on H100s,
 * so that a library which is doubled in its own blocks would gain by that. */
void batch_arms(struct timing *t);

/* Whether the visit has blocks of the controls, and makes the request one for such blocks: of the
 * first library and its doubles alone. */
bool batch_has_controls(const struct timing *t);
void batch_begin_controls(struct timing *t);

/* Asks for one batch as t->request says and examines the claims. Returns an outcome with *t->failed
 * set unless OK, or TROUBLE. */
int batch_run(struct timing *t);

/* The least of a slot's seconds by the first lens of the last batch: a first call in a process,
 * which loads its code, is longer. */
double batch_least(const struct timing *t, int slot);

#endif
