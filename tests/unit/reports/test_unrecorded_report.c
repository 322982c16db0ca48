/* A report, a comparison and winners of runs of which one kernel is unrecorded. */
#include "bench/base/error.h"
#include "reports/gate/compare.h"
#include "reports/report/report.h"
#include "tests/support/made_runs.h"
#include "tests/support/test.h"
#include "tests/support/well_formed.h"

static const struct made one = {.kernels = {{.outcome = "unrecorded"}, {0}, {0}},
                                .two_lenses = true};

/* It is in the tables of call, marked, in none of device, and accused of nothing. */
TEST_WITH(a_report_has_it_by_call_alone, set_up, tear_down) {
    make("run", &one);
    assert_int_equal(report_make(&(struct report_call){
                         .runs = (const char *const[]){scratch_path("run")}, .count = 1}),
                     EXIT_PASS);
    const char *page = scratch_read(scratch_path("run/report/report.md"));
    says(page, "**0 of 3 kernels on shapes were refused.**");
    says(page, "[1 of 3 kernels on shapes](#recordings) **are unrecorded**");
    says(page, "## What the recordings show");
    says(page, "| 64x64x64 | mine | it uses managed memory (cuMemAllocManaged) |");
    says(page, "1 of 3 shapes by `device`: the kernel is [unrecorded]");
    /* By call over the two shapes that device has, too. */
    says(page, " | shapes of all lenses |");
    const char *table = scratch_read(scratch_path("run/report/table1.csv"));
    says(table, "offline,call,previous,3,");
    says(table, "offline,device,previous,2,");
    page = scratch_read(scratch_path("run/report/report.html"));
    const char *every = strstr(page, "<h2 id=\"shapes\"");
    assert_non_null(every);
    says(every, " unrecorded</td>");
    says(every, "<em>unrecorded</em>: the kernel&#39;s work could not be recorded.");
}

TEST_WITH(a_comparison_marks_it, set_up, tear_down) {
    make("run", &one);
    const struct compare_call call = {.run = scratch_path("run"), .policy = &policy};
    stderr_catch();
    const int status = compare_make(&call);
    stderr_says("of the new release 2 of 3 kernels on shapes passed; 1 unrecorded, the first: "
                "64x64x64 mine");
    assert_int_equal(status, EXIT_PASS);
    const char *rows = scratch_read(scratch_path("run/compare/compare.csv"));
    says(rows, "\nsame,64,64,64,mine,mine.cu,offline,call,1,previous,");
    says(rows, "\nsame,128,64,32,mine,mine.cu,offline,device,0,previous,");
    assert_null(strstr(rows, ",64,64,64,mine,mine.cu,offline,device"));
    assert_null(strstr(strstr(rows, ",64,64,64,mine,") + 1, ",64,64,64,mine,")); /* one row */
}
