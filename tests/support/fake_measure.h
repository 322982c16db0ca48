/* For tests of timing: the arms of fake_unit.h checked and then timed, and what was asked for.
 * Include after cmocka.h. */
#ifndef TESTS_SUPPORT_FAKE_MEASURE_H
#define TESTS_SUPPORT_FAKE_MEASURE_H

#include "bench/checks/checks.h"
#include "bench/jobs/measure.h"
#include "bench/jobs/set_up.h"
#include "reports/rows/derive_values.h"
#include "tests/support/asserts.h"
#include "tests/support/fake_unit.h"

static struct arm_state *failed;

/* One visit of 4 s. */
static inline int open_measured(void **state) {
    fake_unit(state);
    plan.visits = 1;
    plan.duration_seconds = 4;
    return 0;
}

static inline void open_runner(void) {
    process_end(&context.process);
    assert_int_equal(unit_open_runner(&context), 0);
}

static inline void next_visit(void) {
    bool lost = false;
    open_runner();
    assert_int_equal(set_up_arms(&context, &failed, &lost), OUTCOME_OK);
    fake.asked = 0;
}

/* The arms as they have passed their checks, and the controls. */
static inline void check_arms(void) {
    open_runner();
    assert_int_equal(checks_libraries(&context), 0);
    if (unit.previous)
        assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    if (unit.candidate)
        assert_int_equal(checks_kernel(&context, UNIT_CANDIDATE), 0);
    for (int i = 0; i < context.checked.arm_count; i++)
        assert_int_equal(context.checked.arms[i].outcome, OUTCOME_OK);
    context.own = context.checked.kernel[UNIT_CANDIDATE];
    next_visit();
}

/* What is timed next begins anew. */
static inline void forget_series(void) {
    for (int i = 0; i < result.series_count; i++)
        sample_buffer_free(&result.series[i]);
    result.series_count = 0;
}

static inline const struct samples *samples_of(enum mode mode, enum lens lens) {
    for (int i = 0; i < result.series_count; i++)
        if (result.series[i].mode == mode && result.series[i].lens == lens)
            return &result.series[i].samples;
    return NULL;
}

/* Of the arms, and not of the first library and its doubles. */
static inline size_t arms_blocks(const struct samples *samples) {
    const int doubles = derive_column(samples, SAMPLES_DOUBLES);
    size_t count = 0;
    for (size_t b = 0; b < samples->blocks; b++)
        count += derive_value(samples, b, (size_t)doubles) == 0;
    return count;
}

/* Whether it is for blocks of the first library and its doubles. */
static inline bool is_of_doubles(const struct wire_time *time) {
    const int aa = time->arm_count - context.control_count;
    return context.control_count > 0 && !wire_is_left_out(time, aa);
}

/* Requests to time blocks of the arms: the n-th. */
static inline const struct wire_time *timed(int n) {
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_TIME && !is_of_doubles(&fake.log[i].time) && n-- == 0)
            return &fake.log[i].time;
    return NULL;
}

static inline const struct wire_time *last_timed(void) {
    const struct wire_time *last = NULL;
    for (int n = 0; timed(n); n++)
        last = timed(n);
    return last;
}

/* As a job of the visit. */
static inline int measure_by(int visit, int lenses) {
    unit_result_begin(&result);
    return measure_visit(&context, visit, lenses, &failed);
}

static inline int measure(int visit) {
    return measure_by(visit, plan.lenses);
}

static inline void measured(int visit, enum outcome outcome, const char *detail) {
    const int became = measure(visit);
    if (became != (int)outcome)
        fail_msg("%s: %s", outcome_word((enum outcome)became), failed ? failed->row.detail : "");
    if (outcome == OUTCOME_OK)
        return;
    assert_non_null(failed);
    assert_int_equal(failed->outcome, outcome);
    if (!strstr(failed->row.detail, detail))
        fail_msg("detail lacks \"%s\": %s", detail, failed->row.detail);
}

#endif
