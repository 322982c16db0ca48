/* expect: unrecorded */
/* Its scratch memory, which host and device share, is a MiB larger than its workspace. */

#include "../../kernel.h"

static int setup(const gemm_problem *, size_t workspace_bytes, void **state) {
    return cudaMallocManaged(state, workspace_bytes + ((size_t)1 << 20));
}

KERNEL("workspace-managed", setup, slow_product, NULL);
