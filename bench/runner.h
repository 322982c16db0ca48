/* Inside the runner: one device, one shape, the baselines and one candidate as arms. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include <stddef.h>
#include <stdint.h>

#include "baselines/baselines.h"
#include "bench/device.h"
#include "bench/operands.h"
#include "bench/wire.h"
#include "candidates/load.h"

struct arm {
    const struct kernel_ops *ops;
    const struct baseline *baseline; /* NULL for the candidate */
    struct loaded loaded;            /* the candidate's library */
    void *state;                     /* of ops->setup */
    struct gemm_problem problem;     /* padded */
    const struct inputs *inputs;
};

struct runner {
    const struct device_ops *device;
    void *device_state;
    struct shape shape;
    int32_t accumulate;
    size_t workspace_bytes;
    struct inputs plain, padded; /* padded only for a candidate with a tile */
    struct arm arms[WIRE_ARMS];
    int arm_count;
    struct guarded outputs[WIRE_ARMS];
    int output_count;
    int32_t count_padding;   /* bits of enum wire_padding: copies inside a padded arm's interval */
    struct guarded unpadded; /* where its C is copied to then */
    void *shared;            /* mapping of WIRE_SHARED_FD */
    size_t shared_bytes;
};

/* Each carries out one request and fills the reply. reply->status is -1 with a text for a fault of
 * the harness or machine; an arm's fate is reply->outcome. */
void runner_open(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply);
void runner_add(struct runner *runner, const struct wire_request *request,
                struct wire_reply *reply);
void runner_tune(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply);
void runner_call(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply);
void runner_time(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply);

/* Makes sure of `count` output buffers of exactly `elements` binary16 each. 0 or -1. */
int runner_outputs(struct runner *runner, int count, int64_t elements);

/* The interval of the `call` lens around one launch of the arm into outputs[output]: the device is
 * idle before and after. Returns an enum outcome; *seconds is set and text empty when it is OK. */
int runner_timed_call(struct runner *runner, struct arm *arm, int output, double *seconds,
                      char text[WIRE_TEXT]);

/* Fills every distinct set of inputs among the arms from (normal, seed), poisons the first
 * `output_count` outputs and waits. 0 or -1. */
int runner_refresh(struct runner *runner, uint64_t seed, int output_count);

/* Words for a kernel's own nonzero status. */
void runner_explain(const struct kernel_ops *ops, int status, char text[WIRE_TEXT]);

/* CLOCK_MONOTONIC_RAW in seconds. */
double runner_now(void);

#endif
