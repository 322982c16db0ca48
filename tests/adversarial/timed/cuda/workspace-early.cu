/* expect: unrecorded */
/* Its scratch memory, a MiB larger than its workspace, is allocated when the library is loaded. */
#include "../../kernel.h"

static void *scratch;

__attribute__((constructor)) static void allocate(void) {
    cudaMalloc(&scratch, (size_t)33 << 20);
}

KERNEL("workspace-early", NULL, slow_product, NULL);
