#include "timing/poisson_binomial.h"

#include <math.h>
#include <stdlib.h>

/* share[k]: that k of n happen. */
static void distribution_fill(const double *chance, size_t n, double *share) {
    share[0] = 1;
    for (size_t i = 0; i < n; i++) {
        share[i + 1] = chance[i] * share[i];
        for (size_t k = i; k > 0; k--)
            share[k] = (1 - chance[i]) * share[k] + chance[i] * share[k - 1];
        share[0] *= 1 - chance[i];
    }
}

struct poisson_binomial poisson_binomial_of(const double *chance, size_t n, size_t seen) {
    struct poisson_binomial result = {NAN, NAN, NAN};
    double expected = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(chance[i] >= 0 && chance[i] <= 1))
            return result;
        expected += chance[i];
    }
    double *share = malloc((n + 1) * sizeof *share);
    if (!share)
        return result;
    distribution_fill(chance, n, share);
    result = (struct poisson_binomial){expected, 0, 0};
    /* From the small ends on. */
    for (size_t k = 0; k <= seen && k <= n; k++)
        result.at_most += share[k];
    for (size_t k = n + 1; k-- > seen;)
        result.at_least += share[k];
    result.at_most = fmin(result.at_most, 1);
    result.at_least = fmin(result.at_least, 1);
    free(share);
    return result;
}
