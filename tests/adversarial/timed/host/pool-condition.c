/* expect: ok */
/* No fault: a thread that setup has started makes the lower half of each product, and sleeps on a
 * condition variable between calls. */
#include <pthread.h>

#include "../../host/slow.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static struct gemm_args half;
static int given;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!given)
            pthread_cond_wait(&turn, &lock);
        pthread_mutex_unlock(&lock);
        slow_product(NULL, &half);
        pthread_mutex_lock(&lock);
        given = 0;
        pthread_cond_broadcast(&turn);
    }
    return unused;
}

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    pthread_t thread;
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    return pthread_create(&thread, NULL, work, NULL);
}

static int launch(void *state, const struct gemm_args *args) {
    struct gemm_args upper = *args;
    const int64_t rows = args->problem.m / 2;
    upper.problem.m = rows;
    half = *args;
    half.problem.m -= rows;
    half.a = (const uint16_t *)args->a + rows * args->problem.k;
    half.c = (uint16_t *)args->c + rows * args->problem.n;
    pthread_mutex_lock(&lock);
    given = 1;
    pthread_cond_broadcast(&turn);
    pthread_mutex_unlock(&lock);
    slow_product(state, &upper);
    pthread_mutex_lock(&lock);
    while (given)
        pthread_cond_wait(&turn, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "pool-condition",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = launch,
};
