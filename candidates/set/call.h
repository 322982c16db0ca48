/* How a function that knows nothing of gemmgate is called: what gemmgate.ini says of it, and the
 * wrapper that makes a kernel of it. */
#ifndef CANDIDATES_SET_CALL_H
#define CANDIDATES_SET_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/base/element.h"

/* A value as it stands in gemmgate.ini, and its line; line 0: it is not said there. */
struct call_text {
    char text[200];
    int line;
};

#define CALL_LINES 8

/* The keys of a section [kernel NAME], with those of [set] for all kernels. */
struct call {
    char name[64];                     /* "": every file of the pattern */
    char file[256];                    /* as written, relative to the set's folder */
    int line;                          /* of the section */
    struct call_text call[CALL_LINES]; /* an expression, which may have several lines */
    int call_count;
    struct call_text can_do, workspace; /* expressions of m, n and k */
    int32_t accumulate;                 /* enum gemm_accumulate; 0: not said */
    int elements;                       /* bits 1 << enum element; 0: not said, */
    int elements_line;                  /* or here */
    int32_t device;                     /* enum gemm_device; 0: what the file's type says */
    int32_t tile[3];
    bool reads_c; /* if only times beta = 0 */
};

/* Whether brackets and quotes of an expression, in so many lines, close. NULL, or a sentence that
 * says what is wrong with it. */
const char *call_expression_defect(const struct call_text *lines, int count);

/* The names that a compiler knows its lines by; these are no files. */
#define CALL_INI "gemmgate.ini"
#define CALL_WRAPPER "gemmgate-wrapper"

/* Writes the wrapper: a source that is compiled behind the file and exports gemmgate_kernel. cuda:
 * of a CUDA source, in C++; else of one in C. A message of the compiler about an expression names
 * the line of gemmgate.ini. element: what the operands are made of. */
void call_write_wrapper(FILE *out, const struct call *call, const char *label, bool cuda,
                        enum element element);

#endif
