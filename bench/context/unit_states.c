#include "bench/context/unit_states.h"

#include <stddef.h>

static enum unit_state check_libraries(struct unit_course *course) {
    (void)course;
    return UNIT_CHECK_LIBRARIES;
}

static enum unit_state time_round(struct unit_course *course) {
    (void)course;
    return UNIT_TIME;
}

static enum unit_state check_candidate(struct unit_course *course) {
    return course->candidate ? UNIT_CHECK_CANDIDATE : UNIT_TIME;
}

static enum unit_state check_kernels(struct unit_course *course) {
    return course->previous ? UNIT_CHECK_PREVIOUS : check_candidate(course);
}

/* From the first check on, without what has been left out. */
static enum unit_state start_again(struct unit_course *course) {
    course->round = 0;
    return UNIT_OPEN;
}

static enum unit_state leave_previous_out(struct unit_course *course) {
    course->previous = false;
    return course->alone ? UNIT_DONE : start_again(course);
}

static enum unit_state blame_previous(struct unit_course *course) {
    course->blamed = true;
    return leave_previous_out(course);
}

static enum unit_state look_at_times(struct unit_course *course) {
    return course->alone ? UNIT_DONE : UNIT_CREDIBLE;
}

static enum unit_state next_round(struct unit_course *course) {
    return ++course->round < course->rounds ? UNIT_SET_UP_AGAIN : look_at_times(course);
}

static enum unit_state try_previous(struct unit_course *course) {
    return course->blamed ? UNIT_PREVIOUS_ALONE : UNIT_DONE;
}

static enum unit_state end(struct unit_course *course) {
    (void)course;
    return UNIT_DONE;
}

static const struct {
    enum unit_state state;
    enum unit_event event;
    enum unit_state (*next)(struct unit_course *course);
} transitions[] = {
    {UNIT_OPEN, EVENT_OK, check_libraries},
    {UNIT_CHECK_LIBRARIES, EVENT_OK, check_kernels},
    {UNIT_CHECK_LIBRARIES, EVENT_LIBRARY_LOST, start_again},
    {UNIT_CHECK_PREVIOUS, EVENT_OK, check_candidate},
    {UNIT_CHECK_PREVIOUS, EVENT_PREVIOUS_FAILED, leave_previous_out},
    {UNIT_CHECK_CANDIDATE, EVENT_OK, time_round},
    {UNIT_TIME, EVENT_OK, next_round},
    {UNIT_TIME, EVENT_NOTHING_TO_TIME, look_at_times},
    {UNIT_TIME, EVENT_FAILED, look_at_times},
    {UNIT_TIME, EVENT_PREVIOUS_BLAMED, blame_previous},
    {UNIT_TIME, EVENT_LIBRARY_LOST, start_again},
    {UNIT_SET_UP_AGAIN, EVENT_OK, time_round},
    {UNIT_SET_UP_AGAIN, EVENT_LIBRARY_LOST, start_again},
    {UNIT_SET_UP_AGAIN, EVENT_FAILED, look_at_times},
    {UNIT_SET_UP_AGAIN, EVENT_PREVIOUS_BLAMED, blame_previous},
    {UNIT_CREDIBLE, EVENT_OK, try_previous},
    {UNIT_CREDIBLE, EVENT_FAILED, end},
    {UNIT_CREDIBLE, EVENT_PREVIOUS_FAILED, leave_previous_out},
    {UNIT_PREVIOUS_ALONE, EVENT_OK, end},
};

void unit_course_advance(struct unit_course *course, enum unit_event event) {
    for (size_t i = 0; i < sizeof transitions / sizeof *transitions; i++)
        if (transitions[i].state == course->state && transitions[i].event == event) {
            course->state = transitions[i].next(course);
            return;
        }
    course->state = UNIT_GIVEN_UP;
}

bool unit_runner_survives(enum outcome outcome) {
    return outcome != OUTCOME_DEVICE_ERROR && outcome != OUTCOME_TIMED_OUT &&
           outcome != OUTCOME_EXITED && outcome != OUTCOME_CRASHED && outcome != OUTCOME_DISHONEST;
}

bool unit_blames_previous(bool failed_is_previous, enum outcome previous, enum outcome failure) {
    if (failed_is_previous)
        return true;
    return previous == OUTCOME_OK &&
           (failure == OUTCOME_WROTE_OUTSIDE || !unit_runner_survives(failure));
}
