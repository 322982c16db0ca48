/* What is said of a run beside its rows. */
#include "reports/tables/runs.h"
#include "tests/support/test.h"

/* The run's text in a column of the table `runs`. */
static void expect(const struct about *about, const char *column, const char *want) {
    sqlite3 *db = query_open();
    runs_add(db, "run", &(struct rundir){.about = *about}, NULL);
    sqlite3_stmt *run = query_ask(db, "SELECT * FROM runs", NULL);
    assert_true(query_next(run));
    assert_string_equal(query_text(run, column), want);
    assert_false(query_next(run));
    sqlite3_close(db);
}

TEST(numbers_are_from_a_device_or_a_tool_by_a_protocol) {
    expect(&(struct about){.device = "card", .protocol = "12 visits"}, "place", "card, 12 visits");
    expect(&(struct about){.device = "card"}, "place", "card");
    expect(&(struct about){.protocol = "12 visits"}, "place", "12 visits");
    expect(&(struct about){.device = "card", .imported = "a tool", .protocol = "cold"}, "place",
           "a tool, cold");
}

TEST(times_on_inputs_that_a_kernel_can_learn_are_marked) {
    expect(&(struct about){.inputs = "normal"}, "unjudged", "");
    expect(&(struct about){.inputs = "zeros"}, "unjudged",
           "**Timed on zeros: no number here judges a kernel.** On these inputs a kernel that has "
           "seen a few elements can leave out all products, and C is right to the bit.");
}
