
#include <string.h>

#include "correctness/audit/finding.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static void is_default_but(const struct audit_policy *policy, enum finding_kind kind,
                           enum finding_level level) {
    for (int i = 0; i < FINDING_COUNT; i++)
        assert_int_equal(policy->level[i], i == (int)kind ? level : finding_default(i));
}

/* What the issue of a kernel's behaviour asks for, whatever the list says today. */
TEST(defaults_are_as_published) {
    struct audit_policy policy;
    audit_policy_default(&policy);
    is_default_but(&policy, FINDING_COUNT, LEVEL_INFO);
    static const enum finding_kind reject[] = {FINDING_OTHER_STREAM, FINDING_LIBRARY_GEMM,
                                               FINDING_CUDA_LIMIT, FINDING_NO_KERNEL},
                                   warn[] = {FINDING_ALLOC_PER_CALL, FINDING_SYNC_PER_CALL,
                                             FINDING_SELF_TUNING,    FINDING_HOST_COPY,
                                             FINDING_CODE_LOADING,   FINDING_CUDA_GRAPH,
                                             FINDING_CUDA_HOST_CALL},
                                   info[] = {FINDING_FIRST_CALL_WORK, FINDING_CHANGING_KERNELS,
                                             FINDING_CUDA_ALLOC};
    for (size_t i = 0; i < sizeof reject / sizeof *reject; i++)
        assert_int_equal(policy.level[reject[i]], LEVEL_REJECT);
    for (size_t i = 0; i < sizeof warn / sizeof *warn; i++)
        assert_int_equal(policy.level[warn[i]], LEVEL_WARN);
    for (size_t i = 0; i < sizeof info / sizeof *info; i++)
        assert_int_equal(policy.level[info[i]], LEVEL_INFO);
}

TEST(words_differ) {
    for (int i = 0; i < FINDING_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(finding_word(i), finding_word(j));
}

TEST(good_files_change_what_they_name) {
    static const struct {
        const char *text;
        enum finding_kind kind;
        enum finding_level level;
    } good[] = {
        {"", FINDING_COUNT, LEVEL_INFO},
        {"; nothing\n\n[findings]\n", FINDING_COUNT, LEVEL_INFO},
        {"[findings]\nsync-per-call = reject\n", FINDING_SYNC_PER_CALL, LEVEL_REJECT},
        {"\357\273\277[findings]\r\nsync-per-call=reject\r\n", FINDING_SYNC_PER_CALL, LEVEL_REJECT},
        {"[findings]\nlibrary-gemm = warn ; for now\n", FINDING_LIBRARY_GEMM, LEVEL_WARN},
        {"[findings]\n# of the paper\nother-stream: info\n", FINDING_OTHER_STREAM, LEVEL_INFO},
        {"[gate]\nmargin = 2 %\n[findings]\nmalformed = info\n[gate small]\nmargin = 5 %\n",
         FINDING_MALFORMED, LEVEL_INFO},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct audit_policy policy;
        scratch_put("policy.ini", "%s", good[i].text);
        assert_int_equal(audit_policy_read(scratch_path("policy.ini"), &policy), 0);
        is_default_but(&policy, good[i].kind, good[i].level);
    }
}

TEST(bad_files_name_the_line) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"[findings]\nself-tunning = warn\n",
         "policy.ini:2: 'self-tunning' is not a finding's word"},
        {"[findings]\n\nself-tuning = error\n",
         "policy.ini:3: 'error' is not info, warn or reject"},
        {"[findings]\nself-tuning = Warn\n", "policy.ini:2: 'Warn' is not info, warn or reject"},
        {"[findings]\nself-tuning =\n", "policy.ini:2: '' is not info, warn or reject"},
        {"[findings]\nself-tuning = warn\ncuda-limit = info\nself-tuning = warn\n",
         "policy.ini:4: self-tuning is said already; remove one"},
        {"[finding]\nself-tuning = warn\n", "policy.ini:1: [finding] is not a section of a policy"},
        {"self-tuning = warn\n", "policy.ini:1: 'self-tuning' stands before any [section]"},
        {"[findings]\nself-tuning\n", "policy.ini:2: neither [section] nor key = value"},
        {"[findings\nself-tuning = warn\n", "policy.ini:1: neither [section] nor key = value"},
        /* The first line is named and explained, not a later one. */
        {"[findings]\nself-tuning\nnone = warn\n",
         "policy.ini:2: neither [section] nor key = value"},
        {"[findings]\nnone = warn\nself-tuning\nnever = warn\n",
         "policy.ini:2: 'none' is not a finding's word"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct audit_policy policy;
        scratch_put("policy.ini", "%s", bad[i].text);
        assert_says(audit_policy_read(scratch_path("policy.ini"), &policy), -1, bad[i].says);
    }
}

/* What is beyond 198 bytes would be a line of its own: in the first text, a setting that was only a
 * comment. */
TEST(long_lines_are_refused) {
    static const struct {
        const char *before, *begins, *beyond; /* the line is filled up with blanks to 198 bytes */
        const char *says;
    } texts[] = {
        {"[findings]\n", "self-tuning = warn ;", "cuda-limit = info\n", "policy.ini:2: is longer"},
        {"[findings]\n", "; ", ".\nself-tuning = warn\n", "policy.ini:2: is longer"},
        {"[gate]\n", "margin = 2 % ;", ".", "policy.ini:2: is longer"},
        {"", "; ", ".\n[findings]\nnone = warn\n",
         "policy.ini:1: is longer than the 198 bytes that are read of a line; shorten it"},
        /* The first line is named and explained. */
        {"[findings]\nnone = warn\n", "; ", ".", "policy.ini:2: 'none' is not a finding's word"},
        {"[findings]\nself-tuning\n", "; ", ".", "policy.ini:2: neither [section]"},
    };
    struct audit_policy policy;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scratch_put("policy.ini", "%s%-198s%s", texts[i].before, texts[i].begins, texts[i].beyond);
        assert_says(audit_policy_read(scratch_path("policy.ini"), &policy), -1, texts[i].says);
    }
    scratch_put("policy.ini", "[findings]\n%-198s\n%-198s", ";", "self-tuning = reject");
    assert_int_equal(audit_policy_read(scratch_path("policy.ini"), &policy), 0);
    is_default_but(&policy, FINDING_SELF_TUNING, LEVEL_REJECT);
}

TEST(files_that_cannot_be_read_are_errors) {
    struct audit_policy policy;
    assert_says(audit_policy_read(scratch_path("none.ini"), &policy), -1, "none.ini: No such file");
    assert_says(audit_policy_read(scratch_path(""), &policy), -1, "cannot be read");
}

TESTS_BETWEEN(scratch_make, scratch_remove)
