/* Controls of made-up machines: an honest one passes, and one with each fault fails. From samples
 * to the verdict, as a run derives it. */
/* Covers: reports/pairs reports/rows reports/query reports/tables/controls.c timing */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/tables/controls.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"

enum { NN, TN, MINE, AA, DELAY, LONG, ARMS, VISIT = ARMS, COLUMNS };
enum { SHAPES = 30, VISITS = 4, BLOCKS = 24 };

/* What is wrong; zero is honest. Shares of a time, or of a standard deviation. */
struct world {
    double scale;   /* seconds are read as this much more */
    double drift;   /* of the second instance of a library: in the last visit so much slower */
    double biased;  /* the second instance is so much slower */
    double process; /* one library is so much slower in all processes of the last visit */
    double narrow;  /* blocks of a process depend on one another that much */
};

static double seconds_of(const struct world *world, size_t arm, size_t visit, double base) {
    static const double delays[ARMS] = {[DELAY] = 1e-6, [LONG] = DERIVE_LONG_TIMES * 1e-6};
    const double at = (double)visit / (VISITS - 1);
    double seconds = arm == MINE ? 0.9 * base : arm == TN ? 1.1 * base : base;
    seconds *= 1 + (arm == AA ? world->drift * at + world->biased : 0);
    seconds *= 1 + (arm == TN && visit == VISITS - 1 ? world->process : 0);
    return seconds + delays[arm] + (delays[arm] > 0 ? 2e-6 : 0);
}

/* An arm's memory makes it 0.4 % faster or slower in a process; a call scatters by 1 %. */
static void fill(const struct world *world, float *values, double base, uint64_t *draws) {
    double process[ARMS] = {0}, slow[ARMS] = {0};
    for (size_t b = 0; b < VISITS * BLOCKS; b++) {
        const size_t visit = b / BLOCKS;
        const double common = 0.02 * draw_normal(draws);
        for (size_t arm = 0; arm < ARMS; arm++) {
            if (b % BLOCKS == 0) {
                process[arm] = 0.004 * draw_normal(draws);
                slow[arm] = 0;
            }
            slow[arm] = world->narrow * slow[arm] + 0.01 * draw_normal(draws);
            const double seconds =
                seconds_of(world, arm, visit, base) + base * (process[arm] + slow[arm] + common);
            values[b * COLUMNS + arm] = (float)(seconds * (1 + world->scale));
        }
        values[b * COLUMNS + VISIT] = (float)visit;
    }
}

static void add_shape(const struct world *world, size_t i, uint64_t *draws, struct rows *rows) {
    static float values[VISITS * BLOCKS * COLUMNS];
    const struct samples samples = {.mode = "offline",
                                    .lens = "device",
                                    .columns = {"lib-nn", "lib-tn", "mine", "aa:lib-nn",
                                                "delay:lib-nn", "long-delay:lib-nn", SAMPLES_VISIT},
                                    .column_count = COLUMNS,
                                    .blocks = VISITS * BLOCKS,
                                    .values = values,
                                    .calls = 1,
                                    .planted_seconds = 1e-6};
    const struct derive_about about = {.shape = {64 + (int64_t)i, 64, 64},
                                       .candidate = "mine",
                                       .cache = "warm",
                                       .light_seconds = NAN};
    fill(world, values, 1e-5 * (1 + (double)i / SHAPES), draws);
    assert_int_equal(derive_unit(&samples, 1, &about, rows), 0);
}

static enum controls_verdict judged(const struct world *world, uint64_t seed, char why[1024]) {
    struct rows rows = {0};
    uint64_t draws = seed;
    for (size_t i = 0; i < SHAPES; i++)
        add_shape(world, i, &draws, &rows);
    const enum controls_verdict verdict = controls_judge(&rows, NULL, why, 1024);
    rows_free(&rows);
    return verdict;
}

enum { HONEST_RUNS = 100, FAULTY_RUNS = 40 };

static int failures(const struct world *world, int runs, const char *say) {
    int failed = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)runs; seed++) {
        char why[1024];
        if (judged(world, seed, why) != CONTROLS_FAILED)
            continue;
        if (failed++ == 0)
            print_message("%s\n", why);
        if (say && !strstr(why, say))
            fail_msg("'%s' lacks '%s'", why, say);
    }
    print_message("%d of %d runs fail\n", failed, runs);
    return failed;
}

/* Six things are judged, each with a chance of 0.001 at most. */
TEST(honest_machines_pass) {
    assert_true(failures(&(struct world){0}, HONEST_RUNS, NULL) <= 3);
}

TEST(a_wrong_time_scale_fails) {
    assert_int_equal(failures(&(struct world){.scale = 0.05}, FAULTY_RUNS,
                              "seconds found against seconds planted"),
                     FAULTY_RUNS);
}

TEST(a_drift_of_one_arm_fails) {
    assert_int_equal(
        failures(&(struct world){.drift = 0.06}, FAULTY_RUNS, "a baseline against itself"),
        FAULTY_RUNS);
}

TEST(a_biased_arm_fails) {
    assert_int_equal(
        failures(&(struct world){.biased = 0.02}, FAULTY_RUNS, "a baseline against itself"),
        FAULTY_RUNS);
}

/* The two instances in one process cannot show it: they are slowed down alike. */
TEST(what_is_common_to_a_process_fails) {
    assert_int_equal(
        failures(&(struct world){.process = 0.05}, FAULTY_RUNS, "a baseline over another"),
        FAULTY_RUNS);
}

/* What the intervals are there for. */
TEST(blocks_that_depend_on_each_other_pass) {
    assert_true(failures(&(struct world){.narrow = 0.9}, HONEST_RUNS, NULL) <= 3);
}
