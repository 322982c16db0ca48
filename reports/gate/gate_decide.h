/* From the visits of many rows to what became of each: the statistics of a gate. Pure. */
#ifndef REPORTS_GATE_GATE_DECIDE_H
#define REPORTS_GATE_GATE_DECIDE_H

#include "reports/gate/gate_result.h"
#include "reports/pairs/estimate.h"

/* Of alpha, what each of the two stages may use. */
#define GATE_STAGE_SHARE 0.5

/* What is less than this share of the class's margin beyond its own is near it: for the second
 * stage. Four skewed visits of a row at its margin may lie close together, above it. */
#define GATE_NEAR 0.5

/* Share of the suspects that are just not near, and slower, which the second stage finds. */
#define GATE_FOUND 0.9

/* What is known of a row. */
struct gate_evidence {
    const struct pair *screening;  /* against what the row is held */
    const struct pair *confirming; /* NULL: not measured again */
    const struct pair *stored;     /* of another run, of the kernel that is the reference, when both
                                    * are against a library; NULL: the reference was an arm of the
                                    * same blocks */
    double margin;                 /* share that it may be slower */
    double near;                   /* share beyond it within which the screening finds nothing
                                    * slower */
    bool tunes; /* it or the reference tunes itself: several screening visits show one of its
                 * choices, so that only the second stage, where each visit has its own, finds it
                 * slower */
};

struct gate_decision {
    enum gate_status status; /* slower, undecided, same, maybe-faster or faster */
    bool suspect;            /* the screening does not decide it */
    bool confirmed;          /* it is one, and was measured again */
    bool cleared;            /* shown to be at most its margin slower */
    struct estimate is; /* by the confirming visits of a suspect that was measured again, else by
                              * the screening */
    double p;           /* after Holm, to be held against alpha; NaN of what is cleared by the
                              * screening */
};

/* From both stages, which have half of alpha each. Both hold Student's t of the moderated variance,
 * Welch's where a stored pair is subtracted, against a limit:
 *
 *   - the screening that of all rows against half a margin more than their margins, with Holm's
 *     correction; what it does not find slower, and the interval does not clear, is a suspect;
 *   - the confirming visits that of the suspects against their margins, with Holm's correction over
 *     these. Which they are is known before those visits are measured. */
void gate_decide(const struct gate_evidence *list, size_t count, double alpha,
                 struct gate_decision *decisions);

/* How many visits confirm the suspects among the decisions: from `least` on the fewest that find
 * GATE_FOUND of those suspects that are slower than their margin by what is near it, by the scatter
 * of the screening; what GATE_VISITS_MOST would not find does not count. All are measured, whatever
 * the first of them say: an interval holds for a number of visits that does not depend on them. */
size_t gate_confirm_visits(const struct gate_evidence *list, const struct gate_decision *decisions,
                           size_t count, double alpha, int least);

/* The smallest slowdown, a share, that so many visits of the second stage, one of so many suspects,
 * find in 80 % of cases; NaN of a row whose scatter is not known. */
double gate_detectable(const struct gate_evidence *evidence, const struct gate_decision *decision,
                       size_t suspects, size_t visits, double alpha);

#endif
