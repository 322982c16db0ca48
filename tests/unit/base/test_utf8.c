

#include "bench/base/utf8.h"

#include "tests/support/test.h"

/* The first and the last of every length, those beside the surrogates, the examples of RFC 3629. */
TEST(characters_are_decoded) {
    static const struct {
        const char *text;
        size_t length;
        uint32_t code;
    } good[] = {
        {"", 1, 0},
        {"\x01", 1, 1},
        {"\x7f", 1, 0x7f},
        {"\xc2\x80", 2, 0x80},
        {"\xdf\xbf", 2, 0x7ff},
        {"\xe0\xa0\x80", 3, 0x800},
        {"\xe2\x89\xa2", 3, 0x2262},
        {"\xed\x95\x9c", 3, 0xd55c},
        {"\xed\x9f\xbf", 3, 0xd7ff},
        {"\xee\x80\x80", 3, 0xe000},
        {"\xef\xbb\xbf", 3, 0xfeff},
        {"\xef\xbf\xbd", 3, 0xfffd},
        {"\xef\xbf\xbe", 3, 0xfffe}, /* characters or none is the callers' affair */
        {"\xef\xbf\xbf", 3, 0xffff},
        {"\xf0\x90\x80\x80", 4, 0x10000},
        {"\xf0\xa3\x8e\xb4", 4, 0x233b4},
        {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint32_t code = UINT32_MAX;
        assert_int_equal(utf8_decode(good[i].text, &code), good[i].length);
        assert_int_equal(code, good[i].code);
    }
}

TEST(one_character_is_decoded) {
    uint32_t code;
    assert_int_equal(utf8_decode("\xc3\xa9\xc3\xa8", &code), 2);
    assert_int_equal(code, 0xe9);
    assert_int_equal(utf8_decode("a\xff", &code), 1);
    assert_int_equal(code, 'a');
}

TEST(malformed_sequences_have_no_length) {
    static const char *const bad[] = {
        /* A continuation without a beginning; bytes that UTF-8 has not. */
        "\x80",
        "\xbf",
        "\xfe",
        "\xff",
        /* Cut off by the end, by a letter, by another beginning. */
        "\xc2",
        "\xdf",
        "\xe0\xa0",
        "\xef",
        "\xef\xbf",
        "\xf0\x90\x80",
        "\xf4\x8f",
        "\xc2"
        "a",
        "\xe2\x82"
        "a",
        "\xf0\x9f\x98"
        "a",
        "\xe2\xe2\x82\xac",
        /* Longer than need be: a slash, a NUL, the last code of the form before. */
        "\xc0\xaf",
        "\xe0\x80\xaf",
        "\xf0\x80\x80\xaf",
        "\xc0\x80",
        "\xe0\x80\x80",
        "\xf0\x80\x80\x80",
        "\xc1\xbf",
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf",
        /* Surrogates, alone and in a pair. */
        "\xed\xa0\x80",
        "\xed\xad\xbf",
        "\xed\xae\x80",
        "\xed\xbf\xbf",
        "\xed\xa0\x80\xed\xb0\x80",
        /* Past U+10FFFF; the forms of five and six bytes. */
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf7\xbf\xbf\xbf",
        "\xf8\x88\x80\x80\x80",
        "\xfc\x84\x80\x80\x80\x80",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t code;
        assert_int_equal(utf8_decode(bad[i], &code), 0);
    }
}

/* What a page or a terminal can show: no control characters but tab and line ends, no
 * non-characters. */
TEST(what_can_be_shown_has_a_length) {
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"a", 1},
                 {" ", 1},
                 {"\t", 1},
                 {"\n", 1},
                 {"\r", 1},
                 {"\x7f", 0},
                 {"\xc2\x9b", 0},
                 {"\xc2\xa0", 2},
                 {"\xc3\xa9", 2},
                 {"\xef\xbf\xbd", 3},
                 {"\xf0\xa3\x8e\xb4", 4},
                 {"", 0},
                 {"\x01", 0},
                 {"\x1f", 0},
                 {"\xef\xbf\xbe", 0},
                 {"\xef\xbf\xbf", 0},
                 {"\x80", 0},
                 {"\xed\xa0\x80", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(utf8_shown(cases[i].text), cases[i].length);
}
