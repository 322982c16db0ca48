/* What the samples of a unit say of its arms, over all blocks or some. Pure: no files. Statistics
 * are NaN where memory is short. */
#ifndef REPORTS_ROWS_DERIVE_VALUES_H
#define REPORTS_ROWS_DERIVE_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/base/shape.h"
#include "reports/rows/samples.h"
#include "timing/visits.h"

/* Arms called so are controls: the baseline behind the colon beside itself, untouched, with a known
 * delay, and with a delay that is DERIVE_LONG_TIMES as long. */
#define DERIVE_AA "aa:"
#define DERIVE_DELAY "delay:"
#define DERIVE_LONG_DELAY "long-delay:"
enum { DERIVE_LONG_TIMES = 5 };
bool derive_is_control(const char *name);

/* Whether a column is an arm's times, and not noted beside them; and whether it is those of a kernel
 * or a library in its own right, and of no control; and those of a library. */
bool derive_is_arm(const char *name);
bool derive_is_own(const char *name);
bool derive_is_library(const char *name, const char *candidate);

/* Which ratios a series is timed for: fills pairs[][2] with (top, bottom) columns, candidate below
 * each baseline, and each control below the baseline it doubles. Without a candidate ("") there are
 * the controls alone. Returns how many; most is SAMPLES_COLUMNS. */
size_t derive_pairs(const struct samples *samples, const char *candidate,
                    size_t pairs[SAMPLES_COLUMNS][2]);

/* What rows say that samples do not. */
struct derive_about {
    struct shape shape;
    const char *candidate; /* its label; "" without one */
    const char *cache;
    const char *device;                         /* its label; NULL is "" */
    double light_seconds;                       /* NaN where not known */
    double launch_seconds;                      /* that `call` and `wait` are stated at; 0: none */
    double deviation, code_length, alpha, beta; /* for the reward */
};

/* The column of that name, or -1. */
int derive_column(const struct samples *samples, const char *name);

/* That of the arm's name behind the prefix: its control, or with SAMPLES_HOST what its launches took the host. */
int derive_column_of(const struct samples *samples, const char *prefix, size_t arm);

/* A marked sample, which holds the host's time, is negative. That of an arm which a visit leaves out is NaN. */
double derive_value(const struct samples *samples, size_t block, size_t column);

/* Whether the block has both times, neither of them marked. */
bool derive_known(const struct samples *samples, size_t block, size_t top, size_t bottom);

/* The column's values that are not marked into out. Returns how many. */
size_t derive_take(const struct samples *samples, size_t column, double *out);

/* The visit of a block, and the last block's and 1; 0 without blocks. */
int derive_visit_of(const struct samples *samples, size_t block);
size_t derive_visits(const struct samples *samples);

/* What each block of a visit, or of all (-1), gives, one visit behind the other; NaN: nothing. sizes: how many
 * each visit has. The caller frees it. */
typedef double derive_block(const struct samples *samples, size_t block, const void *what);
double *derive_blocks(const struct samples *samples, int visit, derive_block *of_block,
                      const void *what, size_t sizes[SAMPLES_VISITS]);

/* The estimate of ln(time of arm `top` / time of arm `bottom`) over the samples' blocks of one
 * visit, or of all (visit -1). each: gets the estimate of each visit, NaN where it has none; or NULL. */
struct visits derive_ratio(const struct samples *samples, size_t top, size_t bottom, int visit,
                           double each[SAMPLES_VISITS]);

/* The step of the clock as the arm's samples show it, as a share of their median; 0
 * where all are equal. */
double derive_clock_step(const struct samples *samples, size_t column);

/* The interval reaches at least half a step of the clock to both sides: samples that agree to the step
 * say no more. step: of both arms, as shares of the medians. */
void derive_widen(struct visits *r, double step);

/* Seconds of arm `bottom` by the estimator of derive_ratio, over the same blocks: the geometric mean
 * over visits of each visit's estimate. Times the ratio it is the time of arm `top`: the quotient of
 * the two is the ratio. */
double derive_seconds(const struct samples *samples, const size_t pair[2]);

/* As the paper counts (section 3.1): the mean over all blocks of t_top /
 * t_bottom, minus 1. */
double derive_speedup(const struct samples *samples, const size_t pair[2]);

/* The median of an arm's samples that are not marked; NaN without any. */
double derive_median(const struct samples *samples, size_t column);

/* Mean of what is known of a @column; NaN without it. */
double derive_mean(const struct samples *samples, const char *name);

/* What stands in the note of a row of one visit. */
#define DERIVE_ONE_VISIT "no interval: one visit shows nothing of another process"

/* Why there is no number. */
#define DERIVE_ALL_MARKED                                                                          \
    "all samples hold host time: a call waits for the device, or takes the host longer than a "    \
    "hold"

/* What a row's note says of its interval, or "". Infinite ends become NaN. */
enum { DERIVE_NOTE = 128 };
void derive_put_ends(const struct visits *r, double *low, double *high, char note[DERIVE_NOTE]);

#endif
