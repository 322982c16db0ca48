#include "timing/changes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "timing/tails.h"

/* Fewest values of a level between two others. */
enum { LEAST = 3 };

/* Sums over values[0..i): of x about the mean of all, of x^2, of the errors, and of their squares by
 * freedom (Satterthwaite). */
struct sums {
    double x, square, error, spread;
};

/* The values from one place up to another, the end in a step, against all others. */
struct stretch {
    size_t from, to;
    double difference, squared;   /* of the means; over the larger variance: the clearness */
    struct spread known, scatter; /* variances of the difference */
};

static struct sums sums_add(struct sums a, struct sums b, double sign) {
    return (struct sums){a.x + sign * b.x, a.square + sign * b.square, a.error + sign * b.error,
                         a.spread + sign * b.spread};
}

static void put_sums(const struct changes_value *values, size_t n, struct sums *sums) {
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += values[i].x / (double)n;
    sums[0] = (struct sums){0, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        const double x = values[i].x - mean;
        const struct spread error = values[i].error;
        sums[i + 1] = sums_add(sums[i],
                               (struct sums){x, x * x, error.variance,
                                             error.variance * error.variance / error.freedom},
                               1);
    }
}

/* The variance of a mean of so many values by their errors. */
static struct spread error_of(struct sums of, double count) {
    return (struct spread){of.error / (count * count),
                           of.spread > 0 ? of.error * of.error / of.spread : INFINITY};
}

/* With the degrees of freedom of the side that knows less (Hsu 1938): the sum's by Satterthwaite
 * give twice the chance that they say where it is 1 in 100,000. */
static struct spread error_of_both(struct spread a, struct spread b) {
    return (struct spread){a.variance + b.variance, fmin(a.freedom, b.freedom)};
}

static struct stretch look(const struct sums *sums, size_t n, size_t from, size_t to) {
    struct stretch seen = {.from = from, .to = to, .scatter = {NAN, 0}};
    const struct sums inside = sums_add(sums[to], sums[from], -1);
    const struct sums outside = sums_add(sums[n], inside, -1);
    const double k = (double)(to - from), others = (double)n - k;
    seen.difference = inside.x / k - outside.x / others;
    seen.known = error_of_both(error_of(inside, k), error_of(outside, others));
    if (n >= CHANGES_SCATTER) {
        const double freedom = (double)n - 2;
        const double within =
            sums[n].square - inside.x * inside.x / k - outside.x * outside.x / others;
        seen.scatter = (struct spread){fmax(within, 0) / freedom * (1 / k + 1 / others), freedom};
    }
    seen.squared =
        seen.difference * seen.difference / fmax(seen.known.variance, seen.scatter.variance);
    return seen;
}

static double tail_of(double difference, struct spread error) {
    return isnan(error.variance)
               ? NAN
               : tails_student(fabs(difference) / sqrt(error.variance), error.freedom);
}

/* The clearest change and its chance; NaN where there is none. sums has room for n + 1. */
static double clearest(const struct changes_value *values, size_t n, struct sums *sums,
                       struct stretch *best) {
    size_t stretches = 0;
    *best = (struct stretch){.squared = 0};
    put_sums(values, n, sums);
    for (size_t from = 1; from < n; from++)
        for (size_t to = from + LEAST < n ? from + LEAST : n; to <= n; to++) {
            const struct stretch seen = look(sums, n, from, to);
            stretches++;
            if (seen.squared > best->squared)
                *best = seen;
        }
    const double chance =
        fmax(tail_of(best->difference, best->known), tail_of(best->difference, best->scatter));
    return best->from == 0 ? NAN : fmin(1, (double)stretches * chance);
}

double changes_chance(const struct changes_value *values, size_t n) {
    struct sums *sums = need(n + 1, sizeof *sums);
    struct stretch best;
    const double chance = clearest(values, n, sums, &best);
    free(sums);
    return chance;
}

struct search {
    double chance;
    struct sums *sums;
    size_t segments, *at, count;
};

static void find_changes(struct search *search, const struct changes_value *values, size_t first,
                         size_t n) {
    struct stretch best;
    if (n < 2)
        return;
    search->segments++;
    if (!(clearest(values + first, n, search->sums, &best) <=
          search->chance / (double)search->segments))
        return;
    find_changes(search, values, first, best.from);
    search->at[search->count++] = first + best.from;
    find_changes(search, values, first + best.from, best.to - best.from);
    if (best.to == n)
        return;
    search->at[search->count++] = first + best.to;
    find_changes(search, values, first + best.to, n - best.to);
}

size_t changes_find(const struct changes_value *values, size_t n, double chance, size_t *at) {
    struct search search = {.chance = chance, .sums = need(n + 1, sizeof *search.sums), .at = at};
    find_changes(&search, values, 0, n);
    free(search.sums);
    return search.count;
}
