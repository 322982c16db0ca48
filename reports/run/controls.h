/* What the controls of a run say about its numbers. Pure but for controls_record: rows in, summary
 * out. */
#ifndef REPORTS_RUN_CONTROLS_H
#define REPORTS_RUN_CONTROLS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/run/rundir.h"

/* Share of delays that may be missed. */
#define CONTROLS_MISS_SHARE 0.05

/* A number of misses, or more, that has less than this chance fails. */
#define CONTROLS_CHANCE 0.001

/* So far from 1 the mean over shapes may be: two instances of a library lie elsewhere in memory. Of
 * delays twice as far. */
#define CONTROLS_MEAN_MARGIN 0.01

enum controls_kind {
    CONTROLS_AA,
    CONTROLS_ACROSS,
    CONTROLS_AUTOTUNE,
    CONTROLS_DELAY,
    CONTROLS_KINDS
};

/* Rows of one kind. NaN where there is nothing to take a number of. */
struct controls_tally {
    size_t intervals; /* rows that have one */
    /* Intervals that do not reach 1 to the margin of derive_controls.h; of an autotuned library, that
     * lie above it. */
    size_t missing;
    /* From each interval's own width and degrees of freedom, at the end of the margin where most
     * would miss: how many to expect, and the chance of so many or more. */
    double expected, chance;
    /* Over the rows' ratios, geometric (of delays arithmetic), with its 99.9 % interval, Student's
     * t: what favours an arm a little at every shape shows here and nowhere else. NaN for fewer
     * than two. */
    size_t ratios;
    double mean, mean_low, mean_high;
    double half_width_median, half_width_most; /* of the intervals: of A/A the noise floor */
};

/* The controls timed in one mode by one lens. */
struct controls_series {
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    struct controls_tally kinds[CONTROLS_KINDS];
    size_t delays, seen; /* without those that are vague */
    size_t vague;        /* not seen, and the interval reaches 1 all the same: it says neither */
    double planted_seconds, found_seconds, launch_seconds; /* medians over the delays */
    /* The mean of t_baseline / t_control - 1 over A/A rows, as the paper counts, with its 99.9 %
     * interval. It is 0 only as far as times do not scatter: a mean of quotients is not symmetric.
     */
    double paper, paper_low, paper_high;
};

/* Modes times lenses of a run are fewer. */
#define CONTROLS_SERIES_MOST 16

/* Fills series, sorted as tables are (lens, then mode), and returns how many. */
size_t controls_summarise(const struct rows *rows,
                          struct controls_series series[CONTROLS_SERIES_MOST]);

enum controls_verdict { CONTROLS_NONE, CONTROLS_PASSED, CONTROLS_FAILED };

/* Whether a run of the plan times the lens until it is precise. */
bool controls_want(const json_t *plan, const char *lens);

/* Failed when in any series, of any kind of control, more intervals miss 1 than chance explains, or
 * the interval of their mean does not reach 1 to CONTROLS_MEAN_MARGIN, or when more than
 * CONTROLS_MISS_SHARE of the planted delays were not seen, or when all delays of a series are vague; `why`
 * then says which, in words, else it is "". None where nothing could be judged. The mean as the paper
 * counts is not judged: no verdict rests on it. Only the lenses count that the plan (NULL: none is
 * known) has timed until they were precise: of the others there is too little to see a delay by. */
enum controls_verdict controls_judge(const struct rows *rows, const json_t *plan, char *why,
                                     size_t size);

/* Whether a baseline against itself is not 0 to CONTROLS_MEAN_MARGIN as the paper counts. */
bool controls_paper_off(const struct controls_series *series);

/* "none", "passed" or "failed". */
const char *controls_word(enum controls_verdict verdict);

/* Judges the collected rows of a run and puts that into its manifest, as "controls". Returns the
 * verdict, with `why` as controls_judge leaves it. */
enum controls_verdict controls_record(const struct rows *rows, const json_t *plan, json_t *manifest,
                                      char *why, size_t size);

#endif
