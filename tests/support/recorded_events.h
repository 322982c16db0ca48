/* For tests of what is said of recorded calls: a record, written one event after another. Include
 * after cmocka.h. */
#ifndef TESTS_SUPPORT_RECORDED_EVENTS_H
#define TESTS_SUPPORT_RECORDED_EVENTS_H

#include <stdio.h>
#include <string.h>

#include "correctness/audit/behaviour.h"
#include "tests/support/asserts.h"

enum { ROOM = 16384, GIVEN = 7, OWN = 13 };

/* What is recorded, in order; the time goes on by itself. */
static struct behaviour_event events[ROOM];
static uint64_t count;

/* A setup: nothing is recorded yet. */
static inline int forget_events(void **state) {
    (void)state;
    count = 0;
    return 0;
}

static inline struct behaviour_event *event(int call, enum behaviour_kind kind, const char *name) {
    assert_in_range(count, 0, ROOM - 1);
    struct behaviour_event *new = &events[count++];
    memset(new, 0, sizeof *new);
    new->call = call;
    new->kind = kind;
    new->given_stream = GIVEN;
    snprintf(new->name, sizeof new->name, "%s", name);
    return new;
}

static inline struct behaviour_event *on_device(int call, enum behaviour_kind kind,
                                                const char *name, uint32_t stream) {
    struct behaviour_event *new = event(call, kind, name);
    new->stream = stream;
    new->start_ns = 1000 * count;
    new->end_ns = new->start_ns + 500;
    return new;
}

static inline struct behaviour_event *kernel(int call, const char *name) {
    struct behaviour_event *new = on_device(call, BEHAVIOUR_KERNEL, name, GIVEN);
    for (int i = 0; i < 3; i++)
        new->grid[i] = new->block[i] = 1 + i;
    return new;
}

#endif
