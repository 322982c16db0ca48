#include "correctness/numbers/binary_product.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/team.h"

enum { WORD = 64, SPAN = 1024, TILE = 4 };

/* rows x words, bit l of word w of row i: A[i][64 w + l]. */
static void pack_a(struct shape s, const uint16_t *table, uint64_t seed, size_t words,
                   uint64_t *bits) {
#pragma omp parallel for num_threads(team_size(s.m *s.k))
    for (int64_t i = 0; i < s.m; i++) {
        uint16_t half[WORD];
        for (size_t w = 0; w < words; w++) {
            const int64_t first = (int64_t)w * WORD,
                          count = s.k - first < WORD ? s.k - first : WORD;
            uint64_t word = 0;
            input_fill_span(table, seed, INPUT_A, i, first, count, half);
            for (int64_t l = 0; l < count; l++)
                word |= (uint64_t)(half[l] != 0) << l;
            bits[(size_t)i * words + w] = word;
        }
    }
}

/* columns x words, bit l of word w of column j: B[64 w + l][j]. */
static void pack_b(struct shape s, const uint16_t *table, uint64_t seed, size_t words,
                   uint64_t *bits) {
#pragma omp parallel for num_threads(team_size(s.k *s.n))
    for (size_t w = 0; w < words; w++) {
        const int64_t first = (int64_t)w * WORD, rows = s.k - first < WORD ? s.k - first : WORD;
        for (int64_t column = 0; column < s.n; column += SPAN) {
            const int64_t count = s.n - column < SPAN ? s.n - column : SPAN;
            uint64_t word[SPAN] = {0};
            uint16_t half[SPAN];
            for (int64_t l = 0; l < rows; l++) {
                input_fill_span(table, seed, INPUT_B, first + l, column, count, half);
                for (int64_t j = 0; j < count; j++)
                    word[j] |= (uint64_t)(half[j] != 0) << l;
            }
            for (int64_t j = 0; j < count; j++)
                bits[(size_t)(column + j) * words + w] = word[j];
        }
    }
}

/* A tile of TILE x TILE sums; each word that is read is used TILE times. */
static inline __attribute__((always_inline)) void count(const uint64_t *a, const uint64_t *b,
                                                        size_t words, uint64_t sum[TILE][TILE]) {
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) {
            uint64_t ones = 0;
            for (size_t w = 0; w < words; w++)
                ones += (uint64_t)__builtin_popcountll(a[(size_t)i * words + w] &
                                                       b[(size_t)j * words + w]);
            sum[i][j] = ones;
        }
}

typedef void count_function(const uint64_t *a, const uint64_t *b, size_t words,
                            uint64_t sum[TILE][TILE]);

static void count_plain(const uint64_t *a, const uint64_t *b, size_t words,
                        uint64_t sum[TILE][TILE]) {
    count(a, b, words, sum);
}

#ifdef __x86_64__
__attribute__((target("popcnt"))) static void count_popcnt(const uint64_t *a, const uint64_t *b,
                                                           size_t words, uint64_t sum[TILE][TILE]) {
    count(a, b, words, sum);
}

__attribute__((target("avx512f,avx512vpopcntdq,popcnt"))) static void
count_avx512(const uint64_t *a, const uint64_t *b, size_t words, uint64_t sum[TILE][TILE]) {
    count(a, b, words, sum);
}
#endif

static count_function *choose(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512vpopcntdq"))
        return count_avx512;
    if (__builtin_cpu_supports("popcnt"))
        return count_popcnt;
#endif
    return count_plain;
}

/* Rows of A stay in the first cache while B passes by. The packed matrices have rows of zeros up to
 * a whole tile. */
static void multiply(struct shape s, const uint64_t *a, const uint64_t *b, size_t words, float *c) {
    count_function *const count_tile = choose();
#pragma omp parallel for schedule(dynamic, 4) num_threads(team_size(s.m *s.n *(int64_t)words))
    for (int64_t i = 0; i < s.m; i += TILE)
        for (int64_t j = 0; j < s.n; j += TILE) {
            uint64_t sum[TILE][TILE];
            count_tile(a + (size_t)i * words, b + (size_t)j * words, words, sum);
            for (int64_t row = i; row < s.m && row < i + TILE; row++)
                for (int64_t column = j; column < s.n && column < j + TILE; column++)
                    c[row * s.n + column] = (float)sum[row - i][column - j];
        }
}

int binary_product(struct shape s, const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                   float *c) {
    const size_t words = ((size_t)s.k + WORD - 1) / WORD;
    const size_t m = ((size_t)s.m + TILE - 1) / TILE * TILE;
    const size_t n = ((size_t)s.n + TILE - 1) / TILE * TILE;
    uint64_t *a = calloc(m * words, sizeof *a), *b = calloc(n * words, sizeof *b);
    if (a && b) {
        pack_a(s, table, seed, words, a);
        pack_b(s, table, seed, words, b);
        multiply(s, a, b, words, c);
    }
    const int status = a && b ? 0 : -1;
    free(a);
    free(b);
    return status;
}
