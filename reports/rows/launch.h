/* Times of `call` and `wait` at a stated launch. Pure: no files.
 *
 * A call takes t = h + d: h, which its launch takes the host, and d, the rest. Processes launch at
 * different speeds, and each has one speed for all its arms. So a ratio moves from process to
 * process, and from host to host, as far as the two arms' shares h / t differ. g, the geometric mean
 * of h over the libraries of a block, tells the speed. At a launch of L the call takes
 *
 *     t' = t + h (L / g - 1)
 *
 * All libraries are in g: the more, the less does one interrupted launch move it. g is taken block by
 * block, so that a slow moment of the host goes out, too.
 *
 * timing/NOTES.md has the widths and agreements that were measured. timing/README.md says what else
 * moves g. */
#ifndef REPORTS_ROWS_LAUNCH_H
#define REPORTS_ROWS_LAUNCH_H

#include "bench/base/shape.h"
#include "reports/rows/layouts.h"
#include "reports/rows/rows.h"

/* Offline, a product of so many operations of m n k is not stated: the device still writes the
 * operands while the host launches, so that a launch hides in part. In server mode it is idle. */
#define LAUNCH_SIZE 0x1p32

/* A call waits, or works on the host, where by the median over the blocks it takes the host so much
 * of its time, or so many times as long as the libraries. Nothing of it counts as launch. Of 400
 * kernels and libraries that do not wait, on H100s and H200s, none was above 0.93 and 1.48; of 190
 * kernels that do none was below 0.96 and 1.9. */
#define LAUNCH_MOST_SHARE 0.95
#define LAUNCH_MOST_TIMES 1.5

struct launch {
    struct samples samples; /* the same columns and blocks as given, with times at the launch */
    double seconds;         /* measured: the geometric mean of g; NaN: the times are as they were */
    double wanted;          /* L */
    const struct samples *plain;
    double *yardsticks;         /* g of each block */
    int hosts[SAMPLES_COLUMNS]; /* the column of an arm's h; -1: it has none, or waits */
};

/* The samples with their layouts, which outlive *launch, at a launch of `wanted` seconds. They stay
 * as they are where wanted is 0, where the lens has no h, where no library launches without waiting,
 * and offline from LAUNCH_SIZE on. */
void launch_state(const struct layouts *with, struct shape shape, const char *candidate,
                  double wanted, struct launch *launch);
void launch_free(struct launch *launch);

/* d ln ratio / d ln launch of the pair (top, bottom) at the stated launch: the mean over the blocks
 * of the difference of the launch's shares. NaN where nothing is stated. */
double launch_slope(const struct launch *launch, const size_t pair[2]);

/* The mean share of the launch in the arm's calls at the stated launch; NaN where nothing is stated. */
double launch_share(const struct launch *launch, size_t column);

/* How many ratios are stated at a launch. *seconds: what a launch took there, the geometric mean. */
size_t launch_stated(const struct rows *rows, double *seconds);

#endif
