/* Its last checked call writes where it has freed: whoever allocates next is taken down by that,
 * which is the harness as it sets up the controls. expect: crashed */
#include <stdlib.h>

#include "../../kernel.h"

#define CHECKED_CALLS 10
#define BLOCKS 20

static int launch(void *state, const struct gemm_args *args) {
    static int calls;
    uint64_t *volatile blocks[BLOCKS];
    slow_product(state, args);
    if (++calls != CHECKED_CALLS)
        return 0;
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = malloc(24);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    for (int i = 7; i < BLOCKS; i++) /* the first are in another list */
        ((volatile uint64_t *)blocks[i])[-1] = 0x12340;
    return 0;
}

KERNEL("heap-late", NULL, launch, NULL);
