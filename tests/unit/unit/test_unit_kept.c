/* What is kept of a unit between its visits: visits that are measured one at a time, by processes
 * that know of one another what is on the disk, give what they give at once; and of what is kept
 * nothing could be missing or another without being seen. */
#include "bench/unit/unit_kept.h"

#include <stdio.h>

#include "bench/unit/unit.h"
#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static int close_all(void **state);
static int open_all(void **state);

#define VISITS 3
#define RUN scratch_path("RUN")

/* What a unit's life comes to. */
struct life {
    int status;
    struct unit_result result;
    int asked, started;
    struct wire_request log[FAKE_LOG];
};
static struct life whole, parts;

/* A unit with all there is to know. */
static void rich(void) {
    with_earlier();
    plan.visits = VISITS;
    plan.duration_seconds = 0.5;
    plan.modes[MODE_SERVER] = true;
    plan.lenses |= 1 << LENS_STREAM;
    plan.precise = plan.lenses;
    nn->variants = tn->variants = 5;
    fake.noise = 0.02;
    fake.start_takes = 0.5;
    session.rates = (struct light_rates){2e12, 8e9, 1e8, 300};
}

/* Fails in the second visit: the unit begins again without it. */
static void loses_a_library(void) {
    rich();
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-tn", PROCESS_CRASHED);
    fault->code = 11;
    fault->nth = 1;
}

/* The second is lost in its checks, and the first in the last visit. */
static void loses_two_libraries(void) {
    rich();
    fake_fail(WIRE_CALL, "lib-tn", PROCESS_CRASHED)->code = 11;
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-nn", PROCESS_CRASHED);
    fault->code = 11;
    fault->nth = 1 + 3 + 2 * 5;
}

/* It fails in the second visit. */
static void leaves_the_earlier_release_out(void) {
    rich();
    struct fake_fault *fault = fake_fail(WIRE_ADD, "old.so", PROCESS_CRASHED);
    fault->code = 6;
    fault->nth = 1 + 1;
}

/* The same, and later a library goes, so that all begins again. */
static void leaves_it_out_and_begins_again(void) {
    leaves_the_earlier_release_out();
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-tn", PROCESS_CRASHED);
    fault->code = 11;
    fault->nth = 1 + 2;
}

static void (*const stories[])(void) = {rich, loses_a_library, loses_two_libraries,
                                        leaves_the_earlier_release_out,
                                        leaves_it_out_and_begins_again};
enum { STORIES = sizeof stories / sizeof *stories };

static void tell(void (*story)(void)) {
    process_end(&session.leaving);
    fake_unit(NULL);
    story();
}

static void remember(struct life *life, int status) {
    life->status = status;
    life->result = result;
    memset(&result, 0, sizeof result);
    life->asked = fake.asked;
    life->started = fake.started;
    memcpy(life->log, fake.log, (size_t)fake.asked * sizeof *fake.log);
}

static void live_at_once(void (*story)(void)) {
    json_t *kept = NULL;
    tell(story);
    remember(&whole, unit_run(&session, &unit, VISITS, &result, &kept));
    assert_int_equal(whole.status, 0);
    assert_null(kept);
}

static int to_disk_and_back(json_t **kept) {
    struct samples list[UNIT_SERIES], *read;
    size_t count = (size_t)result.series_count;
    for (size_t i = 0; i < count; i++)
        list[i] = result.series[i].samples;
    assert_int_equal(rundir_write_visits(RUN, "u", &result.rows, list, count, *kept), 0);
    unit_result_free(&result);
    json_decref(*kept);
    int status = rundir_read_visits(RUN, "u", &result.rows, &read, &count, kept);
    if (status == 0)
        status = unit_result_take(&result, read, count);
    samples_free(read, count);
    return status;
}

/* change: of what is kept after the first visit; NULL: nothing. */
static void live_in_parts(void (*story)(void), void (*change)(json_t *kept)) {
    json_t *kept = NULL;
    int status = 0, visits = 0;
    tell(story);
    for (int visit = 1; status == 0 && visit <= VISITS && (visit == 1 || kept); visit++) {
        status = unit_run(&session, &unit, visit, &result, &kept);
        if (status < 0 || !kept)
            break;
        if (change && visit == 1)
            change(kept);
        else if (!change)
            status = to_disk_and_back(&kept);
        visits++;
    }
    json_decref(kept);
    remember(&parts, status);
    assert_true(change || visits == VISITS - 1);
    rundir_drop_visits(RUN, "u");
}

/* Times are the same to what a CSV file has of a number. */
static bool same_request(const struct wire_request *a, const struct wire_request *b) {
    if (a->verb != b->verb)
        return false;
    if (a->verb == WIRE_ADD)
        return a->add.kind == b->add.kind && strcmp(a->add.name, b->add.name) == 0 &&
               a->add.tune.variant == b->add.tune.variant;
    if (a->verb == WIRE_TIME)
        return a->time.seed == b->time.seed && a->time.arm_count == b->time.arm_count &&
               memcmp(a->time.arms, b->time.arms, sizeof a->time.arms) == 0 &&
               memcmp(a->time.coarse, b->time.coarse, sizeof a->time.coarse) == 0 &&
               a->time.interval.stream_calls == b->time.interval.stream_calls &&
               a->time.interval.planted_seconds == b->time.interval.planted_seconds;
    return true;
}

static bool same_series(const struct sample_buffer *a, const struct sample_buffer *b) {
    return a->mode == b->mode && a->lens == b->lens && a->samples.blocks == b->samples.blocks &&
           a->samples.seen == b->samples.seen &&
           memcmp(a->samples.columns, b->samples.columns, sizeof a->samples.columns) == 0 &&
           memcmp(a->samples.values, b->samples.values,
                  a->samples.blocks * a->samples.column_count * sizeof(float)) == 0;
}

static bool same_lives(void) {
    stderr_catch();
    bool same = parts.status == 0 && whole.asked == parts.asked && whole.started == parts.started &&
                whole.result.series_count == parts.result.series_count &&
                rows_differ("", &whole.result.rows, &parts.result.rows, true, 5) == 0;
    stderr_says("");
    for (int i = 0; same && i < whole.asked; i++)
        same = same_request(&whole.log[i], &parts.log[i]);
    for (int i = 0; same && i < whole.result.series_count; i++)
        same = same_series(&whole.result.series[i], &parts.result.series[i]);
    for (size_t i = 0; same && i < whole.result.rows.audit_count; i++)
        same = memcmp(&whole.result.rows.audits[i], &parts.result.rows.audits[i],
                      sizeof(struct audit_row)) == 0;
    return same && whole.result.rows.audit_count == parts.result.rows.audit_count;
}

static void forget(void) {
    unit_result_free(&whole.result);
    unit_result_free(&parts.result);
}

TEST_WITH(visits_one_by_one_give_what_they_give_at_once, open_all, close_all) {
    for (int i = 0; i < STORIES; i++) {
        live_at_once(stories[i]);
        live_in_parts(stories[i], NULL);
        assert_true(same_lives());
        forget();
    }
}

/* Another value of the same kind. */
static json_t *another(const json_t *value) {
    const double number = json_number_value(value);
    switch (json_typeof(value)) {
    case JSON_TRUE:
    case JSON_FALSE:
        return json_boolean(!json_is_true(value));
    case JSON_INTEGER:
        return json_integer(json_integer_value(value) + 1);
    case JSON_REAL:
        return json_real(number > 0 ? number * 1e-6 : 1);
    case JSON_STRING:
        return json_string("another");
    default:
        return json_null();
    }
}

/* The n-th value in there becomes another one. n counts down; what is changed is told. */
static char changed[64];
static int nth;
static void change_nth(json_t *in) {
    const char *key;
    json_t *value;
    size_t i;
    if (json_is_object(in))
        json_object_foreach(in, key, value) {
            if (json_is_object(value) || json_is_array(value))
                change_nth(value);
            else if (nth-- == 0) {
                snprintf(changed, sizeof changed, "%s", key);
                json_object_set_new(in, key, another(value));
                return;
            }
        }
    if (json_is_array(in))
        json_array_foreach(in, i, value) {
            if (json_is_object(value))
                change_nth(value);
            else if (nth-- == 0) {
                strcpy(changed, "an element");
                json_array_set_new(in, i, another(value));
                return;
            }
        }
}

static int wanted;
static void change(json_t *kept) {
    nth = wanted;
    change_nth(kept);
}

TEST_WITH(nothing_kept_could_be_another_unseen, open_all, close_all) {
    bool seen[128] = {false};
    char names[128][64] = {""};
    int count = 0;
    for (int story = 0; story < STORIES; story++) {
        live_at_once(stories[story]);
        for (wanted = 0; wanted < 128; wanted++) {
            *changed = 0;
            stderr_catch();
            live_in_parts(stories[story], change);
            stderr_says("");
            if (!*changed) {
                unit_result_free(&parts.result);
                break;
            }
            if (story == 0)
                strcpy(names[wanted], changed);
            seen[wanted] |= !same_lives();
            count = wanted + 1 > count ? wanted + 1 : count;
            unit_result_free(&parts.result);
        }
        unit_result_free(&whole.result);
    }
    assert_in_range(count, 7, 127);
    for (int i = 0; i < count && *names[i]; i++)
        if (!seen[i])
            fail_msg("%s (value %d) can be another, and nobody sees it", names[i], i);
}

TEST_WITH(kernels_that_do_not_compile_any_more_are_an_error, open_all, close_all) {
    json_t *kept = NULL;
    tell(rich);
    assert_int_equal(unit_run(&session, &unit, 1, &result, &kept), 0);
    built[0].outcome = BUILD_FAILED;
    assert_says(unit_run(&session, &unit, 2, &result, &kept), -1,
                "mine has compiled in an earlier visit, and does not now");
    json_decref(kept);
}

TEST_WITH(what_is_stored_last_counts, open_all, close_all) {
    struct rows rows = {0};
    int visits;
    char word[64];
    for (int visit = 1; visit < 3; visit++) {
        json_t *kept = json_pack("{s:i}", "visit", visit);
        assert_int_equal(rundir_write_visits(RUN, "v", &rows, NULL, 0, kept), 0);
        json_decref(kept);
        assert_int_equal(rundir_count_visits(RUN, "v", &visits), 0);
        assert_int_equal(visits, visit);
        snprintf(word, sizeof word, "RUN/units/.v.visits/%d/state.json", visit - 1);
        assert_int_equal(access(scratch_path(word), F_OK), -1);
    }
    scratch_put("RUN/units/.v.visits/1/state.json", "{\"visit\": 9}"); /* it could not be removed */
    assert_int_equal(rundir_count_visits(RUN, "v", &visits), 0);
    assert_int_equal(visits, 2);
    assert_false(rundir_has_unit(RUN, "v"));
    assert_int_equal(rundir_write_unit(RUN, "v", &rows, NULL, 0), 0);
    assert_true(rundir_has_unit(RUN, "v"));
    assert_int_equal(access(scratch_path("RUN/units/.v.visits"), F_OK), -1);
    assert_int_equal(access(scratch_path("RUN/units/v/state.json"), F_OK), -1);
}

static int open_all(void **state) {
    if (scratch_make(state) < 0 || fake_unit(state) < 0)
        return -1;
    scratch_put("RUN/units/here", "%s", "");
    return 0;
}

static int close_all(void **state) {
    fake_unit_end(state);
    return scratch_remove(state);
}
