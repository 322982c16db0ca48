/* Its setup writes where it has freed: whoever allocates next is taken down by that, which is the
 * harness as it sets up the controls. expect: crashed */
#include <stdlib.h>

#include "../../kernel.h"

#define BLOCKS 20

static int setup(const struct gemm_problem *problem, size_t bytes, void **state) {
    uint64_t *volatile blocks[BLOCKS];
    (void)problem, (void)bytes, (void)state;
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = malloc(24);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    for (int i = 7; i < BLOCKS; i++) /* the first are in another list */
        ((volatile uint64_t *)blocks[i])[-1] = 0x12340;
    return 0;
}

KERNEL("heap", setup, slow_product, NULL);
