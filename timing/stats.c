#include "timing/stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Kahan's compensated sum. */
struct sum {
    double value, lost;
};

static void sum_add(struct sum *sum, double x) {
    const double y = x - sum->lost;
    const double next = sum->value + y;
    sum->lost = (next - sum->value) - y;
    sum->value = next;
}

double stats_mean(const double *x, size_t n) {
    struct sum sum = {0, 0};
    for (size_t i = 0; i < n; i++)
        sum_add(&sum, x[i]);
    return n > 0 ? sum.value / (double)n : NAN;
}

double stats_sd(const double *x, size_t n) {
    const double mean = stats_mean(x, n);
    struct sum sum = {0, 0};
    for (size_t i = 0; i < n; i++)
        sum_add(&sum, (x[i] - mean) * (x[i] - mean));
    return n > 1 ? sqrt(sum.value / (double)(n - 1)) : NAN;
}

double stats_quantile_sorted(const double *sorted, size_t n, double p) {
    if (n == 0 || !(p >= 0 && p <= 1))
        return NAN;
    const double position = p * (double)(n - 1);
    const size_t below = (size_t)position;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

static int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void stats_sort(double *x, size_t n) {
    if (n > 1)
        qsort(x, n, sizeof *x, compare_doubles);
}

/* NULL for n = 0 or when memory runs out. */
static double *sorted_copy(const double *x, size_t n) {
    double *copy = n > 0 ? malloc(n * sizeof *copy) : NULL;
    if (copy) {
        memcpy(copy, x, n * sizeof *copy);
        stats_sort(copy, n);
    }
    return copy;
}

double stats_median(const double *x, size_t n) {
    double *sorted = sorted_copy(x, n);
    const double median = sorted ? stats_quantile_sorted(sorted, n, 0.5) : NAN;
    free(sorted);
    return median;
}

static double walsh(double a, double b) {
    return (a + b) / 2;
}

/* How many Walsh averages of x, sorted, are at most t: as i goes up the last j that still fits goes
 * down, since rounding keeps the order of sums. */
static uint64_t walsh_count(const double *x, size_t n, double t) {
    uint64_t count = 0;
    size_t fit = n; /* x[i] with x[0..fit-1] is at most t */
    for (size_t i = 0; i < n; i++) {
        while (fit > i && walsh(x[i], x[fit - 1]) > t)
            fit--;
        if (fit <= i)
            break;
        count += fit - i;
    }
    return count;
}

/* Doubles in their order as integers, neighbours one apart, and back; its own inverse. */
static int64_t order_bits(int64_t bits) {
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static int64_t order_of(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return order_bits(bits);
}

static double value_of(int64_t order) {
    const int64_t bits = order_bits(order);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The rank-th smallest Walsh average, rank from 1. Bisection over the doubles themselves ends at
 * the smallest one that has rank averages at or below it; the count steps up only at an average, so
 * that double is one, exactly. */
static double walsh_select(const double *x, size_t n, uint64_t rank) {
    int64_t low = order_of(x[0]), high = order_of(x[n - 1]);
    while (low < high) {
        /* Halved before they are added, for the distance may exceed 63 bits; never below low, since
         * two odd ends are two apart. */
        const int64_t middle = (low >> 1) + (high >> 1);
        if (walsh_count(x, n, value_of(middle)) >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return value_of(low) + 0.0; /* -0 to 0 */
}

/* The Walsh average of the rank behind that of t, which is one: t again, or the smallest above it. */
static double walsh_next(const double *x, size_t n, double t, uint64_t rank) {
    double next = INFINITY;
    size_t fit = n; /* as in walsh_count */
    if (walsh_count(x, n, t) > rank)
        return t;
    for (size_t i = 0; i < n; i++) {
        while (fit > i && walsh(x[i], x[fit - 1]) > t)
            fit--;
        const size_t above = fit > i ? fit : i;
        if (above < n)
            next = fmin(next, walsh(x[i], x[above]));
    }
    return next;
}

static int all_finite(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

double stats_hodges_lehmann(const double *x, size_t n) {
    double *sorted = all_finite(x, n) ? sorted_copy(x, n) : NULL;
    if (!sorted)
        return NAN;
    const uint64_t count = (uint64_t)n * ((uint64_t)n + 1) / 2;
    const uint64_t rank = (count + 1) / 2;
    double estimate = walsh_select(sorted, n, rank);
    if (count % 2 == 0)
        estimate = walsh(estimate, walsh_next(sorted, n, estimate, rank));
    free(sorted);
    return estimate;
}

double stats_quartile_sd(const double *x, size_t n) {
    double *sorted = n > 1 && all_finite(x, n) ? sorted_copy(x, n) : NULL;
    const double normal = 1.3489795003921634; /* of one with standard deviation 1 */
    const double range =
        sorted ? stats_quantile_sorted(sorted, n, 0.75) - stats_quantile_sorted(sorted, n, 0.25)
               : NAN;
    free(sorted);
    return range / normal;
}

struct stats_interval stats_wilson(double share, double n) {
    if (!(n > 0))
        return (struct stats_interval){NAN, NAN, NAN};
    const double z = 1.959963984540054;
    const double shrink = 1 + z * z / n, centre = (share + z * z / (2 * n)) / shrink;
    const double half = z * sqrt((share * (1 - share) + z * z / (4 * n)) / n) / shrink;
    /* Neither end is lost to rounding where all or none succeeded. */
    return (struct stats_interval){share, share == 0 ? 0 : centre - half,
                                   share == 1 ? 1 : centre + half};
}

struct item {
    double value;
    size_t index;
};

static int compare_items(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* Ranks less their mean, so that they sum to 0. items is scratch. */
static void put_ranks(const double *x, size_t n, struct item *items, double *ranks) {
    for (size_t i = 0; i < n; i++)
        items[i] = (struct item){x[i], i};
    qsort(items, n, sizeof *items, compare_items);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && items[end].value <= items[first].value;)
            end++;
        for (size_t i = first; i < end; i++)
            ranks[items[i].index] = 0.5 * ((double)first + (double)end - (double)n);
    }
}

static double product(const double *x, const double *y, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

double stats_rank_correlation(const double *x, const double *y, size_t n) {
    struct item *items = malloc((n + 1) * sizeof *items);
    double *a = malloc((2 * n + 1) * sizeof *a), *b = a ? a + n : NULL, rho = NAN;
    if (items && a) {
        put_ranks(x, n, items, a);
        put_ranks(y, n, items, b);
        const double size = sqrt(product(a, a, n) * product(b, b, n));
        rho = size > 0 ? product(a, b, n) / size : NAN;
    }
    free(items);
    free(a);
    return rho;
}
