
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/changes.h"
#include "timing/significance.h"

enum { MOST = 40 };

/* A value about `level`: its truth scatters by `between`, what is seen of it by 1, which is known
 * from four visits (three degrees of freedom). */
static struct changes_value draw(double level, double between, uint64_t *random) {
    enum { VISITS = 4 };
    const double truth = level + between * draw_normal(random);
    double x[VISITS], mean = 0, squares = 0;
    for (int i = 0; i < VISITS; i++) {
        x[i] = truth + 2 * draw_normal(random);
        mean += x[i] / VISITS;
    }
    for (int i = 0; i < VISITS; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return (struct changes_value){mean, {squares / (VISITS - 1) / VISITS, VISITS - 1}};
}

/* Steps added from two places on. */
static void fill(struct changes_value *v, size_t n, size_t first, double first_step, size_t second,
                 double second_step, uint64_t *random) {
    for (size_t i = 0; i < n; i++)
        v[i] =
            draw(100 + (i >= first ? first_step : 0) + (i >= second ? second_step : 0), 0, random);
}

static bool near(size_t place, size_t wanted) {
    return place + 1 >= wanted && place <= wanted + 1;
}

TEST(a_step_is_found) {
    uint64_t random = 2;
    int found = 0, placed = 0;
    for (int trial = 0; trial < 200; trial++) {
        struct changes_value v[20];
        size_t at[20];
        fill(v, 20, 10, trial % 2 ? 4 : -4, 20, 0, &random);
        const size_t count = changes_find(v, 20, 0.01, at);
        found += count == 1;
        placed += count == 1 && near(at[0], 10);
    }
    assert_in_range(found, 185, 200);
    assert_in_range(placed, 175, 200);
}

TEST(two_steps_are_found) {
    uint64_t random = 3;
    int up = 0, back = 0;
    for (int trial = 0; trial < 100; trial++) {
        struct changes_value v[MOST];
        size_t at[MOST];
        fill(v, 36, 12, 5, 24, 5, &random);
        up += changes_find(v, 36, 0.01, at) == 2 && near(at[0], 12) && near(at[1], 24);
        fill(v, 36, 9, 5, 21, -5, &random);
        back += changes_find(v, 36, 0.01, at) == 2 && near(at[0], 9) && near(at[1], 21);
    }
    assert_in_range(up, 90, 100);
    assert_in_range(back, 90, 100);
}

/* scipy 1.17: two runs by the t of the side that knows less, 2 * t.sf(0.5 / 0.05**0.5, 3); eight
 * values by Student's t, ttest_ind(x[:4], x[4:]), times the stretches: 7 at the end, and between
 * others 4 + 3 + 2 + 1 of three values or more. */
TEST(chance_is_what_it_should_be) {
    const struct changes_value two[] = {{0, {0.01, 3}}, {0.5, {0.04, 7}}};
    assert_double_near(changes_chance(two, 2), 0.11136715471408383, 1e-9);
    const double x[] = {1, 2, 3, 4, 11, 12, 13, 14.5};
    struct changes_value eight[8];
    for (int i = 0; i < 8; i++)
        eight[i] = (struct changes_value){x[i], {NAN, 0}};
    assert_double_near(changes_chance(eight, 8), 17 * 5.003916975497954e-05, 1e-9);
    /* What the errors do not allow is no change, however steady the values are. */
    for (int i = 0; i < 8; i++)
        eight[i].error = (struct spread){100, 30};
    assert_true(changes_chance(eight, 8) > 0.1);
    for (int i = 0; i < 8; i++)
        eight[i].error = (struct spread){1e-9, 30};
    assert_double_near(changes_chance(eight, 8), 17 * 5.003916975497954e-05, 1e-9);
}

/* The second segment has half of the first's. */
TEST(later_segments_have_less) {
    struct changes_value v[8];
    size_t at[8];
    for (int i = 0; i < 8; i++)
        v[i] = (struct changes_value){i < 2 ? (double)i : 1e4, {0.1, INFINITY}};
    const double parts = changes_chance(v, 2);
    assert_int_equal(changes_find(v, 8, 2.1 * parts, at), 2);
    assert_int_equal(at[0], 1);
    assert_int_equal(at[1], 2);
    assert_int_equal(changes_find(v, 8, 1.9 * parts, at), 1);
    assert_int_equal(at[0], 2);
}

/* The newest value alone is told; once it has passed and things are as before, it is no level. */
TEST(one_value_is_a_level_at_the_end_only) {
    struct changes_value v[20];
    size_t at[20];
    for (int i = 0; i < 20; i++)
        v[i] = (struct changes_value){i % 2, {0.25, 30}};
    v[11].x = 60;
    assert_int_equal(changes_find(v, 12, 0.01, at), 1);
    assert_int_equal(at[0], 11);
    assert_int_equal(changes_find(v, 20, 0.01, at), 0);
    v[12].x = v[13].x = 60;
    assert_int_equal(changes_find(v, 20, 0.01, at), 2);
    assert_int_equal(at[0], 11);
    assert_int_equal(at[1], 14);
}

TEST(nothing_to_find) {
    struct changes_value v[20];
    size_t at[20];
    for (int i = 0; i < 20; i++)
        v[i] = (struct changes_value){0.1, {0, 3}};
    for (size_t n = 0; n <= 20; n++)
        assert_int_equal(changes_find(v, n, 0.5, at), 0);
    assert_true(isnan(changes_chance(v, 1)) && isnan(changes_chance(v, 0)));
    for (int i = 0; i < 20; i++)
        v[i] = (struct changes_value){i < 10 ? 1 : 2, {NAN, 0}};
    assert_int_equal(changes_find(v, 20, 0.01, at), 1);
    /* Four values without errors say nothing. */
    assert_int_equal(changes_find(v + 8, 4, 0.9, at), 0);
    v[3].x = NAN;
    assert_int_equal(changes_find(v, 20, 0.5, at), 0);
    v[3].x = INFINITY;
    assert_int_equal(changes_find(v, 20, 0.5, at), 0);
}

/* Stores of stable series: in how many is a change told? */
struct world {
    const char *name;
    size_t series, runs;
    double between; /* what truths scatter by, in errors */
    double share;   /* of stores that may be alarmed */
};

static double chance_of(const struct world *world, size_t changed, double step, uint64_t *random) {
    struct changes_value v[MOST];
    for (size_t i = 0; i < world->runs; i++)
        v[i] = draw(i >= world->runs / 2 && changed ? step : 0, world->between, random);
    return changes_chance(v, world->runs);
}

static size_t told(double *chances, const struct world *world, double alpha, size_t changed) {
    double *sorted = malloc(world->series * sizeof *sorted);
    assert_non_null(sorted);
    for (size_t i = 0; i < world->series; i++)
        sorted[i] = chances[i];
    const double level = significance_level(sorted, world->series, alpha);
    size_t count = 0;
    for (size_t i = changed; i < world->series; i++)
        count += chances[i] <= level;
    free(sorted);
    return count;
}

TEST(stable_series_are_left_alone) {
    enum { STORES = 60 };
    static const struct world worlds[] = {
        {"two runs", 3000, 2, 0, 0.05},         {"four runs", 3000, 4, 0, 0.05},
        {"twelve runs", 3000, 12, 0, 0.05},     {"twelve that differ", 3000, 12, 2, 0.05},
        {"five that differ", 3000, 5, 2, 0.05}, {"thirty of few", 12, 30, 1, 0.05},
    };
    uint64_t random = 11;
    for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++) {
        const struct world *world = &worlds[w];
        double *chances = malloc(world->series * sizeof *chances);
        assert_non_null(chances);
        size_t alarmed = 0, of_one = 0;
        for (int store = 0; store < STORES; store++) {
            for (size_t i = 0; i < world->series; i++) {
                chances[i] = chance_of(world, 0, 0, &random);
                of_one += chances[i] <= 0.05;
            }
            alarmed += told(chances, world, 0.05, 0) > 0;
        }
        print_message("%s: %zu of %d stores of %zu series alarmed; one by one %.0f in each\n",
                      world->name, alarmed, STORES, world->series, (double)of_one / STORES);
        free(chances);
        /* 3 standard deviations above what may be. */
        assert_true((double)alarmed <=
                    STORES * world->share + 3 * sqrt(STORES * world->share * (1 - world->share)));
    }
}

/* One of 3,000 that becomes slower by ten of its errors is found; and of a tenth that change, of all
 * that are told at most one in twenty has not. */
TEST(changed_series_are_found) {
    static const struct world lone = {"lone", 3000, 12, 0, 0}, many = {"many", 300, 12, 0, 0};
    uint64_t random = 13;
    size_t found = 0, wrong = 0, all = 0;
    for (int trial = 0; trial < 100; trial++)
        found += chance_of(&lone, 1, 10, &random) <= 0.05 / 3000;
    print_message("alone among 3000: %zu of 100 found\n", found);
    assert_true(found >= 90);
    for (int store = 0; store < 50; store++) {
        double chances[300];
        for (size_t i = 0; i < 300; i++)
            chances[i] = chance_of(&many, i < 30, 10, &random);
        const size_t false_ones = told(chances, &many, 0.05, 30);
        wrong += false_ones;
        all += told(chances, &many, 0.05, 0);
    }
    print_message("of %zu told %zu wrong\n", all, wrong);
    assert_true(all >= 50 * 30 * 9 / 10 && wrong * 20 <= all);
}
