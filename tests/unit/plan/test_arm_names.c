
#include <stdio.h>
#include <string.h>

#include "bench/command/options/baselines_option.h"
#include "tests/support/stderr.h"
#include "tests/support/test.h"

static const struct wire_baseline libraries[] = {
    {.name = "blas-nn"}, {.name = "blas-tn"}, {.name = "torch"}};

static int check(const char *label, bool has_shape) {
    struct candidate candidate = {.has_shape = has_shape, .path = "set/file.cu"};
    const struct candidate_set set = {.list = &candidate, .count = 1};
    snprintf(candidate.label, sizeof candidate.label, "%s", label);
    return arm_names_check(&set, libraries, 3);
}

static void refused(const char *label, bool has_shape, const char *why) {
    stderr_catch();
    const int status = check(label, has_shape);
    stderr_says(why);
    if (status != -1)
        fail_msg("not refused: %s", label);
}

TEST(names_of_other_arms_are_refused) {
    refused("blas-nn", false,
            "set/file.cu: the kernel would be called 'blas-nn', as a library is: "
            "rename the file");
    refused("blas-tn", true, "as a library is: give the set another name");
    refused("blas-max", false, "as a library is");
    refused("torch", false, "as a library is");
    refused("previous", false, "as the earlier release is");
    refused("aa:blas-nn", false, "as a control is");
    refused("blas-nn#2", false, "with a #, as an algorithm of a library is: rename the file");
    refused("@visit", false, "as what is noted beside the samples is");
}

TEST(names_that_are_no_text_are_refused) {
    refused("caf\351", false, "is no UTF-8");
    refused("a\nb", false, "without control characters");
    refused("a\177", false, "without control characters");
    refused("cut off: \303", false, "is no UTF-8");
    assert_int_equal(check("caf\303\251", false), 0);
}

TEST(names_that_only_resemble_them_are_free) {
    static const char *const names[] = {
        "blas", "blas-n", "blas-maxi", "my-blas-nn", "torch-max", "previous2", "nn", "-max", "a b"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (check(names[i], i % 2) != 0)
            fail_msg("refused: %s", names[i]);
}

TEST(every_kernel_is_looked_at) {
    struct candidate list[2] = {{.label = "good"}, {.label = "torch"}};
    struct candidate_set set = {.list = list, .count = 2};
    stderr_catch();
    const int status = arm_names_check(&set, libraries, 3);
    stderr_says("'torch'");
    assert_int_equal(status, -1);
    assert_int_equal(arm_names_check(&set, libraries, 2), 0);
}
