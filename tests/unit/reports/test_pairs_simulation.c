/* How often the truth lies in the intervals of a run's file, by simulation: rows of several
 * libraries beside one kernel on each of some shapes. Seeds are fixed. */
/* Covers: reports/pairs timing */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/pairs/moderate.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/stats.h"

enum { ARMS = 7, MOST_VISITS = 12 };

/* How visits of an arm are distributed. */
enum noise { NORMAL, AR_50, T4, TWO_STATES };

struct world {
    const char *name;
    int visits, shapes, runs;
    double shared; /* correlation between rows of a shape */
    int tuners;    /* shapes whose kernel varies by 12 % */
    enum noise noise;
    double low, high; /* where the coverage is, but for three standard errors */
};

/* The model holds: visits are independent, about normal, and variances alike. Elsewhere what stands
 * here is what is true. */
#define HOLDS 0.94, 0.965
static const struct world worlds[] = {
    {"4 visits, 1 shape, rows alike by 0.5", 4, 1, 2000, 0.5, 0, NORMAL, 0.94, 0.985},
    {"4 visits, 1 shape, by 0.95", 4, 1, 2000, 0.95, 0, NORMAL, 0.94, 0.975},
    {"12 visits, 1 shape, by 0.5", 12, 1, 2000, 0.5, 0, NORMAL, HOLDS},
    {"12 visits, 1 shape, by 0.95", 12, 1, 2000, 0.95, 0, NORMAL, HOLDS},
    {"4 visits, 5 shapes, by 0.5", 4, 5, 800, 0.5, 0, NORMAL, HOLDS},
    {"4 visits, 5 shapes, by 0.95", 4, 5, 800, 0.95, 0, NORMAL, HOLDS},
    {"12 visits, 5 shapes, by 0.95", 12, 5, 800, 0.95, 0, NORMAL, HOLDS},
    {"4 visits, 40 shapes, by 0.5", 4, 40, 100, 0.5, 0, NORMAL, HOLDS},
    {"4 visits, 40 shapes, by 0.95", 4, 40, 100, 0.95, 0, NORMAL, HOLDS},
    {"12 visits, 40 shapes, by 0.5", 12, 40, 100, 0.5, 0, NORMAL, HOLDS},
    {"12 visits, 40 shapes, by 0.95", 12, 40, 100, 0.95, 0, NORMAL, HOLDS},
    {"4 visits, 2 of 40 tune themselves", 4, 40, 100, 0.5, 2, NORMAL, HOLDS},
    {"12 visits, 2 of 40 tune themselves", 12, 40, 100, 0.5, 2, NORMAL, HOLDS},
    {"4 visits, t(4)", 4, 40, 100, 0.5, 0, T4, HOLDS},
    {"12 visits, t(4)", 12, 40, 100, 0.5, 0, T4, HOLDS},
    {"4 visits, two states", 4, 40, 100, 0.5, 0, TWO_STATES, HOLDS},
    {"12 visits, two states", 12, 40, 100, 0.5, 0, TWO_STATES, HOLDS},
    {"4 visits, AR(0.5)", 4, 40, 100, 0.5, 0, AR_50, 0.7, 0.9},
    {"12 visits, AR(0.5)", 12, 40, 100, 0.5, 0, AR_50, 0.7, 0.9},
};

/* With mean 0 and standard deviation 1. */
static double draw(enum noise noise, uint64_t *random) {
    double squares = 0;
    switch (noise) {
    case T4:
        for (int i = 0; i < 4; i++)
            squares += pow(draw_normal(random), 2);
        return draw_normal(random) / sqrt(squares / 4) / sqrt(2);
    case TWO_STATES:
        return draw_uniform(random) < 0.5 ? 1 : -1;
    case NORMAL:
    case AR_50:
        break;
    }
    return draw_normal(random);
}

static void draw_visits(const struct world *world, double *x, uint64_t *random) {
    const double phi = world->noise == AR_50 ? 0.5 : 0;
    double value = draw(world->noise, random);
    for (int v = 0; v < world->visits; v++) {
        x[v] = value;
        value = phi * value + sqrt(1 - phi * phi) * draw(world->noise, random);
    }
}

static void add_row(const struct world *world, int shape, int arm, const double *x,
                    struct rows *rows) {
    struct ratio_row row = {.shape = {64 + shape, 64, 64},
                            .candidate = "mine",
                            .mode = "offline",
                            .lens = "device",
                            .ratio = exp(stats_mean(x, (size_t)world->visits)),
                            .visits = world->visits,
                            .visit_sd = stats_sd(x, (size_t)world->visits),
                            .block_error = NAN,
                            .freedom = world->visits - 1};
    snprintf(row.baseline, sizeof row.baseline, "lib%d-nn", arm);
    rows_add_ratio(rows, &row);
}

/* The kernel's own part of a visit is in all rows of its shape. */
static void add_shape(const struct world *world, int shape, struct rows *rows, uint64_t *random) {
    const double sd = shape < world->tuners ? 0.12 : 0.007;
    double kernel[MOST_VISITS], library[MOST_VISITS];
    draw_visits(world, kernel, random);
    for (int arm = 0; arm < ARMS; arm++) {
        draw_visits(world, library, random);
        for (int v = 0; v < world->visits; v++)
            library[v] =
                sd * (sqrt(world->shared) * kernel[v] + sqrt(1 - world->shared) * library[v]);
        add_row(world, shape, arm, library, rows);
    }
}

static void covers(const struct world *world) {
    uint64_t random = 32;
    double covered = 0, half = 0;
    for (int run = 0; run < world->runs; run++) {
        struct rows rows = {0};
        for (int shape = 0; shape < world->shapes; shape++)
            add_shape(world, shape, &rows, &random);
        moderate_rows(&rows);
        for (size_t i = 0; i < rows.ratio_count; i++) {
            covered += rows.ratios[i].ci_low <= 1 && 1 <= rows.ratios[i].ci_high;
            half += log(rows.ratios[i].ci_high / rows.ratios[i].ci_low) / 2;
        }
        rows_free(&rows);
    }
    const double rows = (double)world->runs * world->shapes * ARMS;
    const double error = sqrt(0.95 * 0.05 / ((double)world->runs * world->shapes));
    covered /= rows;
    print_message("%-40s %.1f %% covered, +-%.1f; half-width %.2f %%\n", world->name, 100 * covered,
                  100 * error, 100 * half / rows);
    if (!(covered > world->low - 3 * error && covered < world->high + 3 * error))
        fail_msg("%s: %.4f is not within %.3f and %.3f", world->name, covered, world->low,
                 world->high);
}

TEST(intervals_hold) {
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
        covers(&worlds[i]);
}
