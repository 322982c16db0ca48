#include "timing/rank_correlation.h"

#include <math.h>
#include <stdlib.h>

struct item {
    double value;
    size_t place;
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
            ranks[items[i].place] = 0.5 * ((double)first + (double)end - (double)n);
    }
}

static double product(const double *x, const double *y, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

double rank_correlation(const double *x, const double *y, size_t n) {
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
