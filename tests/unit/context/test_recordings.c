/* Recordings of a unit's kernels between its visits: what lies in files of the run, and what
 * becomes of files that are gone or damaged. */
#include "bench/context/recordings.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static char run[PATH_MAX];
static struct unit_context later; /* another process goes on with the unit */

static void record(int which, const char *bytes) {
    struct recorded *recorded = &context.recorded[which];
    *recorded = (struct recorded){
        .size = strlen(bytes), .padded = {32, 16, 64}, .operands = LAYOUT_PREVIOUS, .calls = 7};
    recorded->bytes = malloc(recorded->size);
    memcpy(recorded->bytes, bytes, recorded->size);
}

static int open_run(void **state) {
    fake_unit(state);
    scratch_make(state);
    snprintf(run, sizeof run, "%s", scratch_path("run"));
    mkdir(run, 0777);
    mkdir(scratch_path("run/units"), 0777);
    session.run = run;
    later = context;
    record(UNIT_CANDIDATE, "what mine has had the device do");
    record(UNIT_PREVIOUS, "what the one before has");
    return 0;
}

static int end(void **state) {
    recordings_free(&later);
    fake_unit_end(state);
    return scratch_remove(state);
}

/* "candidate" or "previous". */
static const char *file_of(const char *whose) {
    static char path[PATH_MAX];
    char id[UNIT_ID], name[UNIT_ID + 64];
    snprintf(name, sizeof name, "run/units/.%s.%s.recording", unit_id(&unit, id), whose);
    snprintf(path, sizeof path, "%s", scratch_path(name));
    return path;
}

static json_t *stored(void) {
    json_t *described = recordings_store(&context);
    assert_non_null(described);
    return described;
}

TEST_WITH(they_come_back_as_they_were, open_run, end) {
    json_t *described = stored();
    assert_int_equal(json_array_size(described), 2);
    later.checked.candidate = 1; /* a kernel is recorded again with the operands that it had */
    later.checked.previous = 0;
    assert_int_equal(recordings_fetch(&later, described), 0);
    for (int i = 0; i < UNIT_KERNELS; i++) {
        const struct recorded *was = &context.recorded[i], *is = &later.recorded[i];
        assert_true(was->stored && is->stored);
        assert_int_equal(is->size, was->size);
        assert_memory_equal(is->bytes, was->bytes, was->size);
        assert_int_equal(is->calls, 7);
        assert_int_equal(is->operands, LAYOUT_PREVIOUS);
        assert_int_equal(shape_compare(is->padded, was->padded), 0);
        assert_int_equal(shape_compare(unit_kernel(&later, i)->padded, was->padded), 0);
    }
    json_decref(described);
}

/* They may have hundreds of MiB, and a unit is put away after each visit. */
TEST_WITH(they_are_stored_once, open_run, end) {
    json_decref(stored());
    assert_int_equal(unlink(file_of("candidate")), 0);
    json_t *described = stored();
    assert_int_equal(access(file_of("candidate"), F_OK), -1);
    assert_int_equal(access(file_of("previous"), F_OK), 0);
    assert_int_equal(json_array_size(described), 2);
    json_decref(described);
}

TEST_WITH(what_was_fetched_is_not_stored_again, open_run, end) {
    json_t *described = stored();
    assert_int_equal(recordings_fetch(&later, described), 0);
    assert_int_equal(unlink(file_of("previous")), 0);
    json_decref(recordings_store(&later));
    assert_int_equal(access(file_of("previous"), F_OK), -1);
    json_decref(described);
}

TEST_WITH(what_was_not_recorded_is_not_there, open_run, end) {
    recordings_forget(&context.recorded[UNIT_CANDIDATE]);
    json_t *described = stored();
    assert_int_equal(json_array_size(described), 1);
    assert_int_equal(access(file_of("candidate"), F_OK), -1);
    assert_int_equal(recordings_fetch(&later, described), 0);
    assert_null(later.recorded[UNIT_CANDIDATE].bytes);
    assert_non_null(later.recorded[UNIT_PREVIOUS].bytes);
    json_decref(described);
}

TEST_WITH(a_missing_one_is_told_with_what_to_do, open_run, end) {
    json_t *described = stored();
    assert_int_equal(unlink(file_of("previous")), 0);
    assert_says(recordings_fetch(&later, described), -1,
                "--resume measures it from its first visit");
    json_decref(described);
}

TEST_WITH(a_damaged_one_is_told_with_what_to_do, open_run, end) {
    json_t *described = stored();
    assert_int_equal(truncate(file_of("candidate"), 9), 0);
    assert_says(recordings_fetch(&later, described), -1, "candidate.recording is damaged; remove");
    assert_null(later.recorded[UNIT_CANDIDATE].bytes);
    json_decref(described);
}

TEST_WITH(what_is_described_must_make_sense, open_run, end) {
    static const char *const wrong[] = {
        "[{}]",
        "[{\"whose\": 2, \"padded\": [1, 1, 1], \"operands\": 0, \"calls\": 1, \"bytes\": 1}]",
        "[{\"whose\": -1, \"padded\": [1, 1, 1], \"operands\": 0, \"calls\": 1, \"bytes\": 1}]",
        "[{\"whose\": 0, \"padded\": [1, 1, 1], \"operands\": 3, \"calls\": 1, \"bytes\": 1}]",
        "[{\"whose\": 0, \"padded\": [1, 1], \"operands\": 0, \"calls\": 1, \"bytes\": 1}]"};
    json_decref(stored());
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        json_t *described = json_loads(wrong[i], 0, NULL);
        assert_non_null(described);
        assert_says(recordings_fetch(&later, described), -1, "a recording is not described");
        json_decref(described);
    }
}

TEST_WITH(a_folder_that_cannot_be_written_is_an_error, open_run, end) {
    assert_int_equal(rmdir(scratch_path("run/units")), 0);
    assert_null(recordings_store(&context));
    assert_false(context.recorded[UNIT_CANDIDATE].stored);
    assert_int_equal(mkdir(scratch_path("run/units"), 0777), 0);
}

TEST_WITH(they_are_gone_once_the_unit_is_done, open_run, end) {
    json_decref(stored());
    recordings_remove(&later);
    assert_int_equal(access(file_of("candidate"), F_OK), -1);
    assert_int_equal(access(file_of("previous"), F_OK), -1);
    recordings_remove(&later); /* again */
    session.run = NULL;        /* and where nothing is kept */
    recordings_remove(&later);
}

TEST_WITH(what_is_forgotten_is_gone, open_run, end) {
    recordings_free(&context);
    for (int i = 0; i < UNIT_KERNELS; i++) {
        assert_null(context.recorded[i].bytes);
        assert_int_equal(context.recorded[i].size, 0);
    }
    recordings_free(&context);
}
