/* What users and files call modes, lenses, caches and outcomes. */
#include "bench/base/words.h"

#include <string.h>

#include "bench/base/outcome.h"
#include "tests/support/test.h"

TEST(words_stand_in_the_order_of_the_enum) {
    assert_string_equal(words_modes[MODE_SERVER], "server");
    assert_string_equal(words_lenses[LENS_CALL], "call");
    assert_string_equal(words_lenses[LENS_WAIT], "wait");
    assert_string_equal(words_caches[CACHE_COLD], "cold");
    assert_null(words_modes[MODE_COUNT]);
    assert_null(words_lenses[LENS_COUNT]);
    assert_null(words_caches[CACHE_COUNT]);
    assert_string_equal(words_places[PLACE_STAGE], "stage");
    assert_null(words_places[PLACE_COUNT]);
}

TEST(a_lens_is_its_traits) {
    assert_true(words_lens_is(LENS_CALL, LENS_HOST_TIME));
    assert_false(words_lens_is(LENS_CALL, LENS_HELD));
    assert_true(words_lens_is(LENS_STREAM, LENS_HELD) && words_lens_is(LENS_STREAM, LENS_MANY));
    assert_false(words_lens_is(LENS_DEVICE, LENS_MANY));
    assert_int_equal(words_lenses_with(LENS_HELD), 1 << LENS_DEVICE | 1 << LENS_STREAM);
    assert_int_equal(words_lenses_with(LENS_HOST_CLOCK), 1 << LENS_WAIT);
}

TEST(words_with_commas_are_bits) {
    assert_int_equal(words_bits(words_modes, "server"), 1 << MODE_SERVER);
    assert_int_equal(words_bits(words_lenses, "stream, call ,stream"),
                     1 << LENS_CALL | 1 << LENS_STREAM);
    static const char *const none[] = {
        "",      ",",           "call,",
        ",call", "call stream", "calls",
        "cal",   "call,,wait",  "a-word-that-is-longer-than-any-of-the-words"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(words_bits(words_lenses, none[i]), 0);
}

/* Each outcome has a word for files and a sentence, and no other has the same. */
TEST(outcomes_have_words_of_their_own) {
#define SENTENCE(id, word, sentence) sentence,
    static const char *const sentences[] = {OUTCOMES(SENTENCE)};
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        const char *word = outcome_word((enum outcome)i);
        assert_true(word && *word && !strpbrk(word, " ,\"\n"));
        const char *sentence = sentences[i];
        assert_true(sentence && strchr(sentence, ' ') && sentence[strlen(sentence) - 1] != '.');
        for (int j = 0; j < i; j++)
            assert_string_not_equal(word, outcome_word((enum outcome)j));
    }
    assert_string_equal(outcome_word(OUTCOME_OK), "ok");
    assert_string_equal(outcome_word(OUTCOME_DISHONEST), "dishonest");
    assert_string_equal(outcome_word(OUTCOME_WROTE_OUTSIDE), "wrote-outside");
}

TEST(words_are_listed_as_people_do) {
    static const char *const some[] = {"a", "b", "c", NULL};
    char text[32];
    assert_string_equal(words_list(some, text, sizeof text), "a, b or c");
    assert_string_equal(words_list(some + 1, text, sizeof text), "b or c");
    assert_string_equal(words_list(some + 2, text, sizeof text), "c");
    assert_string_equal(words_list(some, text, 5), "a, b");
}
