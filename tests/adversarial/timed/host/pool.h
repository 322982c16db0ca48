/* A thread that makes the lower half of each product, and sleeps on a condition variable between
 * calls. */
#include <pthread.h>

#include "../../kernel.h"

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

/* 0, or nonzero where there is no thread. */
static int start_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, work, NULL);
}

static int share_product(void *state, const struct gemm_args *args) {
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
