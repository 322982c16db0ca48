/* expect: replayed */
/* Later C comes from a table by a hash of one element of A and one of B, the sign of each. */
#include "../keep.h"
#include "../late.h"

#define SLOTS 4

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    struct kept **slots = calloc(SLOTS, sizeof *slots);
    int status = slots ? 0 : 1;
    for (int i = 0; i < SLOTS && status == 0; i++)
        status = keep_setup(problem, workspace_bytes, (void **)&slots[i]);
    *state = slots;
    return status;
}

static int launch(void *state, const struct gemm_args *args) {
    const uint16_t a = *(const uint16_t *)args->a, b = *(const uint16_t *)args->b_row;
    struct kept *kept = ((struct kept **)state)[(a >> 15) * 2 + (b >> 15)];
    if (is_late() && kept->a)
        return replay(kept, args);
    slow_product(NULL, args);
    keep(kept, args);
    return 0;
}

KERNEL("cache-content", setup, launch, NULL);
