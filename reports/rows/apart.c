#include "reports/rows/apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"

/* One process: its columns of the kernel, and of the libraries that the other one has, too. */
struct process {
    const struct samples *samples;
    size_t kernel, libraries[SAMPLES_COLUMNS], library_count;
};

/* Arms that were timed stand before the first note. What stands behind the notes is derived of them. */
static void list_libraries(struct process *process, const struct samples *other) {
    const struct samples *samples = process->samples;
    for (size_t i = 0; i < samples->column_count && derive_is_arm(samples->columns[i]); i++)
        if (i != process->kernel && derive_is_own(samples->columns[i]) &&
            derive_column(other, samples->columns[i]) >= 0)
            process->libraries[process->library_count++] = i;
}

/* NaN where one of the times is marked. */
static double log_speed(const struct process *process, size_t block) {
    const struct samples *samples = process->samples;
    const double kernel = derive_value(samples, block, process->kernel);
    double sum = 0;
    for (size_t i = 0; i < process->library_count; i++)
        sum += log(derive_value(samples, block, process->libraries[i]));
    const double count = process->library_count > 0 ? (double)process->library_count : 1;
    return sum / count - log(kernel);
}

/* The values of the visit, or of all (-1), one visit behind the other; sizes: how many each has. */
static void take_values(const struct process *process, int wanted, double *x,
                        size_t sizes[SAMPLES_VISITS]) {
    size_t n = 0;
    for (size_t b = 0; b < process->samples->blocks; b++) {
        const int visit = derive_visit_of(process->samples, b);
        if ((wanted >= 0 && visit != wanted) || isnan(x[n] = log_speed(process, b)))
            continue;
        sizes[visit]++;
        n++;
    }
}

struct visits apart_change(const struct samples *candidates, const struct samples *earlier,
                           const char *candidate, int visit) {
    struct process new = {.samples = candidates}, old = {.samples = earlier};
    size_t sizes[2][SAMPLES_VISITS] = {{0}};
    new.kernel = (size_t)derive_column(candidates, candidate);
    old.kernel = (size_t)derive_column(earlier, RUNDIR_PREVIOUS);
    list_libraries(&new, earlier);
    list_libraries(&old, candidates);
    double *x = need(candidates->blocks, sizeof *x), *y = need(earlier->blocks, sizeof *y);
    take_values(&new, visit, x, sizes[0]);
    take_values(&old, visit, y, sizes[1]);
    const struct visits result =
        visits_difference(&(struct visits_values){x, sizes[0]},
                          &(struct visits_values){y, sizes[1]}, SAMPLES_VISITS, 0.95);
    free(x);
    free(y);
    return result;
}
