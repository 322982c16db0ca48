/* How a report calls the intervals that it shows. */
#include <math.h>

#include "reports/sections/sections.h"
#include "tests/support/test.h"

static struct ratio_row of_visits = {.ci_low = 0.9, .ci_high = 1.1, .visit_sd = 0.01};
static struct ratio_row of_one = {.ci_low = 0.9, .ci_high = 1.1, .visit_sd = NAN};
static struct ratio_row of_none = {.ci_low = NAN, .ci_high = NAN, .visit_sd = NAN};

static const char *words(const struct ratio_row *a, const struct ratio_row *b) {
    struct ratio_row both[2] = {*a, *b};
    const struct rows rows = {.ratios = both, .ratio_count = 2};
    return sections_intervals(&rows);
}

TEST(test_words) {
    assert_string_equal(words(&of_visits, &of_none), "95 % interval over visits");
    assert_string_equal(words(&of_one, &of_none), "95 % interval within one process");
    assert_string_equal(words(&of_one, &of_visits),
                        "95 % interval over visits (of a row of one visit: within one process)");
    assert_true(rows_within(&of_one));
    assert_false(rows_within(&of_visits) || rows_within(&of_none));
}
