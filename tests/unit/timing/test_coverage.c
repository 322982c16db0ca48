/* How often the truth lies in the intervals, and two runs in each other's, by simulation. With
 * --table, the whole table in Markdown, some minutes; without, the parts of it that a test of some
 * seconds can hold. */
/* Covers: timing */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#define OWN_MAIN
#include "tests/support/test.h"
#include "timing/agreement.h"
#include "timing/stats.h"
#include "timing/suite_mean.h"
#include "timing/tails.h"
#include "timing/visits.h"

enum { ROWS = 200, BLOCKS = 20, PLACEMENTS = 4, MOST_VISITS = 12, TUNERS = 4 };

/* How the noise of blocks follows on itself and is distributed. */
enum noise { INDEPENDENT, AR_50, AR_95, T3, SPIKES };

/* A world: standard deviations of ln ratio. A range is drawn from for every row, log-uniformly. */
struct range {
    double low, high;
};

struct world {
    const char *name;
    struct range process, placement, block;
    enum noise noise;
    int process_t; /* degrees of freedom of what processes add; 0: normal */
    int tuners;    /* rows whose processes differ by 12 % */
};

/* As measured by `device` on one H100 (6 processes, 5 placements each, medians of 80 samples):
 * between processes 0.1 to 0.9 %, placements 0.3 to 1.4 %, the rest 0.2 to 0.8 %, which is sqrt(20)
 * times as much for one of 20 blocks. */
#define MEASURED                                                                                   \
    {0.001, 0.009}, {0.003, 0.014}, {                                                              \
        0.009, 0.036                                                                               \
    }
/* Each process 0.5 % apart, and little else. */
#define ALIKE                                                                                      \
    {0.005, 0.005}, {0.001, 0.001}, {                                                              \
        0.005, 0.005                                                                               \
    }

static const struct world worlds[] = {
    {"measured, independent blocks", MEASURED, INDEPENDENT, 0, 0},
    {"measured, AR(0.5)", MEASURED, AR_50, 0, 0},
    {"measured, AR(0.95)", MEASURED, AR_95, 0, 0},
    {"measured, t3 blocks", MEASURED, T3, 0, 0},
    {"measured, lognormal spikes", MEASURED, SPIKES, 0, 0},
    {"measured, t3 between processes", MEASURED, INDEPENDENT, 3, 0},
    {"measured, 4 of 200 tune themselves", MEASURED, INDEPENDENT, 0, TUNERS},
    {"0.5 % between processes", ALIKE, INDEPENDENT, 0, 0},
    {"0.5 %, 4 of 200 tune themselves (12 %)", ALIKE, INDEPENDENT, 0, TUNERS},
};
enum { WORLDS = sizeof worlds / sizeof *worlds };

static const struct world *find_world(const char *name) {
    for (size_t i = 0; i < WORLDS; i++)
        if (strcmp(worlds[i].name, name) == 0)
            return &worlds[i];
    fail_msg("no world is called %s", name);
    return NULL;
}

static double draw_range(struct range range, uint64_t *random) {
    return range.low * pow(range.high / range.low, draw_uniform(random));
}

/* Student's t with df degrees of freedom, scaled to standard deviation 1. */
static double draw_t(int df, uint64_t *random) {
    double squares = 0;
    for (int i = 0; i < df; i++)
        squares += pow(draw_normal(random), 2);
    return draw_normal(random) / sqrt(squares / df) * sqrt((df - 2.0) / df);
}

/* What a slow sample of either arm adds: one in twenty is later, by a lognormal time. */
static double draw_spike(uint64_t *random) {
    return draw_uniform(random) < 0.05 ? 2 * exp(draw_normal(random)) : 0;
}

static void draw_blocks(enum noise noise, double *x, int n, uint64_t *random) {
    const double phi = noise == AR_50 ? 0.5 : noise == AR_95 ? 0.95 : 0;
    double value = draw_normal(random);
    for (int i = 0; i < n; i++) {
        x[i] = noise == T3       ? draw_t(3, random)
               : noise == SPIKES ? draw_normal(random) + draw_spike(random) - draw_spike(random)
                                 : value;
        value = phi * value + sqrt(1 - phi * phi) * draw_normal(random);
    }
}

/* A row's standard deviations. */
struct deviations {
    double process, placement, block;
};

static double draw_process(const struct world *world, uint64_t *random) {
    return world->process_t ? draw_t(world->process_t, random) : draw_normal(random);
}

/* One run of a row whose truth is 0. */
static struct visits draw_row(const struct world *world, const struct deviations *spread,
                              int visits, uint64_t *random) {
    double x[MOST_VISITS * BLOCKS];
    size_t sizes[MOST_VISITS];
    for (int r = 0; r < visits; r++) {
        double *visit = x + (ptrdiff_t)r * BLOCKS, placed = 0;
        const double process = spread->process * draw_process(world, random);
        sizes[r] = BLOCKS;
        draw_blocks(world->noise, visit, BLOCKS, random);
        for (int i = 0; i < BLOCKS; i++) {
            if (i % (BLOCKS / PLACEMENTS) == 0)
                placed = spread->placement * draw_normal(random);
            visit[i] = process + placed + spread->block * visit[i];
        }
    }
    return visits_combine(x, sizes, (size_t)visits, 0.95);
}

/* Of the rows of all runs: in per cent, and the median half-width. */
struct outcome {
    double covered, agree, half;
    double noisy_covered; /* of the tenth of rows whose visits vary most */
    double tuners_covered;
};

/* Sums over runs. */
struct sums {
    size_t rows, covered, noisy, noisy_covered, agree, pairs, tuners, tuners_covered;
    double *half;
};

static bool holds(const struct visits *row) {
    return row->low <= 0 && 0 <= row->high;
}

static double half_of(const struct visits *row) {
    return (row->high - row->low) / 2;
}

/* Rows, and the standard deviations of their visits; the last `tuners` are those that tune
 * themselves. */
static void add_run(struct sums *sums, const struct visits *rows, const double *sd, int tuners) {
    double sorted[ROWS];
    memcpy(sorted, sd, sizeof sorted);
    stats_sort(sorted, (size_t)(ROWS - tuners));
    const double noisy = stats_quantile_sorted(sorted, (size_t)(ROWS - tuners), 0.9);
    for (int i = 0; i < ROWS; i++)
        if (i < ROWS - tuners) {
            sums->covered += holds(&rows[i]);
            sums->noisy += sd[i] >= noisy;
            sums->noisy_covered += sd[i] >= noisy && holds(&rows[i]);
            sums->half[sums->rows++] = half_of(&rows[i]);
        } else {
            sums->tuners++;
            sums->tuners_covered += holds(&rows[i]);
        }
}

static struct agreement_side side_of(const struct visits *row) {
    return (struct agreement_side){row->estimate, half_of(row), row->own.freedom, VERDICT_SAME};
}

/* Two runs of the same rows. */
static void add_pair(const struct world *world, int visits, struct sums *sums, uint64_t *random) {
    struct visits rows[2][ROWS];
    double sd[ROWS];
    for (int i = 0; i < ROWS; i++) {
        struct deviations spread = {draw_range(world->process, random),
                                    draw_range(world->placement, random),
                                    draw_range(world->block, random)};
        if (i >= ROWS - world->tuners)
            spread.process = 0.12;
        sd[i] = sqrt(pow(spread.process, 2) + pow(spread.placement, 2) / PLACEMENTS +
                     pow(spread.block, 2) / BLOCKS);
        for (int run = 0; run < 2; run++)
            rows[run][i] = draw_row(world, &spread, visits, random);
    }
    for (int run = 0; run < 2; run++)
        add_run(sums, rows[run], sd, world->tuners);
    struct agreement_row pairs[ROWS];
    for (int i = 0; i < ROWS; i++)
        pairs[i] = (struct agreement_row){side_of(&rows[0][i]), side_of(&rows[1][i]), (size_t)i};
    const struct agreement agreement = agreement_of(pairs, ROWS, 0.95);
    sums->agree += agreement.agree;
    sums->pairs += agreement.rows;
}

static double percent(size_t part, size_t whole) {
    return 100 * (double)part / (double)whole;
}

static struct outcome simulate(const struct world *world, int visits, int times) {
    const size_t most = (size_t)times * 2 * ROWS;
    uint64_t random = 21;
    struct sums sums = {.half = calloc(most, sizeof *sums.half)};
    assert_non_null(sums.half);
    for (int i = 0; i < times; i++)
        add_pair(world, visits, &sums, &random);
    const struct outcome outcome = {.covered = percent(sums.covered, sums.rows),
                                    .agree = percent(sums.agree, sums.pairs),
                                    .half = stats_median(sums.half, sums.rows),
                                    .noisy_covered = percent(sums.noisy_covered, sums.noisy),
                                    .tuners_covered = percent(sums.tuners_covered, sums.tuners)};
    free(sums.half);
    return outcome;
}

/* A suite: shapes with effects of their own, visits with one common to all shapes. */
struct suite_outcome {
    double covered, shapes_covered, agree, half;
};

static struct suite_outcome simulate_suite(int shapes, int visits, double common, int times) {
    enum { MOST_SHAPES = 100 };
    const double own = 0.01, truth = 0.03;
    uint64_t random = 4;
    size_t covered = 0, shapes_covered = 0, agree = 0;
    double *halves = calloc((size_t)times, sizeof *halves);
    assert_non_null(halves);
    for (int t = 0; t < times; t++) {
        double effect[MOST_SHAPES], fixed = 0, estimates[MOST_SHAPES * MOST_VISITS];
        for (int i = 0; i < shapes; i++)
            fixed += (effect[i] = truth + 0.2 * draw_normal(&random)) / shapes;
        struct spread used[MOST_SHAPES];
        struct suite_mean runs[2];
        for (int run = 0; run < 2; run++) {
            double shared[MOST_VISITS];
            for (int r = 0; r < visits; r++)
                shared[r] = common * own * draw_normal(&random);
            for (int i = 0; i < shapes; i++) {
                double *row = estimates + (ptrdiff_t)i * visits;
                for (int r = 0; r < visits; r++)
                    row[r] = effect[i] + shared[r] + own * draw_normal(&random);
                used[i] = spread_of(row, (size_t)visits);
            }
            runs[run] = suite_mean_of(estimates, used, (size_t)shapes, (size_t)visits, 0.95);
        }
        covered += runs[0].low <= fixed && fixed <= runs[0].high;
        shapes_covered += runs[0].shapes_low <= truth && truth <= runs[0].shapes_high;
        halves[t] = (runs[0].high - runs[0].low) / 2;
        agree += fabs(runs[0].estimate - runs[1].estimate) <=
                 hypot(halves[t], (runs[1].high - runs[1].low) / 2);
    }
    const struct suite_outcome outcome = {
        percent(covered, (size_t)times), percent(shapes_covered, (size_t)times),
        percent(agree, (size_t)times), stats_median(halves, (size_t)times)};
    free(halves);
    return outcome;
}

static int print_tables(void) {
    static const int visits[] = {2, 3, 4, 12};
    puts("| world | visits | truth in the interval | noisiest tenth of rows | two runs agree | "
         "half-width | 12 % rows: truth |\n"
         "| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (size_t w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < sizeof visits / sizeof *visits; i++) {
            const struct outcome o = simulate(&worlds[w], visits[i], visits[i] == 12 ? 20 : 40);
            printf("| %s | %d | %.1f | %.1f | %.1f | %.2f | ", worlds[w].name, visits[i], o.covered,
                   o.noisy_covered, o.agree, 100 * o.half);
            if (worlds[w].tuners)
                printf("%.0f |\n", o.tuners_covered);
            else
                puts("|");
            fflush(stdout);
        }
    printf("\n| shapes | visits | common sd over a shape's | truth, shapes fixed | truth, over "
           "shapes | two runs agree | half-width over a shape's sd |\n"
           "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    static const double commons[] = {0, 0.05, 0.1, 0.2, 1};
    for (size_t i = 0; i < sizeof visits / sizeof *visits; i++)
        for (size_t c = 0; c < sizeof commons / sizeof *commons; c++) {
            const struct suite_outcome o = simulate_suite(100, visits[i], commons[c], 1000);
            printf("| 100 | %d | %g | %.1f | %.1f | %.1f | %.3f |\n", visits[i], commons[c],
                   o.covered, o.shapes_covered, o.agree, 100 * o.half);
        }
    return 0;
}

static void in_range(double value, double low, double high) {
    assert_double_near(value, (low + high) / 2, (high - low) / 2);
}

/* Few visits or many: 95 in 100. The 1,200 rows are known to 0.6 %. */
TEST(student_s_t_holds) {
    static const int visits[] = {2, 3, 4, 6, 12};
    for (size_t i = 0; i < sizeof visits / sizeof *visits; i++)
        for (enum noise noise = INDEPENDENT; noise <= SPIKES; noise++) {
            const struct outcome outcome = simulate(&worlds[noise], visits[i], 3);
            in_range(outcome.covered, 93, 99);
            in_range(outcome.noisy_covered, 88, 100); /* of 120 */
            in_range(outcome.agree, 93.5, 100);
        }
}

/* Fewer visits are wider: 12.7 standard errors of two, 3.2 of four, 2.2 of twelve. */
TEST(few_visits_are_wide) {
    const struct world *world = find_world("measured, independent blocks");
    const double twelve = simulate(world, 12, 2).half;
    in_range(simulate(world, 2, 2).half / twelve, 8, 13);
    in_range(simulate(world, 4, 2).half / twelve, 2, 3);
    in_range(simulate(world, 6, 2).half / twelve, 1.4, 2);
}

/* Kernels that tune themselves have their own width, and the others theirs. */
TEST(tuners_have_their_width) {
    const struct outcome outcome =
        simulate(find_world("0.5 %, 4 of 200 tune themselves (12 %)"), 4, 8);
    in_range(outcome.covered, 93.5, 97.5);
    in_range(outcome.tuners_covered, 88, 100); /* of 64 */
}

/* With nothing common to a visit and with as much as the shapes explain, and far more. */
TEST(suites_are_covered) {
    static const double commons[] = {0, 0.1, 1};
    for (int i = 0; i < 3; i++) {
        const struct suite_outcome outcome = simulate_suite(100, 4, commons[i], 400);
        in_range(outcome.covered, 92, 99);
        in_range(outcome.shapes_covered, 91, 98);
        in_range(outcome.agree, 94, 100);
    }
    assert_true(simulate_suite(100, 4, 0, 100).half < 0.0012); /* 2 sd / sqrt(4 * 100): 0.001 */
}

/* The few degrees of freedom of one shape's variance, and of two's. */
TEST(small_suites_are_covered) {
    static const int visits[] = {3, 4, 6};
    for (int i = 0; i < 3; i++) {
        const struct suite_outcome one = simulate_suite(1, visits[i], 0, 4000);
        in_range(one.covered, 94, 96); /* 3 standard errors */
        in_range(simulate_suite(2, visits[i], 0, 4000).covered, 92, 98);
    }
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--table") == 0)
        return print_tables();
    return tests_run();
}
