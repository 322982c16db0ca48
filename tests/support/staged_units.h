/* Whole units on a GPU that is faked, which have a stage: what was timed where. */
#ifndef TESTS_SUPPORT_STAGED_UNITS_H
#define TESTS_SUPPORT_STAGED_UNITS_H

#include "tests/support/whole_units.h"

enum { VISITS = 6, OWN_VISITS = 2 };
enum {
    OWN = 1 << LENS_CALL | 1 << LENS_WAIT,
    STAGED = 1 << LENS_DEVICE | 1 << LENS_STREAM,
};

static inline int with_stage(void **state) {
    fake_unit(state);
    on_gpu();
    plan.visits = VISITS;
    plan.duration_seconds = 6;
    plan.lenses = plan.precise = OWN | STAGED;
    plan.precise = 1 << LENS_CALL | STAGED;
    return 0;
}

/* Whether the process of that request is the stage: it was opened to play. */
static inline bool is_staged(int request) {
    for (int i = 0; i < request; i++)
        if (fake.asked_in[i] == fake.asked_in[request] && fake.log[i].verb == WIRE_OPEN)
            return fake.log[i].open.fixed && !fake.log[i].open.record;
    return false;
}

/* All lenses that were timed there, in all requests for blocks. */
static inline int lenses_timed(bool staged) {
    int lenses = 0;
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_TIME && is_staged(i) == staged)
            lenses |= fake.log[i].time.lenses;
    return lenses;
}

/* How many processes, or visits of the stage, have had such a request. */
static inline int count_of(enum wire_verb verb, const char *arm, bool staged) {
    int count = 0;
    for (int i = 0; i < fake.asked; i++)
        count += fake.log[i].verb == verb && is_staged(i) == staged &&
                 (!*arm || strcmp(fake.asked_of[i], arm) == 0);
    return count;
}

static inline const struct samples *samples_of(enum lens lens) {
    for (int i = 0; i < result.series_count; i++)
        if (result.series[i].lens == lens)
            return &result.series[i].samples;
    return NULL;
}

static inline int visits_by(enum lens lens) {
    const struct samples *samples = samples_of(lens);
    assert_non_null(samples);
    const int of = derive_column(samples, SAMPLES_VISIT);
    int visits = 0;
    for (size_t b = 0; b < samples->blocks; b++) {
        const int visit = (int)samples->values[b * samples->column_count + (size_t)of];
        assert_in_range(visit, visits > 0 ? visits - 1 : 0, visits); /* one after the other */
        visits = visit + 1;
    }
    return visits;
}

static inline void detail_says(const char *name, const char *text) {
    const struct check_row *row = check_of(name);
    if (!row || !strstr(row->detail, text))
        fail_msg("%s: detail lacks \"%s\": %s", name, text, row ? row->detail : "no row");
}

static inline struct fake_fault *stage_fails(enum wire_verb verb, const char *arm, int nth,
                                             enum process_answer answer) {
    struct fake_fault *fault = fake_fail(verb, arm, answer);
    fault->nth = nth;
    fault->staged = true;
    fault->code = 11;
    return fault;
}

#endif
