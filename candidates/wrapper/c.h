/* The kernel around a function of a C source that gemmgate.ini calls. candidates/set/call_wrapper.c
 * writes the file that includes this, then has a function for each expression of gemmgate.ini, and
 * then includes kernel.h. */
#ifndef CANDIDATES_WRAPPER_C_H
#define CANDIDATES_WRAPPER_C_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "gemmgate.h"

#if defined __GNUC__
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#pragma GCC diagnostic error "-Wint-conversion"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

/* The status of an expression of type int or of an enumeration, which C has as unsigned, is its
 * value, of any other type 0. */
#define GEMMGATE_STATUS(...)                                                                       \
    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(__VA_ARGS__), int) ||            \
                              __builtin_types_compatible_p(__typeof__(__VA_ARGS__), unsigned),     \
                          (__VA_ARGS__), ((__VA_ARGS__), 0))

#define GEMMGATE_SIZES int64_t m, int64_t n, int64_t k
#define GEMMGATE_OPERANDS                                                                          \
    void *a, void *b_row, void *b_col, void *c, GEMMGATE_SIZES, void *stream, void *workspace,     \
        const float one, const float zero

static char gemmgate_message[512];
#define GEMMGATE_SAY(...) snprintf(gemmgate_message, sizeof gemmgate_message, __VA_ARGS__)

static int gemmgate_call(GEMMGATE_OPERANDS);

static int gemmgate_launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem *p = &args->problem;
    const int status = gemmgate_call((void *)args->a, (void *)args->b_row, (void *)args->b_col,
                                     args->c, p->m, p->n, p->k, args->stream, state, 1, 0);
    if (status != 0)
        GEMMGATE_SAY("its call gave a status");
    return status;
}

static void *gemmgate_allocate(size_t bytes) {
    return aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static bool gemmgate_share(size_t bytes) {
    (void)bytes;
    return true;
}

static void gemmgate_teardown(void *memory) {
    free(memory);
}

#endif
