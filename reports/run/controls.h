/* What the controls of a run say about its numbers. Pure but for controls_record: rows in, summary
 * out. */
#ifndef REPORTS_RUN_CONTROLS_H
#define REPORTS_RUN_CONTROLS_H

#include <stddef.h>

#include "reports/run/rundir.h"

/* Share of A/A intervals that may miss 1, being 95 % intervals, and of delays that may be missed.
 */
#define CONTROLS_MISS_SHARE 0.05

/* |ratio - 1| of an A/A pair below this is close. */
#define CONTROLS_CLOSE 0.005

/* Samples of a delay that was not seen below which more of them are the first thing to try. */
#define CONTROLS_FEW 20

/* So far from 1 the mean over pairs may be: two instances of a library lie elsewhere in memory. */
#define CONTROLS_MEAN_MARGIN 0.01

/* The controls timed in one mode by one lens. Medians are NaN where there is nothing to take them
 * of. */
struct controls_series {
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    size_t intervals; /* A/A pairs that have one: all that follows of A/A is of these */
    size_t missing;   /* intervals that do not reach 1 to 0.25 % (DERIVE_AA_MARGIN) */
    size_t allowed;   /* most that miss by chance: 99.9 % quantile of Binomial(intervals, 0.05) */
    size_t close;
    /* Geometric mean over the pairs with its 99.9 % interval, Student's t of the logarithms: what
     * favours an arm a little at every shape shows here and nowhere else. NaN for fewer than two.
     */
    double mean, mean_low, mean_high;
    double half_width_median, half_width_most; /* of the intervals: the noise floor */
    size_t delays, seen;
    double fewest; /* samples of a delay that was not seen; INFINITY: all were */
    double planted_seconds, found_seconds; /* medians over the delays */
};

/* Modes times lenses of a run are fewer. */
#define CONTROLS_SERIES_MOST 16

/* Fills series, sorted as tables are (lens, then mode), and returns how many. */
size_t controls_summarise(const struct rows *rows,
                          struct controls_series series[CONTROLS_SERIES_MOST]);

enum controls_verdict { CONTROLS_NONE, CONTROLS_PASSED, CONTROLS_FAILED };

/* Failed when in any series more A/A intervals miss 1 than are allowed, the interval of their mean
 * does not reach 1 to CONTROLS_MEAN_MARGIN, or more than CONTROLS_MISS_SHARE of the planted delays
 * were not seen; `why` then says which, in words, else it is "". None where nothing could be
 * judged. Only the lenses in `precise` count, unless that is "": of the others there is too little
 * to see a delay by (see struct about). */
enum controls_verdict controls_judge(const struct rows *rows, const char *precise, char *why,
                                     size_t size);

/* "none", "passed" or "failed". */
const char *controls_word(enum controls_verdict verdict);

/* Judges the collected rows of RUN and puts that into its manifest, as "controls". Returns the
 * verdict, with `why` as controls_judge leaves it, or -1 after error(). */
int controls_record(const char *run, json_t *manifest, char *why, size_t size);

#endif
