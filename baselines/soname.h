/* Two libraries of one SONAME in a process. The dynamic linker takes the first for both, also where
 * a third library needs the second: libcublas.so.13 of one release would call libcublasLt.so.13 of
 * the other. So the second is loaded from a copy in which the names are others. */
#ifndef BASELINES_SONAME_H
#define BASELINES_SONAME_H

#include <limits.h>

#define SONAME_WHY 384 /* why a library cannot be had, with the NUL */

/* The name of a file without what such a copy has changed in it: l1bcublas.so.13 is
 * libcublas.so.13. Points into a text of the function's own where they differ, until the next call.
 */
const char *soname_plain(const char *file);

/* Looks at the library `file` of the folder. Where it needs another library of its folder, and the
 * process holds one of the SONAME of either, copies them into the cache with other names, which
 * `number` (1 to 9) tells apart, unless they are there, and changes folder and file to the copy's.
 * Refuses files that are no libraries of this processor. 0, or -1 with why. */
int soname_set_apart(char folder[PATH_MAX], char file[256], const char *cache, int number,
                     char why[SONAME_WHY]);

#endif
