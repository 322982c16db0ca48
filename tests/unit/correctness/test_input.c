
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/number16.h"
#include "tests/support/matrix.h"
#include "tests/support/test.h"

static uint16_t table[INPUT_TABLE_SIZE];

/* Philox4x32-10 written from the paper (Salmon et al., SC 2011, section 3.3), to hold against
 * Random123's. */
static void philox(const uint32_t counter[4], uint32_t key0, uint32_t key1, uint32_t out[4]) {
    memcpy(out, counter, 4 * sizeof *out);
    for (int round = 0; round < 10; round++, key0 += 0x9E3779B9, key1 += 0xBB67AE85) {
        const uint64_t p0 = (uint64_t)0xD2511F53 * out[0], p1 = (uint64_t)0xCD9E8D57 * out[2];
        const uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ out[1] ^ key0, (uint32_t)p1,
                                  (uint32_t)(p0 >> 32) ^ out[3] ^ key1, (uint32_t)p0};
        memcpy(out, next, sizeof next);
    }
}

/* Known answers of Random123's kat_vectors, philox4x32 10. */
TEST(philox_gives_the_known_answers) {
    const uint32_t zero[4] = {0, 0, 0, 0};
    const uint32_t zero_out[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    const uint32_t pi[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    const uint32_t pi_out[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    uint32_t out[4];
    philox(zero, 0, 0, out);
    assert_memory_equal(out, zero_out, sizeof out);
    philox(pi, 0xa4093822, 0x299f31d0, out);
    assert_memory_equal(out, pi_out, sizeof out);
}

static void identity_table(void) {
    for (int i = 0; i < INPUT_TABLE_SIZE; i++)
        table[i] = (uint16_t)i;
}

TEST(elements_are_the_words_the_header_names) {
    identity_table();
    const uint64_t seed = 0x0123456789abcdef;
    const int64_t rows[] = {0, 1, 77, 1048575}, columns[] = {0, 1, 6, 7, 8, 12345, 1048575};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            for (uint32_t matrix = INPUT_A; matrix <= INPUT_B; matrix++) {
                const int64_t i = rows[r], j = columns[c];
                const uint32_t counter[4] = {(uint32_t)(j / 8), (uint32_t)i, matrix, 0};
                uint32_t out[4];
                philox(counter, 0x89abcdef, 0x01234567, out);
                const uint32_t word = out[j % 8 / 2];
                assert_int_equal(input_element(table, seed, matrix, i, j),
                                 j % 2 ? word >> 16 : word & 0xffff);
            }
}

/* Widths around the group of 8 and the span that the float fill works in. */
TEST(fills_are_the_elements) {
    input_table(ELEMENT_F16, INPUT_NORMAL, 0, table);
    const int64_t widths[] = {1, 7, 8, 9, 1023, 1024, 1025, 2051};
    enum { ROWS = 3, PAD = 5, WIDEST = 2051 };
    static uint16_t half[ROWS * (WIDEST + PAD)];
    static float floats[ROWS * WIDEST];
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const int64_t cols = widths[w], ld = cols + PAD;
        memset(half, 0xff, sizeof half);
        matrix_fill(table, 42, INPUT_B, ROWS, cols, ld, half);
        input_fill_float(ELEMENT_F16, table, 42, INPUT_B, ROWS, cols, floats);
        for (int64_t i = 0; i < ROWS; i++) {
            for (int64_t j = 0; j < cols; j++) {
                const uint16_t want = input_element(table, 42, INPUT_B, i, j);
                assert_int_equal(half[i * ld + j], want);
                assert_true(floats[i * cols + j] == number16_to_float(ELEMENT_F16, want));
            }
            for (int64_t j = cols; j < ld; j++)
                assert_int_equal(half[i * ld + j], 0xffff);
        }
    }
}

/* Expected values: scipy 1.17.1, numpy 2.4,
 *     lower = scipy.special.ndtri((numpy.arange(32768) + 0.5) / 65536)
 *     numpy.concatenate([lower, -lower[::-1]]).astype(numpy.float16)
 * and FNV-1a of the little-endian bytes. The nearest tie is 1.6e-6 of a last place away, so every
 * libm good to a few units in the last place of a double makes the same table. */
TEST(normal_table_holds_the_quantiles) {
    static const struct {
        int u;
        uint16_t half;
    } quantiles[] = {{0, 0xc453},     {1, 0xc414},     {327, 0xc127},   {1638, 0xbfd7},
                     {16384, 0xb965}, {32767, 0x8141}, {32768, 0x0141}, {49151, 0x3965},
                     {63896, 0x3fd7}, {65535, 0x4453}};
    input_table(ELEMENT_F16, INPUT_NORMAL, 0, table);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        assert_int_equal(table[quantiles[i].u], quantiles[i].half);

    uint64_t fnv = 14695981039346656037u;
    double square = 0, fourth = 0;
    for (int u = 0; u < INPUT_TABLE_SIZE; u++) {
        fnv = (fnv ^ (table[u] & 0xff)) * 1099511628211u;
        fnv = (fnv ^ table[u] >> 8) * 1099511628211u;
        const double x = number16_to_float(ELEMENT_F16, table[u]);
        assert_true(number16_to_float(ELEMENT_F16, table[INPUT_TABLE_SIZE - 1 - u]) == -x);
        assert_true(u == 0 || number16_to_float(ELEMENT_F16, table[u - 1]) <= x);
        square += x * x;
        fourth += x * x * x * x;
    }
    assert_true(fnv == 0xf634ba6613df82d9);
    assert_true(fabs(square / INPUT_TABLE_SIZE - 0.9999814675096539) < 1e-12);
    assert_true(fabs(fourth / INPUT_TABLE_SIZE - 2.9991737001363967) < 1e-12);
}

/* By Python: statistics.NormalDist().inv_cdf((u + 0.5) / 65536), rounded to 8 digits, ties to even,
 * with exact fractions (the standard library's Fraction); and FNV-1a as above. */
TEST(normal_table_of_bf16_holds_the_quantiles) {
    static const struct {
        int u;
        uint16_t bits;
    } quantiles[] = {{0, 0xc08a},     {1, 0xc082},     {327, 0xc025},   {1638, 0xbffb},
                     {16384, 0xbf2d}, {32767, 0xb7a0}, {32768, 0x37a0}, {49151, 0x3f2d},
                     {63896, 0x3ffb}, {65535, 0x408a}};
    input_table(ELEMENT_BF16, INPUT_NORMAL, 0, table);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        assert_int_equal(table[quantiles[i].u], quantiles[i].bits);
    uint64_t fnv = 14695981039346656037u;
    for (int u = 0; u < INPUT_TABLE_SIZE; u++) {
        fnv = (fnv ^ (table[u] & 0xff)) * 1099511628211u;
        fnv = (fnv ^ table[u] >> 8) * 1099511628211u;
    }
    assert_true(fnv == 0xfe202283b6c980c9);
    assert_memory_equal(input_table_for(ELEMENT_BF16, INPUT_NORMAL, 0), table, sizeof table);
    input_table(ELEMENT_F16, INPUT_NORMAL, 0, table);
    assert_memory_equal(input_table_for(ELEMENT_F16, INPUT_NORMAL, 0), table, sizeof table);
}

/* Of all that calls are timed on but zeros: no sum of products scatters more than those of normals. */
TEST(timed_tables_have_mean_0_and_variance_1) {
    static const double most[] = {4.42, 1.735, 2};
    for (int way = 0; way < 3 * ELEMENT_COUNT; way++) {
        const enum element element = (enum element)(way / 3);
        double sum = 0, square = 0, largest = 0;
        input_table(element, (enum input_kind)(INPUT_NORMAL + way % 3), 0, table);
        for (int u = 0; u < INPUT_TABLE_SIZE; u++) {
            const double x = number16_to_float(element, table[u]);
            sum += x;
            square += x * x;
            largest = fmax(largest, fabs(x));
        }
        assert_true(fabs(sum) < 1e-6);
        assert_true(fabs(square / INPUT_TABLE_SIZE - 1) < (element == ELEMENT_F16 ? 1e-4 : 1e-3));
        assert_true(largest <= most[way % 3] && largest > most[way % 3] - 0.2);
    }
}

TEST(integers_are_five_and_zeros_are_zero) {
    static const int shares[] = {1, 4, 6, 4, 1}; /* of 16 */
    int counts[5] = {0};
    input_table(ELEMENT_BF16, INPUT_INTEGERS, 0, table);
    for (int u = 0; u < INPUT_TABLE_SIZE; u++)
        counts[lround(2 + (double)number16_to_float(ELEMENT_BF16, table[u]))]++;
    for (int i = 0; i < 5; i++)
        assert_int_equal(counts[i], shares[i] * INPUT_TABLE_SIZE / 16);
    input_table(ELEMENT_F16, INPUT_ZEROS, 0.5, table);
    for (int u = 0; u < INPUT_TABLE_SIZE; u++)
        assert_int_equal(table[u], 0);
}

TEST(binary_table_has_the_share_of_ones) {
    const double densities[] = {0, 0.5, 1, 0.25, 0.1, 1.0 / 65536};
    for (size_t d = 0; d < sizeof densities / sizeof *densities; d++) {
        input_table(ELEMENT_F16, INPUT_BINARY, densities[d], table);
        int ones = 0;
        for (int u = 0; u < INPUT_TABLE_SIZE; u++) {
            assert_true(table[u] == 0 || table[u] == element_power(ELEMENT_F16, 0));
            ones += table[u] == element_power(ELEMENT_F16, 0);
        }
        assert_int_equal(ones, lround(densities[d] * 65536));
    }
}

/* Five standard errors: a mean or variance off by half a percent is seen. */
TEST(drawn_values_have_the_moments) {
    enum { SIZE = 1024 };
    const double count = (double)SIZE * SIZE;
    float *x = malloc(sizeof *x * SIZE * SIZE);
    assert_non_null(x);
    input_table(ELEMENT_F16, INPUT_NORMAL, 0, table);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double sum = 0, square = 0, lag = 0;
        input_fill_float(ELEMENT_F16, table, seed << 33, INPUT_A, SIZE, SIZE, x);
        for (int i = 0; i < SIZE * SIZE; i++) {
            sum += x[i];
            square += (double)x[i] * x[i];
            lag += i > 0 ? (double)x[i] * x[i - 1] : 0;
        }
        assert_true(fabs(sum / count) < 5 / sqrt(count));
        assert_true(fabs(square / count - 1) < 5 * sqrt(2 / count));
        assert_true(fabs(lag / count) < 5 / sqrt(count));
    }
    free(x);
}

/* Share of equal 16-bit words between two 64 x 64 draws; independent ones agree in 1/65536. */
static double share_equal(uint64_t seed1, enum input_matrix matrix1, uint64_t seed2,
                          enum input_matrix matrix2) {
    static uint16_t one[4096], two[4096];
    int equal = 0;
    matrix_fill(table, seed1, matrix1, 64, 64, 64, one);
    matrix_fill(table, seed2, matrix2, 64, 64, 64, two);
    for (int i = 0; i < 4096; i++)
        equal += one[i] == two[i];
    return equal / 4096.0;
}

TEST(seeds_and_matrices_differ) {
    identity_table();
    assert_true(share_equal(7, INPUT_A, 7, INPUT_A) == 1);
    assert_true(share_equal(7, INPUT_A, 8, INPUT_A) < 0.003);
    assert_true(share_equal(7, INPUT_A, 7 + ((uint64_t)1 << 32), INPUT_A) < 0.003);
    assert_true(share_equal(7, INPUT_A, 7, INPUT_B) < 0.003);
}

/* P(Binomial(k, q) < limit), summed exactly in logarithms. */
static double share_below(int64_t limit, int64_t k, double density) {
    const double q = density * density;
    if (k < limit)
        return 1;
    double share = 0;
    for (int64_t i = 0; i < limit; i++)
        share += exp(lgamma((double)k + 1) - lgamma((double)i + 1) - lgamma((double)(k - i) + 1) +
                     (double)i * log(q) + (double)(k - i) * log1p(-q));
    return share;
}

/* At least 0.99, and not much more where the density is below its largest, one half; falling in k;
 * a multiple of 2^-16, so that the table has just this density. */
static void check_density(enum element element, int64_t limit) {
    const int64_t paper[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384};
    assert_int_equal(input_exact_limit(element), limit);
    for (size_t i = 0; i < sizeof paper / sizeof *paper; i++)
        assert_true(share_below(limit, paper[i], input_density(element, paper[i])) >= 0.99);

    double before = 0.5;
    for (int64_t k = 1; k <= SHAPE_MAX_SIZE; k += 1 + k / 64) {
        const double density = input_density(element, k), share = share_below(limit, k, density);
        assert_true(density <= before && density > 0);
        assert_true(density * 65536 == floor(density * 65536));
        assert_true(share >= 0.99);
        assert_true(density == 0.5 || share < 0.993);
        before = density;
    }
}

TEST(density_keeps_the_promised_share) {
    check_density(ELEMENT_F16, 2048);
    assert_true(input_density(ELEMENT_F16, SHAPE_MAX_SIZE) < 0.05);
    assert_true(input_density(ELEMENT_F16, 4096) == 0.5);
    assert_true(share_below(2048, 16384, 1.02 * input_density(ELEMENT_F16, 16384)) < 0.99);
    check_density(ELEMENT_BF16, 256);
    assert_true(input_density(ELEMENT_BF16, 512) == 0.5);
    assert_true(share_below(256, 16384, 1.03 * input_density(ELEMENT_BF16, 16384)) < 0.99);
}

TEST(derived_seeds_are_words_of_their_own) {
    const uint64_t seed = 0xfedcba9876543210, index = 0x500000003;
    const uint32_t counter[4] = {3, 5, SEED_GAP, 1};
    uint32_t out[4];
    philox(counter, 0x76543210, 0xfedcba98, out);
    assert_true(seed_derive(seed, SEED_GAP, index) == ((uint64_t)out[1] << 32 | out[0]));

    enum { INDICES = 200, PURPOSES = SEED_WARMUP };
    static uint64_t drawn[INDICES * PURPOSES];
    for (int purpose = 0; purpose < PURPOSES; purpose++)
        for (int i = 0; i < INDICES; i++)
            drawn[purpose * INDICES + i] =
                seed_derive(1, SEED_CHECK + (unsigned)purpose, (uint64_t)i);
    for (int i = 0; i < INDICES * PURPOSES; i++)
        for (int j = 0; j < i; j++)
            assert_true(drawn[i] != drawn[j]);
}

TEST(every_shape_has_a_seed_of_its_own) {
    const int64_t sizes[] = {64, 128, 16384};
    uint64_t seeds[27];
    int count = 0;
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++)
            for (int k = 0; k < 3; k++)
                seeds[count++] = seed_of_shape(1, (struct shape){sizes[m], sizes[n], sizes[k]});
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            assert_true(seeds[i] != seeds[j]);
    assert_true(seeds[0] == seed_of_shape(1, (struct shape){64, 64, 64}));
    assert_true(seeds[0] != seed_of_shape(2, (struct shape){64, 64, 64}));
}

TEST(uniform_stays_below_one) {
    assert_true(seed_uniform(0) == 0);
    assert_true(seed_uniform(UINT64_MAX) == 1 - 0x1p-53);
    assert_true(seed_uniform((uint64_t)1 << 63) == 0.5);
    double sum = 0;
    for (uint64_t i = 0; i < 10000; i++)
        sum += seed_uniform(seed_derive(9, SEED_GAP, i));
    assert_true(fabs(sum / 10000 - 0.5) < 5 / sqrt(12 * 10000.0));
}
