/* A kernel under test and the set that it is from, as data. */
#ifndef CANDIDATES_SET_CANDIDATE_H
#define CANDIDATES_SET_CANDIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/base/element.h"
#include "bench/base/shape.h"
#include "candidates/set/call.h"
#include "candidates/set/torch_call.h"

enum candidate_type { CANDIDATE_CU, CANDIDATE_C, CANDIDATE_SO };

/* Numbers that a source tells of itself; -1 where it does not. */
struct candidate_traits {
    int64_t length;     /* characters: the paper's L */
    int32_t bm, bn, bk; /* tile of a block */
    int32_t stages;     /* of the pipeline */
    int32_t swizzle;    /* 1: blocks are swizzled, 0: not */
};

struct candidate {
    char label[64]; /* what reports call it: the set's name, or the file's own */
    char file[256]; /* its name in the folder */
    char path[1024];
    const struct call
        *call; /* how a function of it is called (the set's); NULL: as gemmgate.h says */
    enum candidate_type type;
    bool has_shape; /* the file's name is a shape, and it serves that one only */
    struct shape shape;
    char source_hash[33]; /* XXH128 of the file and of its call, hexadecimal */
    struct candidate_traits traits;
    char defect[480];          /* why the file cannot be a kernel of its set; "" if it can */
    char proposal[TORCH_CALL]; /* a call for it, where its set has none and it is of torch; "" */
};

#define SET_FLAGS 24

struct candidate_set {
    char name[64]; /* the folder's own name */
    char folder[1024];
    struct candidate *list; /* by file name */
    size_t count;

    char flags[SET_FLAGS][512]; /* further compiler arguments; relative paths begin at the folder */
    int flag_count;
    char arch[16];      /* what the set was written for; "": any */
    bool lacks_cutlass; /* it needs CUTLASS to be compiled, and none was named */

    /* The elements that its kernels serve, bits 1 << enum element; 0: each kernel says it itself.
     * The line of gemmgate.ini that says so, or 0. The one that it is compiled and called for
     * (set_serve). */
    int elements, elements_line;
    enum element element;

    /* How single kernels are called, or all files alike, by gemmgate.ini or by the set's format.
     * Then each candidate has one of these. */
    struct call *calls;
    size_t call_count;
};

/* Its name while it is compiled: its file's name, or its own where a file has several. */
const char *candidate_words(const struct candidate *candidate);

/* Whether the candidate runs on a GPU; false where its library alone knows. */
bool candidate_is_cuda(const struct candidate *candidate);

/* Appends a compiler argument, and one that names a folder of headers. 0, or -1 after error(). */
int set_add_flag(struct candidate_set *set, const char *flag);
int set_add_include(struct candidate_set *set, const char *folder);

#endif
