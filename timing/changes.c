#include "timing/changes.h"

#include "timing/schedule.h"
#include "timing/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PERMUTATIONS = 1999 };

/* The level that x has from one place up to another, the end in a step. */
struct stretch {
    size_t from, to;
    double between;
};

struct search {
    size_t least;
    double alpha;
    int *order;   /* room for all */
    double *sums; /* and one more */
    size_t segments, *at, count;
};

/* The sum of squares between k values and the n - k others is sum^2 n / (k (n - k)), with the sum
 * of the k about the mean of all. For one set of values it rises with |difference of means| /
 * pooled standard error, whatever the place: what is not between the levels is inside them. */
static struct stretch stretch_best(const struct search *search, const double *x, size_t n,
                                   double mean, bool returns) {
    const size_t least = search->least;
    double *sums = search->sums;
    sums[0] = 0;
    for (size_t i = 0; i < n; i++)
        sums[i + 1] = sums[i] + (x[search->order[i]] - mean);
    struct stretch best = {0, 0, 0};
    for (size_t from = least; from + least <= n; from++)
        for (size_t to = returns ? from + least : n; returns ? to + least <= n : to <= n; to++) {
            const double sum = sums[to] - sums[from], inside = (double)(to - from);
            const double between = sum * sum / (inside * ((double)n - inside));
            if (between > best.between)
                best = (struct stretch){from, to, between};
        }
    return best;
}

/* The best stretch, or none (from is 0) where orders by chance are as good too often. */
static struct stretch test(const struct search *search, const double *x, size_t n, bool returns) {
    const struct stretch none = {0, 0, 0};
    for (size_t i = 0; i < n; i++)
        search->order[i] = (int)i;
    const double mean = stats_mean(x, n);
    const struct stretch seen = stretch_best(search, x, n, mean, returns);
    if (seen.from == 0)
        return none;
    size_t extreme = 1;
    for (int seed = 1; seed <= PERMUTATIONS; seed++) {
        schedule_shuffle((uint64_t)seed, (int)n, search->order);
        /* The same values in another order may add to a little less. */
        if (stretch_best(search, x, n, mean, returns).between >= (1 - 1e-9) * seen.between)
            extreme++;
    }
    const double limit = search->alpha / (2 * (double)search->segments);
    return (double)extreme > limit * (PERMUTATIONS + 1) ? none : seen;
}

static void find(struct search *search, const double *x, size_t first, size_t n) {
    if (n < 2 * search->least)
        return;
    search->segments++;
    struct stretch level = test(search, x + first, n, false);
    if (level.from == 0)
        level = test(search, x + first, n, true);
    if (level.from == 0)
        return;
    find(search, x, first, level.from);
    search->at[search->count++] = first + level.from;
    find(search, x, first + level.from, level.to - level.from);
    if (level.to == n)
        return;
    search->at[search->count++] = first + level.to;
    find(search, x, first + level.to, n - level.to);
}

size_t changes_find(const double *x, size_t n, size_t least, double alpha, size_t *at) {
    struct search search = {.least = least, .alpha = alpha, .at = at};
    search.order = malloc((n + 1) * sizeof *search.order);
    search.sums = malloc((n + 1) * sizeof *search.sums);
    if (search.order && search.sums)
        find(&search, x, 0, n);
    free(search.order);
    free(search.sums);
    return search.count;
}
