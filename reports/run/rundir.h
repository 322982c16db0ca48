/* The run directory: the one module that reads and writes it, for the judge and for every report.
 *
 *   RUN/plan.json       what was to be done; its hash names the run
 *   RUN/manifest.json   where, when and with what it was done
 *   RUN/units/ID/       one unit (a shape with a candidate): a CSV of each kind of row, the raw
 *                       samples as MODE.LENS.f32, and samples.json that says what is in them. Made
 *                       under RUN/units/.ID.part, fsynced and renamed, so that a unit is there
 *                       whole or not at all.
 *   RUN/{checks,times,ratios,controls,conditions,audit}.csv   the units' rows together, in plan
 * order, once the run is complete
 *
 * CSV columns are called like the members of the rows below, the shape is m, n, k, and the member n
 * is the column samples. An unfinished run (manifest.json does not say "complete": true) is read
 * from its units. Functions return 0, or -1 after error(). */
#ifndef REPORTS_RUN_RUNDIR_H
#define REPORTS_RUN_RUNDIR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/base/shape.h"

#define RUNDIR_NAME 96  /* kernel, candidate, mode, lens: longest name and its NUL */
#define RUNDIR_TEXT 512 /* free text: details, notes */

/* Missing numbers are NaN here and empty in CSV; `note` then says why. */

struct check_row {
    struct shape shape;
    char candidate[RUNDIR_NAME]; /* of the unit; "" in a unit without one */
    char kernel[RUNDIR_NAME];    /* whom the row is about: the candidate or a baseline */
    char outcome[RUNDIR_NAME];   /* a word of bench/base/outcome.h */
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
    char device[RUNDIR_NAME];           /* which device measured the row, as in condition_row */
    char note[RUNDIR_TEXT];
};

/* Whether a kernel failed a check; one that does not serve the problem has not. */
int rows_refused(const struct check_row *row);

struct time_row {
    struct shape shape;
    char candidate[RUNDIR_NAME];
    char kernel[RUNDIR_NAME];
    char mode[RUNDIR_NAME]; /* offline | server */
    char lens[RUNDIR_NAME]; /* call | device | stream | latency */
    char cache[8];          /* warm | cold | rotate: the state of the L2 before each call */
    double n, rounds;
    double mean, median, sd, p05, p90, p95, p99; /* seconds; p90 and p99 only of enough samples */
    double tflops;                               /* 2mnk of the unpadded shape over the median */
    double marked;        /* share of samples that include host time the delay could not hide */
    double upper_mode;    /* share of samples in the slower of two clear modes; NaN: one mode */
    double sm_mhz;        /* mean SM clock while it was timed */
    double cycles;        /* median x sm_mhz: a change of clock moves the time, not this */
    double light_seconds; /* no kernel can be faster on this card; timing/light.h */
    char device[RUNDIR_NAME];
    char note[RUNDIR_TEXT];
};

struct ratio_row {
    struct shape shape;
    char candidate[RUNDIR_NAME];
    char baseline[RUNDIR_NAME];
    char mode[RUNDIR_NAME];
    char lens[RUNDIR_NAME];
    char cache[8];
    double speedup;                /* the paper's: mean of t_baseline / t_candidate, minus 1 */
    double ratio, ci_low, ci_high; /* exp of the estimate of ln(t_b / t_c), 95 %; timing/rounds.h */
    double n, rounds;
    double lag1;       /* autocorrelation of the blocks' log ratios at lag 1 */
    double effective;  /* n, less what that correlation costs; column effective_samples */
    double within_sd;  /* of ln(t_b / t_c): blocks inside a round ... */
    double between_sd; /* ... and rounds among each other; NaN for one round */
    double reward;     /* the paper's eq. (3) with the plan's alpha and beta; see reward.h */
    char verdict[RUNDIR_NAME]; /* faster | slower | undecided | environment | "" */
    char device[RUNDIR_NAME];
    char note[RUNDIR_TEXT];
};

/* A control: a baseline beside itself, untouched (aa) or slowed by a known delay (delay). */
struct control_row {
    struct shape shape;
    char candidate[RUNDIR_NAME];
    char control[RUNDIR_NAME];  /* aa | delay */
    char baseline[RUNDIR_NAME]; /* which one is doubled */
    char mode[RUNDIR_NAME];
    char lens[RUNDIR_NAME];
    double ratio, ci_low, ci_high; /* of ln(t_baseline / t_control), as in ratio_row; of a delay
                                    * over the blocks of all rounds, as if they were one */
    double n, rounds;
    double planted, found;     /* delay: seconds put in, and median of t_control - t_baseline */
    char verdict[RUNDIR_NAME]; /* ok | off (aa: not equal)  | missed (delay) */
    char device[RUNDIR_NAME];
    char note[RUNDIR_TEXT];
};

/* Under what conditions a unit was timed in one mode, and what that cost. */
struct condition_row {
    struct shape shape;
    char candidate[RUNDIR_NAME];
    char mode[RUNDIR_NAME];
    char device[RUNDIR_NAME]; /* see reports/run/device_label.h */
    double blocks;            /* of the lens that needed most */
    double start_seconds;     /* runners started and ended, device open, arms set up and tuned */
    double check_seconds;
    double audit_seconds; /* of the candidate's library, source and recorded calls */
    double warmup_seconds;
    double wall_seconds;      /* of the timing after the warm-up ... */
    double timed_seconds;     /* ... and of it inside timed intervals */
    char steady[RUNDIR_NAME]; /* yes | no | unknown: clock and power at the end of the warm-up */
    double sm_mhz_min, sm_mhz_mean, sm_mhz_max, memory_mhz_mean;
    double power_w_mean, power_w_max, temperature_c_max;
    char throttle[RUNDIR_TEXT]; /* every reason seen, in words */
    double processes;           /* most at once on the GPU, the timed one included; NaN: not told */
    double disturbed;           /* share of blocks that were */
    char note[RUNDIR_TEXT];
};

/* What an audit found in a kernel under test. */
struct audit_row {
    struct shape shape;
    char candidate[RUNDIR_NAME]; /* of the unit */
    char kernel[RUNDIR_NAME];    /* whom the row is about: the candidate or its earlier release */
    char part[RUNDIR_NAME];      /* library | source | calls | code: what was looked at */
    char finding[RUNDIR_NAME];   /* a word of correctness/audit/finding.h */
    char level[RUNDIR_NAME];     /* info | warn | reject, by the policy */
    double number;               /* of this finding in one part: 1, 2, ... */
    char text[RUNDIR_TEXT];      /* what was found */
};

/* Growable arrays, zero-initialised by the caller, freed by rows_free. */
struct rows {
    struct check_row *checks;
    struct time_row *times;
    struct ratio_row *ratios;
    struct control_row *controls;
    struct condition_row *conditions;
    struct audit_row *audits;
    size_t check_count, time_count, ratio_count, control_count, condition_count, audit_count;
};
int rows_add_check(struct rows *rows, const struct check_row *row);
int rows_add_time(struct rows *rows, const struct time_row *row);
int rows_add_ratio(struct rows *rows, const struct ratio_row *row);
int rows_add_control(struct rows *rows, const struct control_row *row);
int rows_add_condition(struct rows *rows, const struct condition_row *row);
int rows_add_audit(struct rows *rows, const struct audit_row *row);
int rows_append(struct rows *rows, const struct rows *more); /* copies of all */
void rows_free(struct rows *rows);

/* Says through error() where two sets of rows, in the same order, differ: how many rows are missing
 * or too many, which are one difference, or else the first member of a row whose text differs or
 * whose number does by more than 1e-8 of it. `where` begins the message; all: checks and conditions
 * too, else only what is derived from samples; most: messages, at most. Returns how many rows
 * differ, said or not. */
size_t rows_differ(const char *where, const struct rows *stored, const struct rows *wanted,
                   bool all, size_t most);

/* Raw samples of one unit, mode and lens: float32, blocks x columns, block-major. A column is an
 * arm's seconds (negative: marked, see time_row) or, with a name that begins with @, something
 * known of the block: @round, @sm_mhz, @disturbed. */
#define SAMPLES_COLUMNS 40
struct samples {
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    char columns[SAMPLES_COLUMNS][RUNDIR_NAME];
    size_t column_count, blocks;
    float *values;
    uint64_t seen, every;   /* blocks timed; one of `every` was kept */
    uint64_t calls;         /* in one interval, which the samples are divided by */
    double planted_seconds; /* of the delay control */
};

/* Makes RUN with plan.json, and the folders that lead to it, or accepts it when `resume` and its
 * plan.json is equal to plan. An empty folder counts as absent. Refuses a RUN that exists without
 * resume, that is no run directory, or whose plan differs (names the first differing field). plan
 * stays the caller's. */
int rundir_create(const char *run, const json_t *plan, int resume);

/* Makes this process, with those that it forks from now on, the only one that measures into RUN: as
 * long as any of them lives, another is refused. 0, also where the file system knows no locks, or
 * -1 after error(). */
int rundir_claim(const char *run);

/* Whether there is a plan.json. */
bool rundir_is(const char *run);

/* The first object of the list whose member is that text: borrowed, or NULL. */
json_t *rundir_entry(const json_t *list, const char *member, const char *text);

/* XXH128 of the plan as compact JSON with sorted keys, in hex: the name of the run. */
int rundir_plan_hash(const json_t *plan, char hex[33]);

/* 1 if the unit is there, 0 if not. */
int rundir_has_unit(const char *run, const char *id);

/* Writes a whole unit atomically. A full disk leaves nothing behind but what was there before. A
 * unit that is there already, an id that is no file name, and infinity anywhere but in a deviation
 * or bound are refused. */
int rundir_write_unit(const char *run, const char *id, const struct rows *rows,
                      const struct samples *samples, size_t sample_count);

/* Reads all samples of a unit; *count is 0 where it was not timed. A file that is not as long, or
 * not the same (XXH128), as samples.json says is an error(). The caller frees with samples_free. */
int rundir_read_samples(const char *run, const char *id, struct samples **list, size_t *count);
void samples_free(struct samples *list, size_t count);

/* Reads the rows of one unit (rows zeroed by the caller). */
int rundir_read_unit(const char *run, const char *id, struct rows *rows);

/* Writes JSON atomically as RUN/name. */
int rundir_write_json(const char *run, const char *name, const json_t *json);

/* Reads RUN/name; NULL after error() that names file, line and cause. The caller decrefs. */
json_t *rundir_read_json(const char *run, const char *name);

/* Gathers the units listed in plan.json ("units": array of ids) into RUN's own CSV files. */
int rundir_collect(const char *run);

/* Reads RUN's own CSV files. */
int rundir_read_rows(const char *run, struct rows *rows);

/* Writes RUN's own CSV files directly, for runs that have no units (imports). */
int rundir_write_rows(const char *run, const struct rows *rows);

/* Reads a run into rows (zeroed by the caller; empty again after a failure): the CSV files of
 * a complete run, the units of an unfinished one, both in plan order. Wrong columns, bad numbers,
 * unknown outcomes, a row twice, a file cut off: error() with file, line and cause. */
int rundir_read(const char *run, struct rows *rows);

#endif
