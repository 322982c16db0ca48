#include <stdbool.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "correctness/accumulator/probe.h"
#include "correctness/accumulator/probe_element.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"
#include "tests/support/test.h"

/* One nonzero product of an entry. */
struct product {
    int64_t at;
    float value;
};

/* A kernel is simulated on the products of one entry that are not zero, in ascending k: a zero
 * changes no sum. Returns what is stored. */
struct sum {
    const struct product *product;
    int count;
    struct shape shape;
    int64_t row, column;
};
typedef uint16_t kernel(const struct sum *sum, int64_t size);

/* What C is made of, and what 16-bit partial sums are: the same, or f16 in a product of bf16. */
static enum element element, narrow;

static uint16_t stored(float value) {
    return number16_from_float(element, value);
}

static float rounded(float value) {
    return number16_to_float(narrow, number16_from_float(narrow, value));
}

static uint16_t in_f32(const struct sum *sum, int64_t size) {
    (void)size;
    float total = 0;
    for (int i = 0; i < sum->count; i++)
        total += sum->product[i].value;
    return stored(total);
}

/* From the last k to the first. */
static uint16_t in_f16_backwards(const struct sum *sum, int64_t size) {
    (void)size;
    float total = 0;
    for (int i = sum->count - 1; i >= 0; i--)
        total = rounded(total + sum->product[i].value);
    return stored(total);
}

/* Even and odd k apart, as half2 instructions do. */
static uint16_t in_half2(const struct sum *sum, int64_t size) {
    (void)size;
    float total[2] = {0};
    for (int i = 0; i < sum->count; i++) {
        float *lane = &total[sum->product[i].at % 2];
        *lane = rounded(*lane + sum->product[i].value);
    }
    return stored(total[0] + total[1]);
}

/* Exact within runs of `size`, the first of `first`, rounded to f16 with what came before. */
static uint16_t in_f16_runs(const struct sum *sum, int64_t first, int64_t size) {
    float total = 0;
    for (int i = 0; i < sum->count;) {
        const int64_t run = (sum->product[i].at + size - first) / size;
        for (; i < sum->count && (sum->product[i].at + size - first) / size == run; i++)
            total += sum->product[i].value;
        total = rounded(total);
    }
    return stored(total);
}

/* A step of a tensor core, or each FMA for size 1. */
static uint16_t in_f16_steps(const struct sum *sum, int64_t size) {
    return in_f16_runs(sum, size, size);
}

/* What is left of k over whole runs comes first, as in CUTLASS. */
static uint16_t in_f16_steps_to_the_end(const struct sum *sum, int64_t size) {
    return in_f16_runs(sum, sum->shape.k % size, size);
}

/* Tensor core steps in f16 within runs of `size`, these summed in f32. */
static uint16_t in_f16_slices(const struct sum *sum, int64_t size) {
    float total = 0;
    for (int i = 0; i < sum->count;) {
        const int64_t run = sum->product[i].at / size;
        float slice = 0;
        while (i < sum->count && sum->product[i].at / size == run) {
            const int64_t step = sum->product[i].at / 16;
            for (; i < sum->count && sum->product[i].at / 16 == step; i++)
                slice += sum->product[i].value;
            slice = rounded(slice);
        }
        total += slice;
    }
    return stored(total);
}

/* f32 within runs of `size`, each rounded to f16, then summed in f32 (split-K partials). */
static uint16_t in_f16_partials(const struct sum *sum, int64_t size) {
    float total = 0;
    for (int i = 0; i < sum->count;) {
        const int64_t run = sum->product[i].at / size;
        float partial = 0;
        for (; i < sum->count && sum->product[i].at / size == run; i++)
            partial += sum->product[i].value;
        total += rounded(partial);
    }
    return stored(total);
}

/* What tensor cores do in f32: 16 products and the sum so far, aligned to the largest and cut to
 * `size` bits, then cut to the 24 of binary32. */
static float cut(double value, int exponent) {
    return (float)ldexp(trunc(ldexp(value, -exponent)), exponent);
}

static uint16_t in_cut_f32(const struct sum *sum, int64_t size) {
    float total = 0;
    for (int i = 0; i < sum->count;) {
        const int64_t step = sum->product[i].at / 16;
        int last = i;
        float largest = fabsf(total);
        for (; last < sum->count && sum->product[last].at / 16 == step; last++)
            largest = fmaxf(largest, fabsf(sum->product[last].value));
        int exponent;
        frexpf(largest, &exponent);
        exponent -= (int)size;
        double group = (double)cut((double)total, exponent);
        for (; i < last; i++)
            group += (double)cut((double)sum->product[i].value, exponent);
        frexp(group, &exponent);
        total = cut(group, exponent - 24);
    }
    return stored(total);
}

/* One 64 x 64 tile of C in f16, off the corner if there is room. */
static uint16_t in_one_tile(const struct sum *sum, int64_t size) {
    const int64_t first = sum->shape.m > 64 ? 64 : 0;
    const int inside =
        sum->row >= first && sum->row < first + 64 && sum->column >= 32 && sum->column < 96;
    return inside ? in_f16_steps(sum, size) : in_f32(sum, 0);
}

/* f16 partials of interleaved runs: split-K over every fourth slice. */
static uint16_t in_interleaved_partials(const struct sum *sum, int64_t size) {
    float partial[4] = {0};
    for (int i = 0; i < sum->count; i++)
        partial[sum->product[i].at / size % 4] += sum->product[i].value;
    return stored(rounded(partial[0]) + rounded(partial[1]) + rounded(partial[2]) +
                  rounded(partial[3]));
}

/* Wrong products. */
static uint16_t twice(const struct sum *sum, int64_t size) {
    return stored(2 * number16_to_float(element, in_f32(sum, size)));
}

static uint16_t without_the_tail(const struct sum *sum, int64_t size) {
    struct sum shorter = *sum;
    while (shorter.count > 0 && sum->product[shorter.count - 1].at >= sum->shape.k - size)
        shorter.count--;
    return in_f32(&shorter, 0);
}

static uint16_t zero(const struct sum *sum, int64_t size) {
    (void)sum, (void)size;
    return 0;
}

static uint16_t one_nan(const struct sum *sum, int64_t size) {
    return sum->row == 3 && sum->column == 4 ? ELEMENT_NAN : in_f32(sum, size);
}

static uint16_t one_last_place(const struct sum *sum, int64_t size) {
    return (uint16_t)(in_f32(sum, size) + (sum->row == 5 && sum->column == 6));
}

static uint16_t f16_and_a_wrong_sign(const struct sum *sum, int64_t size) {
    return in_f16_steps(sum, size) ^ (sum->row == 2 ? 0x8000 : 0);
}

static uint16_t wrong_at_the_end(const struct sum *sum, int64_t size) {
    const bool last = sum->row == sum->shape.m - 1 && sum->column == sum->shape.n - 1;
    return in_f32(sum, size) ^ (last ? 0x8000 : 0);
}

/* A probe: the products of every entry that are not zero, and what a kernel makes of them. */
static struct run {
    struct shape shape;
    uint64_t seed;
    struct product *product;
    int64_t *first; /* of each entry, row-major, and one more: the end */
    uint16_t *c;
} run;

static void *allocated(int64_t count, size_t size) {
    void *memory = calloc((size_t)count, size);
    assert_non_null(memory);
    return memory;
}

static void start(struct shape shape, uint64_t seed) {
    const int64_t entries = shape.m * shape.n;
    run = (struct run){.shape = shape, .seed = seed};
    run.first = allocated(entries + 1, sizeof *run.first);
    run.c = allocated(entries, sizeof *run.c);
    uint16_t *a = allocated(shape.m * shape.k, sizeof *a);
    uint16_t *b = allocated(shape.n * shape.k, sizeof *b); /* transposed */
    for (int64_t i = 0; i < shape.m; i++)
        for (int64_t l = 0; l < shape.k; l++)
            a[i * shape.k + l] = probe_element(element, seed, INPUT_A, i, l, shape);
    for (int64_t j = 0; j < shape.n; j++)
        for (int64_t l = 0; l < shape.k; l++)
            b[j * shape.k + l] = probe_element(element, seed, INPUT_B, l, j, shape);
    int64_t count = 0, room = 0;
    for (int64_t entry = 0; entry < entries; entry++) {
        const uint16_t *row = a + entry / shape.n * shape.k;
        const uint16_t *column = b + entry % shape.n * shape.k;
        run.first[entry] = count;
        if (room < count + shape.k) {
            room = 2 * (count + shape.k);
            run.product = realloc(run.product, (size_t)room * sizeof *run.product);
            assert_non_null(run.product);
        }
        for (int64_t l = 0; l < shape.k; l++)
            if (row[l] & 0x7fff && column[l] & 0x7fff)
                run.product[count++] = (struct product){
                    l, number16_to_float(element, row[l]) * number16_to_float(element, column[l])};
    }
    run.first[entries] = count;
    free(a);
    free(b);
}

static void end(void) {
    free(run.product);
    free(run.first);
    free(run.c);
}

static struct sum sum_of(int64_t row, int64_t column) {
    const int64_t entry = row * run.shape.n + column;
    return (struct sum){run.product + run.first[entry],
                        (int)(run.first[entry + 1] - run.first[entry]), run.shape, row, column};
}

static struct probe_verdict judged(kernel *simulated, int64_t size) {
    for (int64_t i = 0; i < run.shape.m; i++)
        for (int64_t j = 0; j < run.shape.n; j++) {
            const struct sum sum = sum_of(i, j);
            run.c[i * run.shape.n + j] = simulated(&sum, size);
        }
    struct probe_verdict verdict;
    probe_judge(element, run.c, run.shape, run.seed, &verdict);
    return verdict;
}

static const struct shape shapes[] = {
    {64, 64, 16},   {64, 64, 37},    {64, 64, 64},   {48, 100, 100}, {100, 48, 128}, {70, 97, 256},
    {31, 33, 1000}, {64, 64, 1024},  {40, 24, 4097}, {16, 64, 8192}, {40, 16, 8193}, {16, 16, 512},
    {1, 64, 640},   {32, 12, 16384}, {24, 2, 192},   {120, 1, 2048},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, SEEDS = 3 };

static int judgements;

static struct probe_verdict must_be(enum probe_word word, const char *name, kernel *simulated,
                                    int64_t size) {
    const struct probe_verdict verdict = judged(simulated, size);
    char text[SHAPE_TEXT];
    if (verdict.word != word)
        fail_msg("%s, %lld: %s seed %llu is %s: %s", name, (long long)size,
                 shape_format(run.shape, text), (unsigned long long)run.seed,
                 probe_word_name(element, verdict.word), verdict.evidence);
    judgements++;
    return verdict;
}
#define MUST_BE(word, simulated, size) must_be(word, #simulated, simulated, size)

/* Runs as long as k are f32, and runs no longer than a step are f16 by another name, unless they
 * are summed in f32. */
static void check_runs(const char *name, kernel *simulated, int64_t size) {
    const int64_t k = run.shape.k;
    if (simulated == in_f16_partials && size <= PROBE_STEP && size < k) {
        const struct probe_verdict told = judged(simulated, size);
        assert_true(told.word == PROBE_F16 || told.where == PROBE_WITHIN);
        return;
    }
    const enum probe_word word = size >= k            ? PROBE_F32
                                 : size <= PROBE_STEP ? PROBE_F16
                                                      : PROBE_MIXED;
    const struct probe_verdict verdict = must_be(word, name, simulated, size);
    const int many = run.shape.m > 2 && run.shape.n > 2;
    if (word == PROBE_MIXED && many && size % PROBE_BLOCK == 0) {
        assert_int_equal(verdict.where, PROBE_RUNS);
        assert_true(run.shape.k < 4 * size || run.shape.m + run.shape.n < 120 ||
                    verdict.run == size);
    }
}

static void check_words(int seeds) {
    for (int i = 0; i < SHAPES * SEEDS; i++) {
        if (i % SEEDS >= seeds)
            continue;
        start(shapes[i / SEEDS], seed_derive(7, SEED_CHECK, (uint64_t)i));
        const int64_t k = run.shape.k;
        MUST_BE(PROBE_F32, in_f32, 0);
        for (int64_t bits = 22; bits <= 25; bits += 3)
            MUST_BE(PROBE_F32, in_cut_f32, bits);
        MUST_BE(PROBE_F16, in_f16_steps, 1);
        MUST_BE(PROBE_F16, in_f16_backwards, 0);
        MUST_BE(PROBE_F16, in_half2, 0);
        check_runs("in_f16_steps", in_f16_steps, 16);
        check_runs("in_f16_steps", in_f16_steps, 32);
        check_runs("in_f16_steps", in_f16_steps, 64);
        check_runs("in_f16_steps_to_the_end", in_f16_steps_to_the_end, 16);
        check_runs("in_f16_steps_to_the_end", in_f16_steps_to_the_end, 64);
        check_runs("in_f16_partials", in_f16_partials, 64);
        for (int64_t parts = 2; parts <= 8; parts *= 2)
            check_runs("in_f16_partials", in_f16_partials, (k + parts - 1) / parts);
        MUST_BE(PROBE_UNKNOWN, zero, 0);
        MUST_BE(PROBE_UNKNOWN, without_the_tail, k / 2);
        end();
    }
    print_message("%d judgements\n", judgements);
}

TEST(each_kernel_gets_its_word) {
    check_words(SEEDS);
}

/* Partial sums in bfloat16, and in binary16. */
TEST(kernels_of_bf16_get_theirs) {
    element = ELEMENT_BF16;
    for (int i = 0; i < 2; i++) {
        narrow = i == 0 ? ELEMENT_BF16 : ELEMENT_F16;
        check_words(1);
        start((struct shape){64, 72, 4096}, 14);
        MUST_BE(PROBE_MIXED, in_f16_slices, 64);
        MUST_BE(PROBE_UNKNOWN, one_last_place, 0);
        end();
    }
    element = narrow = ELEMENT_F16;
    assert_string_equal(probe_word_name(ELEMENT_BF16, PROBE_F16), "16-bit");
    assert_string_equal(probe_word_name(ELEMENT_F16, PROBE_F16), "f16");
}

TEST(a_tile_in_f16_is_seen) {
    const struct shape tiled[] = {{128, 128, 64}, {100, 130, 256}, {64, 128, 4097}, {200, 97, 37}};
    for (int i = 0; i < 4 * SEEDS; i++) {
        start(tiled[i / SEEDS], seed_derive(8, SEED_CHECK, (uint64_t)i));
        const struct probe_verdict verdict = MUST_BE(PROBE_MIXED, in_one_tile, 16);
        assert_int_equal(verdict.where, PROBE_PLACES);
        const int64_t first = run.shape.m > 64 ? 64 : 0;
        assert_in_range(verdict.rows[0], first, first + 3);
        assert_true(verdict.rows[1] < first + 64);
        assert_in_range(verdict.columns[0], 32, 36);
        assert_in_range(verdict.columns[1], 88, 95);
        end();
    }
}

TEST(what_no_accumulator_does_is_unknown) {
    for (int i = 0; i < SEEDS; i++) {
        start((struct shape){64, 48, 300}, seed_derive(9, SEED_CHECK, (uint64_t)i));
        struct probe_verdict verdict = MUST_BE(PROBE_UNKNOWN, one_nan, 0);
        assert_int_equal(verdict.foreign, 1);
        assert_non_null(strstr(verdict.evidence, "1 entries are wrong in a way that no "
                                                 "accumulator explains: C[3][4] is "));
        assert_int_equal(verdict.first_foreign.row, 3);
        assert_int_equal(verdict.first_foreign.column, 4);
        assert_true(isnan(verdict.first_foreign.got));
        verdict = MUST_BE(PROBE_UNKNOWN, one_last_place, 0);
        assert_int_equal(verdict.foreign, 1);
        MUST_BE(PROBE_UNKNOWN, f16_and_a_wrong_sign, 16);
        verdict = MUST_BE(PROBE_UNKNOWN, twice, 0);
        assert_int_equal(verdict.foreign, 64 * 48);
        MUST_BE(PROBE_UNKNOWN, without_the_tail, 8);
        MUST_BE(PROBE_F32, in_f32, 0);
        run.seed++;
        MUST_BE(PROBE_UNKNOWN, in_f32, 0);
        end();
    }
}

TEST(other_places_are_mixed_too) {
    for (int i = 0; i < SEEDS; i++) {
        start((struct shape){64, 72, 1024}, seed_derive(11, SEED_CHECK, (uint64_t)i));
        const struct probe_verdict verdict = MUST_BE(PROBE_MIXED, in_interleaved_partials, 64);
        assert_int_equal(verdict.where, PROBE_PLACES);
        end();
    }
}

/* f16 that does not outlast a slice is not what keeps all partial sums in f16. */
TEST(f16_slices_are_mixed) {
    const int64_t sizes[] = {16, 32, 64, 128, 256};
    for (int i = 0; i < 5 * SEEDS; i++) {
        const int64_t size = sizes[i / SEEDS];
        start((struct shape){64, 72, 4096}, seed_derive(13, SEED_CHECK, (uint64_t)i));
        const struct probe_verdict verdict = MUST_BE(PROBE_MIXED, in_f16_slices, size);
        assert_int_equal(verdict.where, PROBE_WITHIN);
        assert_int_equal(verdict.run, size);
        end();
    }
    start((struct shape){64, 72, 4096}, 14);
    MUST_BE(PROBE_F16, in_f16_steps, 16);
    MUST_BE(PROBE_F16, in_half2, 0);
    MUST_BE(PROBE_F16, in_f16_backwards, 0);
    end();
}

/* Too few pairs, or a k shorter than a block, judge nothing and break nothing. */
TEST(little_is_unknown) {
    const struct shape little[] = {{1, 1, 64}, {3, 2, 1}, {64, 64, 7}, {11, 11, 300}};
    for (int i = 0; i < 4; i++) {
        start(little[i], 5);
        MUST_BE(PROBE_UNKNOWN, in_f32, 0);
        end();
    }
}

/* What probe.h proves from: each entry has at most one L and one -L, addends of one sign, whose sum
 * is at most 480 u, or of bf16 256 u; without a pair it has addends alone, and there is always one.
 */
static void check_entries(double most) {
    for (int i = 0; i < SHAPES; i++) {
        start(shapes[i], seed_derive(10, SEED_CHECK, (uint64_t)i));
        for (int64_t row = 0; row < run.shape.m; row++) {
            for (int64_t column = 0; column < run.shape.n; column++) {
                const struct sum sum = sum_of(row, column);
                int large = 0, positive = 0, negative = 0, first = 0;
                double addends = 0;
                for (int p = 0; p < sum.count; p++) {
                    const double value = (double)sum.product[p].value;
                    if (fabs(value) == 1536) {
                        first += value > 0 ? 1 : -1;
                        large++;
                        continue;
                    }
                    assert_true(fabs(value) == 0x1p-10 || fabs(value) == 0x1p-9);
                    positive += value > 0;
                    negative += value < 0;
                    addends += fabs(value);
                }
                const int64_t carrier = run.shape.m >= run.shape.n ? row : column;
                assert_int_equal(large, carrier % 4 < 3 ? 2 : 0);
                assert_int_equal(first, 0);
                assert_true(positive == 0 || negative == 0);
                assert_true(addends > 0 && addends <= most * 0x1p-10);
            }
        }
        end();
    }
}

TEST(entries_are_as_described) {
    check_entries(480);
    element = ELEMENT_BF16;
    check_entries(256);
    element = ELEMENT_F16;
}

/* The evidence names an entry, and the shares grow with distance. */
TEST(evidence_says_where) {
    start((struct shape){64, 64, 1024}, 12);
    struct probe_verdict verdict = MUST_BE(PROBE_MIXED, in_f16_partials, 256);
    assert_non_null(strstr(verdict.evidence, "runs of 256 along k"));
    assert_non_null(strstr(verdict.evidence, "4 16-bit partial sums"));
    const struct probe_witness *first = &verdict.first_lost;
    assert_true(first->large[0] / 256 != first->large[1] / 256);
    assert_true(fabs(first->got) < fabs(first->exact));
    assert_true(10 * verdict.distance[0].lost < verdict.distance[0].entries);
    assert_true(verdict.distance[5].lost == verdict.distance[5].entries);
    assert_true(verdict.distance[5].entries > 0);
    verdict = MUST_BE(PROBE_F16, in_f16_steps, 16);
    assert_non_null(strstr(verdict.evidence, ", <32: 100 %, <64: 100 %"));
    assert_true(verdict.distance[0].lost > 0);
    assert_true(verdict.distance[0].lost < verdict.distance[0].entries);
    const int64_t in_steps = verdict.distance[0].lost;
    verdict = MUST_BE(PROBE_F16, in_half2, 0);
    assert_true(verdict.distance[0].lost > in_steps);
    end();
}

/* More carriers than are looked at in one go, along rows and along columns. */
TEST(many_carriers_are_all_counted) {
    const struct shape orientations[] = {{4300, 3, 40}, {3, 4300, 40}};
    for (int i = 0; i < 2; i++) {
        start(orientations[i], 13);
        struct probe_verdict verdict = judged(in_f32, 0);
        assert_int_equal(verdict.pairs, 2 * 3225); /* three carriers in four */
        assert_int_equal(verdict.entries, 3 * 3225);
        assert_int_equal(verdict.lost + verdict.foreign, 0);
        verdict = judged(wrong_at_the_end, 0);
        assert_int_equal(verdict.foreign, 1);
        assert_int_equal(verdict.entries, 3 * 3225);
        assert_int_equal(verdict.first_foreign.row, orientations[i].m - 1);
        assert_int_equal(verdict.first_foreign.column, orientations[i].n - 1);
        end();
    }
}
