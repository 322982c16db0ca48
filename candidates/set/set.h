/* A candidate set: a folder of kernels under test, as a list.
 * Functions return 0, or -1 after error(); on failure there is nothing to free. */
#ifndef CANDIDATES_SET_SET_H
#define CANDIDATES_SET_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/base/shape.h"

enum candidate_type { CANDIDATE_CU, CANDIDATE_C, CANDIDATE_SO };

/* What a source tells of itself; -1 where it does not. */
struct candidate_traits {
    int64_t length;                 /* characters: the paper's L */
    int32_t bm, bn, bk;             /* tile of a block */
    int32_t stages;                 /* of the pipeline */
    int32_t swizzle;                /* 1: blocks are swizzled, 0: not */
    int32_t tile_m, tile_n, tile_k; /* what operands are padded to multiples of; 0: nothing */
};

struct candidate {
    char label[64]; /* what reports call it: the set's name, or the file's own */
    char file[256]; /* its name in the folder */
    char path[1024];
    enum candidate_type type;
    bool has_shape; /* the file's name is a shape, and it serves that one only */
    struct shape shape;
    char source_hash[33]; /* XXH128 of the file, hexadecimal */
    struct candidate_traits traits;
    char defect[160]; /* why the file cannot be a kernel of its set; "" if it can */
};

#define SET_FLAGS 24

struct candidate_set {
    char name[64]; /* the folder's own name */
    char folder[1024];
    struct candidate *list; /* by file name */
    size_t count;

    /* How the sources are compiled and called, where it is not the plain contract. */
    char flags[SET_FLAGS][512]; /* further compiler arguments */
    int flag_count;
    char function[64];  /* the release's function to wrap; "": the files export gemmgate_kernel */
    int32_t accumulate; /* of that function, enum gemm_accumulate */
    char arch[16];      /* what the set was written for; "": any */
};

/* A folder, or FORMAT:FOLDER; the one format is cuda-l2 (candidates/set/cuda_l2.h), which needs the
 * CUTLASS headers (NULL: none given).
 *
 * The .cu, .c and .so files of the folder. A file named MxNxK or M_N_K serves that shape under the
 * set's name; any other serves every shape it says it can do under its own. */
int set_open(const char *name, const char *cutlass, struct candidate_set *set);

/* Appends a compiler argument. 0, or -1 after error(). */
int set_add_flag(struct candidate_set *set, const char *flag);

/* Prints a table to stdout. */
void set_list(const struct candidate_set *set);

/* Safe on a zeroed set. */
void set_free(struct candidate_set *set);

#endif
