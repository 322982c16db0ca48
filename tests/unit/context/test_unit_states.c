/* What becomes of a unit, without a runner: every state with every event, and whole courses. */

#include "bench/context/unit_states.h"

#include "tests/support/test.h"

static const char *const state_names[UNIT_STATES] = {
    [UNIT_OPEN] = "open",
    [UNIT_CHECK_LIBRARIES] = "check libraries",
    [UNIT_CHECK_PREVIOUS] = "check previous",
    [UNIT_CHECK_CANDIDATE] = "check candidate",
    [UNIT_SET_UP_AGAIN] = "set up again",
    [UNIT_TIME] = "time",
    [UNIT_CREDIBLE] = "credible",
    [UNIT_PREVIOUS_ALONE] = "previous alone",
    [UNIT_DONE] = "done",
    [UNIT_GIVEN_UP] = "given up",
};

/* The kernels of a course. */
enum kernels { NONE, CANDIDATE, BOTH, BLAMED, ALONE, KERNELS };

static struct unit_course course_of(enum kernels kernels, enum unit_state state, int round) {
    return (struct unit_course){.state = state,
                                .round = round,
                                .rounds = 3,
                                .candidate =
                                    kernels == CANDIDATE || kernels == BOTH || kernels == BLAMED,
                                .previous = kernels == BOTH || kernels == ALONE,
                                .blamed = kernels == BLAMED,
                                .alone = kernels == ALONE};
}

/* Where each state goes by each event, by the kernels there are; in the last round but one where
 * `round` is 1. What is not here gives the unit up. */
#define ANY_ROUND (-1)
static const struct {
    enum unit_state from;
    enum unit_event event;
    int round;
    enum unit_state to[KERNELS]; /* NONE, CANDIDATE, BOTH, BLAMED, ALONE */
} rules[] = {
    {UNIT_OPEN,
     EVENT_OK,
     ANY_ROUND,
     {UNIT_CHECK_LIBRARIES, UNIT_CHECK_LIBRARIES, UNIT_CHECK_LIBRARIES, UNIT_CHECK_LIBRARIES,
      UNIT_CHECK_LIBRARIES}},
    {UNIT_CHECK_LIBRARIES,
     EVENT_OK,
     ANY_ROUND,
     {UNIT_TIME, UNIT_CHECK_CANDIDATE, UNIT_CHECK_PREVIOUS, UNIT_CHECK_CANDIDATE,
      UNIT_CHECK_PREVIOUS}},
    {UNIT_CHECK_LIBRARIES,
     EVENT_LIBRARY_LOST,
     ANY_ROUND,
     {UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN}},
    {UNIT_CHECK_PREVIOUS,
     EVENT_OK,
     ANY_ROUND,
     {UNIT_TIME, UNIT_CHECK_CANDIDATE, UNIT_CHECK_CANDIDATE, UNIT_CHECK_CANDIDATE, UNIT_TIME}},
    {UNIT_CHECK_PREVIOUS,
     EVENT_PREVIOUS_FAILED,
     ANY_ROUND,
     {UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_DONE}},
    {UNIT_CHECK_CANDIDATE,
     EVENT_OK,
     ANY_ROUND,
     {UNIT_TIME, UNIT_TIME, UNIT_TIME, UNIT_TIME, UNIT_TIME}},
    {UNIT_SET_UP_AGAIN,
     EVENT_OK,
     ANY_ROUND,
     {UNIT_TIME, UNIT_TIME, UNIT_TIME, UNIT_TIME, UNIT_TIME}},
    {UNIT_SET_UP_AGAIN,
     EVENT_LIBRARY_LOST,
     ANY_ROUND,
     {UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN}},
    {UNIT_SET_UP_AGAIN,
     EVENT_FAILED,
     ANY_ROUND,
     {UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_DONE}},
    {UNIT_SET_UP_AGAIN,
     EVENT_PREVIOUS_BLAMED,
     ANY_ROUND,
     {UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_DONE}},
    {UNIT_TIME,
     EVENT_LIBRARY_LOST, /* on the stage */
     ANY_ROUND,
     {UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN}},
    {UNIT_TIME,
     EVENT_OK,
     0,
     {UNIT_SET_UP_AGAIN, UNIT_SET_UP_AGAIN, UNIT_SET_UP_AGAIN, UNIT_SET_UP_AGAIN,
      UNIT_SET_UP_AGAIN}},
    {UNIT_TIME,
     EVENT_OK,
     1,
     {UNIT_SET_UP_AGAIN, UNIT_SET_UP_AGAIN, UNIT_SET_UP_AGAIN, UNIT_SET_UP_AGAIN,
      UNIT_SET_UP_AGAIN}},
    {UNIT_TIME,
     EVENT_OK,
     2,
     {UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_DONE}},
    {UNIT_TIME,
     EVENT_NOTHING_TO_TIME,
     ANY_ROUND,
     {UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_DONE}},
    {UNIT_TIME,
     EVENT_FAILED,
     ANY_ROUND,
     {UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_CREDIBLE, UNIT_DONE}},
    {UNIT_TIME,
     EVENT_PREVIOUS_BLAMED,
     ANY_ROUND,
     {UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_DONE}},
    {UNIT_CREDIBLE,
     EVENT_OK,
     ANY_ROUND,
     {UNIT_DONE, UNIT_DONE, UNIT_DONE, UNIT_PREVIOUS_ALONE, UNIT_DONE}},
    {UNIT_CREDIBLE,
     EVENT_FAILED,
     ANY_ROUND,
     {UNIT_DONE, UNIT_DONE, UNIT_DONE, UNIT_DONE, UNIT_DONE}},
    {UNIT_CREDIBLE,
     EVENT_PREVIOUS_FAILED,
     ANY_ROUND,
     {UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_OPEN, UNIT_DONE}},
    {UNIT_PREVIOUS_ALONE,
     EVENT_OK,
     ANY_ROUND,
     {UNIT_DONE, UNIT_DONE, UNIT_DONE, UNIT_DONE, UNIT_DONE}},
};

static enum unit_state expected(enum kernels kernels, enum unit_state from, enum unit_event event,
                                int round) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].from == from && rules[i].event == event &&
            (rules[i].round == ANY_ROUND || rules[i].round == round))
            return rules[i].to[kernels];
    return UNIT_GIVEN_UP;
}

TEST(every_state_goes_where_it_should_by_every_event) {
    for (int kernels = 0; kernels < KERNELS; kernels++)
        for (int from = 0; from < UNIT_STATES; from++)
            for (int event = 0; event < EVENT_COUNT; event++)
                for (int round = 0; round < 3; round++) {
                    struct unit_course course =
                        course_of((enum kernels)kernels, (enum unit_state)from, round);
                    const enum unit_state want =
                        expected((enum kernels)kernels, (enum unit_state)from,
                                 (enum unit_event)event, round);
                    unit_course_advance(&course, (enum unit_event)event);
                    if (course.state != want)
                        fail_msg("kernels %d, %s, event %d, round %d: %s, not %s", kernels,
                                 state_names[from], event, round, state_names[course.state],
                                 state_names[want]);
                }
}

TEST(rounds_are_counted_and_begin_again) {
    struct unit_course course = course_of(BOTH, UNIT_TIME, 0);
    unit_course_advance(&course, EVENT_OK);
    assert_int_equal(course.round, 1);
    unit_course_advance(&course, EVENT_OK);
    assert_int_equal(course.round, 1);
    unit_course_advance(&course, EVENT_OK);
    assert_int_equal(course.round, 2);
    struct unit_course lost = course, blamed = course;
    lost.state = UNIT_SET_UP_AGAIN;
    unit_course_advance(&lost, EVENT_LIBRARY_LOST);
    assert_int_equal(lost.round, 0);
    blamed.state = UNIT_TIME;
    unit_course_advance(&blamed, EVENT_PREVIOUS_BLAMED);
    assert_int_equal(blamed.round, 0);
    course.state = UNIT_CREDIBLE;
    unit_course_advance(&course, EVENT_PREVIOUS_FAILED);
    assert_int_equal(course.round, 0);
}

/* The earlier release is owed a try of its own only where the candidate was beside it. */
TEST(who_is_left_out_and_who_is_blamed) {
    static const struct {
        enum unit_state state;
        enum unit_event event;
        bool previous, blamed;
    } cases[] = {
        {UNIT_CHECK_LIBRARIES, EVENT_LIBRARY_LOST, true, false},
        {UNIT_CHECK_PREVIOUS, EVENT_PREVIOUS_FAILED, false, false},
        {UNIT_SET_UP_AGAIN, EVENT_LIBRARY_LOST, true, false},
        {UNIT_TIME, EVENT_LIBRARY_LOST, true, false},
        {UNIT_SET_UP_AGAIN, EVENT_PREVIOUS_BLAMED, false, true},
        {UNIT_SET_UP_AGAIN, EVENT_FAILED, true, false},
        {UNIT_TIME, EVENT_PREVIOUS_BLAMED, false, true},
        {UNIT_TIME, EVENT_FAILED, true, false},
        {UNIT_TIME, EVENT_OK, true, false},
        {UNIT_CREDIBLE, EVENT_PREVIOUS_FAILED, false, false},
        {UNIT_CREDIBLE, EVENT_FAILED, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct unit_course course = course_of(BOTH, cases[i].state, 1);
        unit_course_advance(&course, cases[i].event);
        if (course.previous != cases[i].previous || course.blamed != cases[i].blamed ||
            !course.candidate || course.alone)
            fail_msg("%s by event %d", state_names[cases[i].state], cases[i].event);
    }
}

/* Follows the events from UNIT_OPEN; a state that has no event of its own in the list goes well. */
struct happening {
    enum unit_state state;
    int round;
    enum unit_event event;
};

static int count_states(struct unit_course *course, const struct happening *list, int count,
                        int visits[UNIT_STATES]) {
    int next = 0, steps = 0;
    for (int i = 0; i < UNIT_STATES; i++)
        visits[i] = 0;
    while (course->state != UNIT_DONE && course->state != UNIT_GIVEN_UP && steps++ < 1000) {
        const bool happens =
            next < count && list[next].state == course->state && list[next].round == course->round;
        visits[course->state]++;
        unit_course_advance(course, happens ? list[next].event : EVENT_OK);
        next += happens;
    }
    assert_int_equal(next, count);
    return steps;
}

TEST(a_course_without_trouble_checks_once_and_times_every_round) {
    struct unit_course course = course_of(BOTH, UNIT_OPEN, 0);
    int visits[UNIT_STATES];
    count_states(&course, NULL, 0, visits);
    assert_int_equal(course.state, UNIT_DONE);
    assert_int_equal(visits[UNIT_OPEN], 1);
    assert_int_equal(visits[UNIT_CHECK_LIBRARIES], 1);
    assert_int_equal(visits[UNIT_CHECK_PREVIOUS], 1);
    assert_int_equal(visits[UNIT_CHECK_CANDIDATE], 1);
    assert_int_equal(visits[UNIT_SET_UP_AGAIN], 2);
    assert_int_equal(visits[UNIT_TIME], 3);
    assert_int_equal(visits[UNIT_CREDIBLE], 1);
    assert_int_equal(visits[UNIT_PREVIOUS_ALONE], 0);
}

TEST(one_that_is_blamed_is_tried_alone_in_the_end) {
    static const struct happening list[] = {{UNIT_TIME, 2, EVENT_PREVIOUS_BLAMED}};
    struct unit_course course = course_of(BOTH, UNIT_OPEN, 0);
    int visits[UNIT_STATES];
    count_states(&course, list, 1, visits);
    assert_int_equal(course.state, UNIT_DONE);
    assert_int_equal(visits[UNIT_CHECK_PREVIOUS], 1);
    assert_int_equal(visits[UNIT_CHECK_CANDIDATE], 2);
    assert_int_equal(visits[UNIT_TIME], 6);
    assert_int_equal(visits[UNIT_PREVIOUS_ALONE], 1);
}

TEST(a_library_lost_in_a_later_round_starts_all_again) {
    static const struct happening list[] = {{UNIT_SET_UP_AGAIN, 2, EVENT_LIBRARY_LOST}};
    struct unit_course course = course_of(BOTH, UNIT_OPEN, 0);
    int visits[UNIT_STATES];
    count_states(&course, list, 1, visits);
    assert_int_equal(visits[UNIT_OPEN], 2);
    assert_int_equal(visits[UNIT_CHECK_PREVIOUS], 2);
    assert_int_equal(visits[UNIT_TIME], 5);
    assert_int_equal(course.previous, true);
}

TEST(alone_nothing_is_done_without_it) {
    static const struct happening list[] = {{UNIT_CHECK_PREVIOUS, 0, EVENT_PREVIOUS_FAILED}};
    struct unit_course course = course_of(ALONE, UNIT_OPEN, 0);
    int visits[UNIT_STATES];
    count_states(&course, list, 1, visits);
    assert_int_equal(course.state, UNIT_DONE);
    assert_false(course.previous);
    assert_int_equal(visits[UNIT_TIME], 0);
    assert_int_equal(visits[UNIT_OPEN], 1);
}

static bool runner_dies(enum outcome outcome) {
    return outcome == OUTCOME_DEVICE_ERROR || outcome == OUTCOME_TIMED_OUT ||
           outcome == OUTCOME_EXITED || outcome == OUTCOME_CRASHED || outcome == OUTCOME_DISHONEST;
}

TEST(who_is_to_blame) {
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        const enum outcome failure = (enum outcome)i;
        assert_int_equal(unit_runner_survives(failure), !runner_dies(failure));
        /* its own failure is its own, whatever it is */
        assert_true(unit_blames_previous(true, OUTCOME_OK, failure));
        assert_true(unit_blames_previous(true, failure, failure));
        /* the candidate's may be its doing where both were in the process that went */
        assert_int_equal(unit_blames_previous(false, OUTCOME_OK, failure),
                         runner_dies(failure) || failure == OUTCOME_WROTE_OUTSIDE);
        assert_int_equal(unit_blames_previous(false, failure, OUTCOME_CRASHED),
                         failure == OUTCOME_OK);
    }
}
