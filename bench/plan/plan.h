/* The plan of a run: everything that decides its results, fixed before it starts. */
#ifndef BENCH_PLAN_PLAN_H
#define BENCH_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "bench/base/element.h"
#include "bench/base/timed_inputs.h"
#include "bench/base/words.h"
#include "bench/plan/suite.h"
#include "bench/process/machine.h"
#include "bench/process/wire.h"
#include "candidates/set/set.h"

/* paper: a fixed time, whatever is found. fast: until the intervals are narrow enough. */
enum plan_protocol { PROTOCOL_FAST, PROTOCOL_PAPER };
extern const char *const plan_protocol_names[]; /* NULL after the last */
extern const char *const plan_autotune_names[]; /* by plan->finalists; likewise */

struct plan {
    char device_kind[16];
    int ordinal; /* of that kind */
    struct suite suite;
    struct candidate_set set;      /* count 0: only the baselines are run */
    struct candidate_set previous; /* an earlier release of it, timed beside it; count 0: none */
    size_t carried; /* units of which both sets have the same kernel, and that were left out */
    enum element element; /* of all operands */
    int32_t accumulate;   /* enum gemm_accumulate */
    char baselines[WIRE_ARMS][64];
    bool autotuned[WIRE_ARMS]; /* of the same: it chooses among algorithms */
    int baseline_count;
    bool modes[MODE_COUNT]; /* none: check only */
    int lenses;             /* bits 1 << enum lens */
    int precise;            /* likewise: the lenses that are timed until they reach the precision */
    bool precise_previous;  /* a kernel with an earlier release: its ratio to that release alone is
                             * timed to the precision, and to half of it; else all ratios are */
    enum plan_protocol protocol;
    double warmup_seconds;   /* a shape, mode and candidate */
    double duration_seconds; /* likewise, over all visits; fast: at most */
    double precision;        /* fast: half-width of a ratio's interval, 0.01: 1 % */
    int visits;              /* visits to a unit */
    bool all_visits;         /* each visit sees kernels anew, and none is saved */
    enum cache cache;
    enum timed_inputs inputs; /* of timed calls */
    double qps;               /* server mode: mean rate of calls */
    double launch_us;         /* that `call` and `wait` are stated at; 0: as measured */
    uint64_t seed;
    uint64_t workspace_bytes;     /* the libraries' scratch memory, and a candidate's */
    bool finalists;               /* of an autotuned library some are timed, not one */
    int tune_warmup, tune_rounds; /* of the autotuned baselines */
    enum lens tune_lens;          /* by which they choose */
    double call_timeout_seconds;  /* 0: by the size of the product */
    double setup_timeout_seconds;
    double alpha, beta; /* of the paper's eq. (3): weights of deviation and code length */
    bool sandbox;       /* the candidate's process is locked in */
    bool memcheck;      /* one call a shape under compute-sanitizer */
    double peak_tflops; /* of a card's tensor cores, as the user gives it; 0: not given */
    bool energy;        /* what a call draws is measured, too (bench/jobs/energy.h) */
    char *const *only;  /* ids of the only units wanted, in their order; NULL: all */
    size_t only_count;
};

/* One row of work: a shape with one candidate, or with none (NULL). */
struct unit {
    struct shape shape;
    const struct candidate *candidate;
    size_t candidate_index;           /* in plan->set.list */
    const struct candidate *previous; /* the same kernel in plan->previous, or NULL */
    size_t previous_index;
};
#define UNIT_ID 160

/* Whether the earlier release alone has the kernel. */
bool plan_is_removed(const struct plan *plan, const struct candidate *before);

/* Drops from the sets the kernels of shapes that the suite lacks. 0, or -1 after error() if none is
 * left of the new set. */
int plan_narrow(struct plan *plan);

/* The units of the plan, shapes in the suite's order. *units is the caller's to free. Returns how
 * many, or -1 after error(). */
long plan_units(const struct plan *plan, struct unit **units);

/* "64x64x64.label", or "64x64x64" without a candidate: the unit's folder in the run directory. */
const char *unit_id(const struct unit *unit, char id[UNIT_ID]);

/* The candidate's label, or "" without one. */
const char *unit_label(const struct unit *unit);

/* Whether device times are taken on the stage. Kernels whose work cannot be recorded are timed in
 * their own process all the same. */
bool plan_is_staged(const struct plan *plan);

/* Every how many-th visit to a unit sees its kernels anew, from the first visit on. Such a visit
 * records a kernel that tunes itself again, and times in the kernel's own process the lenses that
 * are timed there. Where a lens of the stage is timed to the precision there are PLAN_ANEW of them, and it
 * is every third visit at most. It is every visit in a gate by `call` and in a gate's confirmation, because a kernel that tunes itself
 * chooses once a process. */
#define PLAN_ANEW 6
int plan_anew_every(const struct plan *plan);

/* Every how many-th visit to a unit has times of the stage, from the first visit on. From 2^36 multiply-adds on a
 * visit takes a second and more, and visits differ by how the card is, far more than their blocks do. So such a
 * shape has them in every other visit, but not beside an earlier release, not in a gate's confirmation, and not
 * where the visits would be too few. */
int plan_staged_every(const struct plan *plan, const struct unit *unit);

/* plan.json, as reports/rows/plan_fields.h lists its fields; the plan has units. New reference. */
json_t *plan_json(const struct plan *plan);

/* The lenses that make sense in a mode: bits of plan->lenses. A lens of many calls in a row is left
 * out in server mode and with a cold cache, since these put gaps or sweeps between calls. */
int plan_mode_lenses(const struct plan *plan, enum mode mode);

/* The lenses of a mode that are timed until they reach the precision. In the paper's protocol, and
 * where the mode has none of plan->precise, these are all lenses of the mode. */
int plan_precise_lenses(const struct plan *plan, enum mode mode);

/* Whether what is measured is the host itself, and not a GPU. */
bool plan_on_host(const struct plan *plan);

/* Device and host memory one unit of the shape needs at most, in bytes. */
double plan_device_bytes(const struct plan *plan, struct shape shape);
double plan_host_bytes(const struct plan *plan, struct shape shape);

/* Frees what the plan holds, plan->only and its texts among it. */
void plan_free(struct plan *plan);

#endif
