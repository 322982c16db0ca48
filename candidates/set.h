/* A candidate set: a folder of kernels under test, as a list.
 * Functions return 0, or -1 after error(); on failure there is nothing to free. */
#ifndef CANDIDATES_SET_H
#define CANDIDATES_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/shape.h"

enum candidate_type { CANDIDATE_CU, CANDIDATE_C, CANDIDATE_SO };

struct candidate {
    char label[64]; /* what reports call it: the set's name, or the file's own */
    char file[256]; /* its name in the folder */
    char path[1024];
    enum candidate_type type;
    bool has_shape; /* the file's name is a shape, and it serves that one only */
    struct shape shape;
    char source_hash[33]; /* XXH128 of the file, hexadecimal */
};

struct candidate_set {
    char name[64]; /* the folder's own name */
    char folder[1024];
    struct candidate *list; /* by file name */
    size_t count;
};

/* The .cu, .c and .so files of one folder. A file named MxNxK or M_N_K serves that shape under the
 * set's name; any other serves every shape it says it can do under its own. */
int set_open(const char *folder, struct candidate_set *set);

/* Prints a table to stdout. */
void set_list(const struct candidate_set *set);

/* Safe on a zeroed set. */
void set_free(struct candidate_set *set);

#endif
