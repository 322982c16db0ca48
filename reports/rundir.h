/* The run directory: the one module that reads and writes it, for the judge and for every report.
 *
 *   RUN/plan.json       what was to be done; its hash names the run
 *   RUN/manifest.json   where, when and with what it was done
 *   RUN/units/ID/       one unit (a shape with a candidate): checks.csv, times.csv, ratios.csv and
 *                       MODE.LENS.f32, the raw samples. Made under RUN/units/.ID.part, fsynced and
 *                       renamed, so that a unit is there whole or not at all.
 *   RUN/{checks,times,ratios}.csv   the units' rows together, in plan order, once the run is
 * complete
 *
 * CSV columns are called like the members of the rows below, the shape is m, n, k, and the member n
 * is the column samples. An unfinished run (manifest.json does not say "complete": true) is read
 * from its units. Functions return 0, or -1 after error(). */
#ifndef REPORTS_RUNDIR_H
#define REPORTS_RUNDIR_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/shape.h"

#define RUNDIR_NAME 96  /* kernel, candidate, mode, lens: longest name and its NUL */
#define RUNDIR_TEXT 512 /* free text: details, notes */

/* Missing numbers are NaN here and empty in CSV; `note` then says why. */

struct check_row {
    struct shape shape;
    char candidate[RUNDIR_NAME]; /* of the unit; "" in a unit without one */
    char kernel[RUNDIR_NAME];    /* whom the row is about: the candidate or a baseline */
    char outcome[RUNDIR_NAME];   /* a word of correctness/outcome.h */
    char detail[RUNDIR_TEXT];    /* evidence: first wrong entry, signal, last lines printed */
    double share_compared;       /* of C's entries in the exact check, 0..1 */
    double deviation;            /* max |C - reference| */
    double bound;                /* largest the check allows; NaN for baselines */
    double paper_bound;          /* largest among the baselines; NaN for baselines */
    char claimed[8];             /* accumulator: f16 or f32 */
    char seen[8];                /* by the probe; "" until it ran */
    double padding_share;        /* of the padded product's flops, 0..1 */
    double setup_seconds;
    double first_call_seconds;
    char variant[RUNDIR_TEXT]; /* what an autotuned baseline chose */
    char layout[8];            /* which copy of B the candidate reads: nn, tn, both or none */
    double code_length;        /* characters of the source, the paper's L */
    double bm, bn, bk, stages, swizzle; /* read out of the source where it says so */
    char source[RUNDIR_TEXT];           /* candidate's file, relative to its set */
    char source_hash[40];               /* XXH128 of it, hex */
    char note[RUNDIR_TEXT];
};

/* Whether a kernel failed a check; one that does not serve the problem has not. */
int rows_refused(const struct check_row *row);

struct time_row {
    struct shape shape;
    char candidate[RUNDIR_NAME];
    char kernel[RUNDIR_NAME];
    char mode[RUNDIR_NAME]; /* offline | server */
    char lens[RUNDIR_NAME]; /* call | device | stream */
    double n, rounds;
    double mean, median, sd, p05, p95; /* seconds */
    double tflops;                     /* 2mnk of the unpadded shape over the median */
    char note[RUNDIR_TEXT];
};

struct ratio_row {
    struct shape shape;
    char candidate[RUNDIR_NAME];
    char baseline[RUNDIR_NAME];
    char mode[RUNDIR_NAME];
    char lens[RUNDIR_NAME];
    double speedup;                /* the paper's: mean of t_baseline / t_candidate, minus 1 */
    double ratio, ci_low, ci_high; /* exp of the Hodges-Lehmann estimate of ln(t_b / t_c), 95 % */
    double n, rounds;
    double reward; /* the paper's eq. (3) with the plan's alpha and beta; see reward.h */
    char verdict[RUNDIR_NAME]; /* faster | slower | undecided | "" */
    char note[RUNDIR_TEXT];
};

/* Growable arrays, zero-initialised by the caller, freed by rows_free. */
struct rows {
    struct check_row *checks;
    struct time_row *times;
    struct ratio_row *ratios;
    size_t check_count, time_count, ratio_count;
};
int rows_add_check(struct rows *rows, const struct check_row *row);
int rows_add_time(struct rows *rows, const struct time_row *row);
int rows_add_ratio(struct rows *rows, const struct ratio_row *row);
void rows_free(struct rows *rows);

/* Raw samples of one unit, mode and lens: seconds as float32, blocks x arms, block-major. */
struct samples {
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    const float *seconds;
    size_t blocks, arms;
};

/* Makes RUN with plan.json, and the folders that lead to it, or accepts it when `resume` and its
 * plan.json is equal to plan. An empty folder counts as absent. Refuses a RUN that exists without
 * resume, that is no run directory, or whose plan differs (names the first differing field). plan
 * stays the caller's. */
int rundir_create(const char *run, const json_t *plan, int resume);

/* XXH128 of the plan as compact JSON with sorted keys, in hex: the name of the run. */
int rundir_plan_hash(const json_t *plan, char hex[33]);

/* 1 if the unit is there, 0 if not. */
int rundir_has_unit(const char *run, const char *id);

/* Writes a whole unit atomically. A full disk leaves nothing behind but what was there before. A
 * unit that is there already, an id that is no file name, and infinity anywhere but in a deviation
 * or bound are refused. */
int rundir_write_unit(const char *run, const char *id, const struct rows *rows,
                      const struct samples *samples, size_t sample_count);

/* Writes JSON atomically as RUN/name. */
int rundir_write_json(const char *run, const char *name, const json_t *json);

/* Reads RUN/name; NULL after error() that names file, line and cause. The caller decrefs. */
json_t *rundir_read_json(const char *run, const char *name);

/* Gathers the units listed in plan.json ("units": array of ids) into RUN/{checks,times,ratios}.csv.
 */
int rundir_collect(const char *run);

/* Writes RUN/{checks,times,ratios}.csv directly, for runs that have no units (imports). */
int rundir_write_rows(const char *run, const struct rows *rows);

/* Reads a run into rows (zeroed by the caller; empty again after a failure): the three CSV files of
 * a complete run, the units of an unfinished one, both in plan order. Wrong columns, bad numbers,
 * unknown outcomes, a row twice, a file cut off: error() with file, line and cause. */
int rundir_read(const char *run, struct rows *rows);

#endif
