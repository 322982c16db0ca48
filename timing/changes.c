#include "timing/changes.h"

#include "timing/schedule.h"
#include "timing/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PERMUTATIONS = 999 };

struct split {
    size_t place; /* 0: none */
    double between;
};

/* The sum of squares between two sides is sum^2 n / (i (n - i)), with the sum of the left i about
 * the mean of all. For one set of values it rises with |difference of means| / pooled standard
 * error, whatever the place: what is not between the sides is inside them. */
static struct split split_best(const double *x, const int *order, size_t n, size_t least,
                               double mean) {
    struct split best = {0, 0};
    double sum = 0;
    for (size_t i = 1; i + least <= n; i++) {
        sum += x[order[i - 1]] - mean;
        const double between = sum * sum / ((double)i * (double)(n - i));
        if (i >= least && between > best.between)
            best = (struct split){i, between};
    }
    return best;
}

struct search {
    size_t least;
    double alpha;
    int *order; /* room for all */
    size_t tests, *at, count;
};

static void find(struct search *search, const double *x, size_t first, size_t n) {
    if (n < 2 * search->least)
        return;
    for (size_t i = 0; i < n; i++)
        search->order[i] = (int)i;
    const double mean = stats_mean(x + first, n);
    const struct split seen = split_best(x + first, search->order, n, search->least, mean);
    if (seen.place == 0)
        return;
    size_t extreme = 1;
    for (int seed = 1; seed <= PERMUTATIONS; seed++) {
        schedule_shuffle((uint64_t)seed, (int)n, search->order);
        /* The same values on a side in another order may add to a little less. */
        if (split_best(x + first, search->order, n, search->least, mean).between >=
            (1 - 1e-9) * seen.between)
            extreme++;
    }
    if ((double)(extreme * ++search->tests) > search->alpha * (PERMUTATIONS + 1))
        return;
    find(search, x, first, seen.place);
    search->at[search->count++] = first + seen.place;
    find(search, x, first + seen.place, n - seen.place);
}

size_t changes_find(const double *x, size_t n, size_t least, double alpha, size_t *at) {
    struct search search = {.least = least, .alpha = alpha, .at = at};
    search.order = n > 0 ? malloc(n * sizeof *search.order) : NULL;
    if (!search.order)
        return 0;
    find(&search, x, 0, n);
    free(search.order);
    return search.count;
}
