/* What becomes of a unit: its states, what can happen in each, and what follows. Pure: no runner,
 * no device, no files.
 *
 * Up to two kernels under test share a unit's runners: the candidate, and its earlier release
 * ("previous"). Whatever the earlier release does costs the candidate nothing but the comparison:
 * the unit starts again without it. The candidate's own failure ends the unit's timing. */
#ifndef BENCH_CONTEXT_UNIT_STATES_H
#define BENCH_CONTEXT_UNIT_STATES_H

#include <stdbool.h>

#include "bench/base/outcome.h"

enum unit_state {
    UNIT_OPEN,            /* have a runner, and nothing in it */
    UNIT_CHECK_LIBRARIES, /* set up and check the libraries in it, */
    UNIT_CHECK_PREVIOUS,  /* then the earlier release, */
    UNIT_CHECK_CANDIDATE, /* then the candidate */
    UNIT_SET_UP_AGAIN,    /* have another runner for another round, with what has passed in it */
    UNIT_TIME,            /* time one round of what is in the runner */
    UNIT_CREDIBLE,        /* look whether the times can be those of the work */
    UNIT_PREVIOUS_ALONE,  /* the earlier release, left out beside the candidate, by itself */
    UNIT_DONE,
    UNIT_GIVEN_UP, /* for a fault of ours */
    UNIT_STATES
};

/* How a state was left. */
enum unit_event {
    EVENT_OK,
    EVENT_LIBRARY_LOST,    /* a library took its runner down: it is left out from now on */
    EVENT_PREVIOUS_FAILED, /* the earlier release failed by itself: it is left out */
    EVENT_PREVIOUS_BLAMED, /* the two kernels failed in one process: the earlier one is left out
                            * first, and tried alone in the end */
    EVENT_FAILED,          /* the candidate failed, or a library as it was timed: no more timing */
    EVENT_NOTHING_TO_TIME, /* nothing has passed, or only checks were asked for */
    EVENT_TROUBLE,         /* our own fault, said through error() */
    EVENT_COUNT
};

/* Where a unit stands. */
struct unit_course {
    enum unit_state state;
    int round, rounds;        /* the one in hand, from 0, of so many */
    bool candidate, previous; /* whether they are measured (still) */
    bool blamed; /* the earlier release was left out for what happened beside the candidate */
    bool alone;  /* the earlier release is tried by itself: without it there is nothing to do */
};

/* Moves on. EVENT_TROUBLE, and an event that the state cannot have, lead to UNIT_GIVEN_UP. */
void unit_course_advance(struct unit_course *course, enum unit_event event);

/* Two kernels under test share a process. When it dies, lies or writes where it must not, either
 * may have brought that about. Whether the earlier release is to be left out then:
 * failed_is_previous says whose failure it was, as far as one can tell; previous is what the
 * earlier release was before. */
bool unit_blames_previous(bool failed_is_previous, enum outcome previous, enum outcome failure);

/* Whether a runner can go on after this outcome of an arm. */
bool unit_runner_survives(enum outcome outcome);

#endif
