/* expect: unrecorded */
/* Its scratch memory is a MiB larger than its workspace. */
#include "../../kernel.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    return room_make(state, workspace_bytes + ((size_t)1 << 20));
}

KERNEL("workspace-more", setup, slow_product, room_free);
