/* From raw samples to rows: every number of times.csv, ratios.csv and controls.csv. Pure: no files,
 * so that `run` derives them and `verify` derives them again. */
#ifndef REPORTS_RUN_DERIVE_H
#define REPORTS_RUN_DERIVE_H

#include <jansson.h>
#include <stdbool.h>

#include "reports/run/rows.h"
#include "reports/run/samples.h"
#include "timing/light.h"
#include "timing/rounds.h"

/* Arms called so are controls: the baseline behind the colon beside itself. */
#define DERIVE_AA "aa:"
#define DERIVE_DELAY "delay:"
bool derive_is_control(const char *name);

/* Whether a column is an arm's times, and not noted beside them. */
bool derive_is_arm(const char *name);

/* An A/A ratio this close to 1 is equal, however narrow its interval: two instances of one library
 * differ by where their memory lies. */
#define DERIVE_AA_MARGIN 0.0025

/* What stands in the note of a row whose interval is from one round. */
#define DERIVE_WITHIN "within one process"

/* Share of disturbed blocks from which a shape's verdict is `environment`. */
#define DERIVE_DISTURBED_MOST 0.1

/* What rows say that samples do not. */
struct derive_about {
    struct shape shape;
    const char *candidate; /* its label; "" without one */
    const char *cache;
    const char *device;                         /* its label; NULL is "" */
    double light_seconds;                       /* NaN where not known */
    double deviation, code_length, alpha, beta; /* for the reward */
};

/* What a device does at best, from manifest.json: the entry of `devices` with that label, in a run
 * on several, else the manifest's own `limits`. 0, or -1 after error(). */
int derive_rates(const json_t *manifest, const char *device, struct light_rates *rates);

/* The paper's equation 3 for one kernel: ratio is mean(t_ref / t_custom); a code_length that is NaN
 * counts as 0. */
double derive_reward(double ratio, double deviation, double code_length, double alpha, double beta);

/* A times row for every arm but the controls, a ratios row for every baseline against the candidate
 * with the derived -max baselines, and a controls row for every control. 0, or -1 after error().
 */
int derive_rows(const struct samples *samples, const struct derive_about *about, struct rows *rows);

/* The estimate of ln(time of arm `top` / time of arm `bottom`) over the samples' blocks of one
 * round, or of all (round -1). NaN without memory. In a row the interval also reaches at least half
 * a step of the clock of either arm to both sides: samples that agree to the step say no more. */
struct rounds derive_ratio(const struct samples *samples, size_t top, size_t bottom, int round);

/* Whether the round has blocks, and in each of them one of the two arms is marked: then there is no
 * ratio. */
bool derive_all_marked(const struct samples *samples, size_t top, size_t bottom, int round);

/* Quantile and median of an arm's samples that are not marked; NaN without any. */
double derive_quantile(const struct samples *samples, size_t column, double p);
double derive_median(const struct samples *samples, size_t column);

/* Mean of what is known of a @column; NaN without it. */
double derive_mean(const struct samples *samples, const char *name);

/* The last round's number and 1; 0 without blocks. */
size_t derive_rounds(const struct samples *samples);

/* The column of that name, or -1. */
int derive_column(const struct samples *samples, const char *name);

/* Which ratios a series is timed for: fills pairs[][2] with (top, bottom) columns, candidate below
 * each baseline, and each control below the baseline it doubles. Returns how many; most is
 * SAMPLES_COLUMNS. */
size_t derive_pairs(const struct samples *samples, const char *candidate,
                    size_t pairs[SAMPLES_COLUMNS][2]);

/* X-max of two baselines X-nn and X-tn: the one against which the candidate has the smaller
 * speedup. Returns how many there are, or -1 after error(). */
struct derive_max {
    char name[RUNDIR_NAME]; /* X-max */
    size_t column;          /* of the layout that it is */
    const char *layout;     /* nn | tn */
};
int derive_max(const struct samples *samples, const char *candidate,
               struct derive_max list[SAMPLES_COLUMNS]);

#endif
