/* Gates of kernels that cannot be recorded, or whose times nothing bounds. */

#include <math.h>

#include "bench/base/files.h"
#include "reports/gate/gate.h"
#include "tests/support/doubles.h"
#include "tests/support/made_runs.h"
#include "tests/support/test.h"

/* It has no ratio and is not measured again, however slow it looks, and is in no total. */
TEST_WITH(test_unrecorded_is_refused, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{.outcome = "unrecorded", .slower = 0.05}, {0}, {0}},
                               .two_lenses = true});
    assert_string_equal(judge(NULL, false), "wrong");
    assert_int_equal(gate_verdict_exit(gate.verdict), 6);
    assert_reason("1 of 3 kernels on shapes are unrecorded, which the policy refuses; `unrecorded "
                  "= allow` has them judged by call; the first: 64x64x64 mine: does more in a call "
                  "than can be recorded, or cannot be recorded: it uses managed memory "
                  "(cuMemAllocManaged); 1 unrecorded, 2 same of 3 rows");
    assert_string_equal(status_of(0), "unrecorded");
    assert_true(isnan(row_of(0)->ratio) && isnan(row_of(0)->seconds));
    assert_string_equal(status_of(2), "same");
    assert_int_equal(gate.suspects, 0);
    for (size_t i = 0; i < 2; i++)
        assert_double_near(of_line(i, "shapes"), 2, 0);
}

/* Where the policy allows it, it is judged by call, whatever the others are judged by. */
TEST_WITH(test_unrecorded_is_judged_by_call, set_up, tear_down) {
    make("run",
         &(struct made){.kernels = {{.outcome = "unrecorded"}, {0}, {0}}, .two_lenses = true});
    policy.unrecorded_allowed = true;
    strcpy(policy.lens, "device");
    assert_string_equal(judge(NULL, true), "pass");
    assert_warning("1 of 3 rows are judged by call");
    assert_string_equal(row_of(0)->lens, "call");
    assert_true(row_of(0)->unrecorded && !row_of(1)->unrecorded);
    assert_double_near(row_of(0)->ratio, 1, 1e-3);
    assert_true(isnan(row_of(0)->device_ratio) && isfinite(row_of(1)->device_ratio));
    assert_string_equal(row_of(1)->lens, "device");
    assert_double_near(gate.coverage, 1, 0);
    for (size_t i = 0; i < 4; i++) { /* by call all and small, then by device */
        assert_double_near(of_line(i, "shapes"), i < 2 ? 1 : 2, 0);
        assert_double_near(of_line(i, "unrecorded"), i < 2, 0);
    }

    make("slow", &(struct made){.kernels = {{.outcome = "unrecorded", .slower = 0.05}, {0}, {0}},
                                .two_lenses = true});
    make("slow/confirm", &(struct made){.kernels = {{.outcome = "unrecorded", .slower = 0.05},
                                                    {.absent = true},
                                                    {.absent = true}},
                                        .two_lenses = true,
                                        .visits = 16});
    judge_run("slow");
    assert_reason("1 slower, 2 same of 3 rows; the worst: 64x64x64 mine (offline, call) takes 5 % "
                  "more time than previous, unrecorded");
}

/* Its timed calls are not known to be those that were recorded: no verdict follows from them. */
TEST_WITH(test_unbounded_leads_no_verdict, set_up, tear_down) {
    make("run", &(struct made){.kernels = {{0}, {0}, {0}}, .two_lenses = true, .unbounded = true});
    strcpy(policy.lens, "call");
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_reason("3 of 3 rows are bounded by nothing");
    assert_string_equal(status_of(0), "undecided");
    policy.unrecorded_allowed = true;
    assert_string_equal(judge(NULL, true), "pass");
    assert_true(row_of(0)->unrecorded);
}

/* A recorded kernel is no worse for an earlier one that is unrecorded, beside it or in a run of its own (`old`), and
 * is judged by call. The one before the stored kernel is nothing to it. Where this run has no times by call there
 * is nothing to compare with. */
TEST_WITH(test_an_earlier_kernel_is_unrecorded, set_up, tear_down) {
    static const struct {
        struct made run, old;
        const char *status, *lens;
    } cases[] = {
        {.run = {.kernels = {{.before = "unrecorded"}, {0}, {0}}, .two_lenses = true},
         .status = "same",
         .lens = "call"},
        {{.no_before = true, .two_lenses = true},
         {.kernels = {{.outcome = "unrecorded"}, {0}, {0}}, .no_before = true, .two_lenses = true},
         "same",
         "call"},
        {{.no_before = true, .two_lenses = true},
         {.kernels = {{.before = "unrecorded"}, {0}, {0}}, .two_lenses = true},
         "same",
         "device"},
        {{.no_before = true},
         {.kernels = {{.outcome = "unrecorded"}, {0}, {0}}, .no_before = true, .two_lenses = true},
         "added",
         "device"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool by_call = strcmp(cases[i].lens, "call") == 0;
        files_remove_tree(scratch_path("run"));
        files_remove_tree(scratch_path("old"));
        make("run", &cases[i].run);
        make("old", &cases[i].old);
        assert_string_equal(judge(i ? "old" : NULL, true), "pass");
        assert_string_equal(status_of(0), cases[i].status);
        assert_string_equal(row_of(0)->lens, cases[i].lens);
        assert_string_equal(row_of(1)->lens, "device");
        assert_true(row_of(0)->unrecorded == by_call && !row_of(1)->unrecorded);
        assert_int_equal(warnings_with("1 of 3 rows are judged by call"), by_call);
    }
}
