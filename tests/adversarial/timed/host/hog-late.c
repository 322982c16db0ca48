/* Its last checked call takes all memory there is, touching none: the controls, which are set up
 * next, find none. expect: setup-failed|unrecorded */
#include <stdlib.h>

#include "../../kernel.h"

#define CHECKED_CALLS 10

static int launch(void *state, const struct gemm_args *args) {
    static int calls;
    slow_product(state, args);
    if (++calls != CHECKED_CALLS)
        return 0;
    for (size_t size = (size_t)1 << 30; size >= 1 << 16; size /= 2)
        while (malloc(size))
            ;
    return 0;
}

KERNEL("hog-late", NULL, launch, NULL);
