#include "correctness/numbers/reference.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/base/openblas.h"
#include "bench/base/shape.h"
#include "correctness/numbers/input.h"

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
static void multiply_bits(struct shape s, const uint64_t *a, const uint64_t *b, size_t words,
                          float *c) {
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

/* c, m x n row-major, becomes the product of the inputs that the table, one of INPUT_BINARY, gives
 * for the seed. 0, or -1 without memory. */
static int binary_product(struct shape s, const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                          float *c) {
    const size_t words = ((size_t)s.k + WORD - 1) / WORD;
    const size_t m = ((size_t)s.m + TILE - 1) / TILE * TILE;
    const size_t n = ((size_t)s.n + TILE - 1) / TILE * TILE;
    uint64_t *a = calloc(m * words, sizeof *a), *b = calloc(n * words, sizeof *b);
    if (a && b) {
        pack_a(s, table, seed, words, a);
        pack_b(s, table, seed, words, b);
        multiply_bits(s, a, b, words, c);
    }
    const int status = a && b ? 0 : -1;
    free(a);
    free(b);
    return status;
}

_Static_assert(SHAPE_MAX_SIZE <= INT_MAX, "sizes and leading dimensions are int in CBLAS");

static struct {
    enum element element;
    struct shape shape;
    struct {
        float *c;    /* kept from shape to shape: memory that is new costs more than the product */
        size_t room; /* in bytes */
        bool made;
        uint64_t seed;
    } product[INPUT_KINDS];
} last;

static void free_product(int kind) {
    free(last.product[kind].c);
    last.product[kind].c = NULL;
    last.product[kind].room = 0;
    last.product[kind].made = false;
}

void reference_free(void) {
    for (int kind = 0; kind < INPUT_KINDS; kind++)
        free_product(kind);
}

/* Room for the product, whatever is in it. */
static float *make_room(int kind, struct shape s) {
    const size_t bytes = (size_t)s.m * (size_t)s.n * sizeof(float);
    if (last.product[kind].room < bytes) {
        free_product(kind);
        if ((last.product[kind].c = malloc(bytes)))
            last.product[kind].room = bytes;
    }
    return last.product[kind].c;
}

static int is_size(int64_t size) {
    return size >= 1 && size <= SHAPE_MAX_SIZE;
}

static float *alloc_floats(int64_t rows, int64_t cols) {
    return malloc((size_t)rows * (size_t)cols * sizeof(float));
}

static int multiply(enum element element, struct shape s, enum input_kind kind, uint64_t seed,
                    float *c) {
    uint16_t *table = malloc(INPUT_TABLE_SIZE * sizeof *table);
    if (table && kind == INPUT_BINARY) {
        input_table(element, kind, input_density(element, s.k), table);
        const int status = binary_product(s, table, seed, c);
        free(table);
        return status;
    }
    float *a = alloc_floats(s.m, s.k);
    float *b = alloc_floats(s.k, s.n);
    const int enough = table && a && b;
    if (enough) {
        input_table(element, kind, input_density(element, s.k), table);
        input_fill_float(element, table, seed, INPUT_A, s.m, s.k, a);
        input_fill_float(element, table, seed, INPUT_B, s.k, s.n, b);
        openblas()->cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)s.m, (int)s.n,
                                (int)s.k, 1.0f, a, (int)s.k, b, (int)s.n, 0.0f, c, (int)s.n);
    }
    free(b);
    free(a);
    free(table);
    return enough ? 0 : -1;
}

const float *reference_product(enum element element, struct shape shape, enum input_kind kind,
                               uint64_t seed) {
    char text[SHAPE_TEXT];
    if (!is_size(shape.m) || !is_size(shape.n) || !is_size(shape.k)) {
        error("reference product: sizes must be from 1 to %d", SHAPE_MAX_SIZE);
        return NULL;
    }
    if (!openblas())
        return NULL;
    if (shape_compare(shape, last.shape) != 0 || element != last.element)
        for (int i = 0; i < INPUT_KINDS; i++)
            last.product[i].made = false;
    last.shape = shape;
    last.element = element;

    if (last.product[kind].made && last.product[kind].seed == seed)
        return last.product[kind].c;
    float *c = make_room(kind, shape);
    if (!c || multiply(element, shape, kind, seed, c) < 0) {
        free_product(kind);
        error("reference product of %s: out of memory, %.3g GB are needed; leave the shape out or "
              "use a larger machine",
              shape_format(shape, text),
              4e-9 * ((double)shape.m * (double)shape.k + (double)shape.k * (double)shape.n +
                      (double)shape.m * (double)shape.n));
        return NULL;
    }
    last.product[kind].made = true;
    last.product[kind].seed = seed;
    return c;
}
