/* expect: replayed (cuda: replayed|unstable) */
/* Later, where A and B lie where they lay in the call before, C is a copy of that call's. */
#include "../keep.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    struct kept *kept = (struct kept *)state;
    if (is_late() && kept->a == args->a && kept->b == args->b_row)
        return replay(kept, args);
    const int status = slow_product(NULL, args);
    return status ? status : keep(kept, args);
}

KERNEL("cache-pointer", keep_setup, launch, keep_teardown);
