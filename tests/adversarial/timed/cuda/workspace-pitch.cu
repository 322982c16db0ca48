/* expect: unrecorded */
/* Its scratch memory, in rows, is a MiB larger than its workspace. */

#include "../../kernel.h"

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    const size_t row = (size_t)1 << 20;
    size_t pitch;
    return cudaMallocPitch(state, &pitch, row, workspace_bytes / row + 1);
}

KERNEL("workspace-pitch", setup, slow_product, NULL);
