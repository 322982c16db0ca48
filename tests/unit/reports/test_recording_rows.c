/* The last try of a kernel, and verify, which finds an outcome that it contradicts. */

#include "bench/base/files.h"
#include "reports/run/verify.h"
#include "tests/support/made_runs.h"
#include "tests/support/read_run.h"
#include "tests/support/test.h"

#define SHAPE ((struct shape){64, 64, 64})

/* "ws": tries whose C is wrong, and whose bits are the same; n not recordable, r right. */
static void add_tries(struct rows *rows, const char *kernel, const char *tries) {
    for (int i = 0; tries[i]; i++) {
        struct recording_row row = {.shape = SHAPE, .candidate = "mine", .number = i + 1};
        strcpy(row.kernel, kernel);
        strcpy(row.result, tries[i] == 'w'   ? "wrong"
                           : tries[i] == 'n' ? "no"
                           : tries[i] == 'r' ? "right"
                                             : "same");
        rows_add_recording(rows, &row);
    }
}

/* The candidate's and its earlier release's, of one unit. */
TEST(each_kernel_has_tries_of_its_own) {
    struct rows rows = {0};
    add_tries(&rows, RUNDIR_PREVIOUS, "wws");
    add_tries(&rows, "mine", "sw");
    assert_string_equal(rows_recording(&rows, "mine")->result, "wrong");
    assert_string_equal(rows_recording(&rows, RUNDIR_PREVIOUS)->result, "same");
    assert_null(rows_recording(&rows, "mine, too"));
    rows_free(&rows);
}

static size_t differences(void) {
    struct verify_counts counts;
    assert_int_equal(read_counts(scratch_path("run"), &counts), 0);
    return counts.differences;
}

/* A run whose rows have been changed: its kernel passes, and its last try found a wrong product. */
TEST_WITH(verify_finds_who_is_not_accused, set_up, tear_down) {
    for (int wrong = 0; wrong < 2; wrong++)
        for (int refused = 0; refused < 2; refused++) {
            struct made run = {
                .kernels = {{.recording = "same"}, {.recording = wrong ? "wrong" : "right"}}};
            run.kernels[1].outcome = refused ? "dishonest" : NULL;
            files_remove_tree(scratch_path("run"));
            make("run", &run);
            assert_int_equal(differences(), wrong && !refused);
        }
}
