
#include <string.h>

#include "bench/base/shape.h"
#include "tests/support/test.h"

TEST(good_text_is_read) {
    static const struct {
        const char *text;
        struct shape shape;
    } good[] = {
        {"1x1x1", {1, 1, 1}},
        {"64x128x256", {64, 128, 256}},
        {"64_128_256", {64, 128, 256}},
        {"007x08x9", {7, 8, 9}},
        {"1048576x1048576x1048576", {1048576, 1048576, 1048576}},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct shape shape = {0};
        assert_null(shape_parse(good[i].text, &shape));
        assert_int_equal(shape_compare(shape, good[i].shape), 0);
    }
}

TEST(bad_text_is_explained_and_leaves_the_shape) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "MxNxK"},
        {"64", "MxNxK"},
        {"64x64", "MxNxK"},
        {"64x64x", "MxNxK"},
        {"x64x64", "MxNxK"},
        {"64xx64", "MxNxK"},
        {"64X64X64", "MxNxK"},
        {"64x64xk", "MxNxK"},
        {" 64x64x64", "MxNxK"},
        {"+64x64x64", "MxNxK"},
        {"64x64x64x64", "nothing after"},
        {"64x64x64\n", "nothing after"},
        {"64x64x64.0", "nothing after"},
        {"64x64_64", "one separator"},
        {"64_64x64", "one separator"},
        {"0x64x64", "positive"},
        {"64x00x64", "positive"},
        {"64x64x-1", "positive"},
        {"1048577x1x1", "over the largest"},
        {"1x1x18446744073709551617", "over the largest"}, /* 2^64 + 1 */
        {"1x1x99999999999999999999999999999999999999", "over the largest"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct shape shape = {1, 2, 3};
        const char *says = shape_parse(bad[i].text, &shape);
        assert_non_null(says);
        assert_non_null(strstr(says, bad[i].says));
        assert_int_equal(shape_compare(shape, (struct shape){1, 2, 3}), 0);
    }
}

TEST(format_is_what_parse_reads) {
    const struct shape most = {SHAPE_MAX_SIZE, SHAPE_MAX_SIZE, SHAPE_MAX_SIZE};
    char text[SHAPE_TEXT];
    struct shape shape;
    assert_string_equal(shape_format(most, text), "1048576x1048576x1048576");
    assert_null(shape_parse(text, &shape));
    assert_int_equal(shape_compare(shape, most), 0);
}

TEST(order_is_by_m_then_n_then_k) {
    static const struct shape rising[] = {{1, 9, 9}, {2, 1, 9}, {2, 2, 1}, {2, 2, 2}, {3, 1, 1}};
    enum { COUNT = sizeof rising / sizeof *rising };
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++)
            assert_int_equal(shape_compare(rising[i], rising[j]), (i > j) - (i < j));
}

TEST(flops_are_exact) {
    assert_true(shape_flops((struct shape){3, 5, 7}) == 210);
    assert_true(shape_flops((struct shape){16384, 16384, 16384}) == 8796093022208.0);
    assert_true(shape_flops((struct shape){1048576, 1048576, 1048576}) == 0x1p61);
}
