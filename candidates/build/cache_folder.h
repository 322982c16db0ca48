/* Where what is made once is kept. */
#ifndef CANDIDATES_BUILD_CACHE_FOLDER_H
#define CANDIDATES_BUILD_CACHE_FOLDER_H

#include <limits.h>

/* The cache that is meant: the option's (NULL: none is given), else $GEMMGATE_CACHE,
 * $XDG_CACHE_HOME/gemmgate or ~/.cache/gemmgate. 0, or -1 after error(). */
int cache_folder(const char *option, char folder[PATH_MAX]);

#endif
