/* For tests of whole units: the unit of fake_unit.h is run, and its rows are looked up. Include
 * after cmocka.h. */
#ifndef TESTS_SUPPORT_WHOLE_UNITS_H
#define TESTS_SUPPORT_WHOLE_UNITS_H

#include "bench/jobs/unit.h"
#include "reports/rows/derive.h"
#include "tests/support/asserts.h"
#include "tests/support/fake_unit.h"

/* Up to so many visits, on that device, of what is stored in its run's folder. Returns whether the
 * unit has ended then. */
__attribute__((unused)) static bool ends_after(struct device_session *device, int visits) {
    bool ended;
    unit_result_free(&result);
    assert_int_equal(unit_run(device, &unit, visits, &result, &ended), 0);
    return ended;
}

/* All visits, on one device. */
static inline int run_all(void) {
    bool ended;
    const int status = unit_run(&session, &unit, plan.visits, &result, &ended);
    assert_int_equal(ended, status == 0);
    return status;
}

static inline void run(void) {
    assert_int_equal(run_all(), 0);
    assert_int_equal(fake.started,
                     fake.ended + (session.leaving.pid > 0) + (session.stage.process.pid > 0));
}

/* The arm's only row; NULL: there is none. */
static inline const struct check_row *check_of(const char *name) {
    const struct check_row *found = NULL;
    for (size_t i = 0; i < result.rows.check_count; i++)
        if (strcmp(result.rows.checks[i].kernel, name) == 0) {
            assert_null(found);
            found = &result.rows.checks[i];
        }
    return found;
}

static inline void became(const char *name, const char *outcome) {
    const struct check_row *row = check_of(name);
    if (!row || strcmp(row->outcome, outcome) != 0)
        fail_msg("%s: %s, and not %s: %s", name, row ? row->outcome : "no row", outcome,
                 row ? row->detail : "");
}

/* Whether there are samples of the arm, and then of how many visits. */
static inline int visits_of(const char *name) {
    int visits = 0;
    for (int i = 0; i < result.series_count; i++) {
        const struct samples *samples = &result.series[i].samples;
        const int column = derive_column(samples, name);
        const int of = derive_column(samples, SAMPLES_VISIT);
        if (column < 0)
            continue;
        const float *last = samples->values + (samples->blocks - 1) * samples->column_count;
        visits = (int)last[of] + 1;
    }
    return visits;
}

#endif
