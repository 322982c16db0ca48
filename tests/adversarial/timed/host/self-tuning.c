/* No fault: its first call times two right ways and keeps the faster. expect: ok */
#include <time.h>

#include "split.h"

static float kept_whole(float value) {
    return value;
}

static int in_slices(void *state, const struct gemm_args *args) {
    (void)state;
    return split_product(args, 64, kept_whole);
}

static int launch(void *state, const struct gemm_args *args) {
    static int (*const ways[])(void *, const struct gemm_args *) = {slow_product, in_slices};
    static int best = -1;
    if (best < 0) {
        clock_t start[3];
        for (int i = 0; i < 2; i++) {
            start[i] = clock();
            ways[i](state, args);
        }
        start[2] = clock();
        best = start[2] - start[1] < start[1] - start[0];
    }
    return ways[best](state, args);
}

KERNEL("self-tuning", NULL, launch, NULL);
