/* What is made of the rows of replays: accusations, and verify, which finds an outcome that they
 * contradict. */
#include "reports/rows/replays.h"

#include <math.h>

#include "bench/base/files.h"
#include "reports/run/verify.h"
#include "tests/support/made_runs.h"
#include "tests/support/read_run.h"
#include "tests/support/test.h"

#define SHAPE ((struct shape){64, 64, 64})

/* "ws": tries whose C is wrong, and whose bits are the same; s same, b other bits, n not
 * replayable, r right, v wrong, other bits each time, f wrong natively, too. */
static void add_tries(struct rows *rows, const char *kernel, const char *tries) {
    for (int i = 0; tries[i]; i++) {
        struct replay_row row = replays_row(SHAPE, "mine", kernel, i + 1);
        strcpy(row.result, tries[i] == 'w'   ? "wrong"
                           : tries[i] == 'b' ? "bits"
                           : tries[i] == 'v' ? "varies"
                           : tries[i] == 'f' ? "faulty"
                           : tries[i] == 'n' ? "no"
                           : tries[i] == 'r' ? "right"
                                             : "same");
        rows_add_replay(rows, &row);
    }
}

TEST(it_takes_three_tries_to_accuse) {
    static const struct {
        const char *tries, *accusation;
        int last; /* the try that counts */
    } cases[] = {
        {"s", "", 1},   {"w", "", 1},          {"ww", "", 2},        {"www", "wrong", 3},
        {"bb", "", 2},  {"bbb", "bits", 3},    {"bwb", "wrong", 3},  {"wws", "", 3},
        {"wwr", "", 3}, {"wwn", "", 3},        {"wwws", "", 4},      {"n", "", 1},
        {"nnn", "", 3}, {"wnwnw", "wrong", 5}, {"r", "", 1},         {"sw", "", 1},
        {"sn", "", 1},  {"vvv", "varies", 3},  {"wvb", "varies", 3}, {"vv", "", 2},
        {"vvs", "", 3}, {"wsf", "faulty", 3},  {"bf", "faulty", 2},  {"bsw", "", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rows rows = {0};
        add_tries(&rows, "mine", cases[i].tries);
        if (strcmp(replays_accuse(&rows, SHAPE, "mine", "mine"), cases[i].accusation) != 0)
            fail_msg("%s: %s", cases[i].tries, replays_accuse(&rows, SHAPE, "mine", "mine"));
        const struct replay_row *last = replays_last(&rows, SHAPE, "mine", "mine");
        if (!last || last->number != cases[i].last)
            fail_msg("%s: the try that counts is %g", cases[i].tries, last ? last->number : 0);
        assert_string_equal(replays_accuse(&rows, SHAPE, "other", "mine"), "");
        assert_null(replays_last(&rows, SHAPE, "other", "mine"));
        rows_free(&rows);
    }
}

/* The candidate's and its earlier release's, of one unit. */
TEST(each_kernel_has_tries_of_its_own) {
    struct rows rows = {0};
    add_tries(&rows, RUNDIR_PREVIOUS, "wws");
    add_tries(&rows, "mine", "w");
    assert_string_equal(replays_accuse(&rows, SHAPE, "mine", "mine"), "");
    assert_string_equal(replays_last(&rows, SHAPE, "mine", "mine")->result, "wrong");
    assert_string_equal(replays_last(&rows, SHAPE, "mine", RUNDIR_PREVIOUS)->result, "same");
    assert_null(replays_last(&rows, SHAPE, "mine", "mine, too"));
    rows_free(&rows);
}

/* What is not known is not the same. */
TEST(the_work_is_the_same_where_both_are_known) {
    static const struct {
        const char *kernels, *native;
        bool same;
    } cases[] = {{"1", "1", true}, {"1", "2", false}, {"1", "", false}, {"", "", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct replay_row row = replays_row(SHAPE, "mine", "mine", 1);
        assert_true(isnan(row.calls) && isnan(row.seconds));
        strcpy(row.kernels, cases[i].kernels);
        strcpy(row.native_kernels, cases[i].native);
        assert_int_equal(replays_same_work(&row), cases[i].same);
    }
}

static size_t differences(void) {
    struct verify_counts counts;
    assert_int_equal(read_counts(scratch_path("run"), &counts), 0);
    return counts.differences;
}

/* A run whose rows have been changed: its kernel passes, and every try found a wrong product. */
TEST_WITH(verify_finds_who_is_not_accused, set_up, tear_down) {
    for (int tries = REPLAYS_TRIES - 1; tries <= REPLAYS_TRIES; tries++)
        for (int refused = 0; refused < 2; refused++) {
            struct made run = {.kernels = {{.replay = "same"}, {.replay = "wrong"}}};
            run.kernels[1].tries = tries;
            run.kernels[1].outcome = refused ? "dishonest" : NULL;
            files_remove_tree(scratch_path("run"));
            make("run", &run);
            assert_int_equal(differences(), tries == REPLAYS_TRIES && !refused);
        }
}
