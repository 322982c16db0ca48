
#include <math.h>
#include <string.h>

#include "reports/gate/gate_rows.h"
#include "reports/query/query.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static void is_class(const struct gate_class *class, const char *name, double largest,
                     double margin) {
    assert_string_equal(class->name, name);
    assert_true(class->largest == largest);
    assert_true(class->margin == margin);
}

/* As published, whatever the code says today. */
static void is_default(const struct gate_policy *policy) {
    assert_true(policy->margin == 0.02 && policy->alpha == 0.01);
    assert_int_equal(policy->screening_visits, 8);
    assert_int_equal(policy->confirm_visits, 56);
    assert_true(policy->coverage == 1 && policy->disturbed == 0.1);
    assert_string_equal(policy->lens, "");
    assert_int_equal(policy->on_merge, GATE_UNDECIDED_WARN);
    assert_int_equal(policy->on_release, GATE_UNDECIDED_FAIL);
    assert_int_equal(policy->class_count, 3);
    is_class(&policy->classes[0], "small", 134217728, 0.02);
    is_class(&policy->classes[1], "medium", 8589934592, 0.02);
    is_class(&policy->classes[2], "large", INFINITY, 0.02);
    assert_int_equal(policy->must_count, 0);
    assert_int_equal(policy->known_count, 0);
    assert_false(policy->unrecorded_allowed);
}

static const char *put(const char *text) {
    scratch_put("policy.ini", "%s", text);
    return scratch_path("policy.ini");
}

static void read_policy(const char *file, struct gate_policy *policy) {
    assert_int_equal(gate_policy_read(file, policy), 0);
}

TEST(what_says_nothing_is_the_default) {
    static const char *const texts[] = {"", "; nothing\n  ; indented\n \t\n[gate]\n[gate.must]\n",
                                        "\357\273\277[gate] ; of the paper\r\nmargin:2%\r\n"};
    struct gate_policy policy;
    assert_int_equal(gate_policy_read(NULL, &policy), 0);
    is_default(&policy);
    gate_policy_default(&policy);
    is_default(&policy);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        read_policy(put(texts[i]), &policy);
        is_default(&policy);
    }
}

TEST(unrecorded_kernels_may_be_allowed) {
    struct gate_policy policy;
    read_policy(put("[gate]\nunrecorded = allow\n"), &policy);
    assert_true(policy.unrecorded_allowed);
    read_policy(put("[gate]\nunrecorded = refuse\n"), &policy);
    is_default(&policy);
    assert_says(gate_policy_read(put("[gate]\nunrecorded = no\n"), &policy), -1, "refuse or allow");
}

TEST(every_key_is_read) {
    struct gate_policy policy;
    scratch_put("in/policy.ini",
                "[gate.must]\ncublas-max = big  mid\ntorch-matmul = all\n"
                "[gate]\nmargin = 3 %%\nalpha = 0.05\nscreening_visits = 5\nconfirm_visits = 64\n"
                "renamed = old=new,a=b\n"
                "coverage = 99.5%%\ndisturbed = 0 %%\nlens = call\nmode = server\nundecided = 5 "
                "%%\non_merge = pass\n"
                "on_release = warn\n[gate.known]\n64x*x8192 = 8 %% ; f\303\274r = now\n"
                "[gate.class.big]\n[gate.class.mid]\nmargin = 4\t%% ; wider\nlargest = 1e9\n"
                "[gate.class.tiny]\nlargest = 1000\n");
    read_policy(scratch_path("in/policy.ini"), &policy);
    assert_true(policy.margin == 0.03 && policy.alpha == 0.05);
    assert_int_equal(policy.screening_visits, 5);
    assert_int_equal(policy.confirm_visits, 64);
    assert_string_equal(policy.renamed, "old=new,a=b");
    assert_true(policy.coverage == 0.995 && policy.disturbed == 0);
    assert_string_equal(policy.lens, "call");
    assert_string_equal(policy.mode, "server");
    assert_true(policy.undecided == 0.05);
    assert_int_equal(policy.on_merge, GATE_UNDECIDED_PASS);
    assert_int_equal(policy.on_release, GATE_UNDECIDED_WARN);
    assert_int_equal(policy.class_count, 3);
    is_class(&policy.classes[0], "tiny", 1000, 0.03);
    is_class(&policy.classes[1], "mid", 1e9, 0.04);
    is_class(&policy.classes[2], "big", INFINITY, 0.03);
    assert_int_equal(policy.must_count, 2);
    assert_int_equal(policy.known_count, 1);
    assert_string_equal(policy.known[0].pattern, "64x*x8192");
    assert_true(policy.known[0].limit == 0.08);
    assert_int_equal(policy.known[0].line, 18);
    gate_policy_free(&policy);
    assert_int_equal(policy.known_count, 0);
}

TEST(default_classes_follow_the_margin) {
    struct gate_policy policy;
    read_policy(put("[gate]\nmargin = 5 %\n"), &policy);
    is_class(&policy.classes[0], "small", 134217728, 0.05);
    is_class(&policy.classes[2], "large", INFINITY, 0.05);
}

#define LONGEST "0123456789012345678901234567890123456789012345678901234567890123456789"

TEST(bad_policies_name_the_line) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        /* Shares. */
        {"[gate]\nmargin = 0.02\n",
         "policy.ini:2: '0.02' is not a share in per cent with its sign, like 2 %"},
        {"[gate]\ncoverage = 1\n", ":2: '1' is not a share"},
        {"[gate]\ndisturbed = 10\n", ":2: '10' is not a share"},
        {"[gate]\nmargin = 2 % 3\n", ":2: '2 % 3' is not a share"},
        {"[gate]\nmargin = 2 % # wide\n", ":2: '2 % # wide' is not a share"},
        {"[gate]\nmargin = 2 %%\n", ":2: '2 %%' is not a share"},
        {"[gate]\nmargin =\n", ":2: '' is not a share"},
        {"[gate]\nmargin = %\n", ":2: '%' is not a share"},
        {"[gate]\nmargin = . %\n", ":2: '. %' is not a share"},
        {"[gate]\nmargin = -2 %\n", ":2: -2 % is not from 0.01 %"},
        {"[gate]\nmargin = nan %\n", ":2: 'nan %' is not a share"},
        {"[gate]\nmargin = inf %\n", ":2: 'inf %' is not a share"},
        {"[gate]\nmargin = 1e999 %\n", ":2: '1e999 %' is not a share"},
        {"[gate]\nmargin = 0x2 %\n", ":2: '0x2 %' is not a share"},
        {"[gate]\nmargin = 1,5 %\n", ":2: '1,5 %' is not a share"},
        {"[gate]\nmargin = 0 %\n", ":2: 0 % is not from 0.01 % to 100 %"},
        {"[gate]\nmargin = 101 %\n", ":2: 101 % is not from 0.01 % to 100 %"},
        {"[gate]\ncoverage = 100.1 %\n", ":2: 100.1 % is not from 0 % to 100 %"},
        {"[gate]\ndisturbed = 200 %\n", ":2: 200 % is not from 0 % to 100 %"},
        {"[gate.class.a]\nmargin = 0.04\n", ":2: '0.04' is not a share"},
        {"[gate.class.a]\nmargin = 0 %\n", ":2: 0 % is not from 0.01 % to 100 %"},
        /* Numbers and words. */
        {"[gate]\nalpha = 0\n", ":2: '0' is not a number from 1e-06 to 0.5"},
        {"[gate]\nalpha = 1 %\n", ":2: '1 %' is not a number from"},
        {"[gate]\nalpha = 0.6\n", ":2: '0.6' is not a number from"},
        {"[gate]\nscreening_visits = 1\n", ":2: '1' is not a number from 2 to 64"},
        {"[gate]\nrenamed = simd\n", ":2: is no list OLD=NEW,OLD=NEW... of kernels"},
        {"[gate]\nconfirm_visits = 65\n", ":2: '65' is not a number from 2 to 64"},
        {"[gate]\nconfirm_visits = 12.5\n", ":2: '12.5' is no whole number of visits"},
        {"[gate]\nlens = kernel\n", ":2: 'kernel' is not call, device, stream or wait"},
        {"[gate]\non_merge = Warn\n", ":2: 'Warn' is not pass, warn or fail"},
        {"[gate]\non_release =\n", ":2: '' is not pass, warn or fail"},
        {"[gate]\nknown = known.ini\n", ":2: 'known' is no key of [gate], which has margin,"},
        {"[gate]\nmargins = 2 %\n", ":2: 'margins' is no key of [gate], which has margin,"},
        {"[gate]\nMargin = 2 %\n", ":2: 'Margin' is no key of [gate], which has margin,"},
        {"[gate]\nlargest = 5\n", ":2: 'largest' is no key of [gate], which has margin,"},
        {"[gate]\nalpha = 0.1\nmargin = 2 %\nalpha = 0.1\n", ":4: alpha is said already"},
        /* Classes. */
        {"[gate.class.]\n", ":1: '' is no name"},
        {"[gate.class.a b]\n", ":1: 'a b' is no name"},
        {"[gate.class." LONGEST "]\n", ":1: '012345678901234567890123456789"},
        {"[gate.class.all]\n", ":1: a size class cannot be called all"},
        {"[gate.class.a]\nlargest = 1\n[gate.class.a]\n",
         ":3: the size class a is there already, at line 1"},
        {"[gate.class.a]\nlargest = 1\nlargest = 2\n", ":3: largest is said already"},
        {"[gate.class.a]\nlargest = 0\n", ":2: '0' is not a number from 1 to"},
        {"[gate.class.a]\nlargest = inf\n", ":2: 'inf' is not a number from 1 to"},
        {"[gate.class.a]\nlargest = 2^27\n", ":2: '2^27' is not a number from 1 to"},
        {"[gate.class.a]\nlargest = 9\n[gate.class.b]\nlargest = 7\n",
         ":1: the size class a has a `largest`; leave it out in the last"},
        {"[gate.class.a]\n[gate.class.c]\nlargest = 1\n[gate.class.b]\n",
         ":4: the size class b has no `largest`, just as a does at line 1"},
        {"[gate.class.a]\nlargest = 7\n[gate.class.c]\n[gate.class.b]\nlargest = 7\n",
         ":4: the size class b has the same `largest` as a does at line 1"},
        {"[gate.class.1]\n[gate.class.2]\n[gate.class.3]\n[gate.class.4]\n[gate.class.5]\n"
         "[gate.class.6]\n[gate.class.7]\n[gate.class.8]\n[gate.class.9]\n",
         ":9: is one size class too many; at most 8 are read"},
        /* What must be beaten. */
        {"[gate.must]\ncublas-max =\n", ":2: cublas-max needs the size classes"},
        {"[gate.must]\ncublas-max = huge\n", ":2: 'huge' is no size class of this policy"},
        {"[gate.must]\na = all\nb = all large\n", ":3: 'all' is no size class of this policy"},
        {"[gate.must]\na = small\n[gate.class.b]\n", ":2: 'small' is no size class"},
        {"[gate.must]\na = small, large\n", ":2: 'small,' is no size class"},
        {"[gate.must]\na = " LONGEST "\n", ":2: '01234567890123"},
        {"[gate.must]\na = large large\n", ":2: large is said already"},
        {"[gate.must]\na = large\na = small\n", ":3: a is said already"},
        {"[gate.must]\na/b = all\n", ":2: 'a/b' is no name"},
        {"[gate.must]\n" LONGEST " = all\n", ":2: '01234567890123"},
        {"[gate.must]\na=all\nb=all\nc=all\nd=all\ne=all\nf=all\ng=all\nh=all\ni=all\nj=all\nk="
         "all\n"
         "l=all\nm=all\nn=all\no=all\np=all\n\nq=all\n",
         ":19: is one baseline too many; at most 16 are read"},
        /* Known regressions. */
        {"[gate.known]\n64x64 = 8 %\n", ":2: '64x64' is not MxNxK or MxNxK.LABEL"},
        {"[gate.known]\n64x64x64x64 = 8 %\n", ":2: '64x64x64x64' is not"},
        {"[gate.known]\n64_64_64 = 8 %\n", ":2: '64_64_64' is not"},
        {"[gate.known]\n64 x 64 x 64 = 8 %\n", ":2: '64 x 64 x 64' is not"},
        {"[gate.known]\n0x*x* = 8 %\n", ":2: '0x*x*' is not"},
        {"[gate.known]\n064x*x* = 8 %\n", ":2: '064x*x*' is not"},
        {"[gate.known]\n6*x*x* = 8 %\n", ":2: '6*x*x*' is not"},
        {"[gate.known]\n*6x*x* = 8 %\n", ":2: '*6x*x*' is not"},
        {"[gate.known]\n-1x*x* = 8 %\n", ":2: '-1x*x*' is not"},
        {"[gate.known]\nxx = 8 %\n", ":2: 'xx' is not"},
        {"[gate.known]\n*x*x1048577 = 8 %\n", ":2: '*x*x1048577' is not"},
        {"[gate.known]\n*x*x99999999999999999999 = 8 %\n", ":2: '*x*x99999999999999999999' is not"},
        {"[gate.known]\n*x*x*. = 8 %\n", ":2: '*x*x*.' is not"},
        {"[gate.known]\n*x*x*a = 8 %\n", ":2: '*x*x*a' is not"},
        {"[gate.known]\n*x*x*." LONGEST " = 8 %\n", ":2: '*x*x*.0123"},
        {"[gate.known]\n*x*x* = 8 %\n1x1x1 = 8 %\n*x*x* = 9 %\n",
         ":4: *x*x* is said already, at line 2"},
        {"[gate.known]\n*x*x* = 0.08\n", ":2: '0.08' is not a share"},
        {"[gate.known]\n*x*x* = 0 %\n", ":2: 0 % is not from 0.01 % to 1000 %"},
        {"[gate.known]\n*x*x* = 1001 %\n", ":2: 1001 % is not from"},
        {"[gate.known]\n*x*x* =\n", ":2: "},
        {"[gate.known]\n*x*x* = 8 %\n[gate.known]\n",
         ":3: [gate.known] is there already; make one of both"},
        /* Sections. */
        {"margin = 2 %\n", ":1: 'margin' stands before any [section]"},
        {"[gate small]\n", ":1: [gate small] is not a section of a policy"},
        {"[gates]\nmargin = 2 %\n", ":1: [gates] is not a section of a policy"},
        {"\n[findings]\nself-tuning = warn\n",
         ":2: what is refused is fixed, and no policy changes it: take [findings] out"},
        {"[gate]\n\n[gate]\n", ":3: [gate] is there already; make one of both"},
        {"[gate.must]\n[gate]\n[gate.must]\n", ":3: [gate.must] is there already"},
        {"[gate] margin = 2 %\n", ":1: 'margin = 2 %' stands behind a section's name"},
        {"[gate\nmargin = 2 %\n", ":1: neither [section] nor key = value"},
        /* Lines. */
        {"[gate]\nmargin\n", ":2: neither [section] nor key = value"},
        {"[gate]\nmargin = 2 %\n 3 %\n", ":3: begins with a blank"},
        {" [gate]\nmargin = 2 %\n", ":1: begins with a blank"},
        {"[gate]\nlens = call\001\n", ":2: holds bytes that are no UTF-8 text"},
        {"[gate]\rmargin = 3 %\r", ":1: holds bytes that are no UTF-8 text"},
        {"[gate]\n; \377\n", ":2: holds bytes that are no UTF-8 text"},
        {"\177ELF\002\001\001", ":1: holds bytes that are no UTF-8 text"},
        {"[gate]\n;" LONGEST LONGEST LONGEST "\nmargin = 3 %\n",
         ":2: is longer than the 198 bytes that are read of a line"},
        {"[gate]\nmargin = 3 %                                                                  "
         "                                                                                      "
         "                                                 5\n",
         ":2: is longer than the 198 bytes"},
        /* The first line is named and explained, not a later one. */
        {"[gate]\nmargin\nalpha = 2\n[gate]\n", ":2: neither [section] nor key = value"},
        {"[gate]\nalpha = 2\nmargin\n[gate]\n", ":2: '2' is not a number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gate_policy policy;
        char says[200];
        const char *file = put(bad[i].text);
        snprintf(says, sizeof says, "%s%s", *bad[i].says == ':' ? file : "", bad[i].says);
        assert_says(gate_policy_read(file, &policy), -1, says);
        assert_null(policy.known);
    }
}

TEST(a_nul_hides_nothing) {
    static const char text[] = "[gate]\nmargin = 3 %\0\nalpha = 7\n";
    struct gate_policy policy;
    FILE *out = fopen(scratch_path("policy.ini"), "w");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, out), sizeof text - 1);
    assert_int_equal(fclose(out), 0);
    assert_says(gate_policy_read(scratch_path("policy.ini"), &policy), -1,
                "policy.ini:2: holds bytes that are no UTF-8 text");
}

/* To the byte: the longest line that is read is read whole. */
TEST(the_longest_line_is_whole) {
    struct gate_policy policy;
    scratch_put("policy.ini", "[gate]\nmargin = %*s%%\n", 198 - 9 - 1, "7");
    read_policy(scratch_path("policy.ini"), &policy);
    assert_true(policy.margin == 0.07);
    scratch_put("policy.ini", "[gate]\n;%197s\nmargin = %*s%%\n", "", 198 - 9 - 1, "8");
    read_policy(scratch_path("policy.ini"), &policy);
    assert_true(policy.margin == 0.08);
    scratch_put("policy.ini", "[gate]\nmargin = %*s%%\n", 198 - 9, "7");
    assert_says(gate_policy_read(scratch_path("policy.ini"), &policy), -1,
                "policy.ini:2: is longer than the 198 bytes");
}

TEST(files_that_cannot_be_read_are_errors) {
    struct gate_policy policy;
    assert_says(gate_policy_read(scratch_path("none.ini"), &policy), -1, "none.ini: No such file");
    assert_says(gate_policy_read(scratch_path(""), &policy), -1, "cannot be read");
}

/* What the policy says of the kernel on the shape, as it is asked. Lives until the next. */
static const char *said(const struct gate_policy *policy, struct shape shape, const char *candidate,
                        const char *sql) {
    static char text[256];
    char size[3][24];
    struct gate gate = {0};
    gate_open(&gate);
    gate_load_policy(gate.db, policy);
    for (int i = 0; i < 3; i++)
        snprintf(size[i], sizeof size[i], "%lld", (long long)(&shape.m)[i]);
    query_next(query_ask(gate.db,
                         "CREATE TEMP TABLE made AS SELECT CAST(?1 AS INTEGER) AS m, CAST(?2 AS "
                         "INTEGER) AS n, CAST(?3 AS INTEGER) AS k, ?4 AS candidate, 'offline' AS "
                         "mode, 'device' AS lens, '' AS reference, '' AS why",
                         size[0], size[1], size[2], candidate, NULL));
    query_add_pairs(gate.db, "run", &(struct pairs){0});
    query_run(gate.db, query_gate_placed);
    sqlite3_stmt *answer = query_ask(gate.db, sql, NULL);
    assert_true(query_next(answer));
    snprintf(text, sizeof text, "%s", query_text(answer, "x"));
    assert_false(query_next(answer));
    gate_free(&gate);
    return text;
}

TEST(shapes_fall_into_their_class) {
    struct gate_policy policy;
    gate_policy_default(&policy);
    static const struct {
        struct shape shape;
        const char *name;
    } cases[] = {
        {{1, 1, 1}, "small 0"},
        {{512, 512, 512}, "small 0"},
        {{513, 512, 512}, "medium 1"},
        {{2048, 2048, 2048}, "medium 1"},
        {{2048, 2048, 2049}, "large 2"},
        {{SHAPE_MAX_SIZE, SHAPE_MAX_SIZE, SHAPE_MAX_SIZE}, "large 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(said(&policy, cases[i].shape, "mine",
                                 "SELECT class || ' ' || class_place AS x FROM placed"),
                            cases[i].name);
}

/* The libraries that a kernel of the default size class must beat. */
static const char *must_of(const struct gate_policy *policy, int64_t size) {
    return said(policy, (struct shape){size, size, size}, "mine",
                "SELECT group_concat(baseline) AS x FROM wanted WHERE NOT measured");
}

TEST(must_holds_where_it_says) {
    struct gate_policy policy;
    read_policy(put("[gate.must]\ncublas-max = large medium\ntorch-matmul = all\n"), &policy);
    assert_string_equal(must_of(&policy, 4096), "cublas-max,torch-matmul");
    assert_string_equal(must_of(&policy, 1024), "cublas-max,torch-matmul");
    assert_string_equal(must_of(&policy, 64), "torch-matmul");
}

/* The line of the known regression that covers the kernel; "0": there is none. */
static const char *known_of(const struct gate_policy *policy, struct shape shape,
                            const char *candidate) {
    return said(policy, shape, candidate, "SELECT line AS x FROM placed");
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
    struct gate_known known = {.limit = 0.1, .line = 7};
    struct gate_policy policy;
    gate_policy_default(&policy);
    policy.known = &known;
    policy.known_count = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        strcpy(known.pattern, cases[i].pattern);
        if ((atoi(known_of(&policy, cases[i].shape, "blocked")) == 7) != cases[i].matches)
            fail_msg("%s", cases[i].pattern);
    }
    strcpy(known.pattern, "1x*x3.a.b");
    assert_int_equal(atoi(known_of(&policy, (struct shape){1, 2, 3}, "a.b")), 7);
    assert_int_equal(atoi(known_of(&policy, (struct shape){1, 2, 3}, "a")), 0);
}

TEST(the_largest_limit_counts) {
    const struct shape shape = {64, 64, 8192};
    struct gate_policy policy;
    assert_int_equal(
        gate_policy_read(put("[gate.known]\n64x*x8192.blocked = 8 %\n*x*x*.blocked = 5 %\n"
                             "64x64x* = 3 % ; why\n1x1x1 = 90 %\n"),
                         &policy),
        0);
    assert_int_equal(policy.known_count, 4);
    assert_int_equal(atoi(known_of(&policy, shape, "blocked")), 2);
    assert_int_equal(atoi(known_of(&policy, shape, "other")), 4);
    assert_true(policy.known[2].limit == 0.03);
    assert_int_equal(policy.known[2].line, 4);
    assert_int_equal(atoi(known_of(&policy, (struct shape){2, 2, 2}, "other")), 0);
    gate_policy_free(&policy);
}

/* The files of ci/policies: the one with every key says what the code does, and the others are
 * read. */
TEST(our_own_policies_are_read) {
    struct gate_policy policy;
    read_policy(SOURCE "/ci/policies/merge.ini", &policy);
    is_default(&policy);
    read_policy(SOURCE "/ci/policies/a100.ini", &policy);
    is_class(&policy.classes[0], "small", 134217728, 0.04);
    is_class(&policy.classes[2], "large", INFINITY, 0.02);
}

/* The examples in their comments, too: what is commented out is a policy once it is not. */
TEST(commented_examples_are_right) {
    static const char *const files[] = {SOURCE "/ci/policies/merge.ini",
                                        SOURCE "/ci/policies/a100.ini"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct gate_policy policy;
        char line[400];
        FILE *in = fopen(files[i], "r"), *out = fopen(scratch_path("policy.ini"), "w");
        assert_true(in && out);
        while (fgets(line, sizeof line, in))
            fputs(line + (line[0] == ';' && line[1] != ' '), out);
        fclose(in);
        assert_int_equal(fclose(out), 0);
        read_policy(scratch_path("policy.ini"), &policy);
        assert_string_equal(must_of(&policy, 64), "torch-matmul");
        assert_non_null(strstr(must_of(&policy, 16384), "cublas-max"));
        assert_int_equal(policy.known_count, i == 0 ? 2 : 0);
        gate_policy_free(&policy);
    }
}

TESTS_BETWEEN(scratch_make, scratch_remove)
