#include "correctness/numbers/reference_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/cores.h"
#include "bench/base/need.h"
#include "correctness/numbers/number16.h"
#include "correctness/numbers/philox_words.h"

enum { SPAN = 256, ROWS = REFERENCE_ROWS, VECTORS = REFERENCE_VECTORS };

/* The secret is drawn under this number, in the place of a matrix's: inputs have their own seed. */
enum { DRAW_SIGNS, DRAW_ROWS };

struct check {
    enum element element;
    struct shape shape;
    enum input_kind kind;
    uint64_t seed;
    const float *c;
    int64_t rows[ROWS];
    const uint16_t *table;
    double *x;     /* VECTORS x n: the signs */
    double *y;     /* VECTORS x k: B x */
    double *parts; /* spans x VECTORS x k: B x of the columns of a span */
    float *drawn;  /* ROWS x k: the rows of A that were drawn */
    double *exact; /* ROWS x n: their products */
};

static int64_t span_count(int64_t n) {
    return (n + SPAN - 1) / SPAN;
}

static void fill_span(const struct check *check, enum input_matrix matrix, int64_t row,
                      int64_t first, int64_t count, float *out) {
    uint16_t bits[SPAN];
    input_fill_span(check->table, check->seed, matrix, row, first, count, bits);
    number16_to_floats(check->element, bits, out, count);
}

static double dot(const float *a, const double *x, int64_t count) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < count; i++)
        sum += (double)a[i] * x[i];
    return sum;
}

static void draw(struct check *check, uint64_t secret) {
    uint16_t word[PHILOX_GROUP];
    for (int64_t j = 0; j < check->shape.n; j++) {
        if (j % PHILOX_GROUP == 0)
            philox_words(secret, DRAW_SIGNS, 0, (uint32_t)(j / PHILOX_GROUP), word);
        for (int v = 0; v < VECTORS; v++)
            check->x[v * check->shape.n + j] = word[j % PHILOX_GROUP] >> v & 1 ? 1 : -1;
    }
    philox_words(secret, DRAW_ROWS, 0, 0, word);
    for (int r = 0; r < ROWS; r++) {
        const uint32_t number = (uint32_t)word[2 * r] << 16 | word[2 * r + 1];
        check->rows[r] = (int64_t)((uint64_t)number * (uint64_t)check->shape.m >> 32);
        for (int64_t l = 0; l < check->shape.k; l += SPAN)
            fill_span(check, INPUT_A, check->rows[r], l,
                      check->shape.k - l < SPAN ? check->shape.k - l : SPAN,
                      check->drawn + r * check->shape.k + l);
    }
}
_Static_assert(2 * ROWS <= PHILOX_GROUP, "a draw has words for all rows");

/* One pass over the columns of B from `first`: their part of B x, and of the drawn rows' products.
 */
static void pass_columns(struct check *check, int64_t first) {
    const int64_t n = check->shape.n, k = check->shape.k;
    const int64_t count = n - first < SPAN ? n - first : SPAN;
    double *part = check->parts + first / SPAN * VECTORS * k;
    float b[SPAN];
    for (int64_t l = 0; l < k; l++) {
        fill_span(check, INPUT_B, l, first, count, b);
        for (int v = 0; v < VECTORS; v++)
            part[v * k + l] = dot(b, check->x + v * n + first, count);
        for (int r = 0; r < ROWS; r++) {
            const double a = (double)check->drawn[r * k + l];
            double *sum = check->exact + r * n + first;
            for (int64_t j = 0; j < count; j++)
                sum[j] += a * (double)b[j];
        }
    }
}

static void multiply_b(struct check *check) {
    const int64_t spans = span_count(check->shape.n), size = VECTORS * check->shape.k;
#pragma omp parallel for schedule(dynamic) num_threads(team_size(check->shape.n * check->shape.k))
    for (int64_t span = 0; span < spans; span++)
        pass_columns(check, span * SPAN);
#pragma omp parallel for num_threads(team_size(size *spans))
    for (int64_t at = 0; at < size; at++) {
        double sum = 0;
        for (int64_t span = 0; span < spans; span++)
            sum += check->parts[span * size + at];
        check->y[at] = sum;
    }
}

static double tolerance(const struct check *check, double columns, double squares) {
    const double chunk = fmin((double)check->shape.k, REFERENCE_CHUNK);
    return check->kind == INPUT_BINARY ? 0 : 64 * 0x1p-24 * sqrt(columns * (chunk + 2) * squares);
}

/* NaN and infinity are off. */
static bool is_off(const struct reference_fault *look) {
    return !(fabs(look->got - look->want) <= look->allowed);
}

/* Looks at row i of C x - A (B x). Returns whether it is right; *look is the last sum looked at. */
static bool row_is_right(const struct check *check, int64_t i, struct reference_fault *look) {
    const int64_t n = check->shape.n, k = check->shape.k;
    double want[VECTORS] = {0}, squares = 0;
    float a[SPAN];
    for (int64_t l = 0; l < k; l += SPAN) {
        const int64_t count = k - l < SPAN ? k - l : SPAN;
        fill_span(check, INPUT_A, i, l, count, a);
        for (int v = 0; v < VECTORS; v++)
            want[v] += dot(a, check->y + v * k + l, count);
        for (int64_t e = 0; e < count; e++)
            squares += (double)a[e] * (double)a[e];
    }
    for (int v = 0; v < VECTORS; v++) {
        *look = (struct reference_fault){.row = i,
                                         .col = -1,
                                         .got = dot(check->c + i * n, check->x + v * n, n),
                                         .want = want[v],
                                         .allowed = tolerance(check, (double)n, squares)};
        if (is_off(look))
            return false;
    }
    return true;
}

/* Looks at the elements of the r-th row that was drawn. */
static bool drawn_is_right(const struct check *check, int r, struct reference_fault *look) {
    const int64_t n = check->shape.n, k = check->shape.k;
    double squares = 0;
    for (int64_t l = 0; l < k; l++)
        squares += (double)check->drawn[r * k + l] * (double)check->drawn[r * k + l];
    for (int64_t j = 0; j < n; j++) {
        *look = (struct reference_fault){.row = check->rows[r],
                                         .col = j,
                                         .got = (double)check->c[check->rows[r] * n + j],
                                         .want = check->exact[r * n + j],
                                         .allowed = tolerance(check, 1, squares)};
        if (is_off(look))
            return false;
    }
    return true;
}

static bool is_right(struct check *check, struct reference_fault *fault) {
    for (int r = 0; r < ROWS; r++)
        if (!drawn_is_right(check, r, fault))
            return false;
    int64_t first = check->shape.m;
#pragma omp parallel for num_threads(team_size(check->shape.m *(check->shape.k + check->shape.n))) \
    reduction(min                                                                                  \
              : first)
    for (int64_t i = 0; i < check->shape.m; i++) {
        struct reference_fault look;
        if (!row_is_right(check, i, &look) && i < first)
            first = i;
    }
    return first == check->shape.m || row_is_right(check, first, fault);
}

static void *alloc(int64_t count, size_t size) {
    return need((size_t)count, size);
}

bool reference_check(enum element element, struct shape shape, enum input_kind kind, uint64_t seed,
                     const float *c, uint64_t secret, struct reference_fault *fault) {
    struct check *check = alloc(1, sizeof *check);
    check->element = element;
    check->shape = shape;
    check->kind = kind;
    check->seed = seed;
    check->c = c;
    check->x = alloc(VECTORS * shape.n, sizeof *check->x);
    check->y = alloc(VECTORS * shape.k, sizeof *check->y);
    check->parts = alloc(span_count(shape.n) * VECTORS * shape.k, sizeof *check->parts);
    check->drawn = alloc(ROWS * shape.k, sizeof *check->drawn);
    check->exact = alloc(ROWS * shape.n, sizeof *check->exact);
    check->table = input_table_for(element, kind, shape.k);
    draw(check, secret);
    multiply_b(check);
    const bool right = is_right(check, fault);
    free(check->x);
    free(check->y);
    free(check->parts);
    free(check->drawn);
    free(check->exact);
    free(check);
    return right;
}
