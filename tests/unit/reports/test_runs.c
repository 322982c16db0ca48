/* What is said of a run beside its rows. */
#include "reports/tables/runs.h"
#include "tests/support/test.h"

/* The text of a run of no rows in a column of the table `runs`. */
static void expect(const struct about *about, const struct runs_asked *asked, const char *column,
                   const char *want) {
    sqlite3 *db = query_open();
    runs_add(db, "run", &(struct rundir){.folder = "a", .about = *about}, asked);
    sqlite3_stmt *run = query_ask(db, "SELECT * FROM runs", NULL);
    assert_true(query_next(run));
    assert_string_equal(query_text(run, column), want);
    assert_false(query_next(run));
    sqlite3_close(db);
}

TEST(numbers_are_from_a_device_or_a_tool_by_a_protocol) {
    expect(&(struct about){.device = "card", .protocol = "cold"}, NULL, "place", "card, cold");
    expect(&(struct about){.device = "card"}, NULL, "place", "card");
    expect(&(struct about){.protocol = "cold"}, NULL, "place", "cold");
    expect(&(struct about){.device = "card", .imported = "a tool", .protocol = "cold"}, NULL,
           "place", "a tool, cold");
}

TEST(times_on_inputs_that_a_kernel_can_learn_are_marked) {
    expect(&(struct about){.inputs = "normal"}, NULL, "unjudged", "");
    expect(&(struct about){.inputs = "zeros"}, NULL, "unjudged",
           "**Timed on zeros: no number here judges a kernel.** On these inputs a kernel that has "
           "seen a few elements can leave out all products, and C is right to the bit.");
}

TEST(a_report_says_why_files_are_not_known_to_be_as_they_were_measured) {
    expect(&(struct about){.complete = false}, &(struct runs_asked){.alike = 1}, "unverified",
           "a is not complete");
    expect(&(struct about){.complete = false}, NULL, "unverified", "");
}
