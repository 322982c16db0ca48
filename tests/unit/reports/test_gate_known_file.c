/* The file of known regressions, and what it covers. */

#include <stdio.h>
#include <string.h>

#include "reports/gate/gate_policy.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define LONGEST "0123456789012345678901234567890123456789012345678901234567890123456789"

#define REST "\nreason = r\nlink = l\nexpires = 2027-01-31\n"

/* A policy that names it. */
static const char *policy_file(void) {
    scratch_put("policy.ini", "[gate]\nknown = known.ini\n");
    return scratch_path("policy.ini");
}

TEST(bad_known_regressions_name_the_line) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"limit = 8 %\n", "known.ini:1: 'limit' stands before any [section]"},
        {"[gate]\n", "known.ini:1: [gate] is not [MxNxK] or [MxNxK.LABEL]"},
        {"[64x64]\n", ":1: [64x64] is not"},
        {"[64x64x64x64]\n", ":1: [64x64x64x64] is not"},
        {"[64_64_64]\n", ":1: [64_64_64] is not"},
        {"[64 x 64 x 64]\n", ":1: [64 x 64 x 64] is not"},
        {"[0x*x*]\n", ":1: [0x*x*] is not"},
        {"[064x*x*]\n", ":1: [064x*x*] is not"},
        {"[6*x*x*]\n", ":1: [6*x*x*] is not"},
        {"[*6x*x*]\n", ":1: [*6x*x*] is not"},
        {"[-1x*x*]\n", ":1: [-1x*x*] is not"},
        {"[xx]\n", ":1: [xx] is not"},
        {"[]\n", ":1: [] is not"},
        {"[*x*x1048577]\n", ":1: [*x*x1048577] is not"},
        {"[*x*x99999999999999999999]\n", ":1: [*x*x99999999999999999999] is not"},
        {"[*x*x*.]\n", ":1: [*x*x*.] is not"},
        {"[*x*x*a]\n", ":1: [*x*x*a] is not"},
        {"[*x*x*." LONGEST "]\n", ":1: [*x*x*.0123"},
        {"[*x*x*]\nlimit = 8 %" REST "[1x1x1]\n[*x*x*]\n",
         ":7: [*x*x*] is there already, at line 1"},
        {"\n[*x*x*]\n[1x1x1]\nlimit = 8 %" REST, ":2: [*x*x*] has no limit"},
        {"[1x1x1]\nlimit = 8 %" REST "[*x*x*]\nlimit = 8 %\nlink = l\nexpires = 2027-01-31\n",
         ":6: [*x*x*] has no reason"},
        {"[*x*x*]\nlimit = 8 %\nreason = r\nexpires = 2027-01-31\n", ":1: [*x*x*] has no link"},
        {"[*x*x*]\nlimit = 8 %\nreason = r\nlink = l\n", ":1: [*x*x*] has no expires"},
        {"[*x*x*]\nlimit = 0.08" REST, ":2: '0.08' is not a share"},
        {"[*x*x*]\nlimit = 0 %" REST, ":2: 0 % is not from 0.01 % to 1000 %"},
        {"[*x*x*]\nlimit = 1001 %" REST, ":2: 1001 % is not from"},
        {"[*x*x*]\nlimit = 8 %\nlimit = 8 %" REST, ":3: limit is said already"},
        {"[*x*x*]\nlimits = 8 %" REST, ":2: 'limits' is not a key of this section"},
        {"[*x*x*]\nreason =\n", ":2: has no value"},
        {"[*x*x*]\nlink = ; none\n", ":2: has no value"},
        {"[*x*x*]\nreason = one\n two\n", ":3: begins with a blank"},
        {"[*x*x*]\nexpires = 2027-02-29\n", ":2: '2027-02-29' is not a day of the calendar"},
        {"[*x*x*]\nexpires = 2100-02-29\n", ":2: '2100-02-29' is not a day"},
        {"[*x*x*]\nexpires = 2028-02-30\n", ":2: '2028-02-30' is not a day"},
        {"[*x*x*]\nexpires = 2027-04-31\n", ":2: '2027-04-31' is not a day"},
        {"[*x*x*]\nexpires = 2027-00-01\n", ":2: '2027-00-01' is not a day"},
        {"[*x*x*]\nexpires = 2027-13-01\n", ":2: '2027-13-01' is not a day"},
        {"[*x*x*]\nexpires = 2027-01-00\n", ":2: '2027-01-00' is not a day"},
        {"[*x*x*]\nexpires = 2027-1-31\n", ":2: '2027-1-31' is not a day"},
        {"[*x*x*]\nexpires = 2027/01/31\n", ":2: '2027/01/31' is not a day"},
        {"[*x*x*]\nexpires = 31-01-2027\n", ":2: '31-01-2027' is not a day"},
        {"[*x*x*]\nexpires = 2027-01-31T00\n", ":2: '2027-01-31T00' is not a day"},
        {"[*x*x*]\nexpires = never\n", ":2: 'never' is not a day"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gate_policy policy;
        char says[200];
        const char *file = policy_file();
        scratch_put("known.ini", "%s", bad[i].text);
        snprintf(says, sizeof says, "%s%s", *bad[i].says == ':' ? "known.ini" : "", bad[i].says);
        assert_says(gate_policy_read(file, &policy), -1, says);
        assert_null(policy.known);
    }
}

TEST(days_of_the_calendar_are_taken) {
    static const char *const days[] = {"2000-02-29", "2028-02-29", "2027-02-28",
                                       "2027-12-31", "2027-04-30", "2027-01-01"};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        struct gate_policy policy;
        const char *file = policy_file();
        scratch_put("known.ini", "[*x*x*]\nlimit=1%%\nreason=r\nlink=l\nexpires=%s\n", days[i]);
        assert_int_equal(gate_policy_read(file, &policy), 0);
        assert_string_equal(policy.known[0].expires, days[i]);
        gate_policy_free(&policy);
    }
}

TEST(known_regressions_match_their_shapes) {
    static const struct {
        const char *pattern;
        struct shape shape;
        bool matches;
    } cases[] = {
        {"64x*x8192", {64, 1, 8192}, true},
        {"64x*x8192", {64, 999, 8192}, true},
        {"64x*x8192", {64, 1, 819}, false},
        {"64x*x8192", {64, 1, 81920}, false},
        {"64x*x8192", {6, 1, 8192}, false},
        {"64x*x8192", {8192, 1, 64}, false},
        {"*x*x*", {1, 2, 3}, true},
        {"1x2x3", {1, 2, 3}, true},
        {"1x2x3", {1, 3, 2}, false},
        {"1x2x3.blocked", {1, 2, 3}, true},
        {"1x2x4.blocked", {1, 2, 3}, false},
        {"1x2x3.block", {1, 2, 3}, false},
        {"1x2x3.blocked.v2", {1, 2, 3}, false},
        {"*x*x*.blocked", {7, 8, 9}, true},
        {"*x*x*.x8192.blocked", {7, 8, 9}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gate_known known = {.limit = 0.1};
        strcpy(known.pattern, cases[i].pattern);
        if (gate_known_matches(&known, cases[i].shape, "blocked") != cases[i].matches)
            fail_msg("%s", cases[i].pattern);
    }
    struct gate_known dotted = {.pattern = "1x*x3.a.b"};
    assert_true(gate_known_matches(&dotted, (struct shape){1, 2, 3}, "a.b"));
    assert_false(gate_known_matches(&dotted, (struct shape){1, 2, 3}, "a"));
}

TEST(the_widest_unexpired_entry_counts) {
    const struct shape shape = {64, 64, 8192};
    struct gate_policy policy;
    const char *file = policy_file();
    scratch_put("known.ini", "[64x*x8192]\nlimit=8%%\nreason=r\nlink=l\nexpires=2027-01-31\n"
                             "[*x*x*.blocked]\nlimit=5%%\nreason=r\nlink=l\nexpires=2027-06-30\n"
                             "[64x64x*]\nlimit=3%%\nreason=r\nlink=l\nexpires=2027-12-31\n"
                             "[1x1x1]\nlimit=90%%\nreason=r\nlink=l\nexpires=2099-12-31\n");
    assert_int_equal(gate_policy_read(file, &policy), 0);
    static const struct {
        const char *candidate, *today;
        int entry; /* -1: none */
    } cases[] = {{"blocked", "2026-12-31", 0}, {"blocked", "2027-01-31", 0},
                 {"blocked", "2027-02-01", 1}, {"other", "2027-02-01", 2},
                 {"blocked", "2027-07-01", 2}, {"blocked", "2028-01-01", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_ptr_equal(gate_policy_known(&policy, shape, cases[i].candidate, cases[i].today),
                         cases[i].entry < 0 ? NULL : &policy.known[cases[i].entry]);
    assert_false(gate_known_expired(&policy.known[0], "2027-01-31"));
    assert_true(gate_known_expired(&policy.known[0], "2027-02-01"));
    gate_policy_free(&policy);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
