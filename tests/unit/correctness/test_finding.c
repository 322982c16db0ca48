/* The list of findings: what is noted, and in which words. */

#include "tests/support/findings.h"
#include "tests/support/test.h"

TEST(texts_are_printable) {
    memset(&list, 0, sizeof list);
    finding_add(&list, FINDING_CUDA_EVENT, "a\033[31m\n%s\xc3", "b");
    assert_string_equal(list.items[0].text, "a?[31m?b?");
    char longer[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    finding_add(&list, FINDING_CUDA_EVENT, "%s", longer);
    assert_int_equal(strlen(list.items[1].text), sizeof list.items[1].text - 1);
}

TEST(kinds_have_words_of_their_own) {
    for (int i = 0; i < FINDING_COUNT; i++) {
        const char *word = finding_word((enum finding_kind)i);
        assert_int_equal(strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(word));
        assert_true(strlen(finding_sentence((enum finding_kind)i)) > strlen("is odd"));
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(word, finding_word((enum finding_kind)k));
        }
    }
}

TEST(a_kind_is_a_fact_or_refused) {
    assert_false(finding_is_refused(FINDING_SELF_TUNING));
    assert_string_equal(finding_level(FINDING_SELF_TUNING), "fact");
    assert_true(finding_is_refused(FINDING_WORKSPACE));
    assert_string_equal(finding_level(FINDING_WORKSPACE), "refused");
}
