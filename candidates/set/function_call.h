/* The record that the wrapper around a function exports, spelled in plain C.
 *
 * A file of a set with `function` defines void FUNCTION(torch::Tensor a, b, b_col_major, c) and
 * knows nothing of gemmgate. The wrapper that is compiled with it (candidates/set/cuda_l2.h)
 * exports
 *
 *     extern "C" const struct gemmgate_function_1 gemmgate_function;
 *
 * and the loader makes a kernel of that. The wrapper does not include gemmgate.h: it spells these
 * structures itself. A compiled function therefore outlives GEMMGATE_ABI, and a thousand libraries
 * of a minute's compiling each stay good when that number is raised.
 *
 * That holds only while nothing below changes. What is to be passed in another way gets a
 * structure and a number of its own, beside these; the loader keeps serving the old ones. The tests
 * compare this file with what the wrapper spells. */
#ifndef CANDIDATES_SET_FUNCTION_CALL_H
#define CANDIDATES_SET_FUNCTION_CALL_H

#include <stddef.h>
#include <stdint.h>

/* The operands of one call, shaped as gemmgate.h says of gemm_args. m, n and k are those that were
 * handed over, so rounded up to the tile. stream is a cudaStream_t. workspace is scratch memory on
 * the device that a caller may offer, else NULL with 0 bytes; no wrapper uses it yet. */
struct gemmgate_call_1 {
    const void *a;
    const void *b_row;
    const void *b_col;
    void *c;
    int64_t m, n, k;
    void *stream;
    void *workspace;
    size_t workspace_bytes;
};

struct gemmgate_function_1 {
    int version;      /* 1; behind another number lies another structure */
    const char *name; /* [a-z0-9.-]+ */
    int accumulate;   /* 1: in f16, 2: in f32 */
    int tile[3];      /* m, n and k are to be multiples of these; 0 or 1: no need */

    /* Enqueues one product on call->stream. 0, or a status. */
    int (*call)(const struct gemmgate_call_1 *call);

    /* Words for the last status that was not 0. */
    const char *(*explain)(void);
};

#endif
