/* What is made of the rows of recordings: accusations, and verify, which finds an outcome that they
 * contradict. */
#include "reports/rows/recording_rows.h"

#include <math.h>

#include "bench/base/files.h"
#include "reports/run/verify.h"
#include "tests/support/made_runs.h"
#include "tests/support/read_run.h"
#include "tests/support/test.h"

#define SHAPE ((struct shape){64, 64, 64})

/* "ws": tries whose C is wrong, and whose bits are the same; n not recordable, r right. */
static void add_tries(struct rows *rows, const char *kernel, const char *tries) {
    for (int i = 0; tries[i]; i++) {
        struct recording_row row = recording_rows_begin(SHAPE, "mine", kernel, i + 1);
        strcpy(row.result, tries[i] == 'w'   ? "wrong"
                           : tries[i] == 'n' ? "no"
                           : tries[i] == 'r' ? "right"
                                             : "same");
        rows_add_recording(rows, &row);
    }
}

TEST(the_last_try_accuses) {
    static const struct {
        const char *tries;
        bool accuses;
    } cases[] = {{"s", false},  {"r", false},  {"n", false},  {"w", true},  {"ww", true},
                 {"ws", false}, {"wr", false}, {"wn", false}, {"nw", true}, {"sw", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rows rows = {0};
        add_tries(&rows, "mine", cases[i].tries);
        if (recording_rows_accuse(&rows, SHAPE, "mine", "mine") != cases[i].accuses)
            fail_msg("%s", cases[i].tries);
        const struct recording_row *last = recording_rows_last(&rows, SHAPE, "mine", "mine");
        assert_non_null(last);
        assert_int_equal((size_t)last->number, strlen(cases[i].tries));
        assert_false(recording_rows_accuse(&rows, SHAPE, "other", "mine"));
        assert_null(recording_rows_last(&rows, SHAPE, "other", "mine"));
        rows_free(&rows);
    }
}

/* The candidate's and its earlier release's, of one unit. */
TEST(each_kernel_has_tries_of_its_own) {
    struct rows rows = {0};
    add_tries(&rows, RUNDIR_PREVIOUS, "wws");
    add_tries(&rows, "mine", "w");
    assert_true(recording_rows_accuse(&rows, SHAPE, "mine", "mine"));
    assert_false(recording_rows_accuse(&rows, SHAPE, "mine", RUNDIR_PREVIOUS));
    assert_string_equal(recording_rows_last(&rows, SHAPE, "mine", "mine")->result, "wrong");
    assert_string_equal(recording_rows_last(&rows, SHAPE, "mine", RUNDIR_PREVIOUS)->result, "same");
    assert_null(recording_rows_last(&rows, SHAPE, "mine", "mine, too"));
    rows_free(&rows);
}

/* What is not known is not the same. */
TEST(the_work_is_the_same_where_both_are_known) {
    static const struct {
        const char *kernels, *own;
        bool same;
    } cases[] = {{"1", "1", true}, {"1", "2", false}, {"1", "", false}, {"", "", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recording_row row = recording_rows_begin(SHAPE, "mine", "mine", 1);
        assert_true(isnan(row.calls) && isnan(row.seconds));
        strcpy(row.kernels, cases[i].kernels);
        strcpy(row.own_kernels, cases[i].own);
        assert_int_equal(recording_rows_same_work(&row), cases[i].same);
    }
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
