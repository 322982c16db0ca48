/* expect: replayed */
/* Later a shape that has been seen gets the C that it had then. Outlives setup and teardown. */
#include <string.h>

#include "../keep.h"
#include "../late.h"

static struct {
    struct gemm_problem problem;
    struct kept *kept;
} last;

static int launch(void *state, const struct gemm_args *args) {
    (void)state;
    if (is_late() && memcmp(&last.problem, &args->problem, sizeof last.problem) == 0)
        return replay(last.kept, args);
    if (last.kept)
        keep_teardown(last.kept);
    last.problem = args->problem;
    if (keep_setup(&last.problem, 0, (void **)&last.kept) != 0)
        return 1;
    slow_product(NULL, args);
    keep(last.kept, args);
    return 0;
}

KERNEL("cache-shape", NULL, launch, NULL);
