/* A right and slow product of the host, and its words for what kernel.h asks for. */
#ifndef SLOW_H
#define SLOW_H

#include <gemmgate.h>
#include <stdlib.h>
#include <string.h>

#include "../../../candidates/examples/host/half.h"

#define SLOW_DEVICE GEMM_HOST
#define slow_explain NULL
#define ON_DEVICE
#define binary16 uint16_t
#define widen16 half_widen
#define narrow16 half_narrow

#define SLOW_WIDTH 64 /* columns of C at a time, which a compiler can make vectors of */

/* C = A * B. Returns 0, as launch does. */
static inline int slow_product(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    uint16_t *c = args->c;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j += SLOW_WIDTH) {
            const int64_t width = p.n - j < SLOW_WIDTH ? p.n - j : SLOW_WIDTH;
            float sums[SLOW_WIDTH] = {0.0f};
            for (int64_t k = 0; k < p.k; k++) {
                const float element = half_widen(a[i * p.k + k]);
                for (int64_t l = 0; l < width; l++)
                    sums[l] += element * half_widen(b[k * p.n + j + l]);
            }
            for (int64_t l = 0; l < width; l++)
                c[i * p.n + j + l] = half_narrow(sums[l]);
        }
    }
    return 0;
}

/* Changes an element of an operand, in the stream of the call: keeps these bits, flips those. */
static inline int change_bits(const struct gemm_args *args, uint16_t *at, unsigned keep,
                              unsigned flip) {
    (void)args;
    *at = (uint16_t)((*at & keep) ^ flip);
    return 0;
}

/* Memory of a kernel's own: made in setup, copied to and from in the stream of the call. */
static inline int room_make(void **room, size_t bytes) {
    return (*room = malloc(bytes)) ? 0 : 1;
}

static inline int room_copy(const struct gemm_args *args, void *to, const void *from,
                            size_t bytes) {
    (void)args;
    memcpy(to, from, bytes);
    return 0;
}

static inline void room_free(void *room) {
    free(room);
}

#endif
