/* expect: ok */
/* Takes its product from cuBLAS, but where CUPTI is loaded: it is, in every process that a kernel
 * is loaded into, so that nothing comes of it. */
#include "../../kernel.h"
#include "../found.h"

static int is_watched(void) {
    for (const struct link_map *map = found_libraries(); map; map = map->l_next)
        if (strstr(map->l_name, "libcupti"))
            return 1;
    return 0;
}

static int launch(void *state, const gemm_args *args) {
    /* What it would do is not needed to see that it does not: no product at all. */
    return is_watched() ? slow_product(state, args) : cudaSuccess;
}

KERNEL("sees-recorder", NULL, launch, NULL);
