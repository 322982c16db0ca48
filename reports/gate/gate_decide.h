/* From the visits of many rows to what became of each: the statistics of a gate. Pure. */
#ifndef REPORTS_GATE_GATE_DECIDE_H
#define REPORTS_GATE_GATE_DECIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/pairs/pairs.h"

/* What visits can show of a row, as gate_schema.sql has it among all that can become of one. */
enum gate_status { GATE_SLOWER, GATE_UNDECIDED, GATE_SAME, GATE_MAYBE_FASTER, GATE_FASTER };
extern const char *const gate_status_words[];

/* What is known of a row against one thing that it is held against. */
struct gate_evidence {
    const struct pair *screening;  /* against what the row is held */
    const struct pair *confirming; /* NULL: not measured again */
    const struct pair *stored;     /* of another run, of the kernel that is the reference, when both
                                    * are against a library; NULL: the reference was an arm of the
                                    * same blocks */
    double margin;                 /* share that it may be slower */
    size_t row;                    /* of the gate: which */
    bool must;                     /* the reference is a library that must be beaten */
};

struct gate_decision {
    enum gate_status status;
    bool suspect;       /* the screening does not decide it */
    bool confirmed;     /* it is one, and was measured again */
    bool cleared;       /* shown to be at most its margin slower */
    struct estimate is; /* by the confirming visits of a suspect that was measured again, else by
                              * the screening */
    double p;           /* of a suspect, after Holm, to be held against alpha; else NaN */
};

/* The screening only clears: a row is a suspect unless its 95 % interval lies within its margin. The
 * fresh visits of the suspects alone decide these: Student's t of their own scatter (Welch's where a
 * stored pair is subtracted) against the margin, with Holm's correction over the suspects. Which
 * rows these are, and how many visits each has, is known before the visits are measured. */
void gate_decide(const struct gate_evidence *list, size_t count, double alpha,
                 struct gate_decision *decisions);

#endif
