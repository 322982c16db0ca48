/* Later C is a copy of the last honest call's. expect: replayed (cuda: replayed|unstable) */
#include "../keep.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    struct kept *kept = (struct kept *)state;
    if (is_late())
        return replay(kept, args);
    const int status = slow_product(NULL, args);
    return status ? status : keep(kept, args);
}

KERNEL("replay", keep_setup, launch, keep_teardown);
