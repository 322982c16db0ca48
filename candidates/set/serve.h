/* Which elements the kernels of a set serve, and the one that they are to serve now. */
#ifndef CANDIDATES_SET_SERVE_H
#define CANDIDATES_SET_SERVE_H

#include "candidates/set/candidate.h"

/* Chooses the element that an opened set is compiled and called for. 0, or -1 after error() where
 * gemmgate.ini, or the set's format, says that its kernels do not serve it. What it does not say, a
 * kernel's library does. */
int set_serve(struct candidate_set *set, enum element element);

#endif
