/* A candidate set: a folder of kernels under test, as a list.
 * Functions return 0, or -1 after error(); on failure there is nothing to free. */
#ifndef CANDIDATES_SET_SET_H
#define CANDIDATES_SET_SET_H

#include "candidates/set/candidate.h"

/* The one format of sets that is not gemmgate's own (candidates/set/cuda_l2.h). */
#define SET_CUDA_L2 "cuda-l2:"

/* A folder, or SET_CUDA_L2 and a folder; to be compiled, such a set needs the CUTLASS headers (NULL:
 * none given).
 *
 * The .cu, .c and .so files of the folder. A file named MxNxK or M_N_K serves that shape under the
 * set's name; any other serves every shape it says it can do under its own. */
int set_open(const char *name, const char *cutlass, struct candidate_set *set);

/* Chooses the element that an opened set is compiled and called for. 0, or -1 after error() where
 * gemmgate.ini, or the set's format, says that its kernels do not serve it. Where it says nothing,
 * a kernel's library does. */
int set_serve(struct candidate_set *set, enum element element);

/* "CUDA source", "C source" or "library". */
const char *candidate_type_name(enum candidate_type type);

/* Safe on a zeroed set. */
void set_free(struct candidate_set *set);

#endif
