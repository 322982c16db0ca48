#include "correctness/numbers/input.h"

#include <math.h>

#include "bench/base/cores.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"

/* The x > 0 that a standard normal exceeds with probability q in [2^-17, 1/2). The start is good to
 * 4.5e-4 (Abramowitz & Stegun 26.2.23); Halley's step cubes the error, so two reach the last places
 * of a double. */
static double normal_upper_quantile(double q) {
    const double t = sqrt(-2 * log(q));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int step = 0; step < 2; step++) {
        const double density = exp(-x * x / 2) * 0.3989422804014327; /* 1 / sqrt(2 pi) */
        const double newton = (erfc(x * sqrt(0.5)) / 2 - q) / density;
        x += newton / (1 + x * newton / 2);
    }
    return x;
}

/* Rounds once; by way of float it would be twice. A number on the element's grid converts exactly.
 */
static uint16_t from_double(enum element element, double x) {
    const double ulp = number16_ulp(element, (float)x);
    return number16_from_float(element, (float)(rint(x / ulp) * ulp));
}

static void normal_table(enum element element, uint16_t table[INPUT_TABLE_SIZE]) {
    for (int i = 0; i < INPUT_TABLE_SIZE / 2; i++) {
        const double x = normal_upper_quantile((i + 0.5) / INPUT_TABLE_SIZE);
        table[i] = from_double(element, -x);
        table[INPUT_TABLE_SIZE - 1 - i] = from_double(element, x);
    }
}

static void binary_table(enum element element, double density, uint16_t table[INPUT_TABLE_SIZE]) {
    const long ones = lround(density * INPUT_TABLE_SIZE);
    for (int i = 0; i < INPUT_TABLE_SIZE; i++)
        table[i] = i < ones ? element_power(element, 0) : 0;
}

static void uniform_table(enum element element, uint16_t table[INPUT_TABLE_SIZE]) {
    for (int i = 0; i < INPUT_TABLE_SIZE; i++)
        table[i] = from_double(element, sqrt(3) * ((2 * i + 1.0) / INPUT_TABLE_SIZE - 1));
}

/* Of four fair bits so many are set. */
static void integers_table(enum element element, uint16_t table[INPUT_TABLE_SIZE]) {
    for (int i = 0; i < INPUT_TABLE_SIZE; i++)
        table[i] = from_double(element, __builtin_popcount((unsigned)i & 15) - 2);
}

void input_table(enum element element, enum input_kind kind, double density,
                 uint16_t table[INPUT_TABLE_SIZE]) {
    if (kind == INPUT_NORMAL)
        normal_table(element, table);
    else if (kind == INPUT_UNIFORM)
        uniform_table(element, table);
    else if (kind == INPUT_INTEGERS)
        integers_table(element, table);
    else
        binary_table(element, kind == INPUT_ZEROS ? 0 : density, table);
}

int input_exact_limit(enum element element) {
    return 1 << element_digits(element);
}

/* With q = density^2 the smaller root of limit - kq = z sqrt(kq(1-q)). z = 2.4 stands for a tail of
 * 0.0082: the margin below 0.01 pays for the binomial's skewness. Rounded down to a density that a
 * table can have. */
double input_density(enum element element, int64_t k) {
    const double limit = input_exact_limit(element) - 0.5; /* continuity correction */
    const double z2 = 2.4 * 2.4;
    if ((double)k < limit)
        return 0.5;
    const double half_b = limit + z2 / 2;
    const double root = sqrt(z2 * (limit + z2 / 4 - limit * limit / (double)k));
    const double q = (half_b - root) / ((double)k + z2);
    return floor(fmin(0.5, sqrt(q)) * INPUT_TABLE_SIZE) / INPUT_TABLE_SIZE;
}

const uint16_t *input_table_for(enum element element, enum input_kind kind, int64_t k) {
    static uint16_t tables[ELEMENT_COUNT][INPUT_KINDS][INPUT_TABLE_SIZE];
    static double made_for[ELEMENT_COUNT][INPUT_KINDS];
    const double wanted = kind == INPUT_BINARY ? input_density(element, k) : 1;
    if (made_for[element][kind] != wanted)
        input_table(element, kind, wanted, tables[element][kind]);
    made_for[element][kind] = wanted;
    return tables[element][kind];
}

uint16_t input_element(const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                       enum input_matrix matrix, int64_t row, int64_t column) {
    uint16_t word[PHILOX_GROUP];
    philox_words(seed, matrix, (uint32_t)row, (uint32_t)(column / PHILOX_GROUP), word);
    return table[word[column % PHILOX_GROUP]];
}

void input_fill_span(const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                     enum input_matrix matrix, int64_t row, int64_t first, int64_t count,
                     uint16_t *out) {
    uint16_t word[PHILOX_GROUP];
    int64_t group = first / PHILOX_GROUP;
    for (; count >= PHILOX_GROUP; count -= PHILOX_GROUP, out += PHILOX_GROUP) {
        philox_words(seed, matrix, (uint32_t)row, (uint32_t)group++, word);
        for (int e = 0; e < PHILOX_GROUP; e++)
            out[e] = table[word[e]];
    }
    if (count > 0)
        philox_words(seed, matrix, (uint32_t)row, (uint32_t)group, word);
    for (int e = 0; e < count; e++)
        out[e] = table[word[e]];
}

void input_fill_float(enum element element, const uint16_t table[INPUT_TABLE_SIZE], uint64_t seed,
                      enum input_matrix matrix, int64_t rows, int64_t cols, float *out) {
    enum { SPAN = 1024 };
#pragma omp parallel for num_threads(team_size(rows *cols))
    for (int64_t row = 0; row < rows; row++) {
        uint16_t bits[SPAN];
        for (int64_t first = 0; first < cols; first += SPAN) {
            const int64_t count = cols - first < SPAN ? cols - first : SPAN;
            input_fill_span(table, seed, matrix, row, first, count, bits);
            number16_to_floats(element, bits, out + row * cols + first, count);
        }
    }
}

/* The 1 in the counter's last word keeps it apart from every element's counter. */
uint64_t seed_derive(uint64_t seed, enum seed_purpose purpose, uint64_t index) {
    const philox4x32_ctr_t counter = {{(uint32_t)index, (uint32_t)(index >> 32), purpose, 1}};
    const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t bits = philox4x32(counter, key);
    return (uint64_t)bits.v[1] << 32 | bits.v[0];
}

uint64_t seed_of_shape(uint64_t seed, struct shape shape) {
    const int64_t sizes[] = {shape.m, shape.n, shape.k};
    for (int i = 0; i < 3; i++)
        seed = seed_derive(seed, SEED_SHAPE, (uint64_t)sizes[i]);
    return seed;
}

double seed_uniform(uint64_t value) {
    return (double)(value >> 11) * 0x1p-53;
}
