/* expect: ok */
/* No fault: uses the library of threads, too, but only to make its scratch memory once. */
#include <pthread.h>
#include <stdlib.h>

#include "../../kernel.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static float *widened; /* of one row of A */

static void make(void) {
    widened = malloc(((size_t)1 << 17) * sizeof *widened);
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    (void)state;
    pthread_once(&once, make);
    if (!widened || p.k > 1 << 17)
        return 1;
    pthread_mutex_lock(&lock);
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t k = 0; k < p.k; k++)
            widened[k] = half_widen(a[i * p.k + k]);
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t k = 0; k < p.k; k++)
                sum += widened[k] * half_widen(b[k * p.n + j]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

KERNEL("once", NULL, launch, NULL);
