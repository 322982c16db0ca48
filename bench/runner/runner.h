/* Inside the runner: one device, one shape, the baselines and one candidate as arms. */
#ifndef BENCH_RUNNER_RUNNER_H
#define BENCH_RUNNER_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "baselines/baselines.h"
#include "bench/device/device.h"
#include "bench/process/wire.h"
#include "bench/runner/layout.h"
#include "bench/runner/operands.h"
#include "candidates/set/load.h"
#include "correctness/numbers/input.h"

/* Operands of one size, for each call in a row. */
struct operands {
    struct shape padded;
    enum layout_operands whose;
    struct inputs calls[LAYOUT_CALLS];
    int count; /* of these that are there: 1, or as many as runner_row has made */
};

struct arm {
    const struct kernel_ops *ops;
    const struct baseline *baseline; /* NULL for a candidate */
    struct loaded loaded;            /* the candidate's library */
    struct player *player;           /* or what was recorded of it; else NULL */
    int next_call;                   /* of the recording: what the next launch carries out */
    void *state;                     /* of ops->setup */
    struct gemm_problem problem;     /* padded */
    uint64_t held_bytes;             /* of the heap, where that is the device's memory */
    int variant;                     /* of a baseline that can choose; -1 before it has */
    int delayed;                     /* WIRE_TIME puts so many planted delays behind each launch */
    int32_t reads;                   /* of the copies of B: bits of enum wire_copy */
    const struct operands *operands;
};

struct runner {
    const struct device_ops *device;
    void *device_state;
    struct shape shape;
    int32_t accumulate;
    enum element element;
    size_t workspace_bytes;
    bool finite_c;                             /* wire_shape */
    enum input_kind inputs;                    /* of timed calls */
    struct operands operands[LAYOUT_OPERANDS]; /* the first are plain */
    int operand_count;
    int64_t table_k[INPUT_TABLES]; /* the k for which each table of inputs was loaded; 0: none is */
    struct arm arms[WIRE_ARMS];
    int arm_count;
    struct guarded outputs[WIRE_ARMS];
    int output_count;
    struct guarded row[LAYOUT_CALLS]; /* the C of each call in a row */
    int row_count;
    bool strange;    /* an arm that is no library has worked since all of these were emptied */
    uint64_t secret; /* of this pass over the arms: what seals are keyed with */
    /* Not 0: a row that is prepared like any other ends after so many calls, and A of the last is
     * written right in front of it, from the seed. */
    int ends;
    uint64_t late_a;
    bool locked;         /* in the sandbox */
    bool recording;      /* what the candidate has the device do is written down */
    bool sealed;         /* operands are: no kernel can write them or what is around them */
    int64_t cache_bytes; /* the device's last level; 0: not known */
    void *shared;        /* mapping of WIRE_SHARED_FD */
    size_t shared_bytes;
};

/* Loads what inputs of the kind are made from for k addends, where it is not there. 0 or -1. */
int runner_table(struct runner *runner, enum input_kind kind, int64_t k);

/* Describes what a C holds before a call, so that what is not written is seen. */
struct fill runner_unwritten(const struct runner *runner, const struct guarded *c,
                             int64_t elements);

/* The same of runner->outputs. */
int runner_outputs(struct runner *runner, int count, int64_t elements);

/* The problem of an arm whose operands have that size. */
struct gemm_problem runner_problem(const struct runner *runner, struct shape padded);

/* The baseline's or kernel's elements, as bits 1 << enum element. */
int runner_elements(const struct kernel_ops *ops);

/* The arguments of the arm's launch: the operands of that call in a row, and that C. */
struct gemm_args runner_args(const struct runner *runner, const struct arm *arm, int call,
                             const struct guarded *c);
int64_t runner_output_elements(const struct arm *arm);

/* All that kernels could write around: operands, unless they are sealed, and outputs. Returns how
 * many there are. */
#define RUNNER_BUFFERS (3 * LAYOUT_OPERANDS * LAYOUT_CALLS + WIRE_ARMS + LAYOUT_CALLS)
int runner_buffers(struct runner *runner, struct guarded *list[RUNNER_BUFFERS]);

/* Makes sure that so many calls in a row have operands of every size, and a C of exactly so many
 * elements. 0 or -1. */
int runner_row(struct runner *runner, int calls, int64_t elements);

/* Enqueues NaN for the C of so many calls in a row, and of all where another than a library could have
 * written them. 0 or -1. */
int runner_empty_row(struct runner *runner, int calls);

/* Enqueues writing the operands of a call in a row, of every size, from (kind, seed). 0 or -1. */
int runner_write_operands(struct runner *runner, int call, enum input_kind kind, uint64_t seed);

/* The same of A alone, of runner->inputs. */
int runner_write_a(struct runner *runner, int call, uint64_t seed);

/* Writes those of the first call, of runner->inputs, poisons the first `output_count` outputs and
 * waits. 0 or -1. */
int runner_refresh(struct runner *runner, uint64_t seed, int output_count);

/* Bytes that the process has allocated and not freed, where the device is the host; else 0. */
uint64_t runner_heap(const struct runner *runner);

/* The arm's launch, which leaves the processor's mode as it was (float_mode.h). */
int runner_launch(const struct arm *arm, const struct gemm_args *args);

/* A kernel may handle an error of CUDA, as a limit that is refused, and leave it to whoever asks for
 * the last error next. What its launch returns, what waiting for the device says and its product
 * are judged, so that is forgotten behind the kernel's code. Returns its words, or NULL. */
const char *runner_forget_left(const struct runner *runner);

/* Words for a kernel's own nonzero status. */
void runner_explain(const struct kernel_ops *ops, int status, char text[WIRE_TEXT]);

/* Waits for the arm's call whose launch has returned that status. False where either failed: then
 * the reply has the outcome and why. */
bool runner_await(struct runner *runner, const struct arm *arm, int status,
                  struct wire_reply *reply);

/* The operands padded to that size: the plain ones, or those of that kernel. The operands of the
 * first call are made unless they are there. NULL without room. */
const struct operands *runner_operands(struct runner *runner, struct shape padded,
                                       enum layout_operands whose);

/* Takes down the arms and gives back the memory of the shape: another one can be served then. A
 * candidate's library stays loaded. */
void runner_forget(struct runner *runner);

/* Locks the process in, unless it is: from then on it may run code that is not ours. told says what
 * locks it in. 0, or -1 after error(). */
int runner_lock_in(struct runner *runner, char told[WIRE_TEXT]);

/* A fault of the harness or the machine. */
void runner_fault(struct wire_reply *reply, const char *text);

/* CLOCK_MONOTONIC_RAW in seconds. */
double runner_now(void);

/* Until the moment on that clock, without sleep. */
void runner_wait_until(double moment);

#endif
