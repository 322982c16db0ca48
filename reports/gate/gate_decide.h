/* From the rounds of many rows to what became of each: the statistics of a gate, on plain arrays.
 * Pure. */
#ifndef REPORTS_GATE_GATE_DECIDE_H
#define REPORTS_GATE_GATE_DECIDE_H

#include "reports/gate/gate_result.h"
#include "timing/moderation.h"

/* Of alpha, what each of the two stages may use. */
#define GATE_STAGE_SHARE 0.5

/* What is less than this share of the class's margin beyond its own is near it: for the second
 * stage. Four skewed rounds of a row at its margin may lie close together, above it. */
#define GATE_NEAR 0.5

/* What is known of a row: ln(t_candidate / t_reference) of each round, at most PAIRS_VISITS.
 */
struct gate_evidence {
    const double *screening, *confirming;
    size_t screening_count, confirming_count; /* none confirming: the second stage did not run */
    /* The variance of a round of each stage, moderated by the other rows of its run. */
    struct moderation spread, confirm_spread;
    bool disturbed; /* what the screening rounds say does not count: to be measured again */
    double margin;  /* share that it may be slower */
    double near;    /* share beyond it within which the screening finds nothing slower */

    /* What is known of ln(t_reference / t_library), when the rounds are against a library and the
     * reference is of another run. All 0 when the reference was an arm of the same blocks. A row is
     * slower only against an upper bound, and cleared or faster only against a lower one. What is
     * not known of the other run therefore counts neither for nor against the kernel. */
    struct gate_stored {
        double mean, error; /* standard error of the mean */
        double freedom;     /* degrees of freedom with which it is known */
    } stored;
};

struct gate_decision {
    enum gate_status status; /* slower, undecided, same, maybe-faster or faster */
    bool suspect;            /* the screening does not decide it */
    bool confirmed;          /* it is one, and was measured again */
    bool cleared;            /* shown to be at most its margin slower */
    size_t rounds;           /* that it rests on: the confirming ones of a suspect, else the
                              * screening ones */
    double mean, low, high;  /* of ln(t_candidate / t_reference) over those, 95 % */
    double sd;               /* of its rounds */
    double p;                /* after Holm, to be held against alpha; NaN of what is cleared by the
                              * screening */
};

/* From both stages, which have half of alpha each:
 *
 *   - by the screening, the moderated t of all rows against their margins, with Holm's correction;
 *     what it does not find slower, and the interval does not clear, is a suspect;
 *   - by the confirming rounds, the sign test of the suspects, with Holm's correction over these.
 *     Which they are is known before those rounds are measured.
 *
 * 0, or -1 after error() for want of memory. */
int gate_decide(const struct gate_evidence *list, size_t count, double alpha,
                struct gate_decision *decisions);

/* How many rounds confirm the suspects among the decisions, at least `least`. Every round of one
 * must be beyond the margin; one round may be at fault where, by the scatter of the screening, that
 * finds 1 in 100 more of the suspects that are slower by `beyond` (of a logarithm) than they may
 * be. Of another run's rounds as much may go wrong as of these: each has half of the stage's alpha.
 *
 * All are measured, whatever the first of them say. To stop where the sign test is decided would
 * spare next to nothing: a row is slower with its last round or the one before, and the others are
 * cleared by an interval, which holds for a number of rounds that does not depend on them. */
size_t gate_confirm_rounds(const struct gate_evidence *list, const struct gate_decision *decisions,
                           size_t count, double alpha, double beyond, int least);

/* Half-width of the bound on the stored mean that one of so many tests of a stage holds against. */
double gate_stored_bound(const struct gate_stored *stored, size_t tests, double stage_alpha);

#endif
