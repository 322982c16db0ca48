/* What is stored of a unit between its visits: visits that are measured one at a time, by processes
 * that know of one another what is on the disk, give what they give at once; and of what is stored
 * nothing could be missing or another without being seen. */
#include "bench/jobs/unit_file.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/base/files.h"

#include "bench/jobs/unit.h"
#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static int close_all(void **state);
static int open_all(void **state);

#define VISITS 3
#define STORED "run/units/.24x16x48.mine.visits"

static char run[512];

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
    fault->nth = 3 + 2 * 5;
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
    fake_unit_end(NULL);
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
    bool ended;
    tell(story);
    remember(&whole, unit_run(&session, &unit, VISITS, &result, &ended));
    assert_int_equal(whole.status, 0);
    assert_true(ended);
}

/* The next process finds another state. */
static void edit_state(void (*change)(json_t *state)) {
    const char *path = scratch_path(STORED "/1/state.json");
    json_t *state = json_load_file(path, 0, NULL);
    assert_non_null(state);
    change(state);
    assert_int_equal(json_dump_file(state, path, 0), 0);
    json_decref(state);
}

/* change: of what is stored after the first visit; NULL: nothing. */
static void live_in_parts(void (*story)(void), void (*change)(json_t *state)) {
    bool ended = false;
    int status = 0, visits = 0;
    tell(story);
    session.run = run;
    for (; status == 0 && !ended && visits < VISITS; visits++) {
        unit_result_free(&result);
        status = unit_run(&session, &unit, visits + 1, &result, &ended);
        if (change && visits == 0)
            edit_state(change);
    }
    remember(&parts, status);
    assert_true(change || visits == VISITS);
    files_remove_tree(scratch_path("run/units"));
    assert_int_equal(mkdir(scratch_path("run/units"), 0777), 0);
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
           memcmp(a->samples.columns, b->samples.columns, sizeof a->samples.columns) == 0 &&
           memcmp(a->samples.values, b->samples.values,
                  a->samples.blocks * a->samples.column_count * sizeof(float)) == 0;
}

static bool same_lives(void) {
    stderr_catch();
    bool same = parts.status == 0 && whole.asked == parts.asked && whole.started == parts.started &&
                whole.result.series_count == parts.result.series_count &&
                rows_differ("", &whole.result.rows, &parts.result.rows, 5) == 0;
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
static void change(json_t *state) {
    nth = wanted;
    change_nth(state);
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

/* Of the unit in the run's folder, in which nothing is stored. */
static int go_on(int visits) {
    bool ended;
    unit_result_free(&result);
    session.run = run;
    return unit_run(&session, &unit, visits, &result, &ended);
}

TEST_WITH(kernels_that_do_not_compile_any_more_are_an_error, open_all, close_all) {
    tell(rich);
    assert_int_equal(go_on(1), 0);
    built[0].outcome = BUILD_FAILED;
    assert_says(go_on(2), -1, "mine has compiled in an earlier visit, and does not now");
}

TEST_WITH(what_is_stored_last_counts, open_all, close_all) {
    struct rundir_unit stored = {.state = NULL};
    int visits;
    char word[64];
    for (int visit = 1; visit < 3; visit++) {
        stored.state = json_pack("{s:i}", "visit", visit);
        assert_int_equal(rundir_write_unit(run, "v", &stored), 0);
        json_decref(stored.state);
        assert_int_equal(rundir_count_visits(run, "v", &visits), 0);
        assert_int_equal(visits, visit);
        snprintf(word, sizeof word, "run/units/.v.visits/%d/state.json", visit - 1);
        assert_int_equal(access(scratch_path(word), F_OK), -1);
    }
    scratch_put("run/units/.v.visits/1/state.json", "{\"visit\": 9}"); /* it could not be removed */
    assert_int_equal(rundir_count_visits(run, "v", &visits), 0);
    assert_int_equal(visits, 2);
    assert_false(rundir_has_unit(run, "v"));
    stored.state = NULL;
    assert_int_equal(rundir_write_unit(run, "v", &stored), 0);
    assert_true(rundir_has_unit(run, "v"));
    assert_int_equal(access(scratch_path("run/units/.v.visits"), F_OK), -1);
    assert_int_equal(access(scratch_path("run/units/v/state.json"), F_OK), -1);
}

/* A unit of the stage with two kernels, whose recordings are stored. */
static void tell_recorded(void) {
    tell(with_earlier);
    on_stage();
    assert_int_equal(go_on(0), 0);
}

static const char *const recordings[] = {STORED "/candidate.recording",
                                         STORED "/previous.recording"};

/* They may have hundreds of MiB, and a unit is stored after each visit. */
TEST_WITH(recordings_are_stored_once, open_all, close_all) {
    struct stat before, now;
    for (int i = 0; i < 2; i++) {
        tell_recorded();
        assert_int_equal(stat(scratch_path(recordings[i]), &before), 0);
        assert_int_equal(go_on(1), 0);
        assert_int_equal(stat(scratch_path(recordings[i]), &now), 0);
        assert_true(before.st_ino == now.st_ino);
        assert_int_equal(fake_count(WIRE_RECORD, "mine.so"), 1);
        files_remove_tree(scratch_path(STORED));
    }
}

/* Nor is the one before taken for that of a kernel that is recorded no more. */
TEST_WITH(a_unit_that_begins_again_leaves_no_recording, open_all, close_all) {
    tell_recorded();
    files_remove_tree(scratch_path(STORED "/1"));
    fake.recording.record.recordable = 0;
    assert_int_equal(go_on(0), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(access(scratch_path(recordings[i]), F_OK), -1);
}

TEST_WITH(recordings_that_are_gone_or_damaged_are_told, open_all, close_all) {
    for (int i = 0; i < 2; i++) {
        tell_recorded();
        assert_int_equal(truncate(scratch_path(recordings[i]), 40), 0);
        assert_says(go_on(1), -1,
                    ".recording is damaged; remove the unit's .visits folder, and --resume");
        assert_int_equal(unlink(scratch_path(recordings[i])), 0);
        assert_says(go_on(1), -1,
                    ".recording is gone; remove the unit's .visits folder, and --resume");
        files_remove_tree(scratch_path(STORED));
    }
}

static int open_all(void **state) {
    if (scratch_make(state) < 0 || fake_unit(state) < 0)
        return -1;
    scratch_run(run);
    return 0;
}

static int close_all(void **state) {
    fake_unit_end(state);
    return scratch_remove(state);
}
