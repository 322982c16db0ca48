/* Recipes of what a replay has recorded, with runners that are faked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "tests/support/checked_arms.h"
#include "tests/support/made_recording.h"
#include "tests/support/scratch.h"
#include "tests/support/stderr.h"

/* On a GPU, where the runner records two calls of a plain kernel. */
static void edit_recording(const struct wire_request *request, struct wire_reply *reply,
                           void *shared) {
    if (request->verb == WIRE_RECORD)
        reply->record.bytes = recording_write(&made, shared, 1 << 16);
}

static int open_folder(void **state) {
    fake_unit(state);
    on_gpu();
    plan.audit = false;
    plan.replay = true;
    made_plain();
    fake.edit = edit_recording;
    if (unit_open_runner(&context) < 0 || checks_libraries(&context) != EVENT_OK)
        return -1;
    return scratch_make(state);
}

static int close_folder(void **state) {
    recording_writer_free(&made);
    return scratch_remove(state) < 0 ? -1 : fake_unit_end(state);
}

static bool has_recipe(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "recipes/mine/%s", name);
    return access(scratch_path(path), F_OK) == 0;
}

static void a_kernel_that_is_replayed_becomes_a_recipe(void **state) {
    (void)state;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_false(has_recipe("")); /* nobody has asked for it */
    plan.recipes = scratch_path("recipes");
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_true(has_recipe("24x16x48.recipe.json") && has_recipe("24x16x48.cubin"));
}

/* The kernel is as good as it is without. */
static void no_recipe_is_told(const char *why) {
    plan.recipes = scratch_path("recipes");
    stderr_catch();
    const struct arm_state *arm = check_candidate();
    stderr_says(why);
    outcome_is(arm, OUTCOME_OK, "");
    assert_false(has_recipe("24x16x48.recipe.json"));
}

static void what_no_recipe_says_costs_only_the_recipe(void **state) {
    (void)state;
    made_fill(made_c + 512, 512);
    no_recipe_is_told("warning: no recipe of mine at 24x16x48: memory that it fills is "
                      "0x3ab000050200, an address");
    assert_string_equal(result.rows.replays[0].result, "same");
}

/* A recipe that nobody has seen give the kernel's products is none. */
static void without_a_replay_there_is_no_recipe(void **state) {
    (void)state;
    fake.replay.load.replayable = 0;
    fake.replay.why = "a launch has attribute 99";
    no_recipe_is_told("no recipe of mine at 24x16x48: its replay fails: a launch has attribute 99");
}

static void a_folder_that_cannot_be_made_ends_the_run(void **state) {
    (void)state;
    scratch_put("recipes", "a file");
    plan.recipes = scratch_path("recipes");
    stderr_catch();
    const enum unit_event event = checks_candidate(&context);
    stderr_says("recipes");
    assert_int_equal(event, EVENT_TROUBLE);
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_kernel_that_is_replayed_becomes_a_recipe),
        IN_FOLDER(what_no_recipe_says_costs_only_the_recipe),
        IN_FOLDER(without_a_replay_there_is_no_recipe),
        IN_FOLDER(a_folder_that_cannot_be_made_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
