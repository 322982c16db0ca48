/* How a function that knows nothing of gemmgate is called: what gemmgate.ini says of it, and the
 * wrapper that makes a kernel of it. */
#ifndef CANDIDATES_SET_CALL_H
#define CANDIDATES_SET_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/base/element.h"

/* An expression of gemmgate.ini, whose lines follow each other, and the first one's number. "": it is
 * not said; 0: it is not from there. */
struct call_text {
    char text[1600];
    int line;
};

/* The keys of a section [kernel NAME], with those of [set] for all kernels. */
struct call {
    char name[64];                            /* "": every file of the pattern */
    char file[256];                           /* as written, relative to the set's folder */
    int line;                                 /* of the section */
    struct call_text call, can_do, workspace; /* the last two are of m, n and k */
    int32_t accumulate;                       /* enum gemm_accumulate; 0: not said */
    int elements;                             /* bits 1 << enum element; 0: not said, */
    int elements_line;                        /* or here */
    int32_t device;                           /* enum gemm_device; 0: what the file's type says */
    int32_t tile[3];
    bool reads_c; /* if only times beta = 0 */
};

/* A text that a wrapper may export: what the kernel's row is to say of its calls. */
#define CALL_NOTE "gemmgate_note"

/* Writes the wrapper: a source that is compiled behind the file and exports gemmgate_kernel. What is
 * the same in all wrappers is in candidates/wrapper. cuda: of a CUDA source, in C++; else of one in
 * C. A message of the compiler about an expression names the line of gemmgate.ini. element: what the
 * operands are made of. */
void call_write_wrapper(FILE *out, const struct call *call, const char *label, bool cuda,
                        enum element element);

#endif
